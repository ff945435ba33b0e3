package terminput

import (
	"bytes"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// How long the decoder waits for more bytes before it takes what it has for all there is.
const (
	escapeWait = 50 * time.Millisecond // after an escape character, which may be the escape key alone
	stallWait  = 10 * time.Second      // for the rest of a sequence or character that has begun
	burstWait  = 15 * time.Millisecond // for more of the text that comes faster than anyone types
	pasteWait  = 50 * time.Millisecond // for more of a paste, before what came of it is shown
	pasteEnds  = time.Minute           // for more of a paste that has stopped; then it is over without an end marker
	burstLasts = 50 * time.Millisecond // for the end of text that keeps coming, before what came of it is shown
)

const (
	// burstLength is how many bytes of text come at once only when a terminal pastes without brackets.
	burstLength = 64
	// maxText is how much of a paste is gathered before it is handed on, in bytes.
	maxText = 8 << 20
)

// mode is what the decoder does with the next byte.
type mode int

const (
	readingKeys mode = iota
	readingPaste
	readingStoppedPaste // what came is handed on, and nothing has come since
	skippingControl     // the rest of a control sequence past its limits
	skippingString
	skippingCommand // an OSC, which BEL ends as well
)

// Decoder turns the bytes of a terminal into events. Its memory is bounded, whatever it is given. How the bytes are cut
// into chunks, and how long the terminal pauses between them, changes only how text is divided into events; a pause
// after a single escape character alone makes it the escape key.
type Decoder struct {
	// Emit takes the events.
	Emit func(uv.Event)
	// Allow tells whether another event may be emitted now; nil allows all. When it refuses, text is gathered until it
	// allows one event with all of it, and everything else is dropped.
	Allow func() bool

	library uv.EventDecoder
	mode    mode
	pending []byte // an unfinished token
	text    []byte // of the paste; otherwise of a burst, which is text that came faster than anyone types
}

// Feed takes bytes and emits the events that they end.
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

// Wait returns how long to wait for more bytes before Expire is called; 0 when nothing is waited for.
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

// Expire tells that no more bytes came, and emits the events that this makes of what was waiting.
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
	case isPaste && rest[0] != esc: // a line break, or a character that was cut
		d.text = append(d.text, rest...)
		d.emitText()
	case !isPaste && rest[0] == esc:
		d.expireEscape(rest)
	}
	d.mode, d.pending = readingKeys, nil
}

// emitUnfinishedBurst emits the text of a burst that goes on, so that it is seen while more comes. A line break at its
// end is kept, because it is the enter key if nothing more comes.
func (d *Decoder) emitUnfinishedBurst() {
	text, isEnter := bytes.CutSuffix(d.text, []byte{'\r'})
	d.text = text
	d.emitText()
	if isEnter {
		d.text = append(d.text, '\r')
	}
}

// isGatheringBurst tells whether text is gathered that is not part of a paste.
func (d *Decoder) isGatheringBurst() bool { return d.mode == readingKeys && len(d.text) > 0 }

// isWhole tells whether an unfinished token is also one by itself that a terminal sends: the escape key, pressed once
// or twice, and the sequences of rxvt that end with a dollar sign.
func isWhole(b []byte) bool {
	switch {
	case b[0] != esc:
		return false
	case len(b) <= 2:
		return b[len(b)-1] == esc
	}
	return b[len(b)-1] == '$' && bytes.HasPrefix(b, []byte("\x1b[")) && len(bytes.Trim(b[2:], "0123456789")) == 1
}

// expireEscape decodes an escape sequence that was not finished. Two bytes are a key with alt.
func (d *Decoder) expireEscape(b []byte) {
	switch {
	case len(b) == 2 && b[1] == esc:
		d.decode(b[:1])
		d.decode(b[1:])
	case len(b) == 1, len(b) == 2 && b[1] < utf8.RuneSelf, isWhole(b):
		d.decode(b)
	}
}

// step handles the first token of b and returns its length, or 0 when more bytes are needed.
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

// sequence handles a whole escape sequence.
func (d *Decoder) sequence(b []byte) {
	switch {
	case string(b) == pasteStart:
		if len(d.text) > 0 && d.allow(1) {
			d.emitBurst()
		}
		d.mode = readingPaste
	case !d.allow(1):
	// Where the cursor is, in the first cell. Nobody asks for it, and the library takes it for F3 as well.
	case string(b) == "\x1b[1;1R":
	// A key of Windows' own protocol, which can claim to be pressed 65535 times.
	case bytes.HasPrefix(b, []byte("\x1b[")) && b[len(b)-1] == '_':
	case len(b) == 4 && string(b[:3]) == "\x1b[[": // F1 to F5 of the Linux console, which the library does not know
		if c := b[3]; c >= 'A' && c <= 'E' {
			d.decode([]byte{esc, '[', '1', '1' + c - 'A', '~'})
		}
	default:
		d.decode(b)
	}
}

// skipControl drops the rest of a control sequence.
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

// skipString drops the rest of a control string.
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

// allow tells whether n events may be produced.
func (d *Decoder) allow(n int) bool {
	for range n {
		if d.Allow != nil && !d.Allow() {
			return false
		}
	}
	return true
}

// decodeText lets the library decode the characters of a text.
func (d *Decoder) decodeText(b []byte) {
	for len(b) > 0 {
		n := d.decode(b)
		if n <= 0 {
			return
		}
		b = b[n:]
	}
}

// decode lets the library decode one event and returns how many bytes it is made of. What the library leaves of an
// escape sequence, because it takes other bytes for its end, is no input of its own.
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

// emit hands on an event, if it is one that a terminal sends to this program.
func (d *Decoder) emit(e uv.Event) {
	if passes(e) {
		d.emitBurst()
		d.Emit(e)
	}
}

// The sizes, in pixels, and the largest position, in cells, that a terminal is believed.
const (
	minCell, maxCell     = 4, 256
	minWindow, maxWindow = 64, 1 << 14
	maxPosition          = 1 << 12
)

// passes tells whether an event reaches the program. What nobody asks a terminal for, or what something else tells
// better, does not: the size of the window comes from the system, or from the SSH protocol, and is bounded there.
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

// isAnswer tells whether an event answers a question that the program asks once, at its start.
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
