package endpoint

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"ttftop/probe"
)

// DefaultAzureVersion is the api-version of a deployment URL that names none:
// the last dated version that is generally available
// (https://learn.microsoft.com/azure/ai-foundry/openai/reference).
const DefaultAzureVersion = "2024-10-21"

// defaultInferenceVersion is the same for the /models form of services.ai.azure.com.
const defaultInferenceVersion = "2024-05-01-preview"

// Azure has three forms of address, told apart by the path of Base:
//
//	… and …/openai/deployments    resource: /openai/deployments/MODEL is added
//	…/openai/deployments/NAME     deployment: the same, with a name of its own
//	…/openai/v1 and …/models      direct: the model is in the request's body
//
// Deployment and azureDirect are where this is decided.

// azureHosts are the domains of Azure resources in its public and sovereign clouds.
var azureHosts = regexp.MustCompile(`^.+\.(openai|cognitiveservices|services\.ai)\.azure\.(com|us|cn)$`)

func (h host) azure() bool { return azureHosts.MatchString(strings.TrimSuffix(h.name, ".")) }

// isDeploymentPath reports whether a path is Azure's on any host: gateways
// put it under their own name.
func isDeploymentPath(segments []string) bool {
	i := openaiIndex(segments)
	return i >= 0 && i+1 < len(segments) && strings.EqualFold(segments[i+1], "deployments")
}

// openaiIndex finds the /openai that Azure's path begins with, -1 for none. A
// gateway's own path and a deployment may be called openai too.
func openaiIndex(segments []string) int {
	last := -1
	for i, s := range segments {
		if !strings.EqualFold(s, "openai") {
			continue
		}
		last = i
		if i+1 < len(segments) && strings.EqualFold(segments[i+1], "deployments") {
			break
		}
	}
	return last
}

// Deployment is the Azure deployment that the endpoint's URL names, as typed;
// "" where it names none. It is the model to ask for.
func Deployment(e *probe.Endpoint) string {
	segments := baseSegments(e)
	i := openaiIndex(segments)
	if e.API != probe.Azure || i < 0 || i+2 >= len(segments) {
		return ""
	}
	name, err := url.PathUnescape(segments[i+2])
	if err != nil {
		return ""
	}
	return name
}

// azureDirect reports whether requests go straight below Base.
func azureDirect(e *probe.Endpoint) bool {
	segments := baseSegments(e)
	_, v1 := cutSuffix(segments, "openai", "v1")
	return v1 || len(segments) == 1 && segments[0] == "models"
}

// azureResource is the path above /openai.
func azureResource(e *probe.Endpoint) []string {
	segments := baseSegments(e)
	if i := openaiIndex(segments); i >= 0 {
		return segments[:i]
	}
	return segments
}

// escapeSegment escapes a deployment's name for a path; names of one or two
// dots would be taken for a step in the path.
func escapeSegment(name string) string {
	if strings.Trim(name, ".") == "" {
		return strings.ReplaceAll(name, ".", "%2E")
	}
	return url.PathEscape(name)
}

// setAzure reads the path and query of an Azure URL.
func setAzure(e *probe.Endpoint, host host, segments []string, parameters []parameter) error {
	base, note, err := azureBase(host, segments)
	if err != nil {
		return err
	}
	e.API = probe.Azure
	setPath(e.Base, base)
	version, rest, err := takeVersion(parameters)
	if err != nil {
		return err
	}
	setQuery(e, rest)
	e.APIVersion = version
	if version == "" {
		e.APIVersion = azureDefaultVersion(base)
	}
	e.Tried = azureTried(e, note)
	return nil
}

// azureDefaultVersion is what Azure needs when the URL names no api-version;
// the v1 form needs none.
func azureDefaultVersion(base []string) string {
	if _, v1 := cutSuffix(base, "openai", "v1"); v1 {
		return ""
	}
	if slices.Equal(base, []string{"models"}) {
		return defaultInferenceVersion
	}
	return DefaultAzureVersion
}

