package endpoint

import (
	"net/http"
	"strings"
	"testing"

	"ttftop/probe"
)

func TestAzureForms(t *testing.T) {
	const resource = "https://res.openai.azure.com"
	dated := func(name string) string {
		return resource + "/openai/deployments/" + name + "/chat/completions?api-version=" + DefaultAzureVersion
	}
	tests := []struct {
		raw, model string // what is typed and asked for
		chat       string
		deployment string // that the URL names
	}{
		{resource, "dep", dated("dep"), ""},
		{resource + "/", "gpt-3.5-turbo", dated("gpt-3.5-turbo"), ""},
		{resource + "/", "ft:x", dated("ft:x"), ""},
		{resource + "/openai", "dep", dated("dep"), ""},
		{resource + "/openai/", "ft:x", dated("ft:x"), ""},
		{resource + "/openai/deployments", "dep", dated("dep"), ""},
		{resource + "/openai/responses?api-version=2025-04-01-preview", "dep", resource + "/openai/deployments/dep/chat/completions?api-version=2025-04-01-preview", ""},
		{resource + "/openai/deployments/dep", "dep", dated("dep"), "dep"},
		{resource + "/openai/deployments/dep", "", dated("dep"), "dep"},
		{resource + "/openai/deployments/dep/", "other", dated("other"), "dep"},
		{resource + "/openai/deployments/gpt-3.5-turbo", "gpt-3.5-turbo", dated("gpt-3.5-turbo"), "gpt-3.5-turbo"},
		{resource + "/openai/deployments/ft:x", "ft:x", dated("ft:x"), "ft:x"},
		{resource + "/openai/deployments/ft%3Ax", "", dated("ft:x"), "ft:x"},
		{resource + "/openai/deployments/openai", "", dated("openai"), "openai"},
		{resource + "/openai/deployments/a%2Fb", "", dated("a%2Fb"), "a/b"},
		{resource + "/openai/deployments/dep/chat/completions?api-version=2025-01-01-preview", "dep", resource + "/openai/deployments/dep/chat/completions?api-version=2025-01-01-preview", "dep"},
		{resource + "/openai/deployments/dep/chat/completions?api-version=2024-06-01&tenant=a", "dep", resource + "/openai/deployments/dep/chat/completions?tenant=a&api-version=2024-06-01", "dep"},
		{resource + "/openai/deployments/dep?api-version=", "dep", dated("dep"), "dep"},
		{resource + "/openai/v1", "dep", resource + "/openai/v1/chat/completions", ""},
		{resource + "/openai/v1/", "dep", resource + "/openai/v1/chat/completions", ""},
		{resource + "/openai/v1/chat/completions?api-version=preview", "dep", resource + "/openai/v1/chat/completions?api-version=preview", ""},
		{resource + "/v1", "dep", resource + "/openai/v1/chat/completions", ""},
		{"https://res.cognitiveservices.azure.com/openai/deployments/dep/chat/completions?api-version=2025-01-01-preview", "dep",
			"https://res.cognitiveservices.azure.com/openai/deployments/dep/chat/completions?api-version=2025-01-01-preview", "dep"},
		{"https://res.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview", "m", "https://res.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview", ""},
		{"https://res.services.ai.azure.com/models", "m", "https://res.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview", ""},
		{"https://res.services.ai.azure.com/api/projects/p", "dep", "https://res.services.ai.azure.com/openai/deployments/dep/chat/completions?api-version=" + DefaultAzureVersion, ""},
		{"https://res.services.ai.azure.com/api/projects/p/openai/v1", "dep", "https://res.services.ai.azure.com/api/projects/p/openai/v1/chat/completions", ""},
		{"https://res.openai.azure.us", "dep", "https://res.openai.azure.us/openai/deployments/dep/chat/completions?api-version=" + DefaultAzureVersion, ""},
		{"http://127.0.0.1:8099/6-02/openai/deployments/dep?api-version=2024-06-01", "dep", "http://127.0.0.1:8099/6-02/openai/deployments/dep/chat/completions?api-version=2024-06-01", "dep"},
		{"https://gw.example/openai/team/openai/deployments/dep", "dep", "https://gw.example/openai/team/openai/deployments/dep/chat/completions?api-version=" + DefaultAzureVersion, "dep"},
	}
	for _, tt := range tests {
		e, err := Parse(tt.raw)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.raw, err)
			continue
		}
		if e.API != probe.Azure {
			t.Errorf("Parse(%q): API %s", tt.raw, e.API)
		}
		if got := ChatURL(e, tt.model); got != tt.chat {
			t.Errorf("Parse(%q) with model %q: chat at\n%s, want\n%s", tt.raw, tt.model, got, tt.chat)
		}
		if got := Deployment(e); got != tt.deployment {
			t.Errorf("Parse(%q): deployment %q, want %q", tt.raw, got, tt.deployment)
		}
		if strings.Contains(ChatURL(e, "m"), "/openai/openai") || strings.Contains(ModelsURL(e), "/openai/openai") {
			t.Errorf("Parse(%q) doubles /openai", tt.raw)
		}
		again, err := Parse(Display(e))
		if err != nil || ChatURL(again, tt.model) != tt.chat {
			t.Errorf("Parse(%q) is shown as %s, which is read as %v, %v", tt.raw, Display(e), again, err)
		}
		h := http.Header{}
		e.Key = probe.NewSecret(testKey)
		Authorize(h, e)
		if h.Get("api-key") != testKey || h.Get("Authorization") != "" {
			t.Errorf("Parse(%q): headers %v", tt.raw, h)
		}
	}
}

