package reported

import (
	"net/http"
	"reflect"
	"testing"
)

func TestServerTiming(t *testing.T) {
	each(t, "server-timing", []reading{
		{name: "parts", header: header("Server-Timing", `tokenize;dur=1.5;desc="tokens", queue;dur=53.2`, "Server-Timing", "Prefill;dur=110, ttft;dur=165.0"),
			want: Figures{Handling: ms(1.5), Queue: ms(53.2), Prefill: ms(110), WholeTTFT: ms(165),
				Raw: map[string]any{"server-timing.queue": "53.2", "server-timing.prefill": "110"}}},
		{name: "spellings", header: header("Server-Timing", `QUEUE_TIME; dur="7" , prompt_eval ;dur=3;dur=9, model-load;dur=900`),
			want: Figures{Queue: ms(7), Prefill: ms(3), ModelLoad: ms(900)}},
		{name: "others are kept only", header: header("Server-Timing", "db;dur=53, gfet4t7;dur=533"),
			want: Figures{Raw: map[string]any{"server-timing.db": "53", "server-timing.gfet4t7": "533"}}},
		{name: "said twice", header: header("Server-Timing", "queue;dur=5", "Server-Timing", "queue;dur=7, prefill;dur=3"),
			want: Figures{Prefill: ms(3), Absurd: []string{"server-timing.queue#2"}, Raw: map[string]any{"server-timing.queue#1": "5", "server-timing.queue#2": "7", "server-timing.queue": nil}}},
		{name: "said twice alike", header: header("Server-Timing", `queue;dur="5", queue;dur=5.0, prefill;dur=3`),
			want: Figures{Prefill: ms(3), Raw: map[string]any{"server-timing.queue#2": "5.0"}}},
		{name: "two parties of a part that is none of the request's", header: header("Server-Timing", "edge;dur=5, edge;dur=9"),
			want: Figures{Raw: map[string]any{"server-timing.edge#2": "9"}}},
		{name: "absurd", header: header("Server-Timing", "queue;dur=-1"),
			want: Figures{Absurd: []string{"server-timing.queue", "server-timing.queue"}, Raw: map[string]any{"server-timing.queue": "-1"}}},
		{name: "without durations", header: header("Server-Timing", `miss, cdn-cache;desc="HIT"`), no: true},
		{name: "none", header: http.Header{}, no: true},
	})
}

// The examples and corner cases of the specification's grammar.
func TestParseServerTiming(t *testing.T) {
	for value, want := range map[string][]timing{
		"miss, db;dur=53, app;dur=47.2":            {{name: "miss"}, {name: "db", dur: "53"}, {name: "app", dur: "47.2"}},
		`customView, dc;desc="atl, or; \"x\""`:     {{name: "customView"}, {name: "dc", desc: `atl, or; "x"`}},
		`cache;desc="Cache Read";dur=23.2`:         {{name: "cache", desc: "Cache Read", dur: "23.2"}},
		"total;DUR=123.4;x;y=;=z":                  {{name: "total", dur: "123.4"}},
		"a;desc=;desc=b;dur=":                      {{name: "a", dur: ""}},
		`a;dur="12"`:                               {{name: "a", dur: "12"}},
		`a;desc="open;dur=3, b;dur=4`:              {{name: "a", desc: "open;dur=3, b;dur=4"}},
		"bad name;dur=1, (x), ok;dur=2, ,;dur=3 ,": {{name: "ok", dur: "2"}},
		`a;desc="\";dur=3, b";dur=4`:               {{name: "a", desc: `";dur=3, b`, dur: "4"}},
		"":                                         nil,
	} {
		if got := parseServerTiming([]string{value}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", value, got, want)
		}
	}
}
