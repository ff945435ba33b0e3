package cli

import (
	"io/fs"
	"testing"
)

func TestAvailableMemory(t *testing.T) {
	const gib = 1 << 30
	meminfo := "MemFree: 1 kB\nMemTotal:        8388608 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"the machine": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/user.slice\n",
			"/sys/fs/cgroup/user.slice/memory.max": "max\n"}, 8 * gib},
		"a control group": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/a/b\n",
			"/sys/fs/cgroup/a/b/memory.max": "4294967296\n"}, 4 * gib},
		"one around it": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/a/b\n",
			"/sys/fs/cgroup/a/b/memory.max": "4294967296\n", "/sys/fs/cgroup/a/memory.max": "1073741824\n"}, gib},
		"a container": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/\n",
			"/sys/fs/cgroup/memory.max": "2147483648\n"}, 2 * gib},
		"version 1": {map[string]string{"/proc/meminfo": meminfo,
			"/proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/docker/x\n0::/\n",
			"/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes": "1073741824\n",
			"/sys/fs/cgroup/memory/memory.limit_in_bytes":          "9223372036854771712\n"}, gib},
		"another system": {nil, 0},
	} {
		got := availableMemory(func(file string) ([]byte, error) {
			if text, ok := c.files[file]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		})
		if got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
