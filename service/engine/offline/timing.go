package offline

import (
	"context"
	_ "embed" // timing.toml
	"sync"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// DefaultSpeed divides the typical times of the models, so that nobody waits long for an answer that comes whole.
const DefaultSpeed = 3

//go:embed timing.toml
var timingFile string

// typicalSeconds holds how long each model usually takes at speed 1.
var typicalSeconds = sync.OnceValue(func() map[string]float64 {
	var seconds map[string]float64
	if err := toml.Unmarshal([]byte(timingFile), &seconds); err != nil {
		panic("offline: timing.toml: " + err.Error()) // only a faulty build can cause this
	}
	return seconds
})

// duration returns how long one request takes: the typical time of the model, up to a fifth more or less by seed,
// divided by speed.
func duration(model string, seed uint64, speed float64) time.Duration {
	seconds, ok := typicalSeconds()[model]
	if !ok {
		seconds = 1.5
	}
	variation := 0.8 + 0.4*float64(seed%1001)/1000
	return time.Duration(float64(time.Second) * seconds * variation / speed)
}

// sleep waits for d or for the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(max(0, d)):
		return context.Cause(ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
