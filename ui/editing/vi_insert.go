package editing

import (
	"slices"
	"strconv"
	"strings"

	"confab/ui/keys"
)

// insertAt begins insert mode where a command says.
func (e *Editor) insertAt(f Field, t Text, command keys.Command, n int) {
	at, line := t.At, ""
	switch {
	case command == keys.ViInsertLine, command == keys.ViOpenAbove && f.IsLine():
		if at = t.lineStart(t.At); !t.isEmptyLine(at) {
			for at < t.lineEnd(at) && isBlank(t.Cells[at]) {
				at++
			}
		}
	case command == keys.ViAppend:
		at = min(t.At+1, t.lineEnd(t.At))
	case command == keys.ViAppendLine, command == keys.ViOpen && f.IsLine():
		at = t.lineEnd(t.At)
	case command == keys.ViOpen:
		at, line = t.lineEnd(t.At), "\n"
	case command == keys.ViOpenAbove:
		at, line = t.lineStart(t.At), "\n"
	}
	e.beginInsert(f, func() {
		if line == "" {
			f.SetContent(t.moved(at))
			return
		}
		opened := t.replaced(at, at, []string{line})
		if command == keys.ViOpenAbove {
			opened = opened.moved(at)
		}
		f.SetContent(opened)
	}, n)
	e.vi.insertsLine = line != ""
}

// beginInsert makes a change and begins insert mode, all of which is one step.
func (e *Editor) beginInsert(f Field, change func(), n int) {
	v := e.vi
	e.history.isClosed = true
	e.step(f, kindInsertMode, change)
	if !v.isReplaying {
		v.last, v.lastTyped = v.recorded, ""
	}
	v.reset()
	v.mode, v.insertTimes, v.insertsLine, v.column = ModeInsert, n, false, -1
	text, at := f.Raw()
	v.insertAfter = text[:at]
}

// leaveInsert ends insert mode. What was typed is there as often as the count said.
func (e *Editor) leaveInsert(f Field) {
	v := e.vi
	text, at := f.Raw()
	typed, isAfter := strings.CutPrefix(text[:at], v.insertAfter)
	if !isAfter {
		typed = ""
	}
	if !v.isReplaying {
		v.lastTyped = typed
	}
	if more := v.insertTimes - 1; more > 0 && typed != "" {
		if v.insertsLine {
			typed = "\n" + typed
		}
		t := f.Content().unselected()
		e.step(f, kindInsertMode, func() { f.SetContent(t.replaced(t.At, t.At, f.Cells(repeated(typed, more)))) })
	}
	v.mode, v.insertTimes = ModeNormal, 1
	e.history.isClosed = true
	t := f.Content()
	if t.At > t.lineStart(t.At) {
		t = t.moved(t.At - 1)
	}
	e.show(f, t)
}

// repeat does the newest change again, with the count of the command if it has one.
func (e *Editor) repeat(f Field) {
	v := e.vi
	inputs, typed := v.last, v.lastTyped
	if len(inputs) == 0 {
		return
	}
	if v.count > 0 {
		inputs = withoutCount(inputs)
		var count []input
		for _, digit := range strings.Split(strconv.Itoa(v.count), "") {
			count = append(count, input{"", digit})
		}
		inputs = append(count, inputs...)
		v.last = inputs
	}
	v.reset()
	v.isReplaying = true
	e.history.isClosed = true
	e.Change(f, func() {
		for _, in := range inputs {
			e.input(f, in)
		}
		if v.mode == ModeInsert {
			if t := f.Content(); typed != "" {
				f.SetContent(t.replaced(t.At, t.At, f.Cells(typed)))
			}
			e.leaveInsert(f)
		}
	})
	v.isReplaying = false
}

// withoutCount returns inputs without the digits of their counts.
func withoutCount(inputs []input) []input {
	var out []input
	for i, in := range inputs {
		waits := i > 0 && slices.Contains([]keys.Command{keys.ViReplace, keys.ViFind, keys.ViFindBack, keys.ViTill,
			keys.ViTillBack}, inputs[i-1].command)
		if in.command != "" || waits || !(isDigit(in.text) || in.text == "0") {
			out = append(out, in)
		}
	}
	return out
}
