package sshd

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"confab/internal/safe"
	"confab/ui/terminal"
)

// unsettled is how old a file must be when it is read, so that one that is
// written again afterwards is known by a later time: file systems count time in
// steps of up to two seconds.
const unsettled = 2 * time.Second

// missedLooks is at how many looks in a row a key has to be missing before it
// counts as taken away: a file that is being written anew has less in it.
const missedLooks = 2

// lookout knows which keys were authorised when it last looked, and reads them
// again when the files have changed.
type lookout struct {
	roster  roster
	marks   []fs.FileInfo // of what was read
	settled bool          // marks tell what was read from what is written later
	known   map[string]bool
	doubt   time.Time // since when they cannot be read; zero when they can
}

// mark names a key of a user.
func mark(u User, key []byte) string { return u.id + "\x00" + string(key) }

// look reads the keys again when the files have changed since the last look,
// and returns how many there are then and what was passed over.
func (o *lookout) look(now time.Time) (changed bool, keys int, passed []string, err error) {
	marks := o.roster.marks()
	if o.settled && o.doubt.IsZero() && same(marks, o.marks) {
		return false, len(o.known), nil, nil
	}
	all, passed, err := o.roster.read()
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("there is no authorised key in %s, so nobody could log in", o.roster.path)
		if len(passed) > 0 {
			err = fmt.Errorf("%w: %s", err, passed[0])
		}
	}
	if err != nil {
		return false, 0, passed, err
	}
	changed = !o.doubt.IsZero() || !same(marks, o.marks)
	o.marks, o.settled, o.doubt = marks, true, time.Time{}
	for _, m := range marks {
		o.settled = o.settled && m.ModTime().Before(now.Add(-unsettled))
	}
	o.known = map[string]bool{}
	for _, a := range all {
		o.known[mark(a.user, a.key)] = true
	}
	return changed, len(all), passed, nil
}

// marks returns what tells that the file or a file of the folder was changed,
// without reading them. What cannot be looked at is left out: reading says why.
func (r roster) marks() []fs.FileInfo {
	info, err := os.Stat(r.path)
	if err != nil {
		return nil
	}
	marks := []fs.FileInfo{info}
	if !info.IsDir() {
		return marks
	}
	entries, err := os.ReadDir(r.path)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(r.path, e.Name())); err == nil {
			marks = append(marks, info)
		}
	}
	return marks
}

// same tells whether files are the same files as before, not written since.
func same(a, b []fs.FileInfo) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for i := range a {
		if a[i].Name() != b[i].Name() || a[i].Size() != b[i].Size() || a[i].Mode() != b[i].Mode() ||
			!a[i].ModTime().Equal(b[i].ModTime()) || !os.SameFile(a[i], b[i]) {
			return false
		}
	}
	return true
}

// presence is a login that lasts as long as its key is authorised.
type presence struct {
	mark   string
	user   string
	missed int           // looks in a row at which the key was not there
	over   chan struct{} // closed when the key counts as taken away
}

// stay notes a login and returns what tells it that its key was taken away.
func (s *Server) stay(u User, key []byte) *presence {
	p := &presence{mark: mark(u, key), user: u.String(), over: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.present[p] = true
	return p
}

// leave forgets a login that has ended.
func (s *Server) leave(p *presence) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.present, p)
}

// recheck looks at the authorised keys again and again until the server ends.
func (s *Server) recheck() {
	t := time.NewTicker(s.limits.Recheck)
	defer t.Stop()
	for {
		select {
		case <-s.closing:
			return
		case <-t.C:
			s.look(time.Now())
		}
	}
}

// look ends the logins whose keys are not authorised any more. Files that
// cannot be read, or hold no key at all, take nobody's away for a while: that is
// how an unplugged disk looks, or an editor that is saving. It lets nobody in,
// and after Patience what it says is believed.
func (s *Server) look(now time.Time) {
	defer safe.Recover(s.log, "authorised keys", nil)
	changed, keys, passed, err := s.lookout.look(now)
	if err != nil {
		began := s.lookout.doubt
		switch {
		case began.IsZero():
			s.lookout.doubt = now
			s.log.Error("The authorised keys cannot be read. Nobody can log in; who is logged in stays for now", "for", s.limits.Patience.String(), "error", terminal.Line(err.Error()))
			return
		case now.Sub(began) < s.limits.Patience:
			return
		case s.lookout.known != nil:
			s.lookout.known = nil
			s.log.Error("The authorised keys could not be read for long. Everybody is logged out", "error", terminal.Line(err.Error()))
		}
	}
	if changed {
		s.log.Info("Read the authorised keys again", "keys", keys)
		for _, p := range passed {
			s.log.Warn("A key is passed over", "why", terminal.Line(p))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.present {
		if s.lookout.known[p.mark] {
			p.missed = 0
			continue
		}
		if p.missed++; p.missed == missedLooks {
			s.log.Info("A key was taken away while its user was logged in", "user", p.user)
			close(p.over)
		}
	}
}
