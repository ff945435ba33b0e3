package service_test

import (
	"testing"

	"confab/service"
	"confab/service/api"
	"confab/service/engine"
)

// The simulated service refuses ratios that it cannot draw before recording; another service checks them itself.
func TestAspectBeyondTheSimulatedService(t *testing.T) {
	if service.SimulatedAspect != engine.MaxAspect {
		t.Fatalf("the engine draws up to %d:1, %d:1 is told", engine.MaxAspect, service.SimulatedAspect)
	}
	for _, tt := range []struct {
		aspect, model string
		simulated     bool
		refused       bool
	}{
		{"4:1", "sim-image", true, false},
		{"1:4", "sim-image", true, false},
		{"401:100", "sim-image", true, true},
		{"1:20", "sim-image", true, true},
		{"20:1", "sim-image", false, false},
		{"20:1", "delta", true, false}, // texts ignore it
		{"", "sim-image", true, false},
	} {
		w := newWorld(t, func(o *service.Options) {
			o.Backend.Endpoint = func() service.Endpoint {
				return service.Endpoint{IsEmbedded: tt.simulated, IsSimulated: tt.simulated}
			}
		})
		_, events, err := w.Send(
			t.Context(),
			service.Prompt{Text: "fox", Models: []string{tt.model}, Aspect: tt.aspect},
		)
		if refused := api.CodeOf(err) == api.CodeUsage; refused != tt.refused || err != nil && !refused {
			t.Errorf("%s of %s: %v", tt.aspect, tt.model, err)
		}
		if err == nil {
			for range events {
			}
			continue
		}
		if _, total, err := w.Sessions(t.Context(), "", 1); err != nil || total != 0 {
			t.Errorf("%s: %d sessions are recorded, %v", tt.aspect, total, err)
		}
	}
}
