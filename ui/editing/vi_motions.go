package editing

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"confab/ui/keys"
)

// span is where a motion leads.
type span struct {
	to          int
	isLinewise  bool // an operator takes whole lines
	isInclusive bool // an operator takes the cell at the end too
	isWord      bool // an operator does not take the line break before the word
}

// class is the kind of a cell in words: cells of one class are a word.
func class(cell string, isBig bool) int {
	r, _ := utf8.DecodeRuneInString(cell)
	switch {
	case unicode.IsSpace(r):
		return 0
	case isBig:
		return 1
	case isChip(cell):
		return 3
	case unicode.In(r, unicode.Han):
		return 4
	case unicode.In(r, unicode.Hiragana):
		return 5
	case unicode.In(r, unicode.Katakana):
		return 6
	case unicode.In(r, unicode.Hangul):
		return 7
	case r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
		return 1
	}
	return 2
}

func (t Text) isEmptyLine(i int) bool { return t.lineStart(i) == t.lineEnd(i) }

// firstLetter returns the first cell of a line that is no blank, or its last one.
func (t Text) firstLetter(i int) int {
	i, end := t.lineStart(i), t.lineEnd(i)
	for i < end && isBlank(t.Cells[i]) {
		i++
	}
	return max(min(i, end-1), t.lineStart(i))
}

func (t Text) nextWord(i int, isBig bool) int {
	n := len(t.Cells)
	if i >= n {
		return n
	}
	if c := class(t.Cells[i], isBig); c != 0 {
		for i < n && class(t.Cells[i], isBig) == c {
			i++
		}
	}
	for i < n && isBlank(t.Cells[i]) {
		i++
		if t.Cells[i-1] == "\n" && i < n && t.Cells[i] == "\n" {
			return i
		}
	}
	return i
}

func (t Text) wordStart(i int, isBig bool) int {
	i--
	for i > 0 && isBlank(t.Cells[i]) && (t.Cells[i] != "\n" || t.Cells[i-1] != "\n") {
		i--
	}
	if i <= 0 || isBlank(t.Cells[i]) {
		return max(i, 0)
	}
	for c := class(t.Cells[i], isBig); i > 0 && class(t.Cells[i-1], isBig) == c; {
		i--
	}
	return i
}

func (t Text) wordEnd(i int, isBig, stays bool) int {
	n := len(t.Cells)
	if !stays {
		i++
	}
	for i < n && isBlank(t.Cells[i]) {
		i++
	}
	if i >= n {
		return max(n-1, 0)
	}
	for c := class(t.Cells[i], isBig); i+1 < n && class(t.Cells[i+1], isBig) == c; {
		i++
	}
	return i
}

// previousEnd returns the end of the word before the one at a cell.
func (t Text) previousEnd(i int, isBig bool) int {
	if i < len(t.Cells) {
		for c := class(t.Cells[i], isBig); i > 0 && c != 0 && class(t.Cells[i], isBig) == c; {
			i--
		}
	}
	for i > 0 && (i == len(t.Cells) || isBlank(t.Cells[i]) && (t.Cells[i] != "\n" || t.Cells[i-1] != "\n")) {
		i--
	}
	return i
}

// vertical returns the line n lines below, at a column, and whether there is one.
func (t Text) vertical(n, column int) (to int, ok bool) {
	start := t.lineStart(t.At)
	for ; n > 0; n-- {
		end := t.lineEnd(start)
		if end == len(t.Cells) {
			break
		}
		start, ok = end+1, true
	}
	for ; n < 0 && start > 0; n++ {
		start, ok = t.lineStart(start-1), true
	}
	return min(start+column, max(t.lineEnd(start)-1, start)), ok
}

// line returns the start of a line, counted from 1.
func (t Text) line(n int) int {
	start := 0
	for ; n > 1 && t.lineEnd(start) < len(t.Cells); n-- {
		start = t.lineEnd(start) + 1
	}
	return start
}

// find returns where the n-th cell like one is in the line, in the direction of a command.
func (t Text) find(command keys.Command, cell string, n int, isRepeated bool) (int, bool) {
	step := 1
	if command == keys.ViFindBack || command == keys.ViTillBack {
		step = -1
	}
	isTill := command == keys.ViTill || command == keys.ViTillBack
	i, from, to := t.At, t.lineStart(t.At), t.lineEnd(t.At)
	if isTill && isRepeated && n == 1 && i+step >= from && i+step < to && t.Cells[i+step] == cell {
		i += step
	}
	for ; n > 0; n-- {
		for i += step; i >= from && i < to && t.Cells[i] != cell; {
			i += step
		}
		if i < from || i >= to {
			return 0, false
		}
	}
	if isTill {
		i -= step
	}
	return i, true
}

