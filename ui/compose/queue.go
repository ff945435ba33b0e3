package compose

import (
	"cmp"
	"slices"

	"confab/history"
	"confab/service"
	"confab/ui/action"
)

// waits reports whether a prompt is sent later: it goes with the earlier turns of its session, and answers of that
// session have not ended.
func (c *Composer) waits(p queuedPrompt) bool {
	if !p.HasContext || p.Session == 0 {
		return false
	}
	for a := range c.Turns.AnswersIn(p.Session) {
		if !a.State.HasEnded() {
			return true
		}
	}
	return false
}

// waiting returns the prompts of the open session that wait, of several that are sent together the first.
func (c *Composer) waiting() (all []queuedPrompt) {
	for i, p := range c.queue {
		isFirst := len(all) == 0 || all[len(all)-1].group != p.group
		if p.Session == c.Session().ID && isFirst && p.HasContext && (i > 0 || !c.isSending) {
			all = append(all, p)
		}
	}
	return all
}

// dropGroup takes prompts that were to be sent together out of the queue.
func (c *Composer) dropGroup(group int) {
	c.queue = slices.DeleteFunc(c.queue, func(p queuedPrompt) bool { return p.group == group })
}

// noteWaiting shows the prompts that wait in the conversation.
func (c *Composer) noteWaiting() {
	var texts []string
	for _, p := range c.waiting() {
		texts = append(texts, cmp.Or(p.Template, p.Text))
	}
	c.Turns.SetWaiting(texts)
}

// TakeBack returns what puts the prompt that waits and was written last back into the prompt, nil where none waits.
func (c *Composer) TakeBack() action.Action {
	all := c.waiting()
	if len(all) == 0 {
		return nil
	}
	p := all[len(all)-1]
	c.dropGroup(p.group)
	c.noteWaiting()
	text := cmp.Or(p.Template, p.Text)
	return action.Sequence{action.Compose{Text: &text, Beside: &p.Beside, Files: p.Files},
		action.Focus{Pane: action.PanePrompt}}
}

// takeBackOrRecall is what up does: it edits the prompt that waits, else shows an earlier one.
func (c *Composer) takeBackOrRecall() action.Action {
	if c.IsEmpty() && c.back == 0 && len(c.waiting()) > 0 {
		return c.TakeBack()
	}
	return action.WithCmd(nil, c.recall(c.back+1))
}

// withWaiting returns the text of a draft that is restored. Prompts that waited and were not sent are the earlier ones;
// the first stands in the prompt where that is empty.
func (c *Composer) withWaiting(d service.Draft) string {
	unsent := slices.DeleteFunc(slices.Clone(d.Waiting), func(text string) bool {
		return slices.ContainsFunc(c.Turns.Window(), func(t history.Turn) bool {
			return t.Prompt == text && t.Created.After(d.Saved)
		})
	})
	if d.Text == "" && len(unsent) > 0 {
		d.Text, unsent = unsent[0], unsent[1:]
	}
	for _, text := range slices.Backward(unsent) {
		c.keepUnsent(text)
	}
	return d.Text
}
