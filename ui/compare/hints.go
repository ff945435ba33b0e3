package compare

import (
	"github.com/charmbracelet/x/ansi"

	"confab/ui/keys"
)

// Hints implements [part.Pane].
func (c *Compare) Hints() []keys.Hint {
	switch {
	case c.blind != nil && c.blind.ended:
		return nil
	case c.blind != nil:
		return c.keys.Hints(keys.Voting, keys.AddNote, keys.UndoVote, keys.VoteSkip, keys.VoteA, keys.VoteB, keys.VoteEqual,
			keys.VoteBad)
	case c.diff != nil:
		return c.diff.hints(c.keys, c.furtherText(1) >= 0)
	case c.find.typing:
		return keys.LineHints(c.keys, "find", "close")
	}
	if hints := c.pictureHints(); hints != nil {
		return hints
	}
	x := c.current()
	if x == nil {
		return c.keys.Hints(keys.Compare, keys.ShowAnswers)
	}
	var commands []keys.Command
	add := func(when bool, more ...keys.Command) {
		if when {
			commands = append(commands, more...)
		}
	}
	several := len(c.listed) > 1
	add(several && !c.inList(), keys.NextAnswer)
	add(several && c.inList(), keys.Down)
	add(several && x.isText(), keys.Difference)
	add(true, keys.ZoomAnswer)
	add(c.nothingToMove(c.layoutKey()) == "", c.layoutKey())
	add(x.done(), keys.MarkWinner, keys.CopyAnswer)
	add(x.asked() && x.answer().State.Ended(), keys.Again)
	add(x.asked() && !x.answer().State.Ended(), keys.StopAnswer)
	add(x.asked(), keys.Write)
	add(c.inList(), keys.SortAnswers, keys.ShowAnswers)
	return c.keys.Hints(keys.Compare, commands...)
}

// layoutKey is the command that changes where the answers stand: of a conversation, whose answers can stand below each
// other too, and of a run, where they cannot.
func (c *Compare) layoutKey() keys.Command {
	if c.of.Name == "" {
		return keys.Stack
	}
	return keys.Layouts
}

// HintAt returns the hint that is drawn under the list of pictures at a place of the view.
func (c *Compare) HintAt(x, y int) (keys.Hint, bool) {
	lines := c.View()
	list := c.plan.list.Add(c.body().Min)
	if !c.inList() || x >= list.Max.X || y < list.Min.Y+2+c.listRows() || y >= len(lines) {
		return keys.Hint{}, false
	}
	return keys.HintAt(ansi.Cut(ansi.Strip(lines[y]), 0, list.Max.X), x, c.Hints())
}

// nothingToMove says why a command that moves or changes the view has nothing to move to, "" for any other.
func (c *Compare) nothingToMove(command keys.Command) string {
	switch command {
	case keys.NextAnswer, keys.PrevAnswer:
		if len(c.listed) < 2 {
			return "There is one answer here."
		}
	case keys.WindowLeft, keys.WindowRight:
		if len(c.plan.cells) >= len(c.listed) {
			return "All answers are on screen."
		}
	case keys.NextSample, keys.PrevSample:
		if len(c.current().distinct) < 2 {
			return "This model gave one answer: there is no other sample of it."
		}
	case keys.Layouts:
		body := c.body()
		if !c.zoom && !c.beside && len(possible(body.Dx(), body.Dy(), len(c.listed))) < 2 {
			return "These answers have one layout on a screen of this size."
		}
	}
	return ""
}
