package terminput

import (
	"bytes"
	"strings"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// gathers returns how much of b is text that becomes a single event, because it is more than anyone types at once or
// more than Allow allows.
func (d *Decoder) gathers(b []byte) int {
	isBurst := len(d.text) > 0
	if !isBurst && printable(b) == 0 {
		return 0
	}
	n, typed := burst(b)
	if isBurst || typed >= burstLength || !d.allow(typed) {
		return n
	}
	return 0
}

// gather keeps text; past the limit it is handed on.
func (d *Decoder) gather(b []byte) {
	if d.text = append(d.text, b...); len(d.text) >= maxText {
		d.emitText()
	}
}

// burst returns the length of the text with its line breaks and tabs at the start of b, and how much of it is text.
func burst(b []byte) (length, typed int) {
	for length < len(b) {
		if c := b[length]; c == '\r' || c == '\n' || c == '\t' {
			length++
			continue
		}
		n := printable(b[length:])
		if n == 0 {
			break
		}
		length, typed = length+n, typed+n
	}
	return length, typed
}

// emitBurst hands on a burst. A line break at its end is a key of its own, which may be the enter that somebody
// pressed.
func (d *Decoder) emitBurst() {
	text, isEnter := bytes.CutSuffix(d.text, []byte{'\r'})
	d.text = text
	d.emitText()
	if isEnter {
		d.decode([]byte{'\r'})
	}
}

// emitText hands on what has been gathered: of a burst as one key with all of the text, otherwise as a paste.
func (d *Decoder) emitText() {
	if len(d.text) == 0 {
		return
	}
	text := strings.ToValidUTF8(string(d.text), string(utf8.RuneError))
	var event uv.Event = uv.KeyPressEvent{Code: uv.KeyExtended, Text: text}
	if d.mode == readingPaste || d.mode == readingStoppedPaste {
		event = uv.PasteEvent{Content: text}
	}
	if d.text = d.text[:0]; cap(d.text) > 1<<20 {
		d.text = nil // a large paste is no reason to keep its memory
	}
	d.Emit(event)
}

// stepPaste takes the content of a bracketed paste, of which nothing is decoded.
func (d *Decoder) stepPaste(b []byte) int {
	if n := bytes.Index(b, []byte(pasteEnd)); n >= 0 {
		d.gather(b[:n])
		d.endPaste()
		return n + len(pasteEnd)
	}
	n := len(b) - unfinished(b)
	d.gather(b[:n])
	return n
}

// unfinished returns how many bytes at the end of b may begin the end marker, or are the first part of a character or
// of a line break.
func unfinished(b []byte) int {
	for n := min(len(b), len(pasteEnd)-1); n > 0; n-- {
		if strings.HasPrefix(pasteEnd, string(b[len(b)-n:])) {
			return n
		}
	}
	if b[len(b)-1] == '\r' {
		return 1
	}
	for n := 1; n <= min(len(b), utf8.UTFMax-1); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			break
		}
	}
	return 0
}

// endPaste hands on the rest of a paste. Where that is not allowed now, it becomes part of a burst.
func (d *Decoder) endPaste() {
	if d.allow(1) {
		d.emitText()
	}
	d.mode = readingKeys
}