var errAzurePath = errors.New("the path of the Azure URL is not known: write the resource (https://NAME.openai.azure.com), " +
	"a deployment (…/openai/deployments/NAME) or the v1 form (…/openai/v1)")

// azureBase finds the base in the path of an Azure URL.
func azureBase(host host, segments []string) (base []string, note string, err error) {
	i := openaiIndex(segments)
	if i < 0 {
		return azureBare(host, segments)
	}
	above, below := segments[:i], segments[i+1:]
	first := ""
	if len(below) > 0 {
		first = strings.ToLower(below[0])
	}
	switch first {
	case "deployments":
		if len(below) == 1 {
			return with(above, "openai", "deployments"), "read as an Azure resource", nil
		}
		if !operation(below[2:]) {
			return nil, "", errors.New("the Azure URL goes on after the deployment: write it up to …/openai/deployments/NAME")
		}
		return with(above, "openai", "deployments", below[1]), "read as an Azure deployment", nil
	case "v1":
		if !operation(below[1:]) {
			return nil, "", errAzurePath
		}
		return with(above, "openai", "v1"), "read as Azure's v1 form", nil
	}
	if !operation(below) {
		return nil, "", errAzurePath
	}
	return above, "read as an Azure resource", nil
}

// azureBare is a path without /openai on a host of Azure.
func azureBare(host host, segments []string) (base []string, note string, err error) {
	base, _ = cutSuffix(segments, "chat", "completions")
	switch {
	case len(base) == 0:
		return nil, "read as an Azure resource", nil
	case len(base) == 1 && strings.EqualFold(base[0], "v1"):
		return []string{"openai", "v1"}, "read as Azure's v1 form, which is at /openai/v1", nil
	case len(base) == 1 && strings.EqualFold(base[0], "models") && strings.Contains(host.name, ".services.ai."):
		return []string{"models"}, "read as Azure's model inference", nil
	case len(base) == 3 && strings.EqualFold(base[0], "api") && strings.EqualFold(base[1], "projects"):
		return nil, "read as the Azure resource of that project", nil
	}
	return nil, "", errAzurePath
}

// operation reports whether what follows the base is nothing, or a request
// that people copy along with it.
func operation(rest []string) bool {
	switch strings.ToLower(strings.Join(rest, "/")) {
	case "", "chat", "chat/completions", "completions", "models", "responses":
		return true
	}
	return false
}

var azureVersionForm = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2}(-preview)?|preview|latest|v1)$`)

// takeVersion takes the api-version out of a query.
func takeVersion(parameters []parameter) (version string, rest []parameter, err error) {
	for _, p := range parameters {
		if !strings.EqualFold(p.name, "api-version") {
			rest = append(rest, p)
			continue
		}
		if p.value != "" && !azureVersionForm.MatchString(p.value) {
			return "", nil, errors.New("the api-version of the Azure URL is no version of the API: write a date such as " +
				DefaultAzureVersion + " or 2025-01-01-preview, not the version of a model")
		}
		version = p.value
	}
	return version, rest, nil
}

// azureTried tells how an Azure URL was read.
func azureTried(e *probe.Endpoint, note string) []string {
	name := Deployment(e)
	if name == "" {
		name = "DEPLOYMENT"
	}
	asked := "asked " + DisplayChat(e, name) + " (" + note + ")"
	u := url.URL{Scheme: e.Base.Scheme, Host: e.Base.Host}
	above := azureResource(e)
	if azureDirect(e) {
		if slices.Equal(above, []string{"models"}) {
			above = nil
		}
		setPath(&u, with(above, "openai", "deployments", "DEPLOYMENT"))
		return []string{asked, "if that is wrong, try " + u.String()}
	}
	setPath(&u, with(above, "openai", "v1"))
	return []string{asked, "check the name of the deployment, or try " + u.String()}
}
