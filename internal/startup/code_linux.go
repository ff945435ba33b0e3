package startup

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releaseCode returns the pages of the binary to the system, which maps those that are used again from its cache. Most
// of them are code and tables that only the start reads.
func releaseCode() {
	mappings, err := os.ReadFile("/proc/self/maps")
	binary, linkErr := os.Readlink("/proc/self/exe")
	if err != nil || linkErr != nil {
		return
	}
	for line := range strings.Lines(string(mappings)) {
		f := strings.Fields(line) // addresses, permissions, offset, device, inode, path
		if len(f) < 6 || f[5] != binary || f[1][1] == 'w' {
			continue
		}
		from, to, _ := strings.Cut(f[0], "-")
		first, _ := strconv.ParseUint(from, 16, 64)
		end, err := strconv.ParseUint(to, 16, 64)
		if err == nil {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(first), uintptr(end-first), syscall.MADV_DONTNEED)
		}
	}
}
