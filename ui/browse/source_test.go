package browse_test

import (
	"strings"
	"testing"

	"confab/history"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/overlay/overlaytest"

	tea "charm.land/bubbletea/v2"
)

// picker opens a tab of the picker of a source picture.
func picker(s *overlaytest.Screen, tab int, isTaken bool) *source {
	f := &source{Screen: s}
	c := f.config([]action.List{action.ListPictures, action.ListFiles, action.ListPictures}[tab])
	if tab == 1 {
		c.Query = "/home/ana"
	}
	s.Open(browse.NewList(browse.SourceTab(tab, c, "session", isTaken, ui.Keys()), ui.Keys(), s.Styles))
	return f
}

func TestSource(t *testing.T) {
	open := func(t *testing.T, tab int) *source { return picker(overlaytest.New(t, 120, 40), tab, false) }
	chose := func(s *source, src history.Source) {
		s.T.Helper()
		s.Wants(action.CloseDialog{}, action.Compose{Source: &src})
	}
	t.Run("a picture", func(t *testing.T) {
		s := open(t, 0)
		s.found(pictures(), 3, "")
		s.Asked = nil
		s.Press("down", "enter")
		chose(s, history.Source{Answer: 12, Path: "/p/0002.png"})
	})
	t.Run("no picture", func(t *testing.T) {
		s := open(t, 0)
		s.found(pictures(), 3, "")
		s.Asked = nil
		s.Press("alt+x") // deletes nothing
		s.Wants(action.Unused{Key: "alt+x", Why: "alt+x (delete) does nothing in this list."})
		s = picker(overlaytest.New(t, 120, 40), 0, true)
		s.found(pictures(), 3, "")
		s.Shows("alt+x no picture")
		s.Asked = nil
		s.Press("alt+x")
		chose(s, history.Source{})
	})
	t.Run("a file", func(t *testing.T) {
		s := open(t, 1)
		s.foundIn("/home/ana", files())
		s.Asked = nil
		s.Type("boat")
		s.Press("enter")
		chose(s, history.Source{Path: "/home/ana/pictures/summer holiday/boat.png"})
	})
	t.Run("a path typed", func(t *testing.T) {
		s := open(t, 1)
		s.foundIn("/home/ana", files())
		s.Send(tea.PasteMsg{Content: "/tmp/fox.png"})
		s.Asked = nil
		s.Press("enter")
		chose(s, history.Source{Path: "/tmp/fox.png"})
	})
	t.Run("a folder", func(t *testing.T) {
		s := open(t, 1)
		s.foundIn("/home/ana", files())
		s.Press("enter")
		if q := s.query(); !strings.HasSuffix(q, "/beach") {
			t.Errorf("entered %q", q)
		}
	})
	for address, isGood := range map[string]bool{
		"https://example.org/fox.png": true, "http://[::1]:80/a?b": true, "": false, "fox.png": false,
		"file:///etc/passwd": false, "https://": false, "https://a:b@example.org/": false,
		"https://exa mple.org": false,
	} {
		t.Run("address "+address, func(t *testing.T) {
			s := open(t, 2)
			s.Type(address)
			s.Asked = nil
			s.Press("enter")
			if isGood {
				chose(s, history.Source{URL: address})
				return
			}
			s.Wants()
			s.Shows("The source must be an http or https address")
			s.Press("tab")
			s.Wants(action.CloseDialog{}, action.PickSource{Tab: 0})
			s.Asked = nil
			s.Press("shift+tab")
			s.Wants(action.CloseDialog{}, action.PickSource{Tab: 1})
		})
	}
}
