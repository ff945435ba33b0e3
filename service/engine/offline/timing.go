package offline

import (
	"cmp"
	"context"
	"time"
)

// DefaultSpeed divides the typical times of the models, so that an answer takes a moment, but not long.
const DefaultSpeed = 3

// typicalSeconds returns how long a model usually takes at speed 1.
func typicalSeconds(model string) float64 {
	return cmp.Or(map[string]float64{
		"alpha3.1-8b":                    1.2,
		"oss-120b":                       6.0,
		"oss-20b":                        2.1,
		"beta-3-235b-a22b-instruct-2507": 9.0,
		"alpha-3.3-70b-versatile":        2.9,
		"alpha-4-scout-17b-16e-instruct": 2.0,
		"compound-mini":                  0.6,
		"allam-2-7b":                     1.0,
		"gamma-4.7":                      2.2,
		"gamma-4-7b-flash":               0.8,
		"delta":                          1.9,
		"phi-2":                          0.7,
		"epsilon-k2-instruct-0905":       3.3,
		"zeta":                           2.4,
		"paraphrase":                     0.5,
		"diffusion-xl":                   8.1,
		"sim-image":                      5.9,
		"imageedit":                      7.5,
		"imageedit-lite":                 4.0,
	}[model], 1.5)
}

// duration returns how long one request takes: the typical time of the model, up to a fifth more or less by seed,
// divided by speed.
func duration(model string, seed uint64, speed float64) time.Duration {
	variation := 0.8 + 0.4*float64(seed%1001)/1000
	return time.Duration(float64(time.Second) * typicalSeconds(model) * variation / speed)
}

// sleep waits for d or for the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
