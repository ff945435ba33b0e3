package browse_test

import (
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/overlay/overlaytest"
)

// found answers the newest search.
func found(s *overlaytest.Screen, items []browse.Item, total int, problem string) {
	s.T.Helper()
	foundIn(s, overlaytest.Last[action.Search](s).List, browse.FoundMsg{Items: items, Total: total, Problem: problem})
}

func foundAt(s *overlaytest.Screen, place string, items []browse.Item) {
	s.T.Helper()
	foundIn(s, action.ListFiles, browse.FoundMsg{Items: items, Total: len(items), Place: place})
}

// foundIn answers the newest search of a list.
func foundIn(s *overlaytest.Screen, list action.List, msg browse.FoundMsg) {
	s.T.Helper()
	for i := len(s.Asked) - 1; i >= 0; i-- {
		if q, ok := s.Asked[i].(action.Search); ok && q.List == list {
			msg.List, msg.Gen = list, q.Gen
			s.Send(msg)
			return
		}
	}
	s.T.Fatalf("nothing searched the %s", list)
}

// previewed lets the cursor rest and answers the preview, where one is shown.
func previewed(s *overlaytest.Screen, lines ...string) {
	s.Run()
	for i := len(s.Asked) - 1; i >= 0; i-- {
		if p, ok := s.Asked[i].(action.Preview); ok {
			s.Send(browse.PreviewedMsg{List: p.List, Gen: p.Gen, ID: p.ID, Lines: lines})
			return
		}
	}
}
