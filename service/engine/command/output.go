package command

import (
	"bytes"
	"unicode/utf8"
)

// withoutLineEnd returns b without its last line's end.
func withoutLineEnd(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}

// textParts emits output as it is written, in whole characters and without the last line's end. After bytes that are no
// text it emits nothing more.
type textParts struct {
	emit      func(string)
	held      []byte // the line's end, or the beginning of a character
	hasFailed bool
}

// add takes the next output.
func (t *textParts) add(output []byte) {
	if t.hasFailed {
		return
	}
	t.held = append(t.held, output...)
	ready := withoutLineEnd(wholeCharacters(t.held))
	if t.hasFailed = !utf8.Valid(ready); t.hasFailed || len(ready) == 0 {
		return
	}
	t.emit(string(ready))
	t.held = append(t.held[:0], t.held[len(ready):]...)
}

// wholeCharacters returns b without a character at its end of which bytes are missing.
func wholeCharacters(b []byte) []byte {
	for n := 1; n <= min(utf8.UTFMax-1, len(b)); n++ {
		if start := len(b) - n; utf8.RuneStart(b[start]) {
			if !utf8.FullRune(b[start:]) {
				return b[:start]
			}
			break
		}
	}
	return b
}
