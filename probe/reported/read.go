package reported

import (
	"encoding/json"
	"net/http"
)

// Adapter reads one dialect: a pure function from headers and raw events to
// figures, false where the response does not speak it.
type Adapter struct {
	Name string
	Read func(http.Header, []json.RawMessage) (Figures, bool)
}

// Adapters is every dialect, in the order in which they are tried: engines
// first, then hosted services, then what stands before them.
var Adapters = []Adapter{
	{"llama.cpp", llamaCPP},
	{"vllm", vLLM},
	{"ollama", ollama},
	{"groq", groq},
	{"cerebras", cerebras},
	{"usage", plainUsage},
	{"sambanova", sambaNova},
	{"fireworks", fireworks},
	{"nim", nim},
	{"dynamo", dynamo},
	{"lmstudio", lmStudio},
	{"localai", localAI},
	{"tgi", tgi},
	{"server-timing", serverTiming},
	{"openai", openAI},
	{"envoy", envoy},
	{"litellm", liteLLM},
	{"kong", kong},
}

// Read tries the adapters in order on one response. The figures to cut with
// come from the first adapter that has any; everything that any adapter read
// is in Raw. Token counts fall back to the usage object. Events that are no
// JSON are passed over; h may be nil.
func Read(h http.Header, events []json.RawMessage) Figures {
	var f Figures
	for _, a := range Adapters {
		if g, ok := a.Read(h, events); ok {
			f.take(a.Name, g)
		}
	}
	f.takeUsage(events)
	f.takeMisplaced(events)
	f.settle()
	f.lateHeaders = lateHeaders(events)
	f.ServedBy(server(h, f.Dialect))
	return f
}

// containers are the names under which servers put an object of figures.
var containers = []string{"timings", "usage", "x_groq", "time_info", "perf_metrics", "nvext"}

// takeMisplaced names the containers that hold something else than an object.
func (f *Figures) takeMisplaced(events []json.RawMessage) {
	for _, key := range containers {
		o, ok := lastWith(events, key)
		if !ok || o[key] == nil || o.object(key) != nil {
			continue
		}
		p := place{Figures: &Figures{Raw: map[string]any{}}, object: o}
		p.absurd(key, o[key])
		f.Absurd = append(f.Absurd, p.Absurd...)
		f.addRaw(p.Raw)
	}
}

// server tells from one response whose headers they are. vLLM names itself in
// no header, but its figures don't pass through a gateway that names itself.
// Figures of llama.cpp without its header came through a proxy, and when that
// lets headers go is not known.
func server(h http.Header, dialect string) Server {
	s := Identify(h, nil)
	if s == "" && dialect == "vllm" {
		return VLLM
	}
	return s
}
