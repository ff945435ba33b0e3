package history

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// ticksPerSecond is the unit of times in /proc, which is 100 whatever the kernel uses.
const ticksPerSecond = 100

// processStart returns when the process started, counted from the boot of the machine, and whether it runs. A zombie
// process does not run.
func processStart(pid int) (time.Time, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return time.Time{}, false
	}
	// The name in parentheses may contain spaces and parentheses.
	_, rest, found := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte(" "))
	fields := bytes.Fields(rest)
	if !found || len(fields) < 20 {
		return time.Time{}, true
	}
	if state := string(fields[0]); state == "Z" || state == "X" {
		return time.Time{}, false
	}
	ticks, err := strconv.ParseInt(string(fields[19]), 10, 64)
	if err != nil {
		return time.Time{}, true
	}
	return time.UnixMilli(ticks * 1000 / ticksPerSecond).UTC(), true
}

// bootID returns the id of this boot of the machine.
func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}
