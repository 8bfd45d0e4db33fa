package endpoint

import "ttftop/probe"

// ChatURL is the full address of chat completions, to be put on the wire and
// nowhere else: it holds the credentials of the query.
//
// The model matters for Azure alone, where the deployment is part of the
// path, exactly as typed; an empty model stands for the deployment that the
// endpoint's own URL names.
func ChatURL(e *probe.Endpoint, model string) string {
	return address(e, with(chatBase(e, model), "chat", "completions"), query(e))
}

// ModelsURL is the full address of the model list, for the wire alone. On
// Azure it lists the models of the resource, not the deployments.
func ModelsURL(e *probe.Endpoint) string { return address(e, modelsPath(e), query(e)) }

func modelsPath(e *probe.Endpoint) []string {
	if e.API == probe.Azure && !azureDirect(e) {
		return with(azureResource(e), "openai", "models")
	}
	return with(baseSegments(e), "models")
}

// Display is the endpoint's URL for screens and records: no user info, and
// values of key-like query parameters masked. Parse reads it as the same
// endpoint, save for what is masked.
func Display(e *probe.Endpoint) string {
	segments := baseSegments(e)
	if e.API == probe.OpenAI && !versioned(segments) {
		segments = with(segments, "chat", "completions")
	}
	return shown(e, segments)
}

// DisplayChat is ChatURL for screens, records and errors: without secrets.
func DisplayChat(e *probe.Endpoint, model string) string {
	return shown(e, with(chatBase(e, model), "chat", "completions"))
}

// chatBase is the path above /chat/completions.
func chatBase(e *probe.Endpoint, model string) []string {
	if e.API == probe.Azure && !azureDirect(e) {
		if model == "" {
			model = Deployment(e)
		}
		return with(azureResource(e), "openai", "deployments", escapeSegment(model))
	}
	return baseSegments(e)
}

func baseSegments(e *probe.Endpoint) []string { return pathSegments(e.Base.EscapedPath()) }

// shown is an address without secrets.
func shown(e *probe.Endpoint, segments []string) string {
	return address(e, segments, withVersion(e, e.Base.RawQuery))
}

// query is the whole query of a request, credentials included.
func query(e *probe.Endpoint) string {
	if s, ok := e.Headers[queryHeader]; ok {
		return withVersion(e, s.Reveal())
	}
	return withVersion(e, e.Base.RawQuery)
}

// withVersion adds Azure's api-version to a query.
func withVersion(e *probe.Endpoint, query string) string {
	if e.APIVersion == "" {
		return query
	}
	version := "api-version=" + e.APIVersion
	if query == "" {
		return version
	}
	return query + "&" + version
}

func address(e *probe.Endpoint, segments []string, query string) string {
	u := *e.Base
	setPath(&u, segments)
	u.RawQuery = query
	return u.String()
}
