package offline

import (
	"context"
	"time"
)

// DefaultSpeed is how much faster than its model's typical time an answer
// comes, so that a newcomer waits a moment but not long.
const DefaultSpeed = 3

// typical is how long a model usually takes at Speed 1.
func typical(model string) time.Duration {
	const tenth = 100 * time.Millisecond
	switch model {
	case "alpha3.1-8b":
		return 12 * tenth
	case "oss-120b":
		return 60 * tenth
	case "oss-20b":
		return 21 * tenth
	case "beta-3-235b-a22b-instruct-2507":
		return 90 * tenth
	case "alpha-3.3-70b-versatile":
		return 29 * tenth
	case "alpha-4-scout-17b-16e-instruct":
		return 20 * tenth
	case "compound-mini":
		return 6 * tenth
	case "allam-2-7b":
		return 10 * tenth
	case "gamma-4.7":
		return 22 * tenth
	case "gamma-4-7b-flash":
		return 8 * tenth
	case "delta":
		return 19 * tenth
	case "phi-2":
		return 7 * tenth
	case "epsilon-k2-instruct-0905":
		return 33 * tenth
	case "zeta":
		return 24 * tenth
	case "paraphrase":
		return 5 * tenth
	case "diffusion-xl":
		return 81 * tenth
	case "sim-image":
		return 59 * tenth
	case "imageedit":
		return 75 * tenth
	case "imageedit-lite":
		return 40 * tenth
	}
	return 15 * tenth
}

// taking is how long this very request takes: the model's typical time, up to
// a fifth more or less by seed, over speed.
func taking(model string, seed uint64, speed float64) time.Duration {
	vary := 0.8 + 0.4*float64(seed%1001)/1000
	return time.Duration(float64(typical(model)) * vary / speed)
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
