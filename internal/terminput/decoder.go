package terminput

import (
	"bytes"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// How long the decoder waits for more bytes in each state.
const (
	escapeWait = 50 * time.Millisecond // after an escape character, which may be the escape key
	stallWait  = 10 * time.Second      // for the rest of a sequence or character
	burstWait  = 15 * time.Millisecond // for more text that arrives faster than typing
	pasteWait  = 50 * time.Millisecond // for more of a paste, before its text so far is shown
	pasteEnds  = time.Minute           // for more of a stopped paste; then it ends without an end marker
	burstLasts = 50 * time.Millisecond // for the end of continuous text, before its text so far is shown
)

const (
	// burstLength is the number of bytes of text that arrive at once only by a paste without brackets.
	burstLength = 64
	// maxText is the maximum size in bytes of a collected paste.
	maxText = 8 << 20
)

// mode selects how the decoder handles the next byte.
type mode int

const (
	readingKeys mode = iota
	readingPaste
	readingStoppedPaste // the text so far was emitted, and nothing followed
	skippingControl     // the rest of an oversize control sequence
	skippingString
	skippingCommand // an OSC, which BEL ends too
)

// Decoder decodes the bytes of a terminal into events with bounded memory. The division of the bytes into chunks and
// the pauses in between change only how text is divided into events, except that a pause after a single escape
// character makes it the escape key.
type Decoder struct {
	// Emit receives the events.
	Emit func(uv.Event)
	// Allow reports whether another event may be emitted; nil allows all. While it refuses, the decoder collects text
	// for one later event and drops everything else.
	Allow func() bool

	library uv.EventDecoder
	mode    mode
	pending []byte // an incomplete token
	text    []byte // of a paste, or of a burst, which is text that arrives faster than typing
}

// Feed decodes bytes and emits the complete events.
func (d *Decoder) Feed(chunk []byte) {
	if len(chunk) == 0 {
		return
	}
	if d.mode == readingStoppedPaste {
		d.mode = readingPaste
	}
	b := chunk
	if len(d.pending) > 0 {
		b = append(d.pending, chunk...)
		d.pending = nil
	}
	for len(b) > 0 {
		n := d.step(b)
		if n == 0 {
			d.pending = bytes.Clone(b)
			break
		}
		b = b[n:]
	}
}

// Wait returns how long to wait for more bytes before calling Expire; 0 for no wait.
func (d *Decoder) Wait() time.Duration {
	switch {
	case d.mode == readingPaste:
		return pasteWait
	case d.mode == readingStoppedPaste:
		return pasteEnds
	case d.mode != readingKeys:
		return stallWait
	case len(d.text) > 0:
		return burstWait
	case len(d.pending) == 0:
		return 0
	case isWhole(d.pending):
		return escapeWait
	}
	return stallWait
}

// Expire emits the events of waiting bytes because no more arrived.
func (d *Decoder) Expire() {
	switch {
	case d.mode == readingPaste:
		d.emitText()
		d.mode = readingStoppedPaste
		return
	case d.mode == readingKeys && len(d.text) > 0:
		d.emitBurst()
		return
	}
	rest := d.pending
	isPaste := d.mode == readingStoppedPaste
	switch {
	case len(rest) == 0:
	case isPaste && rest[0] != esc: // a line break, or an incomplete character
		d.text = append(d.text, rest...)
		d.emitText()
	case !isPaste && rest[0] == esc:
		d.expireEscape(rest)
	}
	d.mode, d.pending = readingKeys, nil
}

// emitUnfinishedBurst emits the text of a continuing burst, so that it appears. It keeps a final line break, which
// may be the enter key.
func (d *Decoder) emitUnfinishedBurst() {
	text, isEnter := bytes.CutSuffix(d.text, []byte{'\r'})
	d.text = text
	d.emitText()
	if isEnter {
		d.text = append(d.text, '\r')
	}
}

// isWhole reports whether an incomplete token is also a complete one: the escape key, pressed once or twice, and
// rxvt's sequences that end with a dollar sign.
func isWhole(b []byte) bool {
	switch {
	case b[0] != esc:
		return false
	case len(b) <= 2:
		return b[len(b)-1] == esc
	}
	return b[len(b)-1] == '$' && bytes.HasPrefix(b, []byte("\x1b[")) && len(bytes.Trim(b[2:], "0123456789")) == 1
}

// expireEscape decodes an incomplete escape sequence. Two bytes are a key with alt.
func (d *Decoder) expireEscape(b []byte) {
	switch {
	case len(b) == 2 && b[1] == esc:
		d.decode(b[:1])
		d.decode(b[1:])
	case len(b) == 1, len(b) == 2 && b[1] < utf8.RuneSelf, isWhole(b):
		d.decode(b)
	}
}

// step handles the first token of b and returns its length, or 0 if it needs more bytes.
func (d *Decoder) step(b []byte) int {
	switch d.mode {
	case readingPaste, readingStoppedPaste:
		return d.stepPaste(b)
	case skippingControl:
		return d.skipControl(b)
	case skippingString, skippingCommand:
		return d.skipString(b)
	}
	if n := d.gathers(b); n > 0 {
		d.gather(b[:n])
		return n
	}
	kind, n := scan(b)
	switch kind {
	case incomplete:
		return 0
	case textRun:
		d.decodeText(b[:n])
	case controlKey:
		if d.allow(1) {
			d.decode(b[:n])
		}
	case escapeSequence:
		d.sequence(b[:n])
	case oversizeControl:
		d.mode = skippingControl
	case oversizeString:
		if d.mode = skippingString; b[1] == ']' {
			d.mode = skippingCommand
		}
	}
	return n
}

// sequence handles a complete escape sequence.
func (d *Decoder) sequence(b []byte) {
	switch {
	case string(b) == pasteStart:
		if len(d.text) > 0 && d.allow(1) {
			d.emitBurst()
		}
		d.mode = readingPaste
	case !d.allow(1):
	// The cursor position in the first cell. The program never requests it, and the library also interprets it as F3.
	case string(b) == "\x1b[1;1R":
	// A key of the Windows protocol, which can claim 65535 repetitions.
	case bytes.HasPrefix(b, []byte("\x1b[")) && b[len(b)-1] == '_':
	case len(b) == 4 && string(b[:3]) == "\x1b[[": // F1 to F5 of the Linux console, unknown to the library
		if c := b[3]; c >= 'A' && c <= 'E' {
			d.decode([]byte{esc, '[', '1', '1' + c - 'A', '~'})
		}
	default:
		d.decode(b)
	}
}

func (d *Decoder) skipControl(b []byte) int {
	for i, c := range b {
		if c >= ' ' && c <= '?' {
			continue
		}
		d.mode = readingKeys
		if c >= '@' && c < del {
			i++
		}
		if i == 0 {
			return d.step(b)
		}
		return i
	}
	return len(b)
}

func (d *Decoder) skipString(b []byte) int {
	end, n := stringEnd(b, d.mode == skippingCommand)
	if end == unterminated {
		return n
	}
	d.mode = readingKeys
	if n == 0 {
		return d.step(b)
	}
	return n
}

// allow reports whether n events may be emitted.
func (d *Decoder) allow(n int) bool {
	for range n {
		if d.Allow != nil && !d.Allow() {
			return false
		}
	}
	return true
}

// decodeText decodes the characters of a text by the library.
func (d *Decoder) decodeText(b []byte) {
	for len(b) > 0 {
		n := d.decode(b)
		if n <= 0 {
			return
		}
		b = b[n:]
	}
}

// decode decodes one event by the library and returns its length. It drops the rest of an escape sequence that the
// library ends earlier.
func (d *Decoder) decode(b []byte) int {
	n, event := d.library.Decode(b)
	several, ok := event.(uv.MultiEvent)
	if !ok {
		several = uv.MultiEvent{event}
	}
	for _, e := range several {
		d.emit(e)
	}
	return n
}

// emit emits an event unless the program must not receive it.
func (d *Decoder) emit(e uv.Event) {
	if passes(e) {
		d.emitBurst()
		d.Emit(e)
	}
}

// The maximum accepted size in pixels and position in cells.
const (
	minCell, maxCell     = 4, 256
	minWindow, maxWindow = 64, 1 << 14
	maxPosition          = 1 << 12
)

// passes reports whether the program receives an event. It does not receive unrequested reports and the window size,
// which comes from the system or the SSH protocol and is bounded there.
func passes(e uv.Event) bool {
	switch e := e.(type) {
	case uv.KeyPressEvent:
		return !strings.ContainsFunc(e.Text, unicode.IsControl)
	case uv.KeyReleaseEvent, uv.FocusEvent, uv.BlurEvent:
		return true
	case uv.MouseEvent:
		m := e.Mouse()
		return m.X >= 0 && m.Y >= 0 && m.X < maxPosition && m.Y < maxPosition
	case uv.CellSizeEvent:
		return isWithin(e.Width, e.Height, minCell, maxCell)
	case uv.PixelSizeEvent:
		return isWithin(e.Width, e.Height, minWindow, maxWindow)
	case uv.KeyboardEnhancementsEvent:
		return true
	}
	return isAnswer(e)
}

func isWithin(w, h, least, most int) bool { return min(w, h) >= least && max(w, h) <= most }

// isAnswer reports whether an event answers a question that the program asks once at its start.
func isAnswer(e uv.Event) bool {
	switch e := e.(type) {
	case uv.BackgroundColorEvent:
		return e.Color != nil
	case uv.PrimaryDeviceAttributesEvent, uv.SecondaryDeviceAttributesEvent, uv.TerminalVersionEvent,
		uv.CapabilityEvent, uv.ModeReportEvent, uv.KittyGraphicsEvent, uv.UnknownDcsEvent:
		return true
	}
	return false
}
