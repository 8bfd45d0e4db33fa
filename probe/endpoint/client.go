package endpoint

import (
	"net/http"

	openai "github.com/sashabaranov/go-openai"

	"ttftop/probe"
)

// ClientConfig is go-openai's configuration for the endpoint, put right where
// it is wrong. It sends chat completions to ChatURL and the model list to
// ModelsURL, with what Authorize sets, through c.
//
// What go-openai does by itself and this mends: it puts a query in the middle
// of the path, doubles /openai of Azure's v1 form, renames deployments
// (gpt-3.5-turbo, ft:x) or calls them UNKNOWN, and prints the key that it
// keeps with %#v; so it is given none.
func ClientConfig(e *probe.Endpoint, c openai.HTTPDoer) openai.ClientConfig {
	if e.API != probe.Azure || azureDirect(e) {
		config := openai.DefaultConfig("")
		config.BaseURL = address(e, baseSegments(e), "")
		config.HTTPClient = sender{e, c}
		return config
	}
	config := openai.DefaultAzureConfig("", address(e, azureResource(e), ""))
	config.APIVersion = e.APIVersion
	config.AzureModelMapperFunc = func(model string) string {
		if model == "" {
			model = Deployment(e)
		}
		return escapeSegment(model)
	}
	config.HTTPClient = sender{e, c}
	return config
}

// sender gives go-openai's requests the endpoint's query, key and headers.
type sender struct {
	endpoint *probe.Endpoint
	next     openai.HTTPDoer
}

// Do implements openai.HTTPDoer.
func (s sender) Do(req *http.Request) (*http.Response, error) {
	req.URL.RawQuery = query(s.endpoint)
	req.Header.Del("Api-Key") // go-openai sets it empty where it has no key
	Authorize(req.Header, s.endpoint)
	return s.next.Do(req)
}
