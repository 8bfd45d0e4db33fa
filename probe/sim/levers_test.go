package sim

import (
	"strings"
	"testing"
	"time"
)

// Every lever can be turned through all its steps and back, and reads as it was
// set.
func TestEveryLever(t *testing.T) {
	cfg := roundConfig()
	cfg.TokenBudget = 0
	cfg.Link = Link{RTT: 300 * time.Millisecond}
	cfg.Users = Users{PromptTokens: 100, OutputTokens: 10}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		for _, l := range b.Levers() {
			if l.About == "" || l.Group == "" || len(l.Steps) < 2 {
				t.Errorf("%+v", l)
			}
			for _, v := range append(l.Steps, l.Value) {
				if l.Name == "rtt" && b.Config().Link.Edge > 0 {
					continue
				}
				if err := b.Set(l.Name, v); err != nil {
					t.Errorf("%s: %v", l.Name, err)
				}
				if got := valueOf(b.Server, l.Name); got != v {
					t.Errorf("%s reads %q after it was set to %q", l.Name, got, v)
				}
			}
		}
		if got := b.Config(); got.Levers != cfg.filled().Levers {
			t.Errorf("back again it is %+v, want %+v", got.Levers, cfg.filled().Levers)
		}
	})
}

func valueOf(s *Server, name string) string {
	for _, l := range s.Levers() {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}

func TestLeversRefuse(t *testing.T) {
	cfg := Config{Name: "test", Models: []Model{Llama70B.As("m", 2)}, Hardware: A100, ContextTokens: 8000, Levers: Levers{Quantization: FP8}}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		before := b.Config().Levers
		for _, tt := range [][3]string{
			{"turbo", "on", `no lever "turbo": the levers are cache-blocks, `},
			{"max-batch", "many", "a whole number, such as 32"},
			{"max-batch", "0x", "whole number"},
			{"max-batch", "-3", "max-batch is -3: set it to 1 to 8192"},
			{"max-batch", "5000", ""},
			{"rtt", "80", "a duration, such as 40ms"},
			{"policy", "lazy", "continuous, static"},
			{"replicas", "99", "1 to 16"},
			{"draft-acceptance", "2", "draft-acceptance is 2: set it to 0 to 1"},
			{"loss", "80", "loss is 80 per cent: set it to 0 to 50 per cent"},
			{"max-batch", "99999999999999999999", "max-batch is 99999999999999999999: set it to 1 to 8192"},
			{"max-batch", "2.5", "max-batch is \"2.5\": set it to a whole number"},
			{"max-batch", "-0", "max-batch is 0: set it to 1"},
			{"max-batch", "4k", ""},
			{"bandwidth", "1e300", "bandwidth is 1e+300: set it to"},
			{"users", "1e999", "users is 1e999: set it to 0 to 1000"},
			{"fault", "599", `fault is "599": set it to off or a fault`},
			{"fault", "cut@99999999999", "set it to off or a fault"},
			{"fault", "stall@1:99h", "set it to off or a fault"},
			{"edge", "1h", "edge is 1h0m0s"},
			{"user-peak", "100", "user-peak is 100"},
			{"max-batch", "0", "max-batch is 0"},
			{"replicas", "0", "replicas is 0"},
			{"token-budget", "0", "token-budget is 0"},
			{"user-prompt", "0", "user-prompt is 0"},
			{"user-peak", "0", "user-peak is 0"},
			{"users", "inf", "users is inf: set it to 0 to 1000"},
			{"users", "0,5", `users is "0,5": a comma parts thousands here: write 0.5`},
			{"user-prompt", "1,5", `user-prompt is "1,5": a comma parts thousands here: write 1.5`},
			{"users", "1e6", "users is 1000000"},
			{"rtt", "24h", "rtt is 24h0m0s: set it to 0s to 10s"},
			{"jitter", "24h", "jitter is 24h0m0s"},
			{"bandwidth", "1e-9", "bandwidth is 0.000000001"},
			{"tls", "maybe", `tls is "maybe": set it to one of off, on`},
			{"order", "longest", `order is "longest": set it to one of first-come, shortest-prompt`},
			{"kv-blocks", "9999999", "kv-blocks is 9999999: beside the weights of \"m\" in fp8 there is memory for "},
			{"kv-blocks", "-1", "kv-blocks is -1: set it to 1 to 2147483647, or to 0 for all that fit"},
			{"fault", "fire", `fault is "fire": set it to off or a fault: a status`},
			{"fault-share", "0", "fault-share is 0 per cent: set it to 0.1 to 100 per cent"},
		} {
			err := b.Set(tt[0], tt[1])
			if tt[2] == "" {
				if err != nil {
					t.Error(err)
				}
				b.Set(tt[0], "64")
				continue
			}
			if err == nil || !strings.Contains(err.Error(), tt[2]) {
				t.Errorf("%s = %s: %v, want %q", tt[0], tt[1], err, tt[2])
				continue
			}
			if n := strings.Count(err.Error(), tt[0]+" "); n > 1 && tt[0] != "kv-blocks" {
				t.Errorf("%s = %s is said %d times: %v", tt[0], tt[1], n, err)
			}
		}
		after := b.Config().Levers
		after.MaxBatch, after.TokenBudget = before.MaxBatch, before.TokenBudget
		if after != before {
			t.Errorf("refused changes left %+v", after)
		}
	})
}

