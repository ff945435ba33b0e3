package ui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/internal/testflags"
	"confab/ui"
	"confab/ui/keys"
)

// layer is something that can be on top, and where its keys are looked up.
type layer struct {
	name   string
	open   func(s *screen)
	scopes []keys.Scope
	type_  bool // letters are text there
}

// layers are those that a screen with a few turns can show.
func layers() []layer {
	press := func(names ...string) func(s *screen) { return func(s *screen) { s.press(names...) } }
	return []layer{
		{"prompt", press("alt+4"), []keys.Scope{keys.Prompt}, true},
		{"models", press("alt+1"), []keys.Scope{keys.Models}, false},
		{"conversation", press("alt+2"), []keys.Scope{keys.Conversation}, false},
		{"comparison", press("alt+2", "v"), []keys.Scope{keys.Compare}, false},
		{"difference", press("alt+2", "v", "d"), []keys.Scope{keys.Compare}, false},
		{"blind vote", press("alt+2", "v", "V"), []keys.Scope{keys.Voting}, false},
		{"sessions", press("ctrl+s"), []keys.Scope{keys.Browser}, true},
		{"prompts", press("ctrl+r"), []keys.Scope{keys.Browser}, true},
		{"system prompt", press("ctrl+t"), []keys.Scope{keys.Form, keys.Prompt}, true},
		{"persona", press("ctrl+t", "ctrl+s"), []keys.Scope{keys.Form}, true},
		{"personas", press("ctrl+t", "ctrl+t"), []keys.Scope{keys.Browser}, true},
		{"themes", press("f2"), []keys.Scope{keys.Browser}, true},
		{"commands", press("ctrl+p"), []keys.Scope{keys.Browser}, true},
		{"pictures", press("ctrl+g"), []keys.Scope{keys.Browser, keys.Gallery}, true},
		{"runs", press("f3"), []keys.Scope{keys.Browser}, true},
		{"suites", press("f4"), []keys.Scope{keys.Browser}, true},
		{"options", press("alt+4", "alt+a"), []keys.Scope{keys.Form}, true},
		{"source", press("alt+4", "alt+e"), []keys.Scope{keys.Browser, keys.Form}, true},
		{"write", press("alt+2", "w"), []keys.Scope{keys.Form}, true},
		{"note", press("alt+2", "m"), []keys.Scope{keys.Form, keys.Prompt}, true},
		{"request", press("alt+2", "i"), []keys.Scope{keys.TextViewer}, false},
		{"help", press("f1"), []keys.Scope{keys.TextViewer}, false},
	}
}

// openWithTurns opens a screen with a picture and a turn of four answers.
func openWithTurns(t *testing.T, w, h int, options ...option) *screen {
	s := open(t, w, h, options...)
	s.press("f8")
	s.pass(7 * time.Second)
	s.typed("Explain a CRDT to a baker.")
	s.press("alt+1", "home", "enter", "alt+1", "end", "up", "up", "up", "up", "up", "space", "alt+4", "enter")
	s.pass(3 * time.Second)
	return s
}

// waitForNotices lets the notices of before end.
func (s *screen) waitForNotices() { s.pass(20 * time.Second) }

// hints returns the hints in the footer and in the lower border of the focused box, and of those beside it.
func (s *screen) hints() []keys.Hint {
	var parts []string
	lines := strings.Split(s.text(), "\n")
	for i, line := range lines {
		if i == s.h-1 {
			parts = append(parts, strings.Split(line, "  ")...)
		} else if _, border, ok := strings.Cut(line, "┗━ "); ok {
			border, _, _ = strings.Cut(border, "━")
			parts = append(parts, strings.Split(border, " · ")...)
		}
	}
	var out []keys.Hint
	for _, part := range parts {
		key, text, ok := strings.Cut(strings.TrimSpace(part), " ")
		if _, is := keys.Parse(key); ok && is && key != "↓" && key != "●" { // no place, and no model of a thumbnail
			out = append(out, keys.Hint{Key: key, Text: strings.TrimSpace(text)})
		}
	}
	return out
}

// Every key that a layer shows is one of its own, or of everywhere, and does something there.
func TestTheFooterBelongsToTheTopLayer(t *testing.T) {
	bound := ui.Keys()
	for _, size := range [][2]int{{60, 20}, {120, 40}} {
		for i, l := range layers() {
			if !testflags.IsLong() && i%6 != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s %dx%d", l.name, size[0], size[1]), func(t *testing.T) {
				run(t, func(t *testing.T) {
					s := openWithTurns(t, size[0], size[1])
					l.open(s)
					s.waitForNotices()
					hints := s.hints()
					if len(hints) == 0 {
						t.Fatalf("no key is shown:\n%s", s.text())
					}
					for _, h := range hints {
						key, _ := keys.Parse(h.Key)
						press := bound.Find(key, keys.LookupsIn(append(l.scopes, keys.Everywhere)...))
						entry, _ := bound.Entry(press.Scope, press.Command)
						if press.Command == "" {
							t.Errorf("%q is no key of this layer:\n%s", h, s.text())
						}
						if l.type_ && press.Text != "" && !entry.WhenEmpty {
							t.Errorf("%q is text in this layer:\n%s", h, s.text())
						}
					}
				})
			})
		}
	}
}

// TestHelpOpensInEveryLayer presses the keys of help: ? is text where a person writes.
func TestHelpOpensInEveryLayer(t *testing.T) {
	for i, l := range layers() {
		if l.name == "help" || !testflags.IsLong() && i%5 != 0 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := openWithTurns(t, 80, 24)
				l.open(s)
				s.waitForNotices()
				s.shows("f1 help")
				s.press("f1")
				s.shows("Keys: ")
				s.press("esc")
				s.lacks("Keys: ")
				if s.typed("?"); !slices.Contains(l.scopes, keys.Form) && !slices.Contains(l.scopes, keys.Prompt) {
					s.shows("Keys: ")
				}
			})
		})
	}
}

// The most useful keys are the last to be left out.
func TestTheMostUsefulKeysStay(t *testing.T) {
	for _, tt := range []struct {
		layer string
		shows []string
	}{
		{"sessions", []string{"enter open", "esc close"}},
		{"comparison", []string{"l next", "z zoom", "esc back"}},
		{"conversation", []string{"v compare", "l next answer"}},
		{"pictures", []string{"enter go to", "esc close"}},
		{"prompt", []string{"ctrl+p commands", "f1 help"}},
	} {
		run(t, func(t *testing.T) {
			s := openWithTurns(t, 60, 20)
			for _, l := range layers() {
				if l.name == tt.layer {
					l.open(s)
				}
			}
			s.waitForNotices()
			s.shows(tt.shows...)
		})
	}
}
