package terminput

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// hostile returns input that crashes, blocks or blanks a program that passes it to the library's parser.
func hostile() map[string]string {
	return map[string]string{
		"many parameters":            "\x1b[" + strings.Repeat("1;", 33) + "m",
		"many parameters in a paste": pasteStart + "\x1b[" + strings.Repeat("1;", 33) + "m" + pasteEnd,
		"many sub-parameters":        "\x1b[" + strings.Repeat("1:", 40) + "u",
		"many DCS parameters":        "\x1bP" + strings.Repeat("1;", 40) + "q\x1b\\",
		"digits without end":         "\x1b[" + strings.Repeat("9", 5000),
		"huge parameters":            "\x1b[99999999999999999999;99999999999999999999u",
		"window size":                "\x1b[8;3000;3000t",
		"window size in band":        "\x1b[48;3000;3000;1;1t",
		"cell size":                  "\x1b[6;100000;100000t",
		"repeated key":               "\x1b[65;30;97;1;0;65535_",
		"many escapes":               strings.Repeat("\x1b", 100_000),
		"unterminated OSC":           "\x1b]52;c;" + strings.Repeat("A", 100_000),
		"unterminated DCS":           "\x1bP" + strings.Repeat("q", 100_000),
		"unterminated APC":           "\x1b_G" + strings.Repeat("\x07", 100_000),
		"unterminated paste":         pasteStart + strings.Repeat("x", 100_000),
		"paste with an open OSC":     pasteStart + "a\x1b]0;b" + pasteEnd,
		"invalid UTF-8":              strings.Repeat("\xff\xc0", 50_000),
		"mouse off the screen":       "\x1b[<0;9999999;9999999M\x1b[<0;0;0M\x1b[M   \x1b[M\xff\xff\xff",
		"C1 control characters":      "\x9b1;1;1m\x90q\x9d0;x\x9c\x9f",
		"empty pastes":               strings.Repeat(pasteStart+pasteEnd, 10_000),
		"small pastes":               strings.Repeat(pasteStart+"x"+pasteEnd, 10_000),
		"keys":                       strings.Repeat("\x1b[A", 30_000),
		"keys with text":             strings.Repeat("\x1b[97u", 30_000),
		"keys and letters":           strings.Repeat("\x1b[Aa", 30_000),
		"combining marks":            "e" + strings.Repeat("\u0301", 50_000),
	}
}

// feed decodes chunks without pauses and expires the decoder until nothing waits.
func feed(d *Decoder, chunks ...string) (events []uv.Event) {
	d.Emit = func(e uv.Event) { events = append(events, e) }
	for _, c := range chunks {
		d.Feed([]byte(c))
	}
	for d.Wait() > 0 {
		d.Expire()
	}
	return events
}

// describe writes an event as a test compares it.
func describe(e uv.Event) string {
	switch e := e.(type) {
	case uv.KeyPressEvent:
		if len(e.Text) >= burstLength {
			return fmt.Sprintf("burst %q", e.Text)
		}
		return e.Keystroke()
	case uv.PasteEvent:
		return fmt.Sprintf("paste %q", e.Content)
	}
	return fmt.Sprintf("%T %v", e, e)
}

func descriptions(events []uv.Event) []string {
	all := make([]string, len(events))
	for i, e := range events {
		all[i] = describe(e)
	}
	return all
}

