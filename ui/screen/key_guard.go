package screen

import (
	"time"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// noticeTime is the time for which keys do not act on a selection that has changed by itself.
const noticeTime = 200 * time.Millisecond

// KeyGuard refuses keys just after the selection of the top layer has changed by itself.
type KeyGuard struct {
	Now      func() time.Time
	layer    part.Layer
	selected string
	since    time.Time // when the selection changed by itself; zero when the user changed it
}

// Follow notes the selection after an update, and whether the user caused that update.
func (g *KeyGuard) Follow(layer part.Layer, isFromPerson bool) {
	selected := ""
	if s, ok := layer.(part.Selector); ok {
		selected = s.Target()
	}
	if layer == g.layer && selected == g.selected {
		return
	}
	g.layer, g.selected, g.since = layer, selected, g.Now()
	if isFromPerson {
		g.since = time.Time{}
	}
}

// Refusal returns the notice for a refused key, nil for a key that may act.
func (g *KeyGuard) Refusal(press keys.Press) action.Action {
	if g.Now().Sub(g.since) >= noticeTime || !actsOnTarget(press, g.layer) {
		return nil
	}
	return action.Notify{Severity: action.Warn,
		Text: "What is selected has just changed: look, and press " + press.String() + " again."}
}

// actsOnTarget reports whether a key acts on the selection, rather than moving, typing or opening a layer.
func actsOnTarget(press keys.Press, layer part.Layer) bool {
	switch press.Command {
	case keys.Yes, keys.Accept:
		d, ok := layer.(action.Dialog)
		return ok && d.Name() == "confirm"
	case keys.Choose:
		list, ok := layer.(part.Searcher)
		return ok && !list.IsNewSearch()
	}
	return press.Command.ActsOnSelection()
}