func TestAzureModelLists(t *testing.T) {
	tests := []struct{ raw, want string }{
		{"https://res.openai.azure.com", "https://res.openai.azure.com/openai/models?api-version=" + DefaultAzureVersion},
		{"https://res.openai.azure.com/openai/deployments/dep?api-version=2024-06-01", "https://res.openai.azure.com/openai/models?api-version=2024-06-01"},
		{"https://res.openai.azure.com/openai/v1", "https://res.openai.azure.com/openai/v1/models"},
	}
	for _, tt := range tests {
		e, err := Parse(tt.raw)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.raw, err)
		} else if got := ModelsURL(e); got != tt.want {
			t.Errorf("Parse(%q): models at %s, want %s", tt.raw, got, tt.want)
		}
	}
}

func TestAzureRefusals(t *testing.T) {
	tests := []struct{ raw, want string }{
		{"https://res.openai.azure.com/foo", "not known"},
		{"https://res.openai.azure.com/models", "not known"},
		{"https://res.openai.azure.com/openai/v1/files", "not known"},
		{"https://res.openai.azure.com/openai/assistants", "not known"},
		{"https://res.openai.azure.com/openai/deployments/dep/embeddings", "goes on after the deployment"},
		{"https://res.openai.azure.com/openai/deployments/dep?api-version=0613", "not the version of a model"},
		{"https://res.openai.azure.com?api-version=turbo-2024-04-09", "not the version of a model"},
	}
	for _, tt := range tests {
		if e, err := Parse(tt.raw); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%q): %v, %v; want %q", tt.raw, e, err, tt.want)
		}
	}
}

func TestNotAzure(t *testing.T) {
	for _, raw := range []string{
		"https://openai.azure.com/v1", "https://res.openai.azure.com.evil.example/v1", "https://host/openai", "https://api.groq.com/openai/v1",
	} {
		if e, err := Parse(raw); err != nil || e.API != probe.OpenAI {
			t.Errorf("Parse(%q): %v, API %v", raw, err, e)
		}
	}
}

func TestAzureTried(t *testing.T) {
	tests := []struct{ raw, asked, instead string }{
		{"https://r.openai.azure.com/openai/deployments/dep?api-version=2024-06-01",
			"asked https://r.openai.azure.com/openai/deployments/dep/chat/completions?api-version=2024-06-01 (read as an Azure deployment)",
			"check the name of the deployment, or try https://r.openai.azure.com/openai/v1"},
		{"https://r.openai.azure.com",
			"asked https://r.openai.azure.com/openai/deployments/DEPLOYMENT/chat/completions?api-version=2024-10-21 (read as an Azure resource)",
			"check the name of the deployment, or try https://r.openai.azure.com/openai/v1"},
		{"https://r.openai.azure.com/v1",
			"asked https://r.openai.azure.com/openai/v1/chat/completions (read as Azure's v1 form, which is at /openai/v1)",
			"if that is wrong, try https://r.openai.azure.com/openai/deployments/DEPLOYMENT"},
		{"https://r.services.ai.azure.com/models",
			"asked https://r.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview (read as Azure's model inference)",
			"if that is wrong, try https://r.services.ai.azure.com/openai/deployments/DEPLOYMENT"},
	}
	for _, tt := range tests {
		e, err := Parse(tt.raw)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.raw, err)
		} else if len(e.Tried) != 2 || e.Tried[0] != tt.asked || e.Tried[1] != tt.instead {
			t.Errorf("Parse(%q): tried %q", tt.raw, e.Tried)
		}
	}
}
