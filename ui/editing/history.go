package editing

import (
	"slices"
	"strings"
)

// kind is what a step of the history does. Steps of some kinds that follow each other are one.
type kind int

const (
	kindAny kind = iota // a step of its own
	kindTyping
	kindDeleting
	kindInsertMode // typed and deleted in vi's insert mode, all of which is one step
	kindPasted     // a further piece of the newest paste
)

// maxSteps and maxHistoryBytes bound what a field remembers.
const (
	maxSteps        = 1000
	maxHistoryBytes = 1 << 20
)

// snapshot is a text with the position of the cursor in it, in bytes.
type snapshot struct {
	text string
	at   int
}

// step is a change of a text: at a byte, a piece was replaced.
type step struct {
	kind          kind
	at            int
	removed       string
	added         string
	before, after int // positions of the cursor
}

// history is what can be undone and redone.
type history struct {
	done, undone []step
	isClosed     bool // the next change is a step of its own
}

// record notes a change. What was undone can no longer be redone then.
func (h *history) record(before, after snapshot, k kind) {
	if before.text == after.text {
		return
	}
	h.undone = nil
	if n := len(h.done); n > 0 && !h.isClosed && h.done[n-1].joins(before, after, k) {
		last := h.done[n-1]
		h.done = h.done[:n-1]
		before = snapshot{last.revert(before.text), last.before}
		if k == kindPasted {
			k = last.kind
		}
	}
	h.isClosed = false
	if before.text == after.text {
		return
	}
	h.done = append(h.done, newStep(before, after, k))
	h.limit()
}

func newStep(before, after snapshot, k kind) step {
	start := commonPrefix(before.text, after.text)
	end := commonPrefix(reversed(before.text[start:]), reversed(after.text[start:]))
	return step{kind: k, at: start, removed: before.text[start : len(before.text)-end],
		added: after.text[start : len(after.text)-end], before: before.at, after: after.at}
}

type text interface{ ~string | ~[]byte }

func commonPrefix[T text](a, b T) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func reversed(s string) []byte {
	b := []byte(s)
	slices.Reverse(b)
	return b
}

// joins reports whether a change is a part of the step before it. Typing ends with a word.
func (s step) joins(before, after snapshot, k kind) bool {
	switch {
	case k == kindPasted:
		return true
	case k != s.kind || k == kindAny || before.at != s.after:
		return false
	case k == kindTyping && before.at > 0 && after.at > before.at:
		return !isBlank(before.text[before.at-1:before.at]) || isBlank(after.text[before.at:])
	}
	return true
}

func (s step) apply(text string) string {
	return text[:s.at] + s.added + text[s.at+len(s.removed):]
}

func (s step) revert(text string) string {
	return text[:s.at] + s.removed + text[s.at+len(s.added):]
}

func (h *history) limit() {
	size := 0
	for i := len(h.done) - 1; i >= 0; i-- {
		size += len(h.done[i].removed) + len(h.done[i].added)
		if i > 0 && (size > maxHistoryBytes || len(h.done)-i >= maxSteps) {
			h.done = slices.Clone(h.done[i:])
			return
		}
	}
}

// undo returns the text before the newest step; ok is false where there is none.
func (h *history) undo(text string) (s snapshot, ok bool) {
	n := len(h.done)
	if n == 0 || !strings.HasPrefix(text[min(h.done[n-1].at, len(text)):], h.done[n-1].added) {
		return s, false
	}
	last := h.done[n-1]
	h.done, h.undone = h.done[:n-1], append(h.undone, last)
	h.isClosed = true
	return snapshot{last.revert(text), last.before}, true
}

// redo returns the text after the step that was undone last.
func (h *history) redo(text string) (s snapshot, ok bool) {
	n := len(h.undone)
	if n == 0 || !strings.HasPrefix(text[min(h.undone[n-1].at, len(text)):], h.undone[n-1].removed) {
		return s, false
	}
	last := h.undone[n-1]
	h.undone, h.done = h.undone[:n-1], append(h.done, last)
	h.isClosed = true
	return snapshot{last.apply(text), last.after}, true
}
