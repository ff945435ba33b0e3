package history

import (
	"os"
	"time"
)

// Process identifies the process that ends a queued or running answer, or that can undo a deletion. Its start time
// distinguishes it from a later process with the same number.
type Process struct {
	PID int
	// Started is zero when unknown. On Linux it is the time since Boot, counted from 1970, so that setting the clock
	// does not change it.
	Started time.Time
	Boot    string // id of the boot of the machine, empty when unknown
	Host    string
}

func CurrentProcess() Process {
	host, _ := os.Hostname() // without a name, every row counts as this machine's
	pid := os.Getpid()
	started, _ := processStart(pid)
	return Process{PID: pid, Started: started, Boot: bootID(), Host: host}
}

// IsAlive reports whether the process still runs. It cannot ask another host and returns true for its processes;
// [Store.Recover] treats those as ended after a day.
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
