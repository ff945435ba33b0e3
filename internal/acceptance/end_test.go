//go:build !windows

package acceptance

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"confab/internal/testserver"
)

// openWithPendingAnswer opens a confab whose service accepts a request and never answers it. It returns after the
// request was received and a draft was typed.
func openWithPendingAnswer(t *testing.T) (*home, *terminal, *testserver.Server) {
	t.Helper()
	service := testserver.New(t)
	h := newRemoteHome(t, service.URL, []string{"hang"}, nil)
	s := h.open(100, 30, "-m", "hang")
	s.leavePending(service)
	return h, s, service
}

// leavePending sends a prompt that the service never answers, and types a draft of two variants.
func (s *terminal) leavePending(service *testserver.Server) {
	s.t.Helper()
	s.waitFor("Prompt → ● hang")
	s.sendKeys("the question\r")
	if !service.Await(waitLimit, func() bool { return len(service.Seen()) == 1 }) {
		s.t.Fatalf("the service was not asked:\n%s", s.text())
	}
	s.waitFor("0 of 1 answered")
	s.sendKeys("the next thought\x1bt, again")
	s.waitFor(" A [B]", "┃ the next thought, again")
}

func TestHoweverItEndsItLosesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		end      func(h *home, s *terminal) error
		restores bool // the terminal
	}{
		"SIGHUP":  {func(_ *home, s *terminal) error { return s.cmd.Process.Signal(syscall.SIGHUP) }, true},
		"SIGTERM": {func(_ *home, s *terminal) error { return s.cmd.Process.Signal(syscall.SIGTERM) }, true},
		"SIGKILL": {func(h *home, s *terminal) error {
			h.await("the draft on disk",
				func() bool { return len(h.filesContaining([]string{"the next thought, again"}, ".tmp")) > 0 })
			return s.cmd.Process.Kill()
		}, false},
		"quit": {func(_ *home, s *terminal) error {
			s.sendKeys("\x11")
			s.waitFor("Quit confab")
			s.sendKeys("y")
			return nil
		}, true},
		"a closed terminal": {func(_ *home, s *terminal) error {
			return errors.Join(s.tty.Close(), s.master.Close())
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, s, service := openWithPendingAnswer(t)
			must(t, c.end(h, s))
			err := s.waitForExit()
			if wrong := err != nil; wrong != (name != "quit") {
				t.Errorf("ended with %v", err)
			}
			if c.restores {
				s.checkRestored()
			}
			if prompt, state := h.state("t1"); prompt != "the question" || state != "interrupted" {
				t.Errorf("the store holds %q, %s", prompt, state)
			}
			again := h.open(100, 30, "-C")
			again.waitFor("the question", "interrupted", " A [B]", "┃ the next thought, again")
			again.await("word of the interruption",
				func() bool { return strings.Contains(again.output(), "was interrupted last time") })
			if n := len(service.Seen()); n != 1 {
				t.Errorf("the service was asked %d times", n)
			}
			again.quit()
		})
	}
}

func TestTheStacksAreWrittenToARestoredTerminal(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGABRT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			s := h.open(100, 30)
			s.waitFor("Write a prompt")
			must(t, s.cmd.Process.Signal(signal))
			if err := s.waitForExit(); err == nil {
				t.Error("it ended as if nothing had happened")
			}
			s.checkRestored()
			left, stacks := strings.Index(s.output(), "\x1b[?1049l"), strings.Index(s.output(), "goroutine 1")
			if left < 0 || stacks < left {
				t.Errorf("the screen was left at %d, the stacks are at %d", left, stacks)
			}
		})
	}
}

func TestALivingInstanceKeepsItsAnswers(t *testing.T) {
	h, s, _ := openWithPendingAnswer(t)
	other := h.open(100, 30)
	other.waitFor("Write a prompt")
	other.quit()
	if _, state := h.state("t1"); state != "running" && state != "queued" {
		t.Errorf("another instance made the answer %s", state)
	}
	s.sendKeys("\x1b") // esc
	s.waitFor("stopped")
	s.sendKeys("\x03\x11")
	s.endsWell()
	if _, state := h.state("t1"); state != "cancelled" {
		t.Errorf("the answer is %s", state)
	}
}
