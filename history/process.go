package history

import (
	"os"
	"time"
)

// Process is the process that will end a queued or running answer, or that can still undo a deletion. The time at which
// a process started tells it from a later one with the same number.
type Process struct {
	PID int
	// on Linux the time since Boot, counted from 1970: a clock that is set does not change it. Zero when unknown.
	Started time.Time
	Boot    string // which run of the machine, empty when unknown
	Host    string
}

// CurrentProcess returns this process.
func CurrentProcess() Process {
	host, _ := os.Hostname() // without a name every row counts as this machine's
	pid := os.Getpid()
	started, _ := processStart(pid)
	return Process{PID: pid, Started: started, Boot: bootID(), Host: host}
}

// IsAlive tells whether the process still runs. For a process of another host that cannot be known, and the answer is
// true; [Store.Recover] stops believing it after a day.
func IsAlive(o Process) bool {
	if host, _ := os.Hostname(); o.Host != host {
		return true
	}
	if o.PID <= 0 || o.Boot != "" && o.Boot != bootID() {
		return false
	}
	started, running := processStart(o.PID)
	if !running {
		return false
	}
	return o.Started.IsZero() || started.IsZero() || started.Equal(o.Started)
}
