package cli

import (
	"bufio"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// tuneCollector sets by how many percent of the live memory the heap may grow before it is collected, and has the
// collector work harder near four fifths of the memory that the process may have, before the system ends it. GOGC and
// GOMEMLIMIT in the environment come first. The returned function restores the settings before.
func (a *app) tuneCollector(percent int) (restore func()) {
	percentBefore, limitBefore := -1, debug.SetMemoryLimit(-1)
	if a.env.Get("GOGC") == "" {
		percentBefore = debug.SetGCPercent(percent)
	}
	if available := availableMemory(os.ReadFile); available > 0 && a.env.Get("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(available / 5 * 4)
	}
	return func() {
		if a.env.Get("GOGC") == "" {
			debug.SetGCPercent(percentBefore)
		}
		debug.SetMemoryLimit(limitBefore)
	}
}

// availableMemory returns how many bytes this process may have at most: what the control groups that it is in allow, or
// the machine has. It returns 0 where the system does not tell.
func availableMemory(read func(name string) ([]byte, error)) int64 {
	least := int64(math.MaxInt64)
	note := func(name string) {
		text, err := read(name)
		if err != nil {
			return
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
			least = min(least, n)
		}
	}
	groups, _ := read("/proc/self/cgroup") // none where it cannot be read
	for line := range strings.Lines(string(groups)) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		root, file := "/sys/fs/cgroup", "memory.max"
		switch controllers {
		case "": // version 2
		case "memory":
			root, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		for ; ; group = path.Dir(group) { // a group is bound by those around it
			note(path.Join(root, group, file))
			if group == "/" || group == "." {
				break
			}
		}
	}
	if info, err := read("/proc/meminfo"); err == nil {
		for lines := bufio.NewScanner(strings.NewReader(string(info))); lines.Scan(); {
			fields := strings.Fields(lines.Text())
			if len(fields) < 2 || fields[0] != "MemTotal:" {
				continue
			}
			if kib, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				least = min(least, kib<<10)
			}
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}
