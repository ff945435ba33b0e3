package ui

import (
	"hash/fnv"
	"image"
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/pixels"
)

// repaint arranges for pictures to be painted over their cells once nothing
// moves any more: the frame that moves them is written after what is sent now.
func (m *Model) repaint(placed []pixels.Placed) tea.Cmd {
	p := &m.pixels
	under := m.rowsUnder(placed)
	if slices.Equal(placed, p.shown) && under == p.under {
		return nil
	}
	p.shown, p.under = placed, under
	p.gen++
	if len(placed) == 0 {
		return nil
	}
	gen, wait := p.gen, settleFor
	if p.far {
		wait = farSettle
	}
	return tea.Tick(wait, func(time.Time) tea.Msg { return settledMsg{gen} })
}

// rowsUnder sums up the rows of the screen that pictures stand on. A renderer
// writes a row from its first changed cell to its last, and what was painted
// between them is gone.
func (m *Model) rowsUnder(placed []pixels.Placed) uint64 {
	if len(placed) == 0 {
		return 0
	}
	rows := strings.Split(m.content(), "\n")
	sum := fnv.New64a()
	for _, x := range placed {
		seen := x.Seen()
		for y := max(seen.Min.Y, 0); y < min(seen.Max.Y, len(rows)); y++ {
			_, _ = io.WriteString(sum, rows[y]) // a hash takes everything
		}
	}
	return sum.Sum64()
}

// paint encodes what is not encoded yet, in a command.
func (m *Model) paint(gen int) tea.Cmd {
	p, found := &m.pixels, m.pixels.probe.Found()
	if gen != p.gen {
		return nil
	}
	type job struct {
		key  paintKey
		size image.Point // px of the whole box
		part image.Rectangle
	}
	var jobs []job
	for _, x := range p.shown {
		key := keyOf(x)
		if _, have := p.kept[key]; have {
			continue
		}
		size := found.Pixels(x.Cells.X, x.Cells.Y, m.w, m.h)
		part := found.Paintable(found.Pixels(key.part.Dx(), key.part.Dy(), m.w, m.h))
		corner := image.Pt(key.part.Min.X*size.X/x.Cells.X, key.part.Min.Y*size.Y/x.Cells.Y)
		jobs = append(jobs, job{key, size, image.Rectangle{Min: corner, Max: corner.Add(part)}})
	}
	if len(jobs) == 0 {
		return m.putPainted()
	}
	read := m.pictureReader()
	return func() tea.Msg {
		msg := paintedMsg{gen: gen, data: map[paintKey]string{}}
		for _, j := range jobs {
			img, problem := read(j.key.path)
			if problem != "" {
				continue // the cells under it say so
			}
			whole := pixels.Fit(img, j.size)
			seen := whole.SubImage(j.part.Intersect(whole.Rect))
			data, err := pixels.Encode(found.Way, pixels.Fit(seen, seen.Bounds().Size()), j.key.part.Size())
			if err == nil {
				msg.data[j.key] = data
			}
		}
		return msg
	}
}

func keyOf(x pixels.Placed) paintKey {
	return paintKey{x.Path, x.Cells, x.Seen().Sub(x.At)}
}

func (m *Model) afterPainted(msg paintedMsg) tea.Cmd {
	p := &m.pixels
	size := 0
	for _, data := range p.kept {
		size += len(data)
	}
	for key, data := range msg.data {
		if size += len(data); size > mostKept {
			clear(p.kept)
			size = len(data)
		}
		p.kept[key] = data
	}
	if msg.gen != p.gen {
		return nil
	}
	return m.putPainted()
}

// putPainted paints everything that is on the screen.
func (m *Model) putPainted() tea.Cmd {
	var all string
	for _, x := range m.pixels.shown {
		if data, ok := m.pixels.kept[keyOf(x)]; ok {
			all += pixels.Put(x.Seen().Min, data)
		}
	}
	if all == "" {
		return nil
	}
	return tea.Raw(all)
}
