package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"ttftop/probe"
)

// caught is a request that was caught on its way out.
type caught struct {
	url    string
	header http.Header
}

var errCaught = errors.New("caught")

func (c *caught) Do(req *http.Request) (*http.Response, error) {
	c.url, c.header = req.URL.String(), req.Header.Clone()
	return nil, errCaught
}

// TestClientConfigAgreesWithURLs holds go-openai to what is right, and
// keeps watch over what it does alone: should that change, the correction may go.
func TestClientConfigAgreesWithURLs(t *testing.T) {
	const azure = "https://res.openai.azure.com"
	tests := []struct{ raw, model, alone string }{
		{"https://host/v1/", "m", ""},
		{"https://host", "m", "https://host/chat/completions"},
		{"https://host/v1/chat/completions", "m", "https://host/v1/chat/completions/chat/completions"},
		{"https://host/v1?tenant=a", "m", "https://host/v1?tenant=a/chat/completions"},
		{"https://host/v1?api-key=" + testKey, "m", ""},
		{azure, "dep", azure + "/openai/deployments/dep/chat/completions?api-version=2023-05-15"},
		{azure + "/openai", "dep", azure + "/openai/openai/deployments/dep/chat/completions?api-version=2023-05-15"},
		{azure + "/openai/v1", "dep", azure + "/openai/v1/openai/deployments/dep/chat/completions?api-version=2023-05-15"},
		{azure + "/openai/deployments/dep", "dep", azure + "/openai/deployments/dep/openai/deployments/dep/chat/completions?api-version=2023-05-15"},
		{azure, "gpt-3.5-turbo", azure + "/openai/deployments/gpt-35-turbo/chat/completions?api-version=2023-05-15"},
		{azure, "ft:x", azure + "/openai/deployments/ftx/chat/completions?api-version=2023-05-15"},
		{azure + "/openai/deployments/dep", "", azure + "/openai/deployments/dep/openai/deployments/UNKNOWN/chat/completions?api-version=2023-05-15"},
		{azure + "/openai/deployments/dep/chat/completions?api-version=2025-01-01-preview&tenant=a", "dep", ""},
		{azure, "a/b c", ""},
		{"http://127.0.0.1:8099/6-02/openai/deployments/dep", "dep", ""},
		{"https://res.services.ai.azure.com/models", "m", ""},
	}
	for _, tt := range tests {
		e, err := Parse(tt.raw)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.raw, err)
			continue
		}
		var chat, models caught
		ask(t, ClientConfig(e, &chat), tt.model)
		if want := ChatURL(e, tt.model); chat.url != want {
			t.Errorf("%s, model %q: go-openai asks %s, want %s", tt.raw, tt.model, chat.url, want)
		}
		if _, err := openai.NewClientWithConfig(ClientConfig(e, &models)).ListModels(context.Background()); !errors.Is(err, errCaught) {
			t.Errorf("%s: %v", tt.raw, err)
		}
		if want := ModelsURL(e); models.url != want {
			t.Errorf("%s: go-openai lists %s, want %s", tt.raw, models.url, want)
		}
		if tt.alone != "" {
			if got := alone(t, e.API, tt.raw, tt.model); got != tt.alone {
				t.Errorf("%s, model %q: go-openai alone now asks %s, no longer %s", tt.raw, tt.model, got, tt.alone)
			}
		}
	}
}

func ask(t *testing.T, config openai.ClientConfig, model string) {
	t.Helper()
	_, err := openai.NewClientWithConfig(config).CreateChatCompletion(context.Background(), openai.ChatCompletionRequest{Model: model})
	if !errors.Is(err, errCaught) {
		t.Errorf("model %q: %v", model, err)
	}
}

// alone is where go-openai's own configuration would ask.
func alone(t *testing.T, api probe.API, base, model string) string {
	t.Helper()
	config := openai.DefaultConfig("")
	config.BaseURL = base
	if api == probe.Azure {
		config = openai.DefaultAzureConfig("", base)
	}
	var c caught
	config.HTTPClient = &c
	ask(t, config, model)
	return c.url
}

func TestClientConfigHeaders(t *testing.T) {
	tests := []struct {
		raw, key string
		want     map[string]string // "" for none
	}{
		{"https://host/v1", "abc", map[string]string{"Authorization": "Bearer abc", "Api-Key": ""}},
		{"https://host/v1", "", map[string]string{"Authorization": "", "Api-Key": ""}},
		{"https://u:p4ss@host/v1", "", map[string]string{"Authorization": "Basic dTpwNHNz"}},
		{"https://r.openai.azure.com", "abc", map[string]string{"Api-Key": "abc", "Authorization": ""}},
		{"https://r.openai.azure.com/openai/v1", "abc", map[string]string{"Api-Key": "abc", "Authorization": ""}},
		{"https://r.openai.azure.com", "", map[string]string{"Api-Key": "", "Authorization": ""}},
	}
	for _, tt := range tests {
		e, err := Parse(tt.raw)
		if err != nil {
			t.Fatal(err)
		}
		e.Key = probe.NewSecret(tt.key)
		var c caught
		ask(t, ClientConfig(e, &c), "m")
		for name, want := range tt.want {
			values, there := c.header[name]
			if want == "" && there || want != "" && (len(values) != 1 || values[0] != want) {
				t.Errorf("%s: %s is %q, want %q", tt.raw, name, values, want)
			}
		}
	}
}

func TestClientConfigHoldsNoKey(t *testing.T) {
	for _, raw := range []string{"https://host/v1", "https://r.openai.azure.com"} {
		e, err := Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		e.Key = probe.NewSecret(testKey)
		if text := fmt.Sprintf("%v %+v %#v", ClientConfig(e, nil), ClientConfig(e, nil), ClientConfig(e, nil)); strings.Contains(text, "TESTKEY") {
			t.Errorf("%s: %s", raw, text)
		}
	}
}
