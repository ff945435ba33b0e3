package terminput

import (
	"strings"
	"testing"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// typed describes events independently of how text is divided into them.
func typed(events []uv.Event) string {
	var all strings.Builder
	for _, e := range events {
		switch e := e.(type) {
		case uv.KeyPressEvent:
			switch {
			case e.Text != "":
				all.WriteString(strings.ReplaceAll(e.Text, "\n", "<ctrl+j>"))
			case e.Code == uv.KeyEnter && e.Mod == 0:
				all.WriteByte('\r')
			case e.Code == uv.KeyTab && e.Mod == 0:
				all.WriteByte('\t')
			default:
				all.WriteString("<" + e.Keystroke() + ">")
			}
		default:
			all.WriteString("<" + describe(e) + ">")
		}
	}
	return all.String()
}

func FuzzDecoder(f *testing.F) {
	for _, input := range hostile() {
		f.Add([]byte(input[:min(len(input), 300)]), uint16(7))
	}
	f.Add([]byte("a\x1b[A"+pasteStart+"日\r\nx"+pasteEnd+"\x1b]11;rgb:ff/ff/ff\x07é"), uint16(1))
	f.Fuzz(func(t *testing.T, input []byte, cut uint16) {
		whole := feed(&Decoder{}, string(input))
		var pieces []string
		for rest := string(input); rest != ""; {
			n := min(len(rest), 1+int(cut)%40)
			pieces = append(pieces, rest[:n])
			rest = rest[n:]
		}
		if got, want := typed(feed(&Decoder{}, pieces...)), typed(whole); got != want {
			t.Errorf("%q in pieces of %d:\ngot  %q\nwant %q", input, 1+int(cut)%40, got, want)
		}
		if len(whole) > len(input)+1 {
			t.Errorf("%d bytes became %d events", len(input), len(whole))
		}
		for _, e := range whole {
			switch e := e.(type) {
			case uv.WindowSizeEvent:
				t.Errorf("%q became a size of the window", input)
			case uv.KeyPressEvent:
				if !utf8.ValidString(e.Text) {
					t.Errorf("a key has the text %q", e.Text)
				}
			case uv.MouseEvent:
				if m := e.Mouse(); m.X < 0 || m.Y < 0 || m.X >= maxPosition || m.Y >= maxPosition {
					t.Errorf("the mouse is at %d, %d", m.X, m.Y)
				}
			}
		}
	})
}
