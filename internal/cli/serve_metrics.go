package cli

import (
	"errors"
	"slices"

	"confab/internal/config"
	"confab/internal/metrics"
	"confab/service/engine/route"
)

// checkReady returns an error when no engine is up, so that load balancers send requests elsewhere. The offline
// engine is always up, so it counts only where a route names it or where there is no other. Only health checks
// decide: a failed request may have been the fault of its prompt, and would keep all others away.
func (a *app) checkReady(router *route.Router) error {
	countsOffline := len(a.cfg.Routes) == 0 || slices.ContainsFunc(a.cfg.Routes, func(r config.Route) bool {
		return r.Fallback == config.Offline || r.Engine == config.Offline
	})
	for _, s := range router.States() {
		if (s.Engine != config.Offline || countsOffline) && s.CheckFailure == "" {
			return nil
		}
	}
	return errors.New("no engine is up")
}

// registerEngineMetrics adds the state of each replica of each engine to the metrics.
func registerEngineMetrics(r *metrics.Registry, router *route.Router) {
	read := func(value func(route.State) float64) func() []metrics.Sample {
		return func() []metrics.Sample {
			var samples []metrics.Sample
			for _, s := range router.States() {
				samples = append(samples, metrics.Sample{Values: []string{s.Engine, s.Address}, Value: value(s)})
			}
			return samples
		}
	}
	labels := []string{"engine", "replica"}
	r.GaugeFunc("confab_engine_up", "Whether a replica of an engine is up.", labels, read(func(s route.State) float64 {
		if s.Up {
			return 1
		}
		return 0
	}))
	r.GaugeFunc("confab_engine_in_flight", "Requests that a replica works on.", labels,
		read(func(s route.State) float64 { return float64(s.Busy) }))
	r.CounterFunc("confab_engine_answers_total", "Requests that a replica answered.", labels,
		read(func(s route.State) float64 { return float64(s.Done) }))
	r.CounterFunc("confab_engine_failures_total", "Requests that failed for a replica's own reasons.", labels,
		read(func(s route.State) float64 { return float64(s.Failed) }))
}
