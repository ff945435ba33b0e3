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
	s.waitFor("confab", "offline engine (simulated)", "Nothing sent yet", "enter send")
	s.sendKeys("Why is the sky blue?")
	s.waitFor("┃ Why is the sky blue?")
	s.sendKeys("\r")
	s.waitFor("1 turn", "1 answer", "tokens", "imulated by the offline engine")
	s.waitUntilGone("of 1 answered")
	s.sendKeys("\x04") // ctrl+d
	s.endsWell()
	s.checkRestored()
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
		s.waitFor("Write a prompt")
		s.sendKeys("\x04")
		s.endsWell()
		s.checkRestored()
	}
}

func TestTwoInstancesShareAStore(t *testing.T) {
	h := newHome(t)
	a, b := h.open(120, 40), h.open(120, 40)
	a.waitFor("Nothing sent yet")
	b.waitFor("Nothing sent yet")
	a.sendKeys("a question of the first\r")
	b.sendKeys("a question of the second\r")
	a.waitFor("1 answer", "words")
	b.waitFor("1 answer", "words")
	a.waitUntilGone("of 1 answered")
	b.waitUntilGone("of 1 answered")
	a.sendKeys("\x13") // ctrl+s
	a.waitFor("Sessions   2", "a question of the second")
	for _, s := range []*terminal{a, b} {
		s.sendKeys("\x11") // ctrl+q
	}
	a.sendKeys("\x1b")
	a.waitUntilGone("Preview")
	a.sendKeys("\x11")
	for _, s := range []*terminal{a, b} {
		s.endsWell()
	}
	for _, turn := range []string{"t1", "t2"} {
		if prompt, state := h.state(turn); state != "done" || !strings.HasPrefix(prompt, "a question of the ") {
			t.Errorf("turn %s is %q, %s", turn, prompt, state)
		}
	}
}
