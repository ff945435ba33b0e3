package compose

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"confab/internal/format"
	"confab/ui/action"
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
	e.area.Join(before+c.label, after)
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

func (e *editor) dropDeletedChips() {
	if len(e.chips) == 0 {
		return
	}
	value := e.area.Text()
	e.chips = slices.DeleteFunc(e.chips, func(c chip) bool { return !strings.Contains(value, c.label) })
}

// holdsTooMuch reports whether the prompt would be too large with more bytes.
func (e *editor) holdsTooMuch(more int) bool {
	size := len(e.area.Text()) + more
	for _, c := range e.chips {
		size += len(c.text)
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
	e.area.Join(before, after)
	e.dropDeletedChips()
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

// leaveLabel moves the cursor out of the label of a chip.
func (e *editor) leaveLabel(back bool) {
	if len(e.chips) == 0 {
		return
	}
	before, after := e.area.Split()
	value, at := before+after, len(before)
	end := e.outsideLabels(value, at)
	if end == at {
		return
	}
	if back {
		e.area.SetCursorColumn(e.area.Column() - utf8.RuneCountInString(value[strings.LastIndex(before, "⟦"):at]))
		return
	}
	e.area.SetCursorColumn(e.area.Column() + utf8.RuneCountInString(value[at:end]))
}

// cutsLabel reports whether the selection contains a part of a label.
func (e *editor) cutsLabel() bool {
	if !e.area.HasSelection() {
		return false
	}
	before, _ := e.area.Split()
	selected := e.area.Selected()
	return strings.Count(selected, "⟦") != strings.Count(selected, "⟧") ||
		e.outsideLabels(e.area.Text(), len(before)) != len(before)
}

// pressAtChip handles a key that would change the label of a chip, and reports whether it did.
func (e *editor) pressAtChip(msg tea.KeyPressMsg) bool {
	if len(e.chips) == 0 {
		return false
	}
	if e.cutsLabel() {
		e.area.ClearSelection()
		e.leaveLabel(false)
	}
	if e.area.HasSelection() {
		return false
	}
	before, after := e.area.Split()
	left, right, handled := e.editAtChip(msg, before, after)
	if handled && (left != before || right != after) {
		e.area.Join(left, right)
	}
	return handled
}

func (e *editor) editAtChip(msg tea.KeyPressMsg, before, after string) (left, right string, handled bool) {
	k := e.area.KeyMap
	ends, begins := e.chipWhere(before, strings.HasSuffix), e.chipWhere(after, strings.HasPrefix)
	switch {
	case key.Matches(msg, k.DeleteCharacterBackward) && ends != nil:
		cut := len(ends.text) - suffixOfCost(ends.text, openedText)
		rest, opened := ends.text[:cut], ends.text[cut:]
		return strings.TrimSuffix(before, ends.label) + e.makeChip("text", rest) + opened, after, true
	case key.Matches(msg, k.DeleteCharacterForward) && begins != nil:
		cut := prefixOfCost(begins.text, openedText)
		opened, rest := begins.text[:cut], begins.text[cut:]
		return before, opened + e.makeChip("text", rest) + strings.TrimPrefix(after, begins.label), true
	case key.Matches(msg, k.CharacterBackward) && ends != nil:
		return strings.TrimSuffix(before, ends.label), ends.label + after, true
	case key.Matches(msg, k.CharacterForward) && begins != nil:
		return before + begins.label, strings.TrimPrefix(after, begins.label), true
	case key.Matches(msg, k.DeleteWordBackward):
		return e.deleteWordBefore(before, after)
	case key.Matches(msg, k.DeleteWordForward):
		return e.deleteWordAfter(before, after)
	case key.Matches(msg, k.UppercaseWordForward, k.LowercaseWordForward, k.CapitalizeWordForward):
		_, _, touches := e.deleteWordAfter(before, after)
		return before, after, touches
	case key.Matches(msg, k.TransposeCharacterBackward):
		return before, after, ends != nil || begins != nil
	}
	return before, after, false
}

// deleteWordBefore deletes a chip before the cursor, or the part of a word after it.
func (e *editor) deleteWordBefore(before, after string) (string, string, bool) {
	trimmed := strings.TrimRight(before, " ")
	if c := e.chipWhere(trimmed, strings.HasSuffix); c != nil {
		return strings.TrimSuffix(trimmed, c.label), after, true
	}
	if i := strings.LastIndex(trimmed, "⟧"); i >= 0 && !strings.ContainsAny(trimmed[i:], " \n") {
		return trimmed[:i+len("⟧")], after, true
	}
	return before, after, false
}

// deleteWordAfter deletes a chip after the cursor, or the part of a word before it.
func (e *editor) deleteWordAfter(before, after string) (string, string, bool) {
	trimmed := strings.TrimLeft(after, " ")
	if c := e.chipWhere(trimmed, strings.HasPrefix); c != nil {
		return before, strings.TrimPrefix(trimmed, c.label), true
	}
	if i := strings.Index(trimmed, "⟦"); i >= 0 && !strings.ContainsAny(trimmed[:i], " \n") {
		return before, trimmed[i:], true
	}
	return before, after, false
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
