package editing

import (
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/ui/keys"
)

// Mode is a mode of vi.
type Mode string

// The modes, as people read them; ModeNone is that of fields without vi.
const (
	ModeNone       Mode = ""
	ModeInsert     Mode = "insert"
	ModeNormal     Mode = "normal"
	ModeVisual     Mode = "visual"
	ModeVisualLine Mode = "visual line"
)

// modal is the state of vi in a field.
type modal struct {
	mode           Mode
	count, opCount int          // 0 for none
	op             keys.Command // the operator that waits for a motion
	wait           keys.Command // the command that waits for a character
	find           keys.Command
	findCell       string
	anchor         int // where visual mode began
	column         int // to which lines up and down go; -1 for that of the cursor
	recorded       []input
	last           []input // the newest change, to repeat it
	lastTyped      string
	isReplaying    bool
	insertAfter    string // the text before what insert mode types
	insertTimes    int
	insertsLine    bool
}

// input is a key of normal mode: a command, or the text that it waits for.
type input struct {
	command keys.Command
	text    string
}

// Mode returns the mode of the field.
func (e *Editor) Mode() Mode {
	if e.vi == nil {
		return ModeNone
	}
	return e.vi.mode
}

// IsPending reports whether a command of vi waits for more.
func (e *Editor) IsPending() bool { return e.vi != nil && e.vi.isPending() }

func (v *modal) isPending() bool { return v.count > 0 || v.op != "" || v.wait != "" }

func (v *modal) isVisual() bool { return v.mode == ModeVisual || v.mode == ModeVisualLine }

func (v *modal) reset() { v.count, v.opCount, v.op, v.wait = 0, 0, "", "" }

// Takes reports whether a key belongs to the mode of the field, whatever it means elsewhere. An empty line is always in
// insert mode, so that one key leaves it.
func (e *Editor) Takes(f Field, msg tea.KeyPressMsg) bool {
	v := e.vi
	if v == nil {
		return false
	}
	if text, _ := f.Raw(); text == "" && f.IsLine() {
		v.mode = ModeInsert
		return false
	}
	command := e.viCommand(msg)
	switch {
	case command == keys.ViNormal:
		return v.mode != ModeNormal || v.isPending()
	case v.mode == ModeInsert:
		return false
	case v.isPending() && msg.Mod&^(tea.ModShift|tea.ModCapsLock|tea.ModNumLock) == 0:
		return true
	}
	return command != "" || isDigit(msg.Text)
}

func (e *Editor) viCommand(msg tea.KeyPressMsg) keys.Command {
	return e.keys.Find(msg, keys.LookupsIn(keys.Vi)).Command
}

func isDigit(text string) bool { return len(text) == 1 && text[0] >= '1' && text[0] <= '9' }

// pressModal does a key in a mode; ok is false for those of insert mode that are as without vi.
func (e *Editor) pressModal(f Field, msg tea.KeyPressMsg) (r Result, ok bool) {
	v, command := e.vi, e.viCommand(msg)
	switch {
	case v.mode == ModeInsert && command == keys.ViNormal:
		e.leaveInsert(f)
		return r, true
	case v.mode == ModeInsert:
		return r, false
	case v.wait != "" && msg.Text != "":
		return e.input(f, input{"", msg.Text}), true
	case isDigit(msg.Text) || command == keys.ViLineStart && v.count > 0:
		return e.input(f, input{"", msg.Text}), true
	case command != "":
		return e.input(f, input{command, ""}), true
	case v.isPending():
		v.reset()
		return r, true
	}
	if command := e.Command(msg); command != "" {
		r = e.Run(f, command)
		e.show(f, f.Content())
	} else if msg.Text != "" {
		r.Refusal = msg.Text + " does nothing in normal mode."
	}
	return r, true
}

// input does an input of normal or visual mode.
func (e *Editor) input(f Field, in input) (r Result) {
	v := e.vi
	if !v.isReplaying {
		if !v.isPending() {
			v.recorded = nil
		}
		v.recorded = append(v.recorded, in)
	}
	t := f.Content()
	e.wasCut = false
	switch {
	case v.wait != "":
		wait := v.wait
		v.wait = ""
		e.withCharacter(f, t, wait, in.text)
	case in.command == "":
		v.count = min(v.count*10+int(in.text[0]-'0'), 9999)
		return r
	default:
		r = e.viRun(f, t, in.command)
	}
	if v.mode == ModeInsert || v.wait != "" || v.op != "" && v.isPending() && isOperator(in.command) {
		return r
	}
	v.reset()
	e.show(f, f.Content())
	return r
}

func isOperator(c keys.Command) bool {
	return c == keys.ViDelete || c == keys.ViChange || c == keys.ViYank
}

// times returns the count of a command, and whether one was given.
func (v *modal) times() (n int, isGiven bool) {
	return max(v.count, 1) * max(v.opCount, 1), v.count > 0 || v.opCount > 0
}

// show puts the cursor onto a character, and selects what visual mode has between its ends.
func (e *Editor) show(f Field, t Text) {
	v := e.vi
	if v.mode == ModeInsert {
		return
	}
	end := t.lineEnd(t.At)
	if t.At >= end && t.At > t.lineStart(t.At) {
		t.At = end - 1
	}
	t = t.unselected()
	if v.isVisual() {
		t.From, t.To, _ = v.selection(t)
	}
	f.SetContent(t)
}

