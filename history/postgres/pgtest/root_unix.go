//go:build unix

package pgtest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// account returns the ids of a user that is not root.
func account() (uid, gid int) {
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, _ = strconv.Atoi(u.Uid)
			gid, _ = strconv.Atoi(u.Gid)
			return uid, gid
		}
	}
	return 65534, 65534
}

// giveAway lets the account own a folder where this process is root's.
func (s *Server) giveAway(folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid := account()
	return os.Chown(folder, uid, gid)
}

// withoutRoot has a command run as the account where this process is root's.
func withoutRoot(cmd *exec.Cmd) {
	if os.Geteuid() == 0 {
		uid, gid := account()
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
}
