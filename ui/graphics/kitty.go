package graphics

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// maxPlaceholderCells is how many rows or columns the table of diacritics can name.
const maxPlaceholderCells = 297

// ImageIDs assigns every picture the id by which kitty knows it, for as long as the program runs, and records which
// pictures the terminal was sent: a placeholder drawn before its picture arrives can stay blank inside tmux. ImageIDs
// belongs to one screen and is not safe for concurrent use.
//
// The low byte of an id is an index of the palette of 256 colors, the high byte is a diacritic: a color of 24 bits
// would be rounded where there are fewer, and the picture would be blank.
type ImageIDs struct {
	base int // of the high bytes, so that two programs in one terminal differ
	ids  map[File]int
	sent map[File]bool
}

// SentMsg reports that a picture was sent or forgotten: it is drawn as placeholders, or as cells again.
type SentMsg struct{ File File }

// NewImageIDs returns an empty table. Base, from 0 to 255, should be random.
func NewImageIDs(base int) *ImageIDs {
	return &ImageIDs{base: base & 0xff, ids: map[File]int{}, sent: map[File]bool{}}
}

// Assign returns the id of a picture's file, a new one at the first call for that file.
func (n *ImageIDs) Assign(f File) int {
	id, ok := n.ids[f]
	if !ok {
		next := len(n.ids)
		id = ((n.base+next/255)&0xff)<<24 | (next%255 + 1)
		n.ids[f] = id
	}
	return id
}

// ID returns the id of a picture that was sent, else 0: the picture is drawn as cells meanwhile.
func (n *ImageIDs) ID(f File) int {
	if n == nil || !n.sent[f] {
		return 0
	}
	return n.Assign(f)
}

// SetSent records whether the terminal has a picture.
func (n *ImageIDs) SetSent(f File, sent bool) {
	if delete(n.sent, f); sent {
		n.sent[f] = true
	}
}

