package sim

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// route is a path that is answered, and how, by method.
type route struct {
	path    string // a pattern of http.ServeMux
	methods map[string]http.HandlerFunc
}

// served are the routes of this server. GET answers HEAD too.
func (s *Server) served() []route {
	get := func(h http.HandlerFunc) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{http.MethodGet: h}
	}
	post := func(h http.HandlerFunc) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{http.MethodPost: h}
	}
	all := []route{
		{"/v1/chat/completions", post(s.generate(chatAPI))},
		{"/v1/completions", post(s.generate(textAPI))},
		{"/v1/models", get(s.models)},
		{"/v1/models/{model...}", get(s.model)},
		{"/health", get(s.health)},
		{"/sim", map[string]http.HandlerFunc{http.MethodGet: s.control, http.MethodPost: s.control}},
	}
	if s.fixed.Dialect == DialectVLLM {
		all = append(all, route{"/metrics", get(s.metrics)})
	}
	return all
}

// allowed are the methods of a route, for its Allow header.
func (r route) allowed() string {
	names := slices.Sorted(maps.Keys(r.methods))
	if i := slices.Index(names, http.MethodGet); i >= 0 {
		names = slices.Insert(names, i+1, http.MethodHead)
	}
	return strings.Join(names, ", ")
}

// routes answers every path with every method: what isn't served is refused in
// the API's own shape.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	var paths []string
	for _, r := range s.served() {
		for method, handle := range r.methods {
			mux.HandleFunc(method+" "+r.path, handle)
		}
		mux.HandleFunc(r.path, notAllowed(r.allowed()))
		paths = append(paths, strings.Replace(r.path, "{model...}", "NAME", 1))
	}
	mux.HandleFunc("/", notFound(strings.Join(paths, ", ")))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", serverNames[s.fixed.Dialect])
		if time.Since(s.made) < s.fixed.Loading {
			loading().write(w, 0)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// notAllowed refuses the methods that a route hasn't.
func notAllowed(allowed string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", allowed)
		(&apiError{
			status: http.StatusMethodNotAllowed, kind: "MethodNotAllowedError",
			message: fmt.Sprintf("%s is not for %s: use %s.", r.URL.Path, r.Method, allowed),
		}).write(w, 0)
	}
}

// notFound refuses paths that there are not.
func notFound(paths string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		(&apiError{
			status: http.StatusNotFound, kind: "NotFoundError",
			message: fmt.Sprintf("There is no %s here: the paths are %s.", r.URL.Path, paths),
		}).write(w, 0)
	}
}

// serverNames are the Server headers, and owners the owned_by fields, by which
// clients know the server that a dialect imitates.
var (
	serverNames = [...]string{DialectNone: "ttftop-sim", DialectVLLM: "uvicorn", DialectLlama: "llama.cpp"}
	owners      = [...]string{DialectNone: "ttftop-sim", DialectVLLM: "vllm", DialectLlama: "llamacpp"}
)

// models answers GET /v1/models.
func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	data := make([]map[string]any, len(s.names))
	for i, name := range s.names {
		data[i] = s.described(name)
	}
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": data})
}

// model answers GET /v1/models/NAME.
func (s *Server) model(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("model")
	if s.fleets[name] == nil {
		unknownModel(name).write(w, 0)
		return
	}
	writeJSON(w, http.StatusOK, s.described(name))
}

// described is a model object of the API.
func (s *Server) described(name string) map[string]any {
	return map[string]any{
		"id": name, "object": "model", "created": s.made.Unix(),
		"owned_by": owners[s.fixed.Dialect], "max_model_len": s.contextOf(s.fleets[name].model),
	}
}

// contextOf is the longest request of a model, in tokens: its context, or what
// its memory holds where that is less.
func (s *Server) contextOf(m Model) int { return s.obeyed.Load().contextOf(m) }

// health answers GET /health.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{"status": "ok"})
}
