package compare

import "confab/ui/keys"

// Hints implements [pane.Pane].
func (c *Compare) Hints() []keys.Hint {
	switch {
	case c.blind != nil && c.blind.ended:
		return nil
	case c.blind != nil:
		return c.keys.Hints(keys.Voting, keys.AddNote, keys.UndoVote, keys.VoteSkip, keys.VoteA, keys.VoteB, keys.VoteEqual, keys.VoteBad)
	case c.diff != nil:
		return c.diff.hints(c.keys)
	case c.find.typing:
		return nil
	}
	if hints := c.pictureHints(); hints != nil {
		return hints
	}
	hints := c.keys.Hints(keys.Compare, keys.NextAnswer, keys.Down, keys.ZoomAnswer, keys.Difference, c.layoutKey(), keys.MarkWinner, keys.Again, keys.Write)
	if x := c.current(); x != nil && !x.answer().State.Ended() {
		hints = append(hints, c.keys.Hints(keys.Compare, keys.StopAnswer)...)
	}
	return hints
}

// layoutKey is the effect that changes where the answers stand: of a conversation, whose answers can stand below each
// other too, and of a run, where they cannot.
func (c *Compare) layoutKey() keys.Effect {
	if c.of.Name == "" {
		return keys.Stack
	}
	return keys.Layouts
}
