package probe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestASecretIsNeverShown(t *testing.T) {
	const text = "sk-TESTKEY-0000-do-not-print"
	s := NewSecret(text)
	type holder struct {
		Key    Secret
		hidden Secret
		Map    map[string]Secret
		Ptr    *Secret
	}
	h := holder{s, s, map[string]Secret{"k": s}, &s}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, v := range []any{s, &s, h, &h, []Secret{s}} {
			if got := fmt.Sprintf(verb, v); strings.Contains(got, "TESTKEY") || strings.Contains(got, fmt.Sprintf("%x", text)) {
				t.Errorf("%s of %T: %s", verb, v, got)
			}
		}
	}
	data, err := json.Marshal(h)
	if err != nil || bytes.Contains(data, []byte("TESTKEY")) {
		t.Errorf("JSON: %s, %v", data, err)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", s, "holder", h)
	if strings.Contains(log.String(), "TESTKEY") {
		t.Errorf("log: %s", log.String())
	}
	if s.Reveal() != text || s.IsZero() || !NewSecret("").IsZero() || (Secret{}).Reveal() != "" {
		t.Error("the secret itself is lost")
	}
}
