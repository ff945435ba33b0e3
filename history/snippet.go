package history

import (
	"strings"
	"unicode/utf8"
)

// The size of a snippet and of its part before the match, in bytes.
const (
	snippetSize   = 160
	snippetBefore = 40
)

// Snippet returns the part of a text around the first match as one line, with the byte ranges of the matches in it.
// Markdown that is not read in one line is left out: marks before lines, and the frames of tables and code.
func (m TextMatcher) Snippet(text string) (string, [][2]int) {
	found := m.Matches(text, snippetSize)
	from := 0
	if len(found) > 0 && found[0][0] > 2*snippetBefore {
		from = found[0][0] - snippetBefore
		if space := strings.IndexByte(text[from:found[0][0]], ' '); space >= 0 && space < snippetBefore/2 {
			from += space + 1
		}
	}
	to := min(len(text), from+snippetSize)
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	for to < len(text) && to > from && !utf8.RuneStart(text[to]) {
		to--
	}
	w := snippetWriter{found: found}
	if from > 0 {
		w.WriteString("…")
	}
	w.head = w.Len()
	for at := from; at < to; {
		end := to
		if n := strings.IndexByte(text[at:to], '\n'); n >= 0 {
			end = at + n + 1
		}
		w.writeLine(text, strings.LastIndexByte(text[:at], '\n')+1, at, end)
		at = end
	}
	if to < len(text) {
		w.WriteString("…")
	}
	return w.String(), w.places
}

// snippetWriter writes parts of a text as one line.
type snippetWriter struct {
	strings.Builder
	head   int      // length of what is before the text
	gap    string   // before the next character
	found  [][2]int // matches in the text that were not passed yet
	begun  int      // where the first of them begins in the line; 0 before it
	places [][2]int // of the matches in the line
}

// writeLine writes the bytes from one to another of a line that begins at start.
func (w *snippetWriter) writeLine(text string, start, from, to int) {
	line, _, _ := strings.Cut(text[start:], "\n")
	marks := len(line) - len(strings.TrimLeft(line, "#>| \t")) // before what is read
	line = strings.TrimSpace(line)
	isRow, hasStrong := strings.HasPrefix(line, "|"), strings.Count(line, "**")%2 == 0
	isFrame := isRow && strings.Trim(line, "|-: ") == "" || strings.Count(line, "```") == 1 && line[0] == '`'
	hasMarks := marks > 0 && (isRow || strings.ContainsAny(text[start+marks-1:start+marks], " \t"))
	for at := from; at < to; {
		r, size := utf8.DecodeRuneInString(text[at:to])
		switch {
		case strings.ContainsRune(" \t\r\n", r):
			w.setGap(" ")
		case w.isMatch(at):
			w.writeRune(r, at, size)
		case isFrame || hasMarks && at < start+marks:
			w.setGap(" ")
		case isRow && r == '|':
			w.setGap(" · ")
		case hasStrong && strings.HasPrefix(text[at:to], "**"):
			size = 2
		default:
			w.writeRune(r, at, size)
		}
		at += size
	}
}

// setGap sets what is written before the next character, unless it is the first.
func (w *snippetWriter) setGap(gap string) {
	if w.Len() > w.head && len(gap) > len(w.gap) {
		w.gap = gap
	}
}

func (w *snippetWriter) isMatch(at int) bool {
	for len(w.found) > 0 && w.found[0][1] <= at {
		w.found, w.begun = w.found[1:], 0
	}
	return len(w.found) > 0 && w.found[0][0] <= at
}

// writeRune writes the character at a byte of the text.
func (w *snippetWriter) writeRune(r rune, at, size int) {
	w.WriteString(w.gap)
	w.gap = ""
	begin := w.Len()
	if r == utf8.RuneError && size == 1 {
		r = '?'
	}
	w.WriteRune(r)
	if !w.isMatch(at) {
		return
	}
	if w.begun == 0 {
		w.begun = begin + 1
		w.places = append(w.places, [2]int{begin, begin})
	}
	w.places[len(w.places)-1][1] = w.Len()
}
