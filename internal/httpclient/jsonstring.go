package httpclient

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// TextJoiner decodes a text whose JSON arrives in parts. A part may end inside a character: between the two escapes
// of a surrogate pair, or between bytes of UTF-8. The zero value is ready to use.
type TextJoiner struct {
	split []byte // JSON of an incomplete character at the end of the last part
}

// Add decodes the next part, the content of a valid JSON string without its quotation marks, and returns the complete
// characters. It holds back an incomplete one.
func (j *TextJoiner) Add(literal []byte) string {
	if len(j.split) > 0 {
		literal = append(j.split, literal...)
	}
	whole := len(literal) - splitCharacter(literal)
	j.split = bytes.Clone(literal[whole:])
	return unquote(literal[:whole])
}

// End returns a replacement for a held incomplete character at the end of the text.
func (j *TextJoiner) End() string {
	split := j.split
	j.split = nil
	return unquote(split)
}

// unquote decodes the content of a JSON string without its quotation marks.
func unquote(literal []byte) string {
	if bytes.IndexByte(literal, '\\') < 0 && utf8.Valid(literal) {
		return string(literal)
	}
	var s string
	_ = json.Unmarshal([]byte(`"`+string(literal)+`"`), &s) // it was valid JSON before
	return s
}

// splitCharacter returns the length of an incomplete character at the end of a JSON literal: bytes of UTF-8, or the
// first escape of a surrogate pair.
func splitCharacter(literal []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(literal); n++ {
		if tail := literal[len(literal)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			break
		}
	}
	const escape = len(`\ud83d`)
	if len(literal) < escape {
		return 0
	}
	before, tail := literal[:len(literal)-escape+1], string(literal[len(literal)-escape+1:])
	backslashes := len(before) - len(bytes.TrimRight(before, `\`))
	n, err := strconv.ParseUint(tail[1:], 16, 16)
	if tail[0] == 'u' && backslashes%2 == 1 && err == nil && n >= 0xd800 && n < 0xdc00 {
		return escape
	}
	return 0
}
