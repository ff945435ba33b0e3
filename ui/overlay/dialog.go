// Package overlay holds what all layers above the main screen share: a base to embed, the stack of those that
// are open, their sizes, and the hints in their borders. Packages dialog and browse have the dialogs.
package overlay

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/widget"
)

// HelpName is the name of the help, in which nothing offers the help.
const HelpName = "help"

// Base implements what most dialogs have in common. Dialogs embed it.
type Base struct {
	part.Commands
	name   string
	Keys   keys.Map
	Styles *themes.Styles
}

// NewBase returns the common part of a dialog with these commands.
func NewBase(name string, c part.Commands, m keys.Map, s *themes.Styles) Base {
	return Base{Commands: c, name: name, Keys: m, Styles: s}
}

// Name implements [action.Dialog].
func (b *Base) Name() string { return b.name }

// SetStyles implements [action.Dialog].
func (b *Base) SetStyles(s *themes.Styles) { b.Styles = s }

// Cursor implements [action.Dialog] for dialogs that hide the cursor.
func (b *Base) Cursor() *tea.Cursor { return nil }

// Box returns a focused box of w×h cells with hints in its bottom border. A plain title is drawn in a gradient.
func (b *Base) Box(title, right string, hints []keys.Hint, w, h int) widget.Box {
	if !strings.Contains(title, "\x1b") {
		title = b.Styles.Gradient(title)
	}
	return widget.Box{Title: title, Right: right, Bottom: widget.HintLine(b.Styles, hints), Focused: true, W: w, H: h,
		Pad: 1, Styles: b.Styles}
}

// CommonKey returns what a key does in every dialog that has no command of its own for it: it closes the dialog, opens
// the help, or performs one of the few commands that are useful above any screen. It is nil for all other keys.
func (b *Base) CommonKey(msg keys.Press) action.Action {
	if msg.Scope != keys.Everywhere {
		return nil
	}
	switch msg.Command {
	case keys.Interrupt, keys.Back:
		return action.CloseDialog{}
	case keys.Help:
		return action.ShowHelp{Scope: b.Scope()}
	case keys.Undo, keys.Suspend, keys.Redraw, keys.ToggleMouse, keys.Quit:
		return action.RunCommand{Scope: keys.Everywhere, Command: msg.Command}
	}
	return nil
}

// CommonOrUnused is [Base.CommonKey], and says that the key is unused where that is nil.
func (b *Base) CommonOrUnused(msg keys.Press) action.Action {
	if a := b.CommonKey(msg); a != nil {
		return a
	}
	return UnusedKey(msg)
}

// UnusedKey says that a dialog has no command for a key.
func UnusedKey(msg keys.Press) action.Action { return action.Unused{Key: msg.String()} }

// CloseThen closes the dialog and then does what it was opened for, unless that begins with closing dialogs. Nothing
// may follow.
func CloseThen(then action.Action) action.Action {
	first := then
	if several, ok := then.(action.Sequence); ok && len(several) > 0 {
		first = several[0]
	}
	if _, closes := first.(action.CloseDialog); closes {
		return then
	}
	return action.Join(action.CloseDialog{}, then)
}

// Frame returns the size of the large dialogs on a screen of w×h cells, lists with previews, the gallery and the help:
// all between the first and the last line.
func Frame(w, h int) (int, int) {
	switch {
	case h >= 22:
		h -= 2
	case h >= 6: // what a key could not do is said in the last line of the screen
		h--
	}
	return max(w, 0), max(h, 0)
}

// TextWidth is the most cells of a dialog with a text: longer lines are hard to read.
const TextWidth = 104

// Size returns the size of the other dialogs on a screen of w×h cells: at most maxW cells wide, the whole width of a
// narrow screen, on which a margin would show pieces of frames, and with a margin on a larger one.
func Size(w, h, maxW int) (int, int) {
	if w >= 90 {
		w -= 4
	}
	if w, h = Frame(w, h); h >= 30 {
		h -= 2
	}
	return min(w, maxW), h
}

// SplitHints divides the hints of a dialog, the most useful first, among the borders of boxes of these widths in cells
// and the footer, which gets the rest. A hint is never cut.
func SplitHints(hints []keys.Hint, widths ...int) (borders [][]keys.Hint, footer []keys.Hint) {
	for _, w := range widths {
		w -= 6 // corners and blanks
		n := 0
		for n < len(hints) {
			need := termtext.Width(hints[n].Key) + 1 + termtext.Width(hints[n].Text)
			if n > 0 {
				need += termtext.Width(widget.HintGap)
			}
			if w -= need; w < 0 {
				break
			}
			n++
		}
		borders = append(borders, hints[:n])
		hints = hints[n:]
	}
	return borders, hints
}
