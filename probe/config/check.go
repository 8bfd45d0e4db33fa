package config

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ttftop/probe"
	"ttftop/probe/endpoint"
	"ttftop/probe/slo"
)

// check looks for values that can't be, whatever the environment holds.
func (f *File) check() error {
	if err := f.checkSettings(); err != nil {
		return err
	}
	for i, e := range f.document.Endpoints {
		if err := f.checkEndpoint(fmt.Sprintf("endpoints.%d", i), e); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) checkSettings() error {
	s := f.document.Settings
	return cmp.Or(
		f.within("prompt_tokens", s.PromptTokens, probe.MinPromptTokens, probe.MaxPromptTokens),
		f.within("pressure", s.Pressure, 0, probe.MaxPressure),
		f.within("max_tokens", s.MaxTokens, 1, probe.MaxOutputTokens),
		f.oneOf("cache", s.Cache, string(probe.Bust), string(probe.Warm)),
		f.oneOf("conn", s.Conn, string(probe.WarmConn), string(probe.ColdConn)),
		f.setting("cache_share", s.CacheShare == nil || *s.CacheShare >= 0 && *s.CacheShare <= 1, "from 0 to 1"),
		f.setting("rate", s.Rate == nil || *s.Rate >= probe.MinRate && *s.Rate <= probe.MaxRate, fmt.Sprintf("from %g to %g probes per second", probe.MinRate, probe.MaxRate)),
		f.setting("timeout", s.Timeout == nil || timeout(*s.Timeout) > 0, `a duration above 0, such as "30s" or "1m30s"`),
		f.setting("token_budget", s.TokenBudget == nil || *s.TokenBudget >= 0, "0 for none, or above"),
		f.limits(),
		f.setting("theme", s.Theme == nil || checkLabel("theme", *s.Theme) == nil && *s.Theme != "", "the name of a theme"),
	)
}

func (f *File) limits() error {
	if _, err := slo.ParseAll(f.document.Settings.SLO); err != nil {
		return f.fault("settings.slo", "%w", err)
	}
	return nil
}

// timeout reads a duration, 0 where it is none.
func timeout(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return d
}

func (f *File) setting(name string, right bool, is string) error {
	if right {
		return nil
	}
	return f.fault("settings."+name, "%s must be %s", name, is)
}

func (f *File) within(name string, n *int, low, high int) error {
	return f.setting(name, n == nil || *n >= low && *n <= high, fmt.Sprintf("from %d to %d", low, high))
}

func (f *File) oneOf(name string, text *string, values ...string) error {
	return f.setting(name, text == nil || slices.Contains(values, *text), `"`+strings.Join(values, `" or "`)+`"`)
}

// checkEndpoint looks at one endpoint whose key in the file is given.
func (f *File) checkEndpoint(key string, e entry) error {
	if e.URL == nil {
		return f.fault(key, `the endpoint has no url: write url = "https://host/v1"`)
	}
	if _, err := endpoint.Parse(*e.URL); err != nil {
		return f.fault(key+".url", "%w", err)
	}
	if e.Name != nil && *e.Name == "" {
		return f.fault(key+".name", "name is empty: write a short label, or leave it away")
	}
	if err := cmp.Or(
		f.labelled(key, "name", e.Name),
		f.labelled(key, "region", e.Region),
	); err != nil {
		return err
	}
	for _, m := range e.Models {
		if err := checkModel(m); err != nil {
			return f.fault(key+".models", "%w", err)
		}
	}
	if e.CACert == nil {
		return nil
	}
	if e.Insecure {
		return f.fault(key+".insecure", "insecure and cacert are both set: certificates are checked with cacert or not at all, so leave one away")
	}
	if err := checkCACert(f.beside(*e.CACert)); err != nil {
		return f.fault(key+".cacert", "%w", err)
	}
	return nil
}

func (f *File) labelled(key, name string, text *string) error {
	if text == nil {
		return nil
	}
	if err := checkLabel(name, *text); err != nil {
		return f.fault(key+"."+name, "%w", err)
	}
	return nil
}

// longestLabel limits a name or a region, in characters.
const longestLabel = 64

// checkLabel refuses what can't stand on one line of a screen.
func checkLabel(what, text string) error {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("the %s has a line break or another character that can't be shown: write it on one line", what)
	}
	if utf8.RuneCountInString(text) > longestLabel {
		return fmt.Errorf("the %s is longer than %d characters: write a shorter one", what, longestLabel)
	}
	if text != strings.TrimSpace(text) {
		return fmt.Errorf("the %s begins or ends with a space: leave it away", what)
	}
	return nil
}

// checkModel refuses a model that no server can have.
func checkModel(model string) error {
	if strings.TrimSpace(model) == "" {
		return errors.New("the name of a model is empty: write it as the endpoint spells it")
	}
	if strings.ContainsFunc(model, unicode.IsControl) || model != strings.TrimSpace(model) {
		return errors.New("the name of a model has white space around it or a control character inside: write it as the endpoint spells it")
	}
	return nil
}

// longestPEM limits what is read of a file of certificates, in bytes.
const longestPEM = 16 << 20

// checkCACert looks whether a file holds certificates.
func checkCACert(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("the certificate file can't be read: %w", err)
	}
	defer file.Close()
	pem, err := io.ReadAll(io.LimitReader(file, longestPEM))
	if err != nil {
		return fmt.Errorf("the certificate file can't be read: %w", err)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(pem) {
		return fmt.Errorf("the file %s holds no certificate: it must be in PEM form, with BEGIN CERTIFICATE", path)
	}
	return nil
}
