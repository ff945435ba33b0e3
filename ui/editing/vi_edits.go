package editing

import (
	"slices"
	"strings"
	"unicode"

	"confab/ui/keys"
)

// viRun does a command of normal or visual mode.
func (e *Editor) viRun(f Field, t Text, command keys.Command) Result {
	v := e.vi
	if v.op != "" {
		e.withMotion(f, t, command)
		return Result{}
	}
	if s, ok, isMotion := e.viMotion(t, command); isMotion {
		if ok {
			e.move(f, t, s)
		}
		return Result{}
	}
	defer func() { v.column = -1 }()
	if v.isVisual() {
		return e.viVisual(f, t, command)
	}
	n, _ := v.times()
	end := t.lineEnd(t.At)
	operate := func(op keys.Command, from, to int, isLinewise bool) {
		v.op = op
		e.operate(f, t, from, to, isLinewise)
	}
	switch command {
	case keys.ViDelete, keys.ViChange, keys.ViYank:
		v.op, v.opCount, v.count = command, v.count, 0
	case keys.ViFind, keys.ViFindBack, keys.ViTill, keys.ViTillBack, keys.ViReplace, keys.ViGo:
		v.wait = command
	case keys.ViDeleteChar:
		if t.At < end {
			operate(keys.ViDelete, t.At, min(t.At+n, end), false)
		}
	case keys.ViDeleteBefore:
		if from := max(t.At-n, t.lineStart(t.At)); from < t.At {
			operate(keys.ViDelete, from, t.At, false)
		}
	case keys.ViSubstitute:
		operate(keys.ViChange, t.At, min(t.At+n, end), false)
	case keys.ViSubstituteLine, keys.ViYankLine:
		op := map[keys.Command]keys.Command{keys.ViSubstituteLine: keys.ViChange, keys.ViYankLine: keys.ViYank}[command]
		operate(op, t.At, t.below(n-1), true)
	case keys.ViDeleteRest, keys.ViChangeRest:
		op := map[keys.Command]keys.Command{keys.ViDeleteRest: keys.ViDelete, keys.ViChangeRest: keys.ViChange}[command]
		operate(op, t.At, t.lineEnd(t.below(n-1)), false)
	case keys.ViSwapCase:
		e.swapCase(f, t, t.At, min(t.At+n, end), min(t.At+n, end))
	case keys.ViJoin:
		e.join(f, t, max(n, 2)-1)
	case keys.ViPut, keys.ViPutBefore:
		e.viPut(f, t, command == keys.ViPut, n)
	case keys.ViUndo, keys.ViRedo:
		return e.viUndo(f, command, n)
	case keys.ViRepeat:
		e.repeat(f)
	case keys.ViVisual, keys.ViVisualLine:
		v.anchor, v.mode = t.At, ModeVisual
		if command == keys.ViVisualLine {
			v.mode = ModeVisualLine
		}
	case keys.ViInsert, keys.ViInsertLine, keys.ViAppend, keys.ViAppendLine, keys.ViOpen, keys.ViOpenAbove:
		e.insertAt(f, t, command, n)
	}
	return Result{}
}

// below returns a cell of the n-th line below the cursor, or of the last one.
func (t Text) below(n int) int {
	at := t.At
	for ; n > 0 && t.lineEnd(at) < len(t.Cells); n-- {
		at = t.lineEnd(at) + 1
	}
	return at
}

func (e *Editor) viUndo(f Field, command keys.Command, n int) (r Result) {
	run := map[keys.Command]keys.Command{keys.ViUndo: keys.UndoEdit, keys.ViRedo: keys.RedoEdit}[command]
	for range n {
		if r = e.Run(f, run); r.Refusal != "" {
			break
		}
	}
	return r
}

// withMotion does what an operator waits for: a motion, itself for whole lines, or the start of a text object.
func (e *Editor) withMotion(f Field, t Text, command keys.Command) {
	v := e.vi
	switch command {
	case v.op:
		n, _ := v.times()
		e.operate(f, t, t.At, t.below(n-1), true)
		return
	case keys.ViInsert, keys.ViAppend, keys.ViGo, keys.ViFind, keys.ViFindBack, keys.ViTill, keys.ViTillBack:
		v.wait = command
		return
	}
	s, ok, isMotion := e.viMotion(t, command)
	if isMotion && ok {
		e.move(f, t, s)
		return
	}
	v.reset()
}

// operate has the operator take cells, or all of the lines from the first to the last one.
func (e *Editor) operate(f Field, t Text, from, to int, isLinewise bool) {
	v := e.vi
	op := v.op
	v.op = ""
	if isLinewise {
		from, to = t.lineStart(from), t.lineEnd(to)
	}
	text := Text{Cells: t.Cells[from:to]}.String()
	if isLinewise {
		text += "\n"
	}
	if text != "" {
		*e.register = Register{text, isLinewise}
	}
	switch {
	case op == keys.ViYank:
		at := from
		if isLinewise && t.lineStart(t.At) == from {
			at = t.At
		}
		f.SetContent(t.moved(at))
	case op == keys.ViChange:
		e.beginInsert(f, func() { f.SetContent(t.replaced(from, to, nil)) }, 1)
	case isLinewise && to < len(t.Cells):
		e.viChange(f, func() { f.SetContent(t.replaced(from, to+1, nil).toLetter()) })
	case isLinewise:
		e.viChange(f, func() { f.SetContent(t.replaced(max(from-1, 0), to, nil).toLetter()) })
	default:
		e.viChange(f, func() { f.SetContent(t.replaced(from, to, nil)) })
	}
}

