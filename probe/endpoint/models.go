package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"ttftop/probe"
)

// longestList limits the answer to a model list, in bytes.
const longestList = 16 << 20

// Model is an entry of an endpoint's list of models.
type Model struct {
	Name  string
	Owner string // what the list has as its owned_by, "" for nothing
}

// ListModels asks the endpoint which models it offers and returns them in its
// order, each name once. On Azure these are the models of the resource, not
// the deployments, so they can't be asked for.
//
// The client's transport decides on proxy and certificates; redirects are not
// followed, for they would carry the key to another host. An error is a
// *probe.Failure: one line without secrets. A list without a name is an error.
func ListModels(ctx context.Context, c *http.Client, e *probe.Endpoint) ([]Model, error) {
	client := *c
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	list, err := openai.NewClientWithConfig(ClientConfig(e, listReader{e, &client})).ListModels(ctx)
	if err != nil {
		return nil, listFailure(e, err)
	}
	var models []Model
	for _, m := range list.Models {
		if m.ID != "" && !slices.ContainsFunc(models, func(known Model) bool { return known.Name == m.ID }) {
			models = append(models, Model{m.ID, m.OwnedBy})
		}
	}
	if len(models) == 0 {
		return nil, &probe.Failure{Kind: probe.FailProtocol, Message: "the endpoint lists no models: name one with -m"}
	}
	return models, nil
}

// listReader gives go-openai a model list as it expects it. Gateways send
// "created" as a float or a text, or the list as a bare array; go-openai then
// loses the whole list.
type listReader struct {
	endpoint *probe.Endpoint
	client   *http.Client
}

// Do implements openai.HTTPDoer.
func (l listReader) Do(req *http.Request) (*http.Response, error) {
	resp, err := l.client.Do(req)
	if err != nil {
		return nil, err
	}
	if Redirects(resp) {
		resp.Body.Close()
		return nil, Redirected(l.endpoint, resp)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, longestList+1))
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	if len(body) > longestList {
		return nil, &probe.Failure{Kind: probe.FailProtocol, Status: resp.StatusCode, Message: "the model list is longer than 16 MiB: name a model with -m"}
	}
	if resp.StatusCode < 300 {
		if body, err = plainList(body); err != nil {
			return nil, err
		}
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// plainList keeps of a model list the names and owners alone.
func plainList(body []byte) ([]byte, error) {
	items, err := listItems(bytes.TrimSpace(body))
	if err != nil {
		return nil, err
	}
	list := openai.ModelsList{Models: []openai.Model{}}
	for _, item := range items {
		list.Models = append(list.Models, modelOf(item))
	}
	return json.Marshal(list)
}

// listItems finds the array of models: under "data", under "models", or bare.
func listItems(body []byte) (items []json.RawMessage, err error) {
	if bytes.HasPrefix(body, []byte("<")) {
		return nil, &probe.Failure{Kind: probe.FailProtocol, Message: "the answer is a web page, not a model list: check the URL"}
	}
	if !bytes.HasPrefix(body, []byte("[")) {
		var list struct{ Data, Models json.RawMessage }
		err = json.Unmarshal(body, &list)
		if body = list.Data; len(body) == 0 {
			body = list.Models
		}
	}
	if err == nil {
		err = json.Unmarshal(body, &items)
	}
	if err != nil {
		return nil, &probe.Failure{Kind: probe.FailProtocol, Message: "the answer is no model list: check the URL, or name a model with -m"}
	}
	return items, nil
}

func modelOf(item json.RawMessage) openai.Model {
	var name string
	if json.Unmarshal(item, &name) == nil {
		return openai.Model{ID: strings.TrimSpace(name)}
	}
	var model struct {
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Owner json.RawMessage `json:"owned_by"`
	}
	if json.Unmarshal(item, &model) != nil {
		return openai.Model{}
	}
	if model.ID == "" {
		model.ID = model.Name
	}
	var owner string
	_ = json.Unmarshal(model.Owner, &owner) // one that is no text says nothing
	return openai.Model{ID: model.ID, OwnedBy: owner}
}
