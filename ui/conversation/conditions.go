package conversation

import (
	"confab/history"
	"confab/ui/action"
	"confab/ui/keys"
)

// Hints implements [part.Commands].
func (c *Pane) Hints() []keys.Hint {
	if c.find.IsTyping {
		return c.findHints()
	}
	return append(c.backHints(), c.Commands.Hints()...)
}

// backHints returns the hint of the key to the prompt.
func (c *Pane) backHints() []keys.Hint {
	switch {
	case c.find.Text != "":
		return c.keys.HintAs(keys.Everywhere, keys.Back, "end search")
	case c.turns.Running() > 0 || len(c.turns.Waiting()) > 0: // which the usual key ends
		return c.keys.HintAs(keys.Everywhere, keys.Pane4, "prompt")
	}
	return c.keys.HintAs(keys.Everywhere, keys.Back, "prompt")
}

// onAnswer is a command that acts on the focused answer.
func onAnswer(do func(history.Turn, history.Answer) action.Action) func(*Pane) action.Action {
	return func(c *Pane) action.Action {
		t, a, _ := c.Focused()
		return do(t, a)
	}
}

// scroll is a command that scrolls.
func scroll(command keys.Command) func(*Pane) action.Action {
	return func(c *Pane) action.Action {
		by, _ := command.Lines(c.turnLines(), 2, 0)
		c.scroll(by)
		return nil
	}
}

// headRank is the rank of a hint that stands beside the head of an answer too, under a condition.
func headRank(condition func(*Pane, history.Answer) bool) func(*Pane) int {
	return func(c *Pane) int {
		_, a, ok := c.Focused()
		switch {
		case !ok || !condition(c, a):
			return 0
		case c.isHeadSeen(a.ID):
			return rankHeadSeen
		}
		return rankHeadUnseen
	}
}

// refuse says why nothing can be done in an empty session.
func (c *Pane) refuse(command keys.Command) string {
	if c.isEmpty() && command != keys.Help {
		return "Nothing sent in this session yet."
	}
	return ""
}

func (c *Pane) hasTurn() bool {
	t, _, _ := c.Focused()
	return t.ID != 0
}

func (c *Pane) hasFiles() bool {
	t, _, _ := c.Focused()
	return len(t.Files) > 0
}

func (c *Pane) hasAnswer() bool {
	_, _, ok := c.Focused()
	return ok
}

// isBesideOthers tells whether the focused answer is one of several of its turn and the branches beside it.
func (c *Pane) isBesideOthers() bool {
	t, _, ok := c.Focused()
	return ok && len(t.Answers)+len(t.Siblings) > 1
}

// hasAnswers reports whether the focused answer is one of several of its turn.
func (c *Pane) hasAnswers() bool {
	t, _, ok := c.Focused()
	return ok && len(t.Answers) > 1
}

func (c *Pane) hasBranches() bool {
	t, _, _ := c.Focused()
	return len(t.Siblings) > 0
}

func (c *Pane) lacksBranches() string {
	if c.hasTurn() && !c.hasBranches() {
		return "This turn has no branches" +
			c.keys.Phrase(keys.Conversation, "edit_prompt", ": %s edits its prompt and makes one") + "."
	}
	return c.lacksTurn()
}

func (c *Pane) isTextBesideOthers() bool {
	_, a, _ := c.Focused()
	return c.isBesideOthers() && a.Picture == nil
}

func (c *Pane) showsPicture() bool {
	_, a, ok := c.Focused()
	return ok && hasPicture(a)
}

// isAnyRunning tells whether an answer of this screen has not ended.
func (c *Pane) isAnyRunning() bool { return c.turns.Running() > 0 }

// The conditions of commands say what is missing, "" for nothing.

const scrollToOne = "No answer on screen: scroll to one first."

func (c *Pane) lacksTurn() string {
	if !c.hasTurn() {
		return scrollToOne
	}
	return ""
}

func (c *Pane) lacksAnswer() string {
	if !c.hasAnswer() {
		return scrollToOne
	}
	return ""
}

func (c *Pane) lacksRunning() string {
	if _, a, ok := c.Focused(); ok && a.State.HasEnded() {
		return "This answer is not running."
	}
	return c.lacksAnswer()
}

func (c *Pane) lacksOthers() string {
	if c.hasAnswer() && !c.isBesideOthers() {
		return "Only one answer: mark more models" +
			c.keys.Phrase(keys.Conversation, keys.Again, ", or press %s for another sample") + "."
	}
	return c.lacksAnswer()
}

func (c *Pane) lacksPicture() string {
	if _, a, ok := c.Focused(); ok && a.Picture == nil {
		return "This answer has no picture."
	}
	return c.lacksAnswer()
}

// lacksSource refuses what can neither be edited nor be a prompt.
func (c *Pane) lacksSource() string {
	if _, a, _ := c.Focused(); a.Picture == nil && a.Text != "" {
		return ""
	}
	return c.lacksPicture()
}

// lacksSourcePicture refuses pictures that were not made from another one.
func (c *Pane) lacksSourcePicture() string {
	if t, a, ok := c.Focused(); ok {
		return NoBefore(t, a)
	}
	return c.lacksAnswer()
}

// lacksUnformatted refuses a picture whose prompt is short: nothing of it is drawn otherwise than it came.
func (c *Pane) lacksUnformatted() string {
	t, a, ok := c.Focused()
	switch {
	case ok && hasPicture(a) && estimate(t.Prompt, c.textWidth()) <= maxPrompt:
		return "A picture has no source text."
	case !ok && len(t.Answers) == 0:
		return scrollToOne
	}
	return ""
}

func (c *Pane) lacksReasoning() string {
	if _, a, ok := c.Focused(); ok && !c.showsThinking(a) {
		return "This answer has no reasoning."
	}
	return c.lacksAnswer()
}
