package compare

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/graphics"
)

func (v *View) newReader() *conversation.Pane {
	r := v.makeReader()
	r.SetProfile(v.profile)
	r.SetPixels(v.imageIDs, v.cellAspect)
	return r
}

// readerOf returns the reader in which a cell is shown now.
func (v *View) readerOf(x *cell) *conversation.Pane {
	if v.isZoomed && x.zoomReader != nil {
		return x.zoomReader
	}
	return x.reader
}

// readers returns all readers.
func (v *View) readers() []*conversation.Pane {
	var out []*conversation.Pane
	for _, x := range v.cells {
		out = append(out, x.readers()...)
	}
	if v.vote != nil {
		out = append(out, v.vote.readers[:]...)
	}
	if v.source.reader != nil {
		out = append(out, v.source.reader)
	}
	return out
}

// visibleReaders returns the readers that are on the screen.
func (v *View) visibleReaders() []*conversation.Pane {
	if v.vote != nil {
		return v.vote.readers[:]
	}
	var out []*conversation.Pane
	for _, x := range v.visibleCells() {
		out = append(out, v.readerOf(x))
	}
	if !v.source.box.Empty() {
		out = append(out, v.source.reader)
	}
	return out
}

// Work asks for what the visible cells need; see [conversation.Pane.Work].
func (v *View) Work() (action.Action, tea.Cmd) {
	var actions action.Several
	cmds := []tea.Cmd{v.measureTexts(), v.drawDifference()}
	for _, r := range v.visibleReaders() {
		a, cmd := r.Work()
		actions, cmds = appendAction(actions, a), append(cmds, cmd)
	}
	return severalOrNil(actions), tea.Batch(cmds...)
}

func appendAction(all action.Several, a action.Action) action.Several {
	if a == nil {
		return all
	}
	return append(all, a)
}

func severalOrNil(all action.Several) action.Action {
	if len(all) == 0 {
		return nil
	}
	return all
}

// Pictures returns the visible pictures and their positions.
func (v *View) Pictures() []graphics.Placement {
	var all []graphics.Placement
	add := func(r *conversation.Pane, box image.Rectangle) {
		for _, p := range r.Pictures() {
			all = append(all, p.Moved(box.Min.Add(image.Pt(1, 1))))
		}
	}
	switch {
	case v.diff != nil || v.vote != nil && v.vote.hasEnded:
		return nil
	case v.vote != nil:
		for i, box := range v.pairBoxes() {
			add(v.vote.readers[i], box.Add(image.Pt(0, 1)))
		}
		return all
	}
	body := v.body().Min
	for i, box := range v.layout.boxes {
		if x := v.cellIn(i); x != nil && x.answer().State.Ended() {
			add(v.readerOf(x), box.Add(body))
		}
	}
	if p := v.pinned(); p != nil && !v.layout.pinned.Empty() {
		add(v.readerOf(p), v.layout.pinned.Add(body))
	}
	if !v.source.box.Empty() {
		add(v.source.reader, v.source.box.Add(body))
	}
	return all
}
