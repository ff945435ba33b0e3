// Package editing edits texts as readline and vi do: motions, the selection, deletions, undo. It neither draws nor lays
// out texts; the text fields of ui/widget do.
package editing

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is a text in cells, each of which the keys take as one character, with a cursor and what is selected.
type Text struct {
	Cells    []string
	At       int // index of the cell after the cursor
	From, To int // of the selected cells; equal where none are
}

// NewText returns a text of cells with the cursor and the ends of the selection at bytes of it. In a cell, the cursor
// goes to its end, and the selection has all of it.
func NewText(cells []string, at, from, to int) Text {
	t := Text{Cells: cells, At: cellAt(cells, at, true), From: cellAt(cells, from, false), To: cellAt(cells, to, true)}
	if from == to {
		t.From, t.To = t.At, t.At
	}
	return t
}

// cellAt returns the index of the cell that begins at a byte, or of one beside the cell that has the byte within it.
func cellAt(cells []string, at int, isUp bool) int {
	for i, c := range cells {
		switch {
		case at <= 0:
			return i
		case at < len(c) && !isUp:
			return i
		}
		at -= len(c)
	}
	return len(cells)
}

// String returns the text.
func (t Text) String() string { return strings.Join(t.Cells, "") }

// Selected returns the selected text.
func (t Text) Selected() string { return strings.Join(t.Cells[t.From:t.To], "") }

// HasSelection reports whether cells are selected.
func (t Text) HasSelection() bool { return t.From < t.To }

// unselected returns the text without a selection.
func (t Text) unselected() Text {
	t.From, t.To = t.At, t.At
	return t
}

// moved returns the text with the cursor elsewhere and nothing selected.
func (t Text) moved(at int) Text {
	t.At = max(min(at, len(t.Cells)), 0)
	return t.unselected()
}

// selectedTo returns the text with the cursor elsewhere and what is between selected, from the end of the selection at
// which the cursor is not.
func (t Text) selectedTo(at int) Text {
	anchor := t.At
	if t.HasSelection() {
		anchor = t.From + t.To - t.At // the other end
	}
	t.At = max(min(at, len(t.Cells)), 0)
	t.From, t.To = min(anchor, t.At), max(anchor, t.At)
	return t
}

// replaced returns the text with other cells in place of some, the cursor after them.
func (t Text) replaced(from, to int, with []string) Text {
	t.Cells = slices.Concat(t.Cells[:from], with, t.Cells[to:])
	return t.moved(from + len(with))
}

// Without returns the text without the selected cells.
func (t Text) Without() Text { return t.replaced(t.From, t.To, nil) }

// lineStart returns the index of the first cell of a cell's line.
func (t Text) lineStart(i int) int {
	for i > 0 && t.Cells[i-1] != "\n" {
		i--
	}
	return i
}

// lineEnd returns the index of the line feed that ends a cell's line, or the end of the text.
func (t Text) lineEnd(i int) int {
	for i < len(t.Cells) && t.Cells[i] != "\n" {
		i++
	}
	return i
}

// A chip of the prompt is one cell, and a word.
func isChip(cell string) bool { return len(cell) > len("⟦") && strings.HasPrefix(cell, "⟦") }

func isBlank(cell string) bool {
	r, _ := utf8.DecodeRuneInString(cell)
	return unicode.IsSpace(r)
}

func isLetter(cell string) bool {
	r, _ := utf8.DecodeRuneInString(cell)
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// wordLeft returns where the word before the cursor begins.
func (t Text) wordLeft() int {
	i := t.At
	for i > 0 && !isLetter(t.Cells[i-1]) && !isChip(t.Cells[i-1]) {
		i--
	}
	if i > 0 && isChip(t.Cells[i-1]) {
		return i - 1
	}
	for i > 0 && isLetter(t.Cells[i-1]) {
		i--
	}
	return i
}

// wordRight returns where the word after the cursor ends.
func (t Text) wordRight() int {
	i, n := t.At, len(t.Cells)
	for i < n && !isLetter(t.Cells[i]) && !isChip(t.Cells[i]) {
		i++
	}
	if i < n && isChip(t.Cells[i]) {
		return i + 1
	}
	for i < n && isLetter(t.Cells[i]) {
		i++
	}
	return i
}

// blankWordLeft returns where the word before the cursor begins that ends with a blank.
func (t Text) blankWordLeft() int {
	i := t.At
	for i > 0 && isBlank(t.Cells[i-1]) && t.Cells[i-1] != "\n" {
		i--
	}
	if i > 0 && (isChip(t.Cells[i-1]) || t.Cells[i-1] == "\n" && i == t.At) {
		return i - 1
	}
	for i > 0 && !isBlank(t.Cells[i-1]) && !isChip(t.Cells[i-1]) {
		i--
	}
	return i
}
