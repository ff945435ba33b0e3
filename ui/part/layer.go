package part

import (
	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// Layer is what takes keys: a pane, or a dialog above the panes.
type Layer interface {
	Receiver
	Scope() keys.Scope
	// Cursor returns the position of the real cursor relative to the layer, nil for none.
	Cursor() *tea.Cursor
}

// What some layers have beside that. The root asks each layer for these at run time: a layer that implements one
// asserts it (var _ part.Selector = (*Pane)(nil)), as a method of another name would never be called.
type (
	// KeyLooker is a layer whose keys are looked up elsewhere than in its scope alone, for example while a line of text
	// is typed in it. The first lookup that has a command for a key wins; the root adds [keys.Everywhere].
	KeyLooker interface {
		Lookups() []keys.Lookup
	}
	// TextCapturer is a pane in which a filter or a search is typed at times.
	TextCapturer interface {
		// CapturesText tells whether letters are text now, and the key that goes back ends that.
		CapturesText() bool
	}
	// Selector is a layer whose commands act on a selection.
	Selector interface {
		// Target names the selection by a text that is the same as long as the selection is.
		Target() string
	}
	// Searcher is a list that can be searched.
	Searcher interface {
		// IsNewSearch tells whether what is shown are the first results of a search: these replace each other while
		// a person types, who means the first of them.
		IsNewSearch() bool
	}
	// Positioned is a layer in which keys move.
	Positioned interface {
		// ReadingPosition tells where the reader is, by a text that changes when a key moves, "" where that is not
		// known.
		ReadingPosition() string
	}
	// HintShower is a pane that draws hints which can be clicked.
	HintShower interface {
		// HintAt returns the hint that is drawn at a cell of the pane.
		HintAt(x, y int) (keys.Hint, bool)
	}
	// DoubleClicker is a layer in which a double click means more than two clicks.
	DoubleClicker interface {
		DoubleClick(x, y int) (action.Action, tea.Cmd)
	}
	// Worker is a dialog that reads and draws only what is on the screen.
	Worker interface {
		// Work returns the command that gets what is missing for that, nil for nothing.
		Work() tea.Cmd
	}
	// PictureShower is a layer with pictures.
	PictureShower interface {
		// Pictures returns the pictures that are drawn, in cells of the layer.
		Pictures() []graphics.Placement
	}
)

// ReadingPane is a pane in which answers are read: it has all that the root asks panes for.
type ReadingPane interface {
	Pane
	KeyLooker
	TextCapturer
	Selector
	Positioned
	HintShower
	DoubleClicker
	PictureShower
}

// Lookups returns where the keys of a layer are looked up.
func Lookups(layer Layer) []keys.Lookup {
	if l, ok := layer.(KeyLooker); ok {
		return l.Lookups()
	}
	return keys.LookupsIn(layer.Scope())
}

// CapturesText tells whether letters are text in a layer although it is no text: of a filter or a search.
func CapturesText(layer Layer) bool {
	c, ok := layer.(TextCapturer)
	return ok && c.CapturesText()
}

// ReadingPosition tells where in a layer the reader is, "" where that is not known.
func ReadingPosition(layer Layer) string {
	if p, ok := layer.(Positioned); ok {
		return p.ReadingPosition()
	}
	return ""
}