// Placeholders returns the text that stands for a picture in a box of cells, as lines of the size of the box. Every
// cell names its row and column, so that it stays valid whatever is drawn beside it.
func Placeholders(id, cols, rows int) []string {
	cols, rows = min(cols, maxPlaceholderCells), min(rows, maxPlaceholderCells)
	color := fmt.Sprintf("\x1b[38;5;%dm", id&0xff)
	top := string(kitty.Diacritic(id >> 24 & 0xff))
	lines := make([]string, max(rows, 0))
	for y := range lines {
		var b strings.Builder
		b.WriteString(color)
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

// TransmitKitty returns the sequences that give a terminal a PNG under an id, to be shown in a box of cells wherever
// its placeholders are. The parts are sent one after the other with nothing else of the protocol between them. Inside
// tmux, which discards what the terminal reads too slowly, a pause of [KittyPause] belongs between them. The terminal
// is told not to answer.
func TransmitKitty(id int, png []byte, cols, rows int, tmux bool) []string {
	// a=T with a virtual placement in one step: a picture without a placement is freed when the screen is cleared.
	head := fmt.Sprintf("a=T,U=1,p=1,i=%d,f=100,c=%d,r=%d,q=2,", id, min(cols, maxPlaceholderCells),
		min(rows, maxPlaceholderCells))
	data := []byte(base64.StdEncoding.EncodeToString(png))
	var parts []string
	var b strings.Builder
	for chunk := range slices.Chunk(data, kitty.MaxChunkSize) {
		data = data[len(chunk):]
		more := min(len(data), 1)
		b.WriteString(wrap(fmt.Sprintf("\x1b_G%sm=%d;%s\x1b\\", head, more, chunk), tmux))
		head = ""
		if tmux && b.Len() > maxTmuxWrite {
			parts = append(parts, b.String())
			b.Reset()
		}
	}
	return append(parts, b.String())
}

// tmux discards output of more than eight bytes a cell that the terminal has not read: 15 KB on the smallest screen.
const (
	maxTmuxWrite = 12 << 10
	KittyPause   = 15 * time.Millisecond
)

// placeKitty returns the sequence that changes the box of a picture that the terminal has.
func placeKitty(id, cols, rows int, tmux bool) string {
	return wrap(fmt.Sprintf("\x1b_Ga=p,U=1,p=1,i=%d,c=%d,r=%d,q=2\x1b\\", id, min(cols, maxPlaceholderCells),
		min(rows, maxPlaceholderCells)), tmux)
}

// freeKitty returns the sequence that makes the terminal forget a picture.
func freeKitty(id int, tmux bool) string {
	return wrap(fmt.Sprintf("\x1b_Ga=d,d=I,i=%d,q=2\x1b\\", id), tmux)
}

func wrap(s string, tmux bool) string {
	if tmux {
		return ansi.TmuxPassthrough(s)
	}
	return s
}

// maxHeld is how many pictures the terminal keeps beside those that are visible.
const maxHeld = 48

// kittyStore records the pictures that a terminal with kitty's protocol has, and queues what is sent next.
type kittyStore struct {
	held   map[File]*heldPicture
	frames int         // that were shown
	queue  []kittyPart // to be sent, one after the other
	isBusy bool        // a part is on its way
}

// kittyPart is a piece of kitty's protocol. The last part of a picture has its file.
type kittyPart struct {
	data string
	file File
}

// heldPicture is a picture that the terminal was sent.
type heldPicture struct {
	cells image.Point // of the box it has now
	sent  image.Point // of the box it was scaled to
	used  int         // the newest frame it was seen in
}

// setSent records whether the terminal has a picture, and tells it to everything that shows the picture.
func (t *Terminal) setSent(f File, sent bool) tea.Cmd {
	t.ids.SetSent(f, sent)
	return t.notify(SentMsg{File: f})
}

// hold transmits the pictures that the terminal does not have, and frees those that were not seen for longest.
func (t *Terminal) hold(pictures []Placement) tea.Cmd {
	store, tmux := &t.kitty, t.capabilities().Tmux
	store.frames++
	var cmds []tea.Cmd
	done := map[File]bool{}
	for _, x := range pictures {
		if done[x.File] { // a picture has one box at a time
			continue
		}
		done[x.File] = true
		have := store.held[x.File]
		switch {
		case have != nil && have.cells == x.Cells:
		case have != nil && x.Cells.X <= have.sent.X*3/2:
			// The terminal scales; it is sent again only where it would be coarse.
			have.cells = x.Cells
			cmds = append(cmds,
				t.enqueue(kittyPart{data: placeKitty(t.ids.Assign(x.File), x.Cells.X, x.Cells.Y, tmux)}))
		default:
			if have != nil {
				// Placeholders that are drawn already would stay blank when the picture is sent again.
				cmds = append(cmds, t.setSent(x.File, false))
			}
			have = &heldPicture{cells: x.Cells, sent: x.Cells}
			store.held[x.File] = have
			cmds = append(cmds, t.encodeKitty(x))
		}
		have.used = store.frames
	}
	for len(store.held) > maxHeld+len(pictures) {
		oldest := File{}
		for file, h := range store.held {
			if oldest == (File{}) || cmp.Or(cmp.Compare(h.used, store.held[oldest].used),
				cmp.Compare(t.ids.Assign(file), t.ids.Assign(oldest))) < 0 {
				oldest = file
			}
		}
		delete(store.held, oldest)
		t.ids.SetSent(oldest, false)
		cmds = append(cmds, t.enqueue(kittyPart{data: freeKitty(t.ids.Assign(oldest), tmux)}))
	}
	return tea.Batch(cmds...)
}

// encodeKitty reads, scales and encodes a picture in a command.
func (t *Terminal) encodeKitty(x Placement) tea.Cmd {
	load, id, size, tmux := t.load, t.ids.Assign(x.File), t.pixels(x.Cells), t.capabilities().Tmux
	return func() tea.Msg {
		release, err := load.acquire(size)
		if err != nil {
			return nil
		}
		defer release()
		img, problem := load.Picture(x.File)
		if problem != "" {
			return encodedMsg{file: x.File, problem: problem}
		}
		file, err := EncodePNG(Resize(img, size))
		if err != nil {
			return encodedMsg{file: x.File, problem: "This picture cannot be shown."}
		}
		return encodedMsg{file: x.File, parts: TransmitKitty(id, file, x.Cells.X, x.Cells.Y, tmux)}
	}
}

// transmit sends an encoded picture.
func (t *Terminal) transmit(msg encodedMsg) tea.Cmd {
	if msg.problem != "" {
		return t.notify(PreviewMsg{File: msg.file, Problem: msg.problem})
	}
	parts := make([]kittyPart, len(msg.parts))
	for i, data := range msg.parts {
		parts[i].data = data
	}
	parts[len(parts)-1].file = msg.file
	return t.enqueue(parts...)
}

// enqueue sends parts of kitty's protocol after what is on its way: nothing may come between the parts of a picture.
func (t *Terminal) enqueue(parts ...kittyPart) tea.Cmd {
	t.kitty.queue = append(t.kitty.queue, parts...)
	if t.kitty.isBusy {
		return nil
	}
	return t.sendNextPart()
}

func (t *Terminal) sendNextPart() tea.Cmd {
	store := &t.kitty
	if store.isBusy = len(store.queue) > 0; !store.isBusy {
		return nil
	}
	part := store.queue[0]
	store.queue = store.queue[1:]
	next := func() tea.Msg { return transmittedMsg{part.file} }
	if t.capabilities().Tmux {
		next = tea.Tick(KittyPause, func(time.Time) tea.Msg { return transmittedMsg{part.file} })
	}
	return tea.Sequence(tea.Raw(part.data), next)
}

// afterTransmitted sends the next part, and has a picture drawn that the terminal has now.
func (t *Terminal) afterTransmitted(msg transmittedMsg) tea.Cmd {
	next := t.sendNextPart()
	if t.kitty.held[msg.file] == nil {
		return next
	}
	return tea.Batch(next, t.setSent(msg.file, true))
}

// Free gives the terminal the memory of its pictures back.
func (t *Terminal) Free() tea.Cmd {
	if t.chosen() != Kitty {
		return nil
	}
	all := ""
	for file := range t.kitty.held {
		all += freeKitty(t.ids.Assign(file), t.capabilities().Tmux)
	}
	if all == "" {
		return nil
	}
	return tea.Raw(all)
}
