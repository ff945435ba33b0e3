package ui

import (
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
)

// walk is the functions of this module that a message passes from Update of the root to the one that handles it.
type walk []string

// walkTo returns the walk to a function that is on the stack, nil where it is not.
func walkTo(handler string) (w walk) {
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for isWithin := false; ; {
		frame, more := frames.Next()
		isWithin = isWithin || strings.HasSuffix(frame.Function, handler)
		if isWithin && strings.HasPrefix(frame.Function, "confab/") {
			w = append(w, frame.Function)
		}
		switch {
		case strings.HasSuffix(frame.Function, "(*Model).Update"):
			slices.Reverse(w)
			return w
		case !more:
			return nil
		}
	}
}

// packages counts the packages that a walk leads through.
func (w walk) packages() int {
	in := map[string]bool{}
	for _, name := range w {
		base, _, _ := strings.Cut(path.Base(name), ".")
		in[path.Join(path.Dir(name), base)] = true
	}
	return len(in)
}

// TestAKeyIsNearItsHandler presses keys whose handlers call what the test has put there, and counts the functions on
// the stack, with panicGuard.Update of the command line, which calls Update. docs/architecture.md lists them.
func TestAKeyIsNearItsHandler(t *testing.T) {
	const maxFunctions, maxPackages, guard = 8, 4, 1
	m := newLoadedModel(t, 1, "words")
	m.do(action.Focus{Pane: action.PaneConversation})
	var taken walk
	m.conversation.PathName = func(p string) string { taken = walkTo("(*Pane).copyTurn"); return p }
	m.o.Now = func() time.Time {
		if w := walkTo("(*Model).interrupt"); w != nil {
			taken = w
		}
		return time.Now()
	}
	turns := m.conversation.Turns()
	turns[0].Source = &history.Source{Path: "p"}
	for _, key := range []tea.KeyPressMsg{{Code: 'Y', Text: "Y"}, {Code: 'c', Mod: tea.ModCtrl}} {
		taken = nil
		m.Update(key)
		functions, packages := len(taken)+guard, taken.packages()+guard
		t.Logf("%s passes %d functions in %d packages", key, functions, packages)
		if taken == nil || functions > maxFunctions || packages > maxPackages {
			t.Errorf("%s passes %d functions in %d packages, at most %d in %d:\n%s", key, functions, packages,
				maxFunctions, maxPackages, strings.Join(taken, "\n"))
		}
	}
}
