package graphics

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// mostCells is how many rows or columns the table of diacritics can name.
const maxPlaceholderCells = 297

// ImageIDs gives every picture the id by which kitty knows it, for as long as the
// program runs, and remembers which of them it was sent: a placeholder drawn
// before its picture is there can stay blank inside tmux. It belongs to one
// screen and is not safe for concurrent use.
//
// The low byte of an id is an index of the palette of 256 colours and the high
// byte stands in a diacritic: a colour of 24 bits would be rounded where there
// are fewer, and the picture would be blank.
type ImageIDs struct {
	base int // of the high bytes, so that two programs in one terminal differ
	ids  map[string]int
	sent map[string]bool
}

// SentMsg tells that a picture was sent: its placeholders can be drawn.
type SentMsg struct{ Path string }

// NewImageIDs returns an empty table. Base, from 0 to 255, should be random.
func NewImageIDs(base int) *ImageIDs {
	return &ImageIDs{base: base & 0xff, ids: map[string]int{}, sent: map[string]bool{}}
}

// Assign returns the id of a picture's file, a new one at the first call for that file.
func (n *ImageIDs) Assign(path string) int {
	id, ok := n.ids[path]
	if !ok {
		next := len(n.ids)
		id = ((n.base+next/255)&0xff)<<24 | (next%255 + 1)
		n.ids[path] = id
	}
	return id
}

// ID returns the id of a picture that was sent, else 0: it is drawn as cells
// meanwhile.
func (n *ImageIDs) ID(path string) int {
	if n == nil || !n.sent[path] {
		return 0
	}
	return n.Assign(path)
}

// SetSent says whether the terminal has a picture.
func (n *ImageIDs) SetSent(path string, sent bool) {
	if delete(n.sent, path); sent {
		n.sent[path] = true
	}
}

// Placeholders returns the text that stands for a picture in a box of cells: as
// many lines as the box is high, each as wide as it. Every cell names its row
// and column, so that a cell survives whatever is drawn beside it.
func Placeholders(id, cols, rows int) []string {
	cols, rows = min(cols, maxPlaceholderCells), min(rows, maxPlaceholderCells)
	colour := fmt.Sprintf("\x1b[38;5;%dm", id&0xff)
	top := string(kitty.Diacritic(id >> 24 & 0xff))
	lines := make([]string, max(rows, 0))
	for y := range lines {
		var b strings.Builder
		b.WriteString(colour)
		row := string(kitty.Diacritic(y))
		for x := range cols {
			b.WriteRune(kitty.Placeholder)
			b.WriteString(row)
			b.WriteRune(kitty.Diacritic(x))
			b.WriteString(top)
		}
		b.WriteString("\x1b[39m")
		lines[y] = b.String()
	}
	return lines
}

// TransmitKitty returns what gives a terminal a PNG under an id, to be shown in a
// box of cells wherever its placeholders stand: parts to be sent one after the
// other with nothing else of the protocol between them. Inside tmux a pause of
// [KittyPause] belongs between them: it throws away what a terminal is too slow for.
// No answer is asked for.
func TransmitKitty(id int, png []byte, cols, rows int, tmux bool) []string {
	// a=T with a virtual placement in one step: a picture without a placement is
	// freed when the screen is cleared.
	head := fmt.Sprintf("a=T,U=1,p=1,i=%d,f=100,c=%d,r=%d,q=2,", id, min(cols, maxPlaceholderCells),
		min(rows, maxPlaceholderCells))
	data := base64.StdEncoding.EncodeToString(png)
	var parts []string
	var b strings.Builder
	for first := true; first || data != ""; first = false {
		part := data[:min(len(data), kitty.MaxChunkSize)]
		data = data[len(part):]
		more := 0
		if data != "" {
			more = 1
		}
		if !first {
			head = ""
		}
		b.WriteString(wrap(fmt.Sprintf("\x1b_G%sm=%d;%s\x1b\\", head, more, part), tmux))
		if tmux && b.Len() > maxTmuxWrite {
			parts = append(parts, b.String())
			b.Reset()
		}
	}
	return append(parts, b.String())
}

// What tmux takes at once: it discards output that is not read when it is more
// than eight bytes a cell, 15 KB on the smallest screen.
const (
	maxTmuxWrite = 12 << 10
	KittyPause   = 15 * time.Millisecond
)

// PlaceKitty returns what gives a picture that the terminal has another box.
func PlaceKitty(id, cols, rows int, tmux bool) string {
	return wrap(fmt.Sprintf("\x1b_Ga=p,U=1,p=1,i=%d,c=%d,r=%d,q=2\x1b\\", id, min(cols, maxPlaceholderCells),
		min(rows, maxPlaceholderCells)), tmux)
}

// FreeKitty returns what makes a terminal forget a picture.
func FreeKitty(id int, tmux bool) string {
	return wrap(fmt.Sprintf("\x1b_Ga=d,d=I,i=%d,q=2\x1b\\", id), tmux)
}

func wrap(s string, tmux bool) string {
	if tmux {
		return ansi.TmuxPassthrough(s)
	}
	return s
}