// A lever that would not fit the memory is refused with the sizes.
func TestQuantizationThatDoesNotFit(t *testing.T) {
	cfg := Config{Name: "test", Models: []Model{Llama70B.As("m", 2)}, Hardware: A100, ContextTokens: 20_000, Levers: Levers{Quantization: FP8}}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		if err := b.Set("quantization", "fp16"); err == nil || !strings.Contains(err.Error(), "141.1 GB in fp16") {
			t.Error(err)
		}
	})
}

// A change counts from the next step on, for requests under way too.
func TestChangeWhileRunning(t *testing.T) {
	cfg := roundConfig()
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		done := make(chan reply)
		go func() { done <- b.post(t.Context(), body("m", 1, 50, 5, "")) }()
		time.Sleep(65 * time.Millisecond) // in the second of the decode steps of 10 ms
		if err := b.Set("quantization", "int4"); err != nil {
			t.Fatal(err)
		}
		r := <-done
		// The third token ends the step under way; then steps take 5.2 ms.
		near(t, "third token", r.at[3], 70*time.Millisecond)
		near(t, "last token", r.at[5], 70*time.Millisecond+2*5195*time.Microsecond)
	})
}

// After Close nothing can be changed.
func TestNoChangeAfterClose(t *testing.T) {
	inBubble(t, roundConfig(), func(t *testing.T, b *bench) {
		b.Close()
		if err := b.Set("max-batch", "3"); err == nil || !strings.Contains(err.Error(), "closed") {
			t.Error(err)
		}
	})
}

// Replicas share the load, and least-loaded spares the busy one.
func TestReplicas(t *testing.T) {
	for _, tt := range []struct {
		routing Routing
		queued  bool // the third request of two replicas with one slot each waits behind the long one
	}{{LeastLoaded, false}, {RoundRobin, true}} {
		cfg := roundConfig()
		cfg.MaxBatch, cfg.Replicas, cfg.Routing = 1, 2, tt.routing
		inBubble(t, cfg, func(t *testing.T, b *bench) {
			go b.post(t.Context(), body("m", 1, 50, 100, "")) // a second or so
			time.Sleep(5 * time.Millisecond)
			b.post(t.Context(), body("m", 2, 50, 1, ""))
			r := b.post(t.Context(), body("m", 3, 50, 1, ""))
			if queued := r.at[1] > 500*time.Millisecond; queued != tt.queued {
				t.Errorf("%v: the third request took %v", tt.routing, r.at[1])
			}
		})
	}
}

// A replica that is taken away ends what it has; one that is added has its own
// figures.
func TestReplicasChange(t *testing.T) {
	cfg := roundConfig()
	cfg.MaxBatch, cfg.Replicas = 1, 2
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		replies := make(chan reply, 2)
		for i := range 2 {
			go func() { replies <- b.post(t.Context(), body("m", i, 50, 20, "")) }()
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond)
		if err := b.Set("replicas", "1"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if r := <-replies; r.err != nil || len(r.events) != 23 || r.at[1] > 60*time.Millisecond {
				t.Errorf("%d events, first token after %v, %v", len(r.events), r.at[1], r.err)
			}
		}
		running := func(engine string) bool {
			_, text := b.get("/metrics")
			return strings.Contains(text, `vllm:num_requests_running{engine="`+engine+`",model_name="m"} 0`)
		}
		if !running("0") || running("1") {
			t.Error("the replica that is gone still has figures")
		}
		b.Set("replicas", "3")
		if !running("1") || !running("2") || running("3") {
			t.Error("there are not three engines")
		}
	})
}

