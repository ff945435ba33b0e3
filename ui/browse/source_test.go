package browse_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/keys"
	"confab/ui/overlay/overlaytest"
)

// picker opens the picker of a source picture.
func picker(s *overlaytest.Screen) *source {
	f := &source{Screen: s}
	files := f.of(action.ListFiles)
	files.Query = "/home/ana"
	s.Open(browse.NewSource(f.of(action.ListPictures), files, "session", keys.Default(), s.Styles))
	return f
}

func TestSource(t *testing.T) {
	open := func(t *testing.T) *source { return picker(overlaytest.New(t, 120, 40)) }
	chose := func(s *source, src history.Source) {
		s.T.Helper()
		s.Wants(action.CloseDialog{}, action.Compose{Source: &src})
	}
	t.Run("a picture", func(t *testing.T) {
		s := open(t)
		s.found(pictures(), 3, "")
		s.Asked = nil
		s.Press("down", "enter")
		chose(s, history.Source{Answer: 12, Path: "/p/0002.png"})
	})
	t.Run("a file", func(t *testing.T) {
		s := open(t)
		s.Press("tab")
		s.foundIn("/home/ana", files())
		s.Asked = nil
		s.Type("boat")
		s.Press("enter")
		chose(s, history.Source{Path: "/home/ana/pictures/summer holiday/boat.png"})
	})
	t.Run("a path typed", func(t *testing.T) {
		s := open(t)
		s.Press("tab")
		s.foundIn("/home/ana", files())
		s.Send(tea.PasteMsg{Content: "/tmp/fox.png"})
		s.Asked = nil
		s.Press("enter")
		chose(s, history.Source{Path: "/tmp/fox.png"})
	})
	t.Run("a folder", func(t *testing.T) {
		s := open(t)
		s.Press("tab")
		s.foundIn("/home/ana", files())
		s.Press("enter")
		if q := s.query(); !strings.HasSuffix(q, "/beach") {
			t.Errorf("entered %q", q)
		}
	})
	for address, isGood := range map[string]bool{
		"https://example.org/fox.png": true, "http://[::1]:80/a?b": true, "": false, "fox.png": false,
		"file:///etc/passwd": false, "https://": false, "https://a:b@example.org/": false, "https://exa mple.org": false,
	} {
		t.Run("address "+address, func(t *testing.T) {
			s := open(t)
			s.Press("shift+tab")
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
			s.Shows("‹session›")
		})
	}
}
