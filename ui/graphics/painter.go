package graphics

import (
	"image"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/pixels"
)

const (
	maxEncodedBytes   = 16 << 20              // of encoded pictures that are kept
	settleDelay       = 50 * time.Millisecond // after the newest change, before pictures are painted
	remoteSettleDelay = 200 * time.Millisecond
)

// painter paints pictures over the cells of the screen, on a terminal with sixel or iTerm2's protocol.
type painter struct {
	shown      []Placement        // painted, or about to be
	dirty      map[Placement]bool // those of shown that are about to be painted
	rows       []string           // of the screen that they were painted on
	generation int                // of the newest change
	hasCursor  func() bool        // of the newest frame
	hasSettled bool               // nothing has moved for a moment
	mustClear  bool               // painted pictures have left their places
	isEncoding bool
	encoded    map[paintKey][]strip
}

// paintKey names what is painted: a part of a picture in a box.
type paintKey struct {
	file  File
	cells image.Point
	px    image.Point
	part  image.Rectangle // in cells of the box
}

// repaint schedules painting for when nothing moves any more: the frame that moves the pictures is written after what
// is sent now. Pictures that keep their place, with nothing written over them, are left alone.
func (t *Terminal) repaint(f Frame) tea.Cmd {
	p, pictures := &t.painter, f.Pictures
	p.hasCursor = f.HasCursor
	before, rows := p.rows, []string(nil)
	if len(pictures) > 0 {
		rows = strings.Split(f.Content(), "\n")
	}
	hasChanged := false
	for _, x := range pictures {
		if !slices.Contains(p.shown, x) || isOverwritten(x.Visible(), before, rows) {
			hasChanged, p.dirty[x] = true, true
		}
	}
	hasLeft := slices.ContainsFunc(p.shown, func(x Placement) bool {
		return !p.dirty[x] && !slices.Contains(pictures, x)
	})
	p.mustClear = p.mustClear || hasLeft
	for x := range p.dirty {
		if !slices.Contains(pictures, x) {
			delete(p.dirty, x)
		}
	}
	if p.shown, p.rows = pictures, rows; !hasChanged && !hasLeft {
		return nil
	}
	p.generation++
	p.hasSettled = false
	generation, delay := p.generation, settleDelay
	if t.isRemote {
		delay = remoteSettleDelay
	}
	return tea.Tick(delay, func(time.Time) tea.Msg { return settledMsg{generation} })
}

// isOverwritten tells whether a box is written over when rows of the screen change.
func isOverwritten(box image.Rectangle, before, after []string) bool {
	for y := max(box.Min.Y, 0); y < min(box.Max.Y, len(after)); y++ {
		if y >= len(before) {
			return true
		}
		if from, to := RewrittenCells(before[y], after[y]); from < box.Max.X && to > box.Min.X {
			return true
		}
	}
	return false
}

// afterSettled paints, unless something has moved since.
func (t *Terminal) afterSettled(msg settledMsg) tea.Cmd {
	p := &t.painter
	if msg.generation != p.generation {
		return nil
	}
	if p.mustClear {
		// When the renderer scrolls a region, the terminal moves the painted pixels beyond it, where nothing is
		// rewritten.
		p.mustClear = false
		for _, x := range p.shown {
			p.dirty[x] = true
		}
		return tea.Sequence(tea.ClearScreen, tea.Tick(settleDelay, func(time.Time) tea.Msg { return msg }))
	}
	p.hasSettled = true
	return tea.Batch(t.paint(), t.encodeNext())
}