func TestKeysAndPastes(t *testing.T) {
	long := strings.Repeat("one line\r", 10) + "the end"
	tests := []struct{ name, input, want string }{
		{"letters", "aB é", "a|shift+b|space|é"},
		{"control keys", "\x03\r\t\x7f\x00", "ctrl+c|enter|tab|backspace|ctrl+space"},
		{"escape", "\x1b", "esc"},
		{"escape twice", "\x1b\x1b", "esc|esc"},
		{"alt", "\x1bx\x1bé\x1b\r\x1b[", "alt+x|alt+é|alt+enter|alt+["},
		{"alt with a letter that begins a string", "\x1b]", "alt+]"},
		{"alt twice", "\x1b[\x1b]\x1bO\x1bP", "alt+[|alt+]|alt+shift+o|alt+shift+p"},
		{"arrows", "\x1b[A\x1bOB\x1b[1;5C\x1b\x1b[D", "up|down|ctrl+right|alt+left"},
		{"function keys", "\x1bOP\x1b[15~\x1b[1;2R\x1b[[E", "f1|f5|shift+f3|f5"},
		{"rxvt", "\x1b[7$", "shift+home"},
		{"kitty", "\x1b[97;5u\x1b[13;2u\x1b[127u", "ctrl+a|shift+enter|backspace"},
		{"modifyOtherKeys", "\x1b[27;5;105~", "ctrl+i"},
		{"mouse", "\x1b[<0;3;4M", "uv.MouseClickEvent left"},
		{"old mouse", "\x1b[M !!", "uv.MouseClickEvent left"},
		{"old mouse in column 95", "\x1b[M \x7f!x", "uv.MouseClickEvent left|x"},
		{"old mouse past column 223", "\x1b[M \x00!x", "x"},
		{"place of the cursor", "\x1b[1;1R\x1b[7;1R\x1b[?1;1Rx", "x"},
		{"privacy message", "\x1b^x", "alt+^|x"},
		{"focus", "\x1b[I\x1b[O", "uv.FocusEvent {}|uv.BlurEvent {}"},
		{"version", "\x1bP>|kitty(0.40)\x1b\\", "uv.TerminalVersionEvent kitty(0.40)"},
		{"cell size", "\x1b[6;20;10t", "uv.CellSizeEvent {10 20}"},
		{"mode", "\x1b[?2026;2$y", "uv.ModeReportEvent {2026 2}"},
		{"paste", pasteStart + "a\x1b[A\x1b]0;x\r\n日" + pasteEnd + "b", `paste "a\x1b[A\x1b]0;x\r\n日"|b`},
		{"paste in a paste", pasteStart + "a" + pasteStart + "b" + pasteEnd, `paste "a\x1b[200~b"`},
		{"paste of bytes that are no text", pasteStart + "a\xffb" + pasteEnd,
			`paste "a` + string(utf8.RuneError) + `b"`},
		{"end marker alone", pasteEnd, ""},
		{"text at once", long, fmt.Sprintf("burst %q", long)},
		{"text at once, then enter", long + "\r", fmt.Sprintf("burst %q|enter", long)},
		{"text at once, then a key", long + "\x1b[A", fmt.Sprintf("burst %q|up", long)},
		{"window size", "\x1b[8;30;30t\x1b[48;30;30;1;1t", ""},
		{"clipboard", "\x1b]52;c;aGk=\x07", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(descriptions(feed(&Decoder{}, tt.input)), "|"); got != tt.want {
				t.Errorf("whole: got  %s\nwant %s", got, tt.want)
			}
			if strings.HasPrefix(tt.name, "text at once") || tt.name == "alt twice" {
				return // separate letters are typed
			}
			if got := strings.Join(descriptions(feed(&Decoder{}, strings.Split(tt.input, "")...)),
				"|"); got != tt.want {
				t.Errorf("in pieces: got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestHostileInput(t *testing.T) {
	for name, input := range hostile() {
		t.Run(name, func(t *testing.T) {
			left := 500
			d := &Decoder{Allow: func() bool { left--; return left >= 0 }}
			var chunks []string
			for rest := input; rest != ""; {
				n := min(len(rest), 1000)
				chunks = append(chunks, rest[:n])
				rest = rest[n:]
			}
			events := feed(d, chunks...)
			if cap(d.pending) > maxSequence+1000 {
				t.Errorf("%d bytes are kept", cap(d.pending))
			}
			if len(events) > 510 {
				t.Errorf("it became %d events", len(events))
			}
			for _, e := range events {
				switch e.(type) {
				case uv.WindowSizeEvent, uv.PixelSizeEvent, uv.CellSizeEvent:
					t.Errorf("it became a size: %v", e)
				}
			}
			left = 100
			if got := descriptions(feed(d, "x")); len(got) != 1 || got[0] != "x" {
				t.Errorf("the next key became %q", got)
			}
		})
	}
}
