package ui

import (
	"image"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/pixels"
)

// repaint arranges for pictures to be painted over their cells once nothing
// moves any more: the frame that moves them is written after what is sent now.
// Those that stay where they are, with nothing written over them, are left alone.
func (m *Model) repaint(placed []pixels.Placed) tea.Cmd {
	p := &m.pixels
	before, rows := p.rows, []string(nil)
	if len(placed) > 0 {
		rows = strings.Split(m.content(), "\n")
	}
	news := false
	for _, x := range placed {
		if !slices.Contains(p.shown, x) || overwritten(x.Seen(), before, rows) {
			news, p.dirty[x] = true, true
		}
	}
	for _, x := range p.shown {
		gone := !slices.Contains(placed, x)
		p.moved = p.moved || gone && slices.ContainsFunc(placed, func(y pixels.Placed) bool {
			return y.Path == x.Path && y.At != x.At && !slices.Contains(p.shown, y)
		})
	}
	for x := range p.dirty {
		if !slices.Contains(placed, x) {
			delete(p.dirty, x)
		}
	}
	if p.shown, p.rows = placed, rows; !news {
		return nil
	}
	p.gen++
	p.still = false
	gen, wait := p.gen, settleFor
	if p.far {
		wait = farSettle
	}
	return tea.Tick(wait, func(time.Time) tea.Msg { return settledMsg{gen} })
}

// overwritten tells whether a box is written over when rows of the screen change.
func overwritten(box image.Rectangle, before, after []string) bool {
	for y := max(box.Min.Y, 0); y < min(box.Max.Y, len(after)); y++ {
		if y >= len(before) {
			return true
		}
		if from, to := pixels.Rewritten(before[y], after[y]); from < box.Max.X && to > box.Min.X {
			return true
		}
	}
	return false
}

// afterSettled paints, unless something has moved since.
func (m *Model) afterSettled(msg settledMsg) tea.Cmd {
	if msg.gen != m.pixels.gen {
		return nil
	}
	p := &m.pixels
	if p.moved {
		// Where a renderer lets the terminal scroll, pixels go beyond what was
		// scrolled, and nothing would be written there.
		p.moved = false
		for _, x := range p.shown {
			p.dirty[x] = true
		}
		return tea.Sequence(tea.ClearScreen, tea.Tick(settleFor, func(time.Time) tea.Msg { return msg }))
	}
	p.still = true
	return tea.Batch(m.putPainted(), m.encode())
}

// encode encodes the next picture that is to be painted, in a command: one at a
// time, so that what has left the screen by then is not, and each is seen as soon
// as it can be.
func (m *Model) encode() tea.Cmd {
	p, found := &m.pixels, m.pixels.probe.Found()
	if p.encoding || !p.still {
		return nil
	}
	i := slices.IndexFunc(p.shown, func(x pixels.Placed) bool { return p.dirty[x] && p.kept[m.keyOf(x)] == "" })
	if i < 0 {
		return nil
	}
	p.encoding = true
	x, key := p.shown[i], m.keyOf(p.shown[i])
	part := found.Paintable(found.Pixels(key.part.Dx(), key.part.Dy(), m.w, m.h))
	corner := image.Pt(key.part.Min.X*key.px.X/x.Cells.X, key.part.Min.Y*key.px.Y/x.Cells.Y)
	read := m.pictureReader()
	return func() tea.Msg {
		msg := paintedMsg{key: key}
		img, problem := read(key.path)
		if problem != "" {
			return msg // the cells under it say so
		}
		whole := pixels.Fit(img, key.px)
		seen := whole.SubImage(image.Rectangle{Min: corner, Max: corner.Add(part)}.Intersect(whole.Rect))
		if data, err := pixels.Encode(found.Way, pixels.Fit(seen, seen.Bounds().Size()), key.part.Size()); err == nil {
			msg.data = data
		}
		return msg
	}
}

// keyOf tells what is to be encoded of a picture, and how large.
func (m *Model) keyOf(x pixels.Placed) paintKey {
	return paintKey{x.Path, x.Cells, m.pixels.probe.Found().Pixels(x.Cells.X, x.Cells.Y, m.w, m.h), x.Seen().Sub(x.At)}
}

func (m *Model) afterPainted(msg paintedMsg) tea.Cmd {
	p := &m.pixels
	p.encoding = false
	if msg.data != "" {
		p.kept[msg.key] = msg.data
		m.forgetPainted()
	} else {
		for x := range p.dirty {
			if m.keyOf(x) == msg.key {
				delete(p.dirty, x)
			}
		}
	}
	if !p.still {
		return nil
	}
	return tea.Batch(m.putPainted(), m.encode())
}

// forgetPainted lets go of what is not on the screen when too much is kept.
func (m *Model) forgetPainted() {
	p, size := &m.pixels, 0
	for _, data := range p.kept {
		size += len(data)
	}
	if size <= mostKept {
		return
	}
	seen := map[paintKey]bool{}
	for _, x := range p.shown {
		seen[m.keyOf(x)] = true
	}
	for key := range p.kept {
		if !seen[key] {
			delete(p.kept, key)
		}
	}
}

// putPainted paints what is to be painted and encoded.
func (m *Model) putPainted() tea.Cmd {
	p := &m.pixels
	var all strings.Builder
	for _, x := range p.shown {
		if data := p.kept[m.keyOf(x)]; data != "" && p.dirty[x] {
			delete(p.dirty, x)
			all.WriteString(pixels.Put(x.Seen().Min, data))
		}
	}
	if all.Len() == 0 {
		return nil
	}
	if m.cursor() == nil {
		return tea.Raw(all.String())
	}
	// A terminal that shows the cursor on its way writes that cell anew, over the
	// picture.
	return tea.Raw(ansi.HideCursor + all.String() + ansi.ShowCursor)
}