// encodeNext encodes the next picture to be painted, in a command: one at a time, so that each is seen as soon as
// possible and pictures that have left the screen by then are not encoded.
func (t *Terminal) encodeNext() tea.Cmd {
	p, found := &t.painter, t.capabilities()
	if p.isEncoding || !p.hasSettled {
		return nil
	}
	i := slices.IndexFunc(p.shown, func(x Placement) bool { return p.dirty[x] && p.encoded[t.keyOf(x)] == nil })
	if i < 0 {
		return nil
	}
	p.isEncoding = true
	x, key := p.shown[i], t.keyOf(p.shown[i])
	part := t.pixels(key.part.Size()) // the last six rows of a sixel picture may be fewer: the others are transparent
	corner := image.Pt(key.part.Min.X*key.px.X/x.Cells.X, key.part.Min.Y*key.px.Y/x.Cells.Y)
	load := t.load
	return func() tea.Msg {
		msg := paintedMsg{key: key}
		release, err := load.acquire(key.px)
		if err != nil {
			return msg
		}
		defer release()
		img, problem := load.Picture(key.file)
		if problem != "" {
			return msg // the cells under it say so
		}
		whole := Resize(img, key.px)
		pixels.Flatten(whole, load.background) // the cells under it would be seen through it
		seen := whole.SubImage(image.Rectangle{Min: corner, Max: corner.Add(part)}.Intersect(whole.Rect))
		if strips, err := encodeStrips(found.Protocol, seen.(*image.RGBA), key.part.Size()); err == nil {
			msg.strips = strips
		}
		return msg
	}
}

// keyOf returns which part of a picture is encoded, and how large.
func (t *Terminal) keyOf(x Placement) paintKey {
	return paintKey{x.File, x.Cells, t.pixels(x.Cells), x.Visible().Sub(x.At)}
}

func (t *Terminal) afterPainted(msg paintedMsg) tea.Cmd {
	p := &t.painter
	p.isEncoding = false
	if msg.strips != nil {
		p.encoded[msg.key] = msg.strips
		t.dropEncoded()
	} else {
		for x := range p.dirty {
			if t.keyOf(x) == msg.key {
				delete(p.dirty, x)
			}
		}
	}
	if !p.hasSettled {
		return nil
	}
	return tea.Batch(t.paint(), t.encodeNext())
}

// dropEncoded drops encoded pictures that are not on the screen when too many are kept.
func (t *Terminal) dropEncoded() {
	p, size := &t.painter, 0
	for _, strips := range p.encoded {
		for _, s := range strips {
			size += len(s.data)
		}
	}
	if size <= maxEncodedBytes {
		return
	}
	visible := map[paintKey]bool{}
	for _, x := range p.shown {
		visible[t.keyOf(x)] = true
	}
	for key := range p.encoded {
		if !visible[key] {
			delete(p.encoded, key)
		}
	}
}

// paint paints the pictures that are to be painted and encoded already.
func (t *Terminal) paint() tea.Cmd {
	p := &t.painter
	var all strings.Builder
	for _, x := range p.shown {
		strips := p.encoded[t.keyOf(x)]
		if strips == nil || !p.dirty[x] {
			continue
		}
		delete(p.dirty, x)
		for _, s := range strips {
			all.WriteString(PaintAt(x.Visible().Min.Add(image.Pt(0, s.row)), s.data))
		}
	}
	if all.Len() == 0 {
		return nil
	}
	if !p.hasCursor() {
		return tea.Raw(all.String())
	}
	// A terminal that shows the cursor on its way writes that cell again, over the picture.
	return tea.Raw(ansi.HideCursor + all.String() + ansi.ShowCursor)
}

// RewrittenCells returns which cells of a row of the screen a renderer may write when the text of the row changes, from
// the first that differs to the last. What was painted over them is gone then. It is 0, 0 where nothing changes.
func RewrittenCells(before, after string) (from, to int) {
	if before == after {
		return 0, 0
	}
	whole := max(ansi.StringWidth(before), ansi.StringWidth(after))
	if strings.Contains(before, "\x1b]") || strings.Contains(after, "\x1b]") {
		return 0, whole // a link continues until it is ended, also beyond a reset of styles
	}
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		n++
	}
	for n > 0 && n < len(before) && !utf8.RuneStart(before[n]) {
		n--
	}
	// A combining mark belongs to the letter before it, which may be wide.
	from = max(ansi.StringWidth(before[:n])-2, 0)
	end := commonEnd(before[n:], after[n:])
	if tail := ansi.StringWidth(end); ansi.StringWidth(before) == ansi.StringWidth(after) {
		return from, whole - tail
	}
	return from, whole // the rest has moved
}

// commonEnd returns the longest common end of two texts that begins with a reset, so that no earlier style reaches into
// it.
func commonEnd(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	end := a[len(a)-n:]
	first := -1
	for _, reset := range []string{ansi.ResetStyle, "\x1b[0m"} {
		if i := strings.Index(end, reset); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	if first < 0 {
		return ""
	}
	return end[first:]
}
