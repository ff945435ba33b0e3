package screen

import (
	"time"

	"confab/ui/action"
	"confab/ui/keys"
)

// lockTime is the time for which keys do not act on a selection that has changed by itself.
const lockTime = 200 * time.Millisecond

// KeyGuard refuses keys just after the selection of the top layer has changed by itself.
type KeyGuard struct {
	Now      func() time.Time
	Keys     keys.Map
	layer    action.Layer
	selected string
	since    time.Time // when the selection changed by itself; zero when the user changed it
}

// Follow notes the selection after an update, and whether the user caused that update.
func (g *KeyGuard) Follow(layer action.Layer, isFromPerson bool) {
	selected := layer.State().Target
	if layer == g.layer && selected == g.selected {
		return
	}
	g.layer, g.selected, g.since = layer, selected, g.Now()
	if isFromPerson {
		g.since = time.Time{}
	}
}

// Refusal returns the notice for a refused key, nil for a key that may act. The first result of a search may be chosen
// at once.
func (g *KeyGuard) Refusal(press keys.Press) action.Action {
	entry, _ := g.Keys.Entry(press.Scope, press.Command)
	if !entry.Acts || g.selected == "" || g.Now().Sub(g.since) >= lockTime ||
		press.Command == keys.Choose && g.layer.State().IsNewSearch {
		return nil
	}
	return action.Notify{Severity: action.Warn,
		Text: "The selection just changed: check it, then press " + press.String() + " again."}
}
