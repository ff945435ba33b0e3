package cli

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// isInMosh tells whether mosh carries this terminal, which no variable says. It
// can be known on Linux only, and not from within tmux or screen.
func (c *console) isInMosh() bool {
	return c.env.IsRemote() && c.env.Get("TMUX") == "" && c.env.Get("STY") == "" &&
		hasMoshAncestor(os.DirFS("/proc"), os.Getppid())
}

// hasMoshAncestor tells whether a process or one of those that started it is mosh's
// server. proc is Linux's folder of that name; without it the answer is no.
func hasMoshAncestor(proc fs.FS, pid int) bool {
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

// tmuxWait bounds a question to tmux.
const tmuxWait = time.Second

// tmux returns what a command of the tmux around prints, "" where it fails.
func (c *console) tmux(ctx context.Context, args ...string) string {
	ctx, cancel := context.WithTimeout(ctx, tmuxWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", args...)
	cmd.Env = c.env.Environ
	cmd.WaitDelay = tmuxWait
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// tmuxDraws24 tells whether tmux draws colors of 24 bits on the terminal that is attached to it: by a feature, which
// its list of capabilities does not show, or by a capability (RGB, Tc).
func (c *console) tmuxDraws24(ctx context.Context) bool {
	if c.env.Get("TMUX") == "" {
		return false
	}
	report := c.tmux(ctx, "display-message", "-p", "#{client_termfeatures}", ";", "info")
	features, capabilities, _ := strings.Cut(report, "\n")
	if slices.Contains(strings.Split(features, ","), "RGB") {
		return true
	}
	for line := range strings.SplitSeq(capabilities, "\n") {
		if (strings.Contains(line, " RGB:") || strings.Contains(line, " Tc:")) && strings.HasSuffix(line, "true") {
			return true
		}
	}
	return false
}

// hasOuterTmux tells whether tmux runs at the other end of the SSH connection, as
// far as TERM tells; where it calls itself screen, nobody can say.
func (c *console) hasOuterTmux() bool {
	return c.env.IsRemote() && c.env.Get("TMUX") == "" && strings.HasPrefix(c.env.Get("TERM"), "tmux")
}
