package compare

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/graphics"
	"confab/ui/keys"
)

func (v *View) newReader() *conversation.Pane {
	r := v.makeReader()
	r.SetProfile(v.profile)
	r.SetImageIDs(v.imageIDs, v.cellAspect)
	return r
}

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
	var out []*conversation.Pane
	for _, b := range v.boxes {
		if b.reader != nil {
			out = append(out, b.reader)
		}
	}
	return out
}

// Work asks for what the visible cells need; see [conversation.Pane.Work].
func (v *View) Work() (action.Action, tea.Cmd) {
	readers := v.visibleReaders()
	growing := 0
	for _, x := range v.cells {
		if x.answer().State == history.Running {
			growing++
		}
	}
	for _, r := range readers {
		r.Beside = min(growing, len(readers))
		r.SetCodeKey("")
	}
	if x := v.current(); x != nil && v.focused && v.vote == nil && v.diff == nil {
		x.reader.SetCodeKey(v.keys.Key(keys.Compare, keys.CopyCode))
	}
	actions, cmd := updateAll(readers, (*conversation.Pane).Work)
	return actions, tea.Batch(cmd, v.measureTexts(), v.drawDifference())
}

// updateAll joins what the update of each reader returns.
func updateAll(readers []*conversation.Pane,
	update func(*conversation.Pane) (action.Action, tea.Cmd)) (action.Action, tea.Cmd) {
	var actions action.Sequence
	var cmds []tea.Cmd
	for _, r := range readers {
		a, cmd := update(r)
		if a != nil {
			actions = append(actions, a)
		}
		cmds = append(cmds, cmd)
	}
	if actions == nil {
		return nil, tea.Batch(cmds...)
	}
	return actions, tea.Batch(cmds...)
}

// Pictures returns the visible pictures and their positions.
func (v *View) Pictures() []graphics.Placement {
	if v.diff != nil {
		return nil
	}
	var all []graphics.Placement
	for _, b := range v.boxes {
		if b.reader == nil || b.cell != nil && !b.cell.answer().State.HasEnded() {
			continue
		}
		for _, p := range b.reader.Pictures() {
			all = append(all, p.Moved(v.body().Min.Add(b.rect.Min).Add(image.Pt(1, 1))))
		}
	}
	return all
}
