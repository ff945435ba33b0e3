package compare

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/graphics"
	"confab/ui/keys"
)

func (v *View) readers() []*conversation.Pane {
	out := slices.Collect(maps.Values(v.zoom.readers))
	for _, x := range v.cells {
		out = append(out, x.reader)
	}
	if vote, ok := v.mode.(*blindVote); ok {
		out = append(out, vote.readers[:]...)
	}
	if v.zoom.source != nil {
		out = append(out, v.zoom.source)
	}
	return out
}

// Work starts the work of the boxes on the screen; see [conversation.Pane.Work].
func (v *View) Work() (action.Action, tea.Cmd) {
	v.takeChanges()
	var readers []*conversation.Pane
	for _, b := range v.boxes {
		if b.reader != nil {
			readers = append(readers, b.reader)
		}
	}
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
	if x := v.current(); x != nil && v.focused && v.mode == nil {
		v.readerOf(x).SetCodeKey(v.env.Keys.Key(keys.Compare, keys.CopyCode))
	}
	actions, cmd := updateAll(readers, (*conversation.Pane).Work)
	if v.fit() { // more of a text is on the screen
		more, after := updateAll(readers, (*conversation.Pane).Work)
		actions, cmd = action.Join(actions, more), tea.Batch(cmd, after)
	}
	draw := tea.Cmd(nil)
	if d, ok := v.mode.(*difference); ok {
		draw = d.draw()
	}
	return actions, tea.Batch(cmd, v.measureTexts(), draw, v.followFocus())
}

// updateAll updates readers and joins the results.
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
	var all []graphics.Placement
	for _, b := range v.boxes {
		if b.reader == nil || b.cell != nil && !b.cell.answer().State.HasEnded() {
			continue
		}
		for _, p := range b.reader.Pictures() {
			all = append(all, p.Moved(v.body().Min.Add(b.origin())))
		}
	}
	return all
}
