package httpclient

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// TextJoiner decodes a text whose JSON comes in parts. A server that streams may end a part inside a character: between
// the two escapes of a surrogate pair, or between the bytes of UTF-8. The zero value is ready to use.
type TextJoiner struct {
	split []byte // JSON of the character at the end of the parts so far, of which the rest is missing
}

// Add takes the next part, given as what stands between the quotation marks of a valid JSON string, and returns the
// whole characters that came. The rest of the last one is held back.
func (j *TextJoiner) Add(literal []byte) string {
	if len(j.split) > 0 {
		literal = append(j.split, literal...)
	}
	whole := len(literal) - splitCharacter(literal)
	j.split = bytes.Clone(literal[whole:])
	return unquote(literal[:whole])
}

// End returns what is held back, when nothing follows: a sign for a character that is not whole.
func (j *TextJoiner) End() string {
	split := j.split
	j.split = nil
	return unquote(split)
}

// unquote decodes what stands between the quotation marks of a JSON string.
func unquote(literal []byte) string {
	if bytes.IndexByte(literal, '\\') < 0 && utf8.Valid(literal) {
		return string(literal)
	}
	var s string
	_ = json.Unmarshal([]byte(`"`+string(literal)+`"`), &s) // it was judged as JSON before
	return s
}

// splitCharacter returns the length of the end of a JSON literal that is the beginning of a character: bytes of UTF-8,
// or the first escape of a surrogate pair.
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