const brackets = "([{)]}"

// match returns the bracket that belongs to the next one in the line.
func (t Text) match() (int, bool) {
	i, end := t.At, t.lineEnd(t.At)
	for i < end && !strings.Contains(brackets, t.Cells[i]) {
		i++
	}
	if i >= end {
		return 0, false
	}
	at := strings.Index(brackets, t.Cells[i])
	step, own, other := 1, t.Cells[i], brackets[(at+3)%6:(at+3)%6+1]
	if at >= 3 {
		step = -1
	}
	for depth := 0; i >= 0 && i < len(t.Cells); i += step {
		switch t.Cells[i] {
		case own:
			depth++
		case other:
			if depth--; depth == 0 {
				return i, true
			}
		}
	}
	return 0, false
}

// paragraph returns the next empty line in a direction.
func (t Text) paragraph(i, step int) int {
	for i >= 0 && i < len(t.Cells) && t.isEmptyLine(i) {
		i += step
	}
	for i >= 0 && i < len(t.Cells) && !t.isEmptyLine(i) {
		i += step
	}
	return max(min(i, len(t.Cells)), 0)
}

// object returns the cells of a text object: a word, or what is in quotes or brackets.
func (t Text) object(name string, isAround bool, n int) (from, to int, ok bool) {
	switch name {
	case "w", "W":
		return t.wordObject(name == "W", isAround, n)
	case "\"", "'", "`":
		return t.quoted(name, isAround)
	case "b", "(", ")":
		return t.bracketed("(", ")", isAround)
	case "B", "{", "}":
		return t.bracketed("{", "}", isAround)
	case "[", "]":
		return t.bracketed("[", "]", isAround)
	case "<", ">":
		return t.bracketed("<", ">", isAround)
	}
	return 0, 0, false
}

func (t Text) wordObject(isBig, isAround bool, n int) (from, to int, ok bool) {
	if t.isEmptyLine(t.At) {
		return t.At, t.At, !isAround
	}
	start, end := t.lineStart(t.At), t.lineEnd(t.At)
	run := func(i int) int {
		for c := class(t.Cells[i], isBig); i < end && class(t.Cells[i], isBig) == c; {
			i++
		}
		return i
	}
	from, to = t.At, t.At
	for c := class(t.Cells[from], isBig); from > start && class(t.Cells[from-1], isBig) == c; {
		from--
	}
	beganBlank := isBlank(t.Cells[from])
	for ; n > 0 && to < end; n-- {
		to = run(to)
		if isAround && to < end && (beganBlank || isBlank(t.Cells[to])) {
			to = run(to)
		}
	}
	if isAround && !beganBlank && !isBlank(t.Cells[to-1]) {
		for from > start && isBlank(t.Cells[from-1]) {
			from--
		}
	}
	return from, to, true
}

func (t Text) quoted(quote string, isAround bool) (from, to int, ok bool) {
	start, end := t.lineStart(t.At), t.lineEnd(t.At)
	for i := start; i < end; i++ {
		if t.Cells[i] != quote {
			continue
		}
		j := slices.Index(t.Cells[i+1:end], quote)
		if j < 0 {
			return 0, 0, false
		}
		j += i + 1
		if t.At > j {
			i = j
			continue
		}
		if !isAround {
			return i + 1, j, true
		}
		from, to = i, j+1
		for to < end && isBlank(t.Cells[to]) {
			to++
		}
		for to == j+1 && from > start && isBlank(t.Cells[from-1]) {
			from--
		}
		return from, to, true
	}
	return 0, 0, false
}

func (t Text) bracketed(open, close string, isAround bool) (from, to int, ok bool) {
	from = -1
	for i, depth := min(t.At, len(t.Cells)-1), 0; i >= 0; i-- {
		if t.Cells[i] == close && i != t.At {
			depth++
		}
		if t.Cells[i] == open {
			if depth == 0 {
				from = i
				break
			}
			depth--
		}
	}
	if next := slices.Index(t.Cells[t.At:t.lineEnd(t.At)], open); from < 0 && next >= 0 {
		from = t.At + next
	}
	if from < 0 {
		return 0, 0, false
	}
	for i, depth := from, 0; i < len(t.Cells); i++ {
		switch t.Cells[i] {
		case open:
			depth++
		case close:
			if depth--; depth == 0 {
				if isAround {
					return from, i + 1, true
				}
				return from + 1, i, true
			}
		}
	}
	return 0, 0, false
}