// A replica that is taken away keeps its figures until it has ended what it had,
// and one that comes in its place begins with an empty cache.
func TestReplicaLeaves(t *testing.T) {
	cfg := roundConfig()
	cfg.MaxBatch, cfg.Replicas, cfg.Routing, cfg.CacheBlocks = 1, 2, RoundRobin, 100
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		for range 2 { // one for each replica
			b.post(t.Context(), body("m", 7, 50, 1, ""))
		}
		ended := make(chan reply)
		for range 2 {
			go func() { ended <- b.post(t.Context(), body("m", 7, 50, 20, "")) }()
			time.Sleep(time.Millisecond)
		}
		b.Set("replicas", "1")
		b.Set("replicas", "2")
		if _, text := b.get("/metrics"); strings.Count(text, "vllm:num_requests_running{") != 3 {
			t.Errorf("two replicas, and one that leaves, are not in\n%s", text)
		}
		for range 2 {
			if r := <-ended; r.status != 200 || len(r.events) != 23 {
				t.Errorf("%d with %d events", r.status, len(r.events))
			}
		}
		_, text := b.get("/metrics")
		if strings.Count(text, "vllm:num_requests_running{") != 2 || !strings.Contains(text, `vllm:prefix_cache_hits_total{engine="2",model_name="m"} 0`) {
			t.Errorf("the first and the third are not in\n%s", text)
		}
	})
}

// The fault of the levers hits its share of the requests, and none once it is
// off.
func TestFaultIsALever(t *testing.T) {
	inBubble(t, roundConfig(), func(t *testing.T, b *bench) {
		refused := func() (n int) {
			for range 100 {
				if b.post(t.Context(), body("m", 1, 20, 1, "")).status == 429 {
					n++
				}
			}
			return n
		}
		if err := b.Turn(map[string]string{"fault": "429:2s", "fault-share": "25"}); err != nil {
			t.Fatal(err)
		}
		if n := refused(); n < 12 || n > 40 {
			t.Errorf("%d of 100 were refused, want a quarter", n)
		}
		if err := b.Turn(map[string]string{"fault": "stall@1:1s", "fault-share": "100"}); err != nil || valueOf(b.Server, "fault") != "stall@1:1s" {
			t.Errorf("%v, and it reads %s", err, valueOf(b.Server, "fault"))
		}
		start := time.Now()
		b.post(t.Context(), body("m", 1, 20, 2, ""))
		near(t, "stalled", time.Since(start), time.Second+30*time.Millisecond)
		b.Set("fault", "off")
		if n := refused(); n != 0 {
			t.Errorf("%d were refused without a fault", n)
		}
	})
}

// A faster world is the same world: everything takes a tenth.
func TestSpeed(t *testing.T) {
	cfg := roundConfig()
	cfg.Handling, cfg.Link = 10*time.Millisecond, Link{RTT: 40 * time.Millisecond}
	var slow, fast []time.Duration
	inBubble(t, cfg, func(t *testing.T, b *bench) { slow = b.post(t.Context(), body("m", 1, 50, 4, "")).at })
	cfg.Speed = 10
	inBubble(t, cfg, func(t *testing.T, b *bench) { fast = b.post(t.Context(), body("m", 1, 50, 4, "")).at })
	for i := range slow {
		near(t, "event", fast[i], slow[i]/10)
	}
}

// Levers that are possible only together are turned together; where one can't
// be, none is. With tells what would be, and turns nothing.
func TestTurnTogether(t *testing.T) {
	cfg := roundConfig()
	cfg.TokenBudget = 2048
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		both := map[string]string{"max-batch": "4,096", "token-budget": "8192"}
		before := b.Config().Levers
		would, err := b.With(both)
		if err != nil || b.Config().Levers != before {
			t.Errorf("%v, and the levers are %+v", err, b.Config().Levers)
		}
		for _, l := range would {
			if l.Name == "max-batch" && l.Value != "4096" {
				t.Errorf("max-batch would be %s", l.Value)
			}
		}
		if err := b.Set("max-batch", "4096"); err == nil || !strings.Contains(err.Error(), "token-budget") {
			t.Errorf("alone: %v", err)
		}
		if err := b.Turn(map[string]string{"max-batch": "7", "order": "longest"}); err == nil || b.Config().Levers != before {
			t.Errorf("with a wrong one: %v, %+v", err, b.Config().Levers)
		}
		if err := b.Turn(both); err != nil || b.Config().MaxBatch != 4096 || b.Config().TokenBudget != 8192 {
			t.Errorf("%v, %+v", err, b.Config().Levers)
		}
	})
}