// selection returns the cells that visual mode has, and whether they are whole lines.
func (v *modal) selection(t Text) (from, to int, isLinewise bool) {
	anchor := min(v.anchor, len(t.Cells))
	from, to = min(anchor, t.At), max(anchor, t.At)
	if v.mode == ModeVisualLine {
		return t.lineStart(from), min(t.lineEnd(to)+1, len(t.Cells)), true
	}
	if v.column == math.MaxInt && to == t.At { // to the end of the line, and its line break
		to = t.lineEnd(to)
	}
	return from, min(to+1, len(t.Cells)), false
}

// withCharacter does a command that waited for a character.
func (e *Editor) withCharacter(f Field, t Text, wait keys.Command, text string) {
	v := e.vi
	n, isCounted := v.times()
	cell := strings.Join(f.Cells(text), "")
	switch wait {
	case keys.ViReplace:
		e.replace(f, t, cell, n)
	case keys.ViInsert, keys.ViAppend:
		from, to, ok := t.object(text, wait == keys.ViAppend, n)
		switch {
		case !ok:
		case v.isVisual():
			v.anchor = from
			f.SetContent(t.moved(max(to-1, from)))
		default:
			e.operate(f, t, from, to, false)
		}
	case keys.ViGo:
		switch text {
		case "g":
			to := t.firstLetter(0)
			if isCounted {
				to = t.firstLetter(t.line(n))
			}
			e.move(f, t, span{to: to, isLinewise: true})
		case "e", "E":
			at := t.At
			for range n {
				at = t.previousEnd(at, text == "E")
			}
			e.move(f, t, span{to: at, isInclusive: true})
		}
	default:
		v.find, v.findCell = wait, cell
		if to, ok := t.find(wait, cell, n, false); ok {
			e.move(f, t, span{to: to, isInclusive: wait == keys.ViFind || wait == keys.ViTill})
		}
	}
}

// viMotion returns where a command moves the cursor; isMotion is false for a command that is none, ok for a motion that
// is not possible.
func (e *Editor) viMotion(t Text, command keys.Command) (s span, ok, isMotion bool) {
	v := e.vi
	n, isCounted := v.times()
	column := v.column
	v.column = -1
	end := t.lineEnd(t.At)
	switch command {
	case keys.ViLeft:
		return span{to: max(t.At-n, t.lineStart(t.At))}, t.At > t.lineStart(t.At), true
	case keys.ViRight:
		return span{to: min(t.At+n, end)}, t.At < end, true
	case keys.ViDown, keys.ViUp:
		if command == keys.ViUp {
			n = -n
		}
		if column < 0 {
			column = t.At - t.lineStart(t.At)
		}
		v.column = column
		to, ok := t.vertical(n, min(column, len(t.Cells)))
		return span{to: to, isLinewise: true}, ok, true
	case keys.ViLineStart:
		return span{to: t.lineStart(t.At)}, true, true
	case keys.ViFirstLetter:
		return span{to: t.firstLetter(t.At)}, true, true
	case keys.ViLineEnd:
		v.column = math.MaxInt
		to, ok := t.vertical(n-1, len(t.Cells))
		return span{to: to, isInclusive: !t.isEmptyLine(to)}, ok || n == 1, true
	case keys.ViLastLine:
		line := len(t.Cells)
		if isCounted {
			line = t.line(n)
		}
		return span{to: t.firstLetter(line), isLinewise: true}, true, true
	case keys.ViFindAgain, keys.ViFindReverse:
		find := v.find
		if command == keys.ViFindReverse {
			find = map[keys.Command]keys.Command{keys.ViFind: keys.ViFindBack, keys.ViFindBack: keys.ViFind,
				keys.ViTill: keys.ViTillBack, keys.ViTillBack: keys.ViTill}[find]
		}
		to, ok := t.find(find, v.findCell, n, true)
		return span{to: to, isInclusive: find == keys.ViFind || find == keys.ViTill}, ok && find != "", true
	case keys.ViMatch:
		to, ok := t.match()
		return span{to: to, isInclusive: true}, ok, true
	}
	if s, ok, isMotion = t.wordMotion(v, command, n); !isMotion {
		v.column = column
	}
	return s, ok, isMotion
}

// wordMotion is viMotion for words and paragraphs.
func (t Text) wordMotion(v *modal, command keys.Command, n int) (s span, ok, isMotion bool) {
	repeat := func(step func(int) int) span {
		at := t.At
		for range n {
			at = step(at)
		}
		return span{to: at}
	}
	isBig := command == keys.ViBigWord || command == keys.ViBigBack || command == keys.ViBigEnd
	switch command {
	case keys.ViParagraph:
		return repeat(func(i int) int { return t.paragraph(i, 1) }), true, true
	case keys.ViParagraphUp:
		return repeat(func(i int) int { return t.paragraph(i, -1) }), true, true
	case keys.ViWord, keys.ViBigWord:
		isInWord := t.At < len(t.Cells) && !isBlank(t.Cells[t.At])
		if v.op == keys.ViChange && isInWord { // as the end of the word
			s = repeat(func(i int) int { return t.wordEnd(i, isBig, i == t.At) })
			s.isInclusive = true
			return s, true, true
		}
		s = repeat(func(i int) int { return t.nextWord(i, isBig) })
		s.isWord = true
		return s, t.At < len(t.Cells) || v.op == keys.ViChange, true
	case keys.ViBack, keys.ViBigBack:
		return repeat(func(i int) int { return t.wordStart(i, isBig) }), t.At > 0, true
	case keys.ViEnd, keys.ViBigEnd:
		s = repeat(func(i int) int { return t.wordEnd(i, isBig, false) })
		s.isInclusive = true
		return s, true, true
	}
	return s, false, false
}
