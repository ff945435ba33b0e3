package ui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"confab/service"
	"confab/ui"
)

// withPublishing lets a screen's service publish local pictures.
func withPublishing(c *client) option {
	return func(o *ui.Options, so *service.Options) {
		o.Start.Marked = []string{"sim-image"}
		so.Backend.Connect = func(context.Context) (service.Connection, error) {
			return service.Connection{Client: c,
				PublishLocal: func(func(context.Context) ([]byte, error)) (string, func()) {
					return "picture:a", func() {}
				}}, nil
		}
	}
}

// edit takes the focused picture as the source and sends a prompt.
func (s *screen) edit(prompt string) {
	s.press("E")
	s.typed(prompt)
	s.press("enter")
	s.pass(8 * time.Second)
	s.press("alt+2")
}

// TestAnEditGoesOnFromTheLastResult sends two edits without choosing a source for the second one.
func TestAnEditGoesOnFromTheLastResult(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withPublishing(&client{say: answerAll}))
		s.typed("a fox under a lamp")
		s.press("enter")
		s.pass(8 * time.Second)
		s.press("alt+2")
		s.edit("warmer")
		s.press("alt+4")
		s.typed("at night")
		s.press("enter")
		s.pass(8 * time.Second)
		s.press("alt+2", "T")
		s.shows("Edits", "└─ warmer", "└─ at night")
		s.lacks("├─ warmer")
		s.press("esc", "z", "b", "E") // the picture before the edit is shown
		s.shows("source 0002-imageedit-warmer")
	})
}

// TestANewSessionHasNoSource takes a picture as the source and begins a session, whose model would get it.
func TestANewSessionHasNoSource(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withPublishing(&client{say: answerAll}))
		s.typed("a fox under a lamp")
		s.press("enter")
		s.pass(8 * time.Second)
		s.press("alt+2", "E")
		s.shows("source 0001-sim-image")
		s.press("ctrl+n")
		s.lacks("0001-sim-image-a-fox", "with the picture")
	})
}

// TestATextModelIsNotSentTheSourceOfAnEdit marks a text model after an edit, and an edit model after another one.
func TestATextModelIsNotSentTheSourceOfAnEdit(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withPublishing(&client{say: answerAll}),
			withWriters)
		s.typed("a fox under a lamp")
		s.press("enter")
		s.pass(8 * time.Second)
		s.press("alt+2", "E")
		s.shows("source 0001-sim-image")
		s.press("ctrl+l", "alt+0")
		s.typed("lite")
		s.press("enter")
		s.shows("→ ● imageedit-lite", "source 0001-sim-image")
		s.press("ctrl+l")
		s.typed("gamma-4.7")
		s.press("enter")
		s.shows("→ ● gamma-4.7", "Write a prompt")
		s.lacks("source 0001", "with the picture")
	})
}

// TestAFilterFindsAModelByItsName: the kind of a model is no part of its name.
func TestAFilterFindsAModelByItsName(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("ctrl+l")
		s.typed("image")
		s.shows("enter use it")
		s.press("enter")
		s.shows("→ ● sim-image", "Describe the picture")
	})
}

func TestTheChainOfEditsIsATree(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := open(t, size[0], size[1], withPublishing(&client{say: answerAll}))
				s.typed("a fox under a lamp")
				s.press("enter")
				s.pass(8 * time.Second)
				s.press("alt+2")
				s.edit("warmer")
				s.press("b")
				s.shows("before")
				s.press("b")
				s.edit("at night")
				s.press("[", "[") // back to the fox
				s.edit("sepia")
				s.press("T")
				s.shows("Edits", "├─ warmer", "│  └─ at night", "└─ sepia", "Preview")
				if size[0] == 80 { // wider, the path of the test's folder is seen beside it
					golden.RequireEqual(t, s.text())
				}

				s.press("alt+p")
				if n := len(s.desktop.copied); n != 1 || !strings.Contains(s.desktop.copied[0], "sepia") {
					t.Errorf("copied %v, want the path of the picture it was asked for", s.desktop.copied)
				}
				s.press("alt+o")
				if n := len(s.desktop.opened); n != 1 || !strings.Contains(s.desktop.opened[0], "sepia") {
					t.Errorf("opened %v", s.desktop.opened)
				}
				s.press("up", "alt+e")
				s.lacks("Preview")
				s.shows("at-night") // the source of the next edit, named in the prompt
				s.press("alt+2", "T", "up", "up", "enter")
				s.lacks("Preview")
				s.press("i")
				s.shows("imageedit")
			})
		})
	}
}

func TestATextHasNoChainOfEdits(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+2", "T")
		s.shows("This answer has no picture.")
		s.press("b")
		s.shows("This answer has no picture.")
		s.lacks("Preview")
	})
}

func TestBeforeAndAfterInTheComparison(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withPublishing(&client{say: answerAll}),
			func(o *ui.Options, _ *service.Options) { o.Start.Marked = []string{"sim-image", "diffusion-xl"} })
		s.typed("a fox under a lamp")
		s.press("enter")
		s.pass(20 * time.Second)
		s.press("alt+2", "v")
		s.shows("1 diffusion-xl", "2 sim-image", "= same picture as 2")
		s.press("b")
		s.shows("was not made from another one")
		s.press("T")
		s.shows("Edits", "a fox under a lamp")
		s.press("esc", "L", "L") // beside each other, then as a list
		s.pass(time.Second)
		s.shows("pictures 2", "made from text")
		s.press("T", "enter")
		s.shows("▌ you", "Conversation")
		s.lacks("Preview", "pictures 2")
	})
}
