package scrape

import (
	"ttftop/probe/reported"
)

// collect puts the series of a page into its models.
func collect(page map[string][]series) (Sample, error) {
	c := collector{page: page, models: map[string]*Model{}}
	for _, r := range readings {
		c.read(r)
	}
	if c.server == "" {
		return Sample{}, ErrNothingKnown
	}
	s := Sample{Server: c.server, Models: make(map[string]Model, len(c.models))}
	for name, m := range c.models {
		s.Models[name] = *m
	}
	return s, nil
}

type collector struct {
	page   map[string][]series
	models map[string]*Model
	server reported.Server
}

// read takes one row of readings. A page that holds metrics of two servers, as
// a gateway may, is taken for the first.
func (c *collector) read(r reading) {
	if c.server != "" && c.server != r.server {
		return
	}
	if r.gauge != nil {
		c.readGauge(r)
		return
	}
	c.readTotal(r)
}

func (c *collector) readTotal(r reading) {
	sums, counts := c.of(r, r.metric+"_sum"), c.of(r, r.metric+"_count")
	plain := c.of(r, r.metric)
	for name, value := range sums {
		if n, counted := counts[name]; counted {
			c.set(r, name, Total{Sum: value, Count: n, OK: true, Counted: true})
		}
	}
	for name, value := range plain {
		c.set(r, name, Total{Sum: value, OK: true})
	}
}

// set fills a total that no row before has filled.
func (c *collector) set(r reading, name string, t Total) {
	m := c.model(r, name)
	if to := r.total(m); !to.OK {
		*to = t
		m.QueueHasHandling = m.QueueHasHandling || r.arrive
	}
}

func (c *collector) readGauge(r reading) {
	for name, value := range c.of(r, r.metric) {
		if to := r.gauge(c.model(r, name)); !to.OK {
			*to = Gauge{Value: value, OK: true}
		}
	}
}

// of adds up the series of a metric by model.
func (c *collector) of(r reading, metric string) map[string]float64 {
	sums := map[string]float64{}
	for _, s := range c.page[metric] {
		if r.label[0] != "" && s.labels[r.label[0]] != r.label[1] || isCopy(s.labels) {
			continue
		}
		name := s.labels["model_name"]
		if r.most {
			sums[name] = max(sums[name], s.value)
		} else {
			sums[name] += s.value
		}
	}
	return sums
}

func (c *collector) model(r reading, name string) *Model {
	c.server = r.server
	m := c.models[name]
	if m == nil {
		m = &Model{}
		c.models[name] = m
	}
	return m
}

// isCopy reports whether the series of a tensor- or pipeline-parallel rank
// repeats those of rank 0: the ranks work on the same requests. With data
// parallelism the ranks have requests of their own.
func isCopy(labels map[string]string) bool {
	if labels["dp_rank"] != "" {
		return false
	}
	for _, rank := range []string{"tp_rank", "pp_rank", "moe_ep_rank"} {
		if v := labels[rank]; v != "" && v != "0" {
			return true
		}
	}
	return false
}
