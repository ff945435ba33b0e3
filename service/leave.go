package service

import (
	"fmt"
	"os"
	"path/filepath"
)

// LeaveDraft offers the draft of the unsent session to whoever comes next, as
// if this process had ended. It is for a process that serves several screens
// one after the other; the service must be closed.
func (s *Service) LeaveDraft() {
	if !s.drafting() {
		return
	}
	o := s.owner
	started := int64(0)
	if !o.Started.IsZero() {
		started = o.Started.UnixMilli()
	}
	// A run of the machine that never was is over.
	ended := fmt.Sprintf("%d-%d-%s-%s", o.PID, started, mark(o.Host), mark("ended"))
	left := filepath.Join(s.o.Folders.Drafts, draftOfNew+ended+"-"+s.nonce+draftExt)
	_ = os.Rename(s.draftPath(0), left) // mostly there is none; at worst it is offered after a restart
}
