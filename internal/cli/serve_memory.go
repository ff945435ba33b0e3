package cli

import (
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// tuneCollector sets by how many percent of the live memory the heap may grow before it is collected, and has the
// collector work harder near four fifths of the memory that the process may have, before the system ends it. GOGC and
// GOMEMLIMIT in the environment come first. The returned function restores the settings before.
func (a *app) tuneCollector(percent int) (restore func()) {
	percentBefore, limitBefore := -1, debug.SetMemoryLimit(-1)
	if a.env.Get("GOGC") == "" {
		percentBefore = debug.SetGCPercent(percent)
	}
	_, err := memlimit.SetGoMemLimitWithOpts(memlimit.WithRatio(0.8),
		memlimit.WithProvider(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)))
	if err != nil {
		a.log.Debug("The memory of this machine is not known", "error", err)
	}
	return func() {
		if a.env.Get("GOGC") == "" {
			debug.SetGCPercent(percentBefore)
		}
		debug.SetMemoryLimit(limitBefore)
	}
}
