//go:build !windows

package acceptance

import (
	"os"
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
	s.waitFor("Prompt → ● hang")
	s.sendKeys("the question\r")
	if !service.Await(waitLimit, func() bool { return len(service.Seen()) == 1 }) {
		t.Fatalf("the service was not asked:\n%s", s.text())
	}
	s.waitFor("0 of 1 answered")
	s.sendKeys("the next thought")
	s.waitFor("┃ the next thought")
	return h, s, service
}

func TestEndedFromOutsideItLeavesEverythingInOrder(t *testing.T) {
	for name, end := range map[string]func(s *terminal) bool{
		"SIGHUP":  func(s *terminal) bool { return s.cmd.Process.Signal(syscall.SIGHUP) == nil },
		"SIGTERM": func(s *terminal) bool { return s.cmd.Process.Signal(syscall.SIGTERM) == nil },
		"quit": func(s *terminal) bool {
			s.sendKeys("\x11")
			s.waitFor("Leave confab")
			s.sendKeys("y")
			return true
		},
		"a closed terminal": func(s *terminal) bool {
			_ = s.tty.Close()
			return s.master.Close() == nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, s, service := openWithPendingAnswer(t)
			if !end(s) {
				t.Fatal("it could not be ended")
			}
			err := s.waitForExit()
			if wrong := err != nil; wrong != (name != "quit") {
				t.Errorf("ended with %v", err)
			}
			if name != "a closed terminal" {
				s.checkRestored()
			}
			if prompt, state := h.state("t1"); prompt != "the question" || state != "interrupted" {
				t.Errorf("the store holds %q, %s", prompt, state)
			}
			if n := len(service.Seen()); n != 1 {
				t.Errorf("the service was asked %d times", n)
			}
			again := h.open(100, 30, "-C")
			again.waitFor("the question", "interrupted", "┃ the next thought")
			if n := len(service.Seen()); n != 1 {
				t.Errorf("the next start asked the service again: %d requests", n)
			}
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

func TestKilledItLosesNothing(t *testing.T) {
	h, s, service := openWithPendingAnswer(t)
	h.await("the draft on disk",
		func() bool { return len(h.filesContaining([]string{"the next thought"}, ".tmp")) > 0 })
	must(t, s.cmd.Process.Signal(os.Kill))
	_ = s.waitForExit()
	again := h.open(100, 30, "-C")
	again.waitFor("the question", "interrupted", "the next thought")
	again.await("word of the interruption",
		func() bool { return strings.Contains(again.output(), "was interrupted last time") })
	if prompt, state := h.state("t1"); prompt != "the question" || state != "interrupted" {
		t.Errorf("the store holds %q, %s", prompt, state)
	}
	if n := len(service.Seen()); n != 1 {
		t.Errorf("the service was asked %d times", n)
	}
	again.sendKeys("\x11")
	if err := again.waitForExit(); err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestALivingInstanceKeepsItsAnswers(t *testing.T) {
	h, s, _ := openWithPendingAnswer(t)
	other := h.open(100, 30)
	other.waitFor("Write a prompt")
	other.sendKeys("\x11")
	if err := other.waitForExit(); err != nil {
		t.Errorf("the second instance ended with %v", err)
	}
	if _, state := h.state("t1"); state != "running" && state != "queued" {
		t.Errorf("another instance made the answer %s", state)
	}
	s.sendKeys("\x1b") // esc
	s.waitFor("cancelled")
	s.sendKeys("\x03\x11")
	if err := s.waitForExit(); err != nil {
		t.Errorf("ended with %v", err)
	}
	if _, state := h.state("t1"); state != "cancelled" {
		t.Errorf("the answer is %s", state)
	}
}
