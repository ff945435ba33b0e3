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

func TestSource(t *testing.T) {
	open := func(t *testing.T) *overlaytest.Screen {
		s := overlaytest.New(t, 120, 40)
		s.Open(browse.NewSource(9, "/home/ana", keys.Default(), s.Styles))
		return s
	}
	chose := func(s *overlaytest.Screen, src history.Source) {
		s.T.Helper()
		s.Wants(action.CloseDialog{}, action.Compose{Source: &src})
	}
	t.Run("a picture", func(t *testing.T) {
		s := open(t)
		for _, a := range s.Asked {
			if q := a.(action.Search); q.List == action.ListPictures && q.Session != 9 {
				t.Errorf("searches pictures of session %d", q.Session)
			}
		}
		foundIn(s, action.ListPictures, browse.FoundMsg{Items: pictures(), Total: 3})
		s.Asked = nil
		s.Press("down", "enter")
		chose(s, history.Source{Answer: 12, Path: "/p/0002.png"})
	})
	t.Run("a file", func(t *testing.T) {
		s := open(t)
		s.Press("tab")
		foundAt(s, "/home/ana", files())
		s.Asked = nil
		s.Type("boat")
		s.Press("enter")
		chose(s, history.Source{Path: "/home/ana/pictures/summer holiday/boat.png"})
	})
	t.Run("a path typed", func(t *testing.T) {
		s := open(t)
		s.Press("tab")
		foundAt(s, "/home/ana", files())
		s.Send(tea.PasteMsg{Content: "/tmp/fox.png"})
		s.Asked = nil
		s.Press("enter")
		chose(s, history.Source{Path: "/tmp/fox.png"})
	})
	t.Run("a folder", func(t *testing.T) {
		s := open(t)
		s.Press("tab")
		foundAt(s, "/home/ana", files())
		s.Press("enter")
		if q := overlaytest.Last[action.Search](s).Query; !strings.HasSuffix(q, "/beach") {
			t.Errorf("entered %q", q)
		}
	})
	for address, problem := range map[string]string{
		"https://example.org/fox.png": "", "http://[::1]:80/a?b": "",
		"": "Type the address", "fox.png": "must begin with", "file:///etc/passwd": "must begin with",
		"https://": "names no host", "https://a:b@example.org/": "name or password", "https://exa mple.org": "not an address",
	} {
		t.Run("address "+address, func(t *testing.T) {
			s := open(t)
			s.Press("shift+tab")
			s.Type(address)
			s.Asked = nil
			s.Press("enter")
			if problem == "" {
				chose(s, history.Source{URL: address})
				return
			}
			s.Wants()
			s.Shows(problem)
			s.Press("tab")
			s.Shows("‹session›")
		})
	}
}
