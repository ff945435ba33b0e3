//go:build !windows

package acceptance

import (
	"regexp"
	"strings"
	"testing"
)

// kitty finds what switches the kitty keyboard on or off.
var kitty = regexp.MustCompile(`\x1b\[[<=>][0-9;]*u`)

func TestAPromptIsTypedSentAnsweredAndTheTerminalGivenBack(t *testing.T) {
	h := newHome(t)
	s := h.open(120, 40)
	s.sees("confab", "offline engine (simulated)", "Nothing sent yet", "enter send")
	s.types("Why is the sky blue?")
	s.sees("┃ Why is the sky blue?")
	s.types("\r")
	s.sees("1 turn", "1 answer", "words", "imulated by the offline engine")
	s.loses("of 1 answered")
	s.types("\x04") // ctrl+d
	if err := s.ends(); err != nil {
		t.Errorf("ended with %v", err)
	}
	s.isGivenBack()
	if !strings.Contains(s.output(), "confab -C") {
		t.Error("it does not say how to go on")
	}
	prompt, state := h.state("t1")
	if prompt != "Why is the sky blue?" || state != "done" {
		t.Errorf("the store holds %q, %s", prompt, state)
	}
}

func TestEverySizeStarts(t *testing.T) {
	h := newHome(t)
	for _, size := range [][2]int{{20, 6}, {60, 20}, {200, 60}} {
		s := h.open(size[0], size[1])
		s.sees("Write a prompt")
		s.types("\x04")
		if err := s.ends(); err != nil {
			t.Errorf("at %v it ended with %v", size, err)
		}
		s.isGivenBack()
	}
}

func TestTwoInstancesShareAStore(t *testing.T) {
	h := newHome(t)
	a, b := h.open(120, 40), h.open(120, 40)
	a.sees("Nothing sent yet")
	b.sees("Nothing sent yet")
	a.types("a question of the first\r")
	b.types("a question of the second\r")
	a.sees("1 answer", "words")
	b.sees("1 answer", "words")
	a.loses("of 1 answered")
	b.loses("of 1 answered")
	a.types("\x13") // ctrl+s
	a.sees("Sessions   2", "a question of the second")
	for _, s := range []*terminal{a, b} {
		s.types("\x11") // ctrl+q
	}
	a.types("\x1b")
	a.loses("Preview")
	a.types("\x11")
	for _, s := range []*terminal{a, b} {
		if err := s.ends(); err != nil {
			t.Errorf("ended with %v", err)
		}
	}
	for _, turn := range []string{"t1", "t2"} {
		if prompt, state := h.state(turn); state != "done" || !strings.HasPrefix(prompt, "a question of the ") {
			t.Errorf("turn %s is %q, %s", turn, prompt, state)
		}
	}
}
