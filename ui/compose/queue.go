package compose

import (
	"cmp"
	"slices"

	"confab/history"
	"confab/service"
	"confab/ui/action"
)

// queuedBatch is prompts that are to be recorded and sent together.
type queuedBatch struct {
	prompts    []service.Prompt
	content    []service.Variant // of the pane that they were made from
	newSession int               // number of the new session, for prompts without a session
}

// waits reports whether the batch at a place of the queue is sent later: it goes with earlier turns of its session,
// and answers of these have not ended. A branch goes with the turns before it only, but keeps its place in the queue.
func (c *Composer) waits(at int) bool {
	p := c.queue[at].prompts[0]
	isBefore := func(b queuedBatch) bool { return b.prompts[0].HasContext && b.prompts[0].Session == p.Session }
	return p.HasContext && p.Session != 0 &&
		(len(c.unended(p)) > 0 || p.Beside != 0 && slices.ContainsFunc(c.queue[:at], isBefore))
}

// unended returns the turns that go with a prompt and have answers in flight.
func (c *Composer) unended(p service.Prompt) []history.Turn {
	return slices.DeleteFunc(c.Turns.Pending(p.Session), func(t history.Turn) bool {
		return p.Beside != 0 && t.ID >= p.Beside
	})
}

// waiting returns the batches of the open session that wait.
func (c *Composer) waiting() (all []queuedBatch) {
	for i, b := range c.queue {
		if b.prompts[0].Session == c.Session().ID && b.prompts[0].HasContext && (i > 0 || !c.isSending) {
			all = append(all, b)
		}
	}
	return all
}

// noteWaiting shows the prompts that wait in the conversation.
func (c *Composer) noteWaiting() {
	var texts []string
	for _, b := range c.waiting() {
		texts = append(texts, cmp.Or(b.prompts[0].Template, b.prompts[0].Text))
	}
	c.Turns.SetWaiting(texts)
}

// BackDoes says what the key for back does while answers run.
func (c *Composer) BackDoes() string {
	if len(c.waiting()) > 0 {
		return "take back"
	}
	return "stop"
}

// TakeBack returns what puts the prompt that waits and was written last back into the prompt, nil where none waits.
func (c *Composer) TakeBack() action.Action {
	all := c.waiting()
	if len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	c.queue = slices.DeleteFunc(c.queue, func(b queuedBatch) bool { return &b.prompts[0] == &last.prompts[0] })
	c.noteWaiting()
	return action.Sequence{action.Compose{Variants: last.content, Beside: &last.prompts[0].Beside,
		Files: last.prompts[0].Files}, action.Focus{Pane: action.PanePrompt}}
}

// takeBackOrRecall is what up does: it edits the prompt that waits, else shows an earlier one.
func (c *Composer) takeBackOrRecall() action.Action {
	if c.IsEmpty() && c.back == 0 && len(c.waiting()) > 0 {
		return c.TakeBack()
	}
	return action.WithCmd(nil, c.recall(c.back+1))
}

// withWaiting returns the content of a draft that is restored. Prompts that waited and were not sent are the earlier
// ones; the first stands in the prompt where that is empty. Prompts that still wait are left out.
func (c *Composer) withWaiting(d service.Draft) (content []service.Variant, current int) {
	unsent := slices.DeleteFunc(slices.Clone(d.Waiting), func(content []service.Variant) bool {
		stillWaits := func(b queuedBatch) bool {
			return b.prompts[0].Session == c.Session().ID && slices.Equal(b.content, content)
		}
		wasSent := func(t history.Turn) bool {
			return cmp.Or(t.Template, t.Prompt) == content[0].Text && t.Created.After(d.Saved)
		}
		return slices.ContainsFunc(c.queue, stillWaits) || slices.ContainsFunc(c.Turns.Window(), wasSent)
	})
	if content, current = []service.Variant{{Text: d.Text}}, 0; len(d.Variants) > 1 {
		content, current = d.Variants, d.Current
	} else if d.Text == "" && len(unsent) > 0 {
		content, unsent = unsent[0], unsent[1:]
	}
	for _, content := range slices.Backward(unsent) {
		c.keepUnsent(content)
	}
	return content, current
}
