package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"confab/internal/redact"
)

// streamText puts a text together from its parts and masks the key in it, also where it lies across parts.
type streamText struct {
	length int64 // bytes of the text as received
	hash   hash.Hash
	split  []byte // JSON of a character at the end of the parts so far, of which the rest is missing

	masked   strings.Builder
	writer   *redact.Writer // to masked
	reported int            // bytes of masked that were reported
}

func newStreamText(mask *redact.Masker) *streamText {
	t := &streamText{hash: sha256.New()}
	t.writer = mask.Writer(&t.masked)
	return t
}

// add adds a part, given as what stands between the quotation marks of its JSON. It adds nothing and returns false when
// the part is longer than limit bytes.
func (t *streamText) add(literal []byte, limit int64) bool {
	if len(t.split) > 0 {
		literal = append(t.split, literal...)
	}
	whole := len(literal) - splitCharacter(literal)
	part := unquote(literal[:whole])
	if int64(len(part)) > limit {
		return false
	}
	t.split = bytes.Clone(literal[whole:])
	t.write(part)
	return true
}

// write adds decoded text.
func (t *streamText) write(part string) {
	t.length += int64(len(part))
	t.hash.Write([]byte(part))
	_, _ = io.WriteString(t.writer, part) // a strings.Builder takes everything
}

// end adds what was held back, because nothing follows. Of a text that broke off this stays out: it may be most of the
// key.
func (t *streamText) end() {
	t.write(unquote(t.split))
	t.split = nil
	_ = t.writer.Close()
}

// sum returns the SHA-256 of the text as received.
func (t *streamText) sum() string { return hex.EncodeToString(t.hash.Sum(nil)) }

// unreported returns what was added since it was called last.
func (t *streamText) unreported() string {
	s := t.masked.String()[t.reported:]
	t.reported += len(s)
	return s
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