// toLetter returns the text with the cursor at the first letter of its line.
func (t Text) toLetter() Text { return t.moved(t.firstLetter(t.At)) }

// viChange makes a change that can be repeated.
func (e *Editor) viChange(f Field, change func()) {
	e.Change(f, change)
	if v := e.vi; !v.isReplaying && !v.isVisual() {
		v.last, v.lastTyped = v.recorded, ""
	}
}

func (e *Editor) replace(f Field, t Text, cell string, n int) {
	if v := e.vi; v.isVisual() {
		from, to, _ := v.selection(t)
		cells := slices.Clone(t.Cells)
		for i := from; i < to; i++ {
			if cells[i] != "\n" {
				cells[i] = cell
			}
		}
		e.viChange(f, func() { f.SetContent(Text{Cells: cells}.moved(from)) })
		v.mode = ModeNormal
		return
	}
	if t.At+n > t.lineEnd(t.At) {
		return
	}
	e.viChange(f, func() {
		f.SetContent(t.replaced(t.At, t.At+n, slices.Repeat([]string{cell}, n)).moved(t.At + n - 1))
	})
}

func (e *Editor) swapCase(f Field, t Text, from, to, at int) {
	swap := func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}
	cells := slices.Clone(t.Cells)
	for i := from; i < to; i++ {
		if !isChip(cells[i]) {
			cells[i] = strings.Map(swap, cells[i])
		}
	}
	e.viChange(f, func() { f.SetContent(Text{Cells: cells}.moved(at)) })
}

// join joins the cursor's line and n more, with a blank between two.
func (e *Editor) join(f Field, t Text, n int) {
	if t.lineEnd(t.At) == len(t.Cells) {
		return
	}
	for ; n > 0; n-- {
		end := t.lineEnd(t.At)
		if end == len(t.Cells) {
			break
		}
		next := end + 1
		for next < len(t.Cells) && isBlank(t.Cells[next]) && t.Cells[next] != "\n" {
			next++
		}
		var blank []string
		isEmpty := next == len(t.Cells) || t.Cells[next] == "\n"
		if end > t.lineStart(end) && !isBlank(t.Cells[end-1]) && !isEmpty && t.Cells[next] != ")" {
			blank = []string{" "}
		}
		t = t.replaced(end, next, blank).moved(end)
		if isEmpty && end > t.lineStart(end) {
			t.At = end - 1
		}
	}
	e.viChange(f, func() { f.SetContent(t.unselected()) })
}

// maxRepeated bounds what a count makes of a text, in bytes: a text area works on all of its text for every key.
const maxRepeated = 16 << 10

// repeated returns a text n times, or as often as fits.
func repeated(text string, n int) string {
	return strings.Repeat(text, max(min(n, maxRepeated/len(text)), 1))
}

// viPut puts the register after or before the cursor: lines after or before its line.
func (e *Editor) viPut(f Field, t Text, isAfter bool, n int) {
	text, isLines := e.register.text, e.register.isLines
	if text == "" {
		return
	}
	if isLines && f.IsLine() {
		text, isLines = strings.TrimSuffix(text, "\n"), false
	}
	cells := f.Cells(repeated(text, n))
	at := t.At
	switch end := t.lineEnd(t.At); {
	case isLines && isAfter && end == len(t.Cells):
		cells = append([]string{"\n"}, cells[:len(cells)-1]...)
		t = t.replaced(end, end, cells).moved(end + 1).toLetter()
	case isLines && isAfter:
		t = t.replaced(end+1, end+1, cells).moved(end + 1).toLetter()
	case isLines:
		at = t.lineStart(t.At)
		t = t.replaced(at, at, cells).moved(at).toLetter()
	default:
		if isAfter && at < end {
			at++
		}
		t = t.replaced(at, at, cells)
		if slices.Contains(cells, "\n") {
			t = t.moved(at)
		} else {
			t = t.moved(t.At - 1)
		}
	}
	e.viChange(f, func() { f.SetContent(t) })
}

// move moves the cursor, or has the operator that waits take what is between.
func (e *Editor) move(f Field, t Text, s span) {
	if e.vi.op == "" {
		f.SetContent(t.moved(s.to))
		return
	}
	from, to := min(t.At, s.to), max(t.At, s.to)
	if s.isInclusive {
		to = min(to+1, len(t.Cells))
	}
	if s.isWord {
		to = t.beforeBreak(from, to)
	} else if !s.isInclusive && !s.isLinewise && to > from && t.Cells[to-1] == "\n" {
		// The end is at the start of a line: it is the end of the line before, and with all of the first line, whole
		// lines are meant.
		to--
		s.isLinewise = from <= t.firstLetter(from) && !t.isEmptyLine(from)
	}
	e.operate(f, t, from, to, s.isLinewise)
}

// beforeBreak returns the end of what an operator takes of words: not the last line break before the next one.
func (t Text) beforeBreak(from, to int) int {
	i := to
	for i > from && isBlank(t.Cells[i-1]) {
		if i--; t.Cells[i] == "\n" {
			to = i
		}
	}
	if to == from && i < len(t.Cells) { // an empty line
		to++
	}
	return to
}
