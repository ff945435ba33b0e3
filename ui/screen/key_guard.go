package screen

import (
	"time"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// noticeTime is how long a change that no key of the person has made must have been on screen before a key acts on it.
const noticeTime = 200 * time.Millisecond

// KeyGuard notices when what keys act on, which is what is selected in the top layer, changes by itself.
type KeyGuard struct {
	Now      func() time.Time
	layer    part.Layer
	selected string
	since    time.Time // when the target changed by itself; zero when the person changed it
}

// Follow notes what keys act on after an update, and whether the person caused that update.
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

// Refusal returns what to say instead of doing what a key stands for; nil for a key that may act.
func (g *KeyGuard) Refusal(press keys.Press) action.Action {
	if g.Now().Sub(g.since) >= noticeTime || !actsOnTarget(press, g.layer) {
		return nil
	}
	return action.Notify{Severity: action.Warn,
		Text: "What is selected has just changed: look, and press " + press.String() + " again."}
}

// actsOnTarget tells whether a key does something with what is selected, rather than moving, typing or opening a layer.
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
