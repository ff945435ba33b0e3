package compose

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/keys"
)

// The text area processes all of its text for every key. Therefore large pastes and text far from the cursor become
// chips. Limits and costs are in units of [editingCost], about bytes.
const (
	maxEditingCost    = 8 << 10
	foldedEditingCost = 6 << 10 // of the text area after folding
	openedText        = 2 << 10 // bytes of a chip that one key puts back into the text area
	chipLabel         = 40      // bytes of the label of a chip
	lineCost          = 60
	tabCost           = 3
	maxPromptBytes    = 4 << 20
)

// chip is text outside of the text area, which holds its label.
type chip struct{ label, text string }

// editingCost estimates the time that the text area needs for a text per key.
func editingCost(s string) int {
	return len(s) + lineCost*strings.Count(s, "\n") + tabCost*strings.Count(s, "\t")
}

// makeChip makes a chip and returns its label, "" for no text.
func (e *editor) makeChip(kind, text string) string {
	if text == "" {
		return ""
	}
	e.numbered++
	label := labelOf(kind, e.numbered, text)
	e.chips = append(e.chips, chip{label, text})
	e.area.Whole = append(e.area.Whole, label)
	return label
}

func labelOf(kind string, number int, text string) string {
	lines := format.Count(strings.Count(text, "\n")+1, "line")
	return fmt.Sprintf("⟦%s %d: %s, %d KB⟧", kind, number, lines, (len(text)+1023)/1024)
}

// continuePaste adds a piece of a paste to the chip of the piece before it and reports whether there was one. Large
// pastes arrive in pieces.
func (e *editor) continuePaste(text string) bool {
	before, after := e.area.Split()
	if !e.isPasting || len(e.chips) == 0 {
		return false
	}
	c := &e.chips[len(e.chips)-1]
	before, isBehind := strings.CutSuffix(before, c.label)
	if !isBehind || c.label != labelOf("paste", e.numbered, c.text) {
		return false
	}
	c.text += text
	c.label = labelOf("paste", e.numbered, c.text)
	e.area.Whole[len(e.chips)-1] = c.label
	e.area.ChangeMore(func() { e.area.Join(before+c.label, after) })
	return true
}

func (e *editor) expand(text string) string {
	if len(e.chips) == 0 {
		return text
	}
	var pairs []string
	for _, c := range e.chips {
		pairs = append(pairs, c.label, c.text)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// dropDeletedChips forgets chips that only undoing could bring back, with all that can be undone, when they are large.
func (e *editor) dropDeletedChips() {
	value, deleted := e.area.Text(), 0
	isDeleted := func(label string) bool { return !strings.Contains(value, label) }
	for _, c := range e.chips {
		if isDeleted(c.label) {
			deleted += len(c.text)
		}
	}
	if deleted > maxPromptBytes {
		e.chips = slices.DeleteFunc(e.chips, func(c chip) bool { return isDeleted(c.label) })
		e.area.Whole = slices.DeleteFunc(e.area.Whole, isDeleted)
		e.area.Forget()
	}
}

// holdsTooMuch reports whether the prompt would be too large with more bytes.
func (e *editor) holdsTooMuch(more int) bool {
	value := e.area.Text()
	size := len(value) + more
	for _, c := range e.chips {
		if strings.Contains(value, c.label) {
			size += len(c.text)
		}
	}
	return more > 0 && size > maxPromptBytes
}

// fold turns the text farthest from the cursor into a chip when the text area holds too much.
func (e *editor) fold() action.Action {
	before, after := e.area.Split()
	excess := editingCost(before) + editingCost(after) - foldedEditingCost
	if excess <= maxEditingCost-foldedEditingCost {
		return nil
	}
	if editingCost(before) >= editingCost(after) {
		cut := e.outsideLabels(before, prefixOfCost(before, excess))
		before = e.makeChip("text", e.expand(before[:cut])) + before[cut:]
	} else {
		cut := e.outsideLabels(after, len(after)-suffixOfCost(after, excess))
		after = after[:cut] + e.makeChip("text", e.expand(after[cut:]))
	}
	e.area.ChangeMore(func() { e.area.Join(before, after) })
	if e.hasFolded {
		return nil
	}
	e.hasFolded = true
	return action.Notify{Severity: action.Info,
		Text: "Text far from the cursor is folded, and sent like the rest. Backspace after ⟦…⟧ opens it again."}
}

// prefixOfCost returns the length of a prefix with at least this editing cost. It ends with a line where that is near.
func prefixOfCost(s string, cost int) int {
	if cost <= 0 {
		return 0
	}
	n := 0
	for n < len(s) && cost > 0 {
		_, size := utf8.DecodeRuneInString(s[n:])
		cost -= editingCost(s[n : n+size])
		n += size
	}
	if i := strings.IndexByte(s[n:], '\n'); i >= 0 && i < openedText/2 && n+i+1 < len(s) {
		n += i + 1
	}
	return n
}

// suffixOfCost returns the length of a suffix with about this editing cost. It begins with a line where that is near.
func suffixOfCost(s string, cost int) int { return len(s) - prefixOfCost(s, editingCost(s)-cost) }

// outsideLabels returns the position in s, or the end of the label around it.
func (e *editor) outsideLabels(s string, at int) int {
	for _, c := range e.chips {
		if i := strings.Index(s, c.label); i >= 0 && i < at && at < i+len(c.label) {
			return i + len(c.label)
		}
	}
	return at
}

// openChip puts a piece of the chip beside the cursor back into the text area, for a key that deletes a character, and
// reports whether it did.
func (e *editor) openChip(command keys.Command) bool {
	before, after := e.area.Split()
	if e.area.HasSelection() {
		return false
	}
	if c := e.chipWhere(before, strings.HasSuffix); c != nil && command == keys.DeleteLeft {
		cut := len(c.text) - suffixOfCost(c.text, openedText)
		e.area.Join(strings.TrimSuffix(before, c.label)+e.makeChip("text", c.text[:cut])+c.text[cut:], after)
		return true
	}
	if c := e.chipWhere(after, strings.HasPrefix); c != nil && command == keys.DeleteRight {
		cut := prefixOfCost(c.text, openedText)
		e.area.Join(before, c.text[:cut]+e.makeChip("text", c.text[cut:])+strings.TrimPrefix(after, c.label))
		return true
	}
	return false
}

// chipWhere returns the chip whose label is at one end of a text, or nil.
func (e *editor) chipWhere(text string, stands func(text, label string) bool) *chip {
	for _, c := range e.chips {
		if stands(text, c.label) {
			return &c
		}
	}
	return nil
}
