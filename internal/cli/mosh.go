package cli

import (
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// inMosh tells whether mosh carries this terminal, which no variable says. It
// can be known on Linux only, and not from within tmux or screen.
func (a *app) inMosh() bool {
	return a.env.remote() && a.env.get("TMUX") == "" && a.env.get("STY") == "" &&
		moshAbove(os.DirFS("/proc"), os.Getppid())
}

// moshAbove tells whether a process or one of those that started it is mosh's
// server. proc is Linux's folder of that name; without it the answer is no.
func moshAbove(proc fs.FS, pid int) bool {
	for range 32 {
		stat, err := fs.ReadFile(proc, strconv.Itoa(pid)+"/stat")
		// It is: pid (name) state parent …, and a name may hold anything.
		from, to := strings.IndexByte(string(stat), '('), strings.LastIndexByte(string(stat), ')')
		if err != nil || from < 0 || to < from {
			return false
		}
		if string(stat[from+1:to]) == "mosh-server" {
			return true
		}
		fields := strings.Fields(string(stat[to+1:]))
		if len(fields) < 2 {
			return false
		}
		if pid, err = strconv.Atoi(fields[1]); err != nil || pid <= 1 {
			return false
		}
	}
	return false
}
