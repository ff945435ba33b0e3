package terminput

import (
	"bytes"
	"strings"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// gathers returns how much of b is text for a single event, because it is more than typed at once or more than Allow
// permits.
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

// gather collects text and emits it when it reaches the limit.
func (d *Decoder) gather(b []byte) {
	if d.text = append(d.text, b...); len(d.text) >= maxText {
		d.emitText()
	}
}

// burst returns the length of the text with line breaks and tabs at the start of b, and the length without these.
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

// emitBurst emits a burst. A final line break is a separate key, which may be a pressed enter.
func (d *Decoder) emitBurst() {
	text, isEnter := bytes.CutSuffix(d.text, []byte{'\r'})
	d.text = text
	d.emitText()
	if isEnter {
		d.decode([]byte{'\r'})
	}
}

// emitText emits collected text: a burst as one key with all of the text, otherwise a paste.
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
		d.text = nil // releases the memory of a large paste
	}
	d.Emit(event)
}

// stepPaste collects the content of a bracketed paste without decoding it.
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

// unfinished returns how many bytes at the end of b may begin the end marker, or begin a character or line break.
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

// endPaste emits the rest of a paste, or makes it part of a burst if Allow refuses.
func (d *Decoder) endPaste() {
	if d.allow(1) {
		d.emitText()
	}
	d.mode = readingKeys
}
