package conversation

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/service"
	"confab/service/export"
	"confab/ui/action"
	"confab/ui/flow"
	"confab/ui/keys"
	"confab/ui/markdown"
)

// Update implements [part.Pane].
func (c *Pane) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if cmd, ok := c.receive(msg); ok {
		return nil, cmd
	}
	switch msg := msg.(type) {
	case keys.Press:
		if c.find.typing {
			return c.typeFind(msg), nil
		}
		if len(c.choosing) > 0 {
			return c.chooseCode(msg), nil
		}
		if msg.Command == "" {
			return action.Unused{Key: msg.String(), Why: c.whySideBySide(msg)}, nil
		}
		return c.HandleCommand(msg.Command)
	case tea.PasteMsg:
		if c.find.typing {
			return c.editFind(msg), nil
		}
	case tea.MouseWheelMsg:
		c.scroll(keys.Wheel(msg))
	case tea.MouseMsg:
		return c.mouse(msg)
	case dragScrollMsg:
		return nil, c.scrollMarking()
	}
	return nil, nil
}

// HandleCommand implements [part.Pane].
func (c *Pane) HandleCommand(command keys.Command) (action.Action, tea.Cmd) {
	if len(c.turns) == 0 && command != keys.Help {
		return action.Unused{Why: "Nothing was sent in this session yet."}, nil
	}
	c.chosen = c.selected()
	if by, ok := command.Lines(c.turnLines(), 2, 0); ok {
		c.scroll(by)
		return nil, nil
	}
	t, a, ok := c.Focused()
	switch command {
	case keys.NextTurn:
		c.stepTurn(1)
	case keys.PreviousTurn:
		c.stepTurn(-1)
	case keys.NextAnswer:
		c.stepAnswer(1)
	case keys.PreviousAnswer:
		c.stepAnswer(-1)
	case keys.Top:
		if c.hasOlder {
			return c.load(history.Page{Around: FirstTurn}), nil
		}
		c.GoTo(0, 0)
		c.flow.ToTop()
	case keys.Bottom:
		if c.hasNewer {
			return c.load(history.Page{}), nil
		}
		c.selectNewest()
		c.flow.ToEnd()
	case keys.Find:
		c.startFind()
	case keys.FindNext:
		return c.nextMatch(1), nil
	case keys.FindPrevious:
		return c.nextMatch(-1), nil
	case keys.StopAll:
		return action.Stop{}, nil
	case keys.Help:
		return action.ShowHelp{Scope: keys.Conversation}, nil
	default:
		if !ok && command == keys.Unformatted && len(t.Answers) > 0 {
			c.unfold(t)
			return nil, nil
		}
		if !ok && (command != keys.EditPrompt || t.ID == 0) {
			return action.Unused{Why: "No answer is on screen to do that with: scroll to one."}, nil
		}
		return c.handleAnswerCommand(command, t, a), nil
	}
	return nil, nil
}

// handleAnswerCommand handles the commands that concern the focused answer.
func (c *Pane) handleAnswerCommand(command keys.Command, t history.Turn, a history.Answer) action.Action {
	switch command {
	case keys.ShowWins:
		return action.ShowWins{}
	case keys.CompareAnswers, keys.Difference, keys.BlindVote:
		if len(t.Answers) < 2 {
			return action.Notify{Severity: action.Info,
				Text: "There is one answer only: mark more models" + c.keys.Phrase(keys.Conversation, keys.Again,
					", or %s asks for another sample") + "."}
		}
		if command != keys.CompareAnswers {
			return action.RunCommand{Scope: keys.Compare, Command: command}
		}
		return action.Compare{Turn: t.ID, Answer: a.ID}
	case keys.CopyAnswer:
		return copyAnswer(a)
	case keys.CopyTurn:
		return action.Copy{Text: export.TurnMarkdown(t, c.PathName), What: "the turn as markdown"}
	case keys.CopyCode:
		return c.copyCode(a)
	case keys.CodeLeft:
		return c.moveCode(a, -1)
	case keys.CodeRight:
		return c.moveCode(a, 1)
	case keys.Write:
		return action.ShowWrite{Answer: a.ID, Turn: t.ID, Session: t.Session, IsPicture: a.Picture != nil}
	case keys.Unformatted:
		if hasPicture(a) && estimate(t.Prompt, c.textWidth()) <= maxPrompt {
			return action.Unused{Why: "A picture has no text to show as it came."}
		}
		c.view(a.ID).isUnformatted = !c.view(a.ID).isUnformatted
		c.rebuild()
	case keys.Again:
		return action.Again{Answer: a.ID}
	case keys.Continue:
		return action.Continue{Answer: a.ID}
	case keys.ShowReasoning:
		return c.toggleReasoning(t, a)
	case keys.Another:
		return action.Again{Answer: a.ID, Fresh: true}
	case keys.ResumeFailed:
		return action.Resume{Turns: []int64{t.ID}}
	case keys.StopAnswer:
		if a.State.HasEnded() {
			return action.Unused{Why: "This answer has ended."}
		}
		return action.Stop{Answers: []int64{a.ID}}
	case keys.EditPrompt:
		return composeFrom(t)
	case keys.Delete:
		if len(t.Answers) == 1 {
			return action.Delete{Turn: t.ID}
		}
		return action.Delete{Answer: a.ID}
	case keys.RateGood, keys.RateBad, keys.MarkWinner, keys.AddNote:
		return judge(command, a)
	case keys.Inspect:
		return action.Inspect{Answer: a.ID}
	case keys.BeforeAfter:
		return c.flip(t, a)
	case keys.ViewLarge, keys.UseAsSource, keys.OpenPicture, keys.CopyPath, keys.EditChain:
		return handlePictureCommand(command, t, a)
	}
	return nil
}

func handlePictureCommand(command keys.Command, t history.Turn, a history.Answer) action.Action {
	switch {
	case a.Picture == nil && command == keys.UseAsSource && a.Text != "":
		return action.Sequence{action.Compose{Text: &a.Text}, action.Focus{Pane: action.PanePrompt}}
	case a.Picture == nil:
		return action.Notify{Severity: action.Warn, Text: "This answer holds no picture."}
	case command == keys.UseAsSource:
		source := history.Source{Answer: a.ID, Path: a.Picture.Path}
		return action.Sequence{action.Compose{Source: &source}, action.Focus{Pane: action.PanePrompt}}
	case command == keys.ViewLarge:
		return action.ViewTurn{Turn: t, Answer: a.ID}
	case command == keys.CopyPath:
		return copyAnswer(a)
	case command == keys.EditChain:
		return action.ShowChain{Answer: a.ID}
	}
	return action.Open{Target: a.Picture.Path}
}

// judge changes a person's judgement of an answer.
func judge(command keys.Command, a history.Answer) action.Action {
	judged := action.Judge{Answer: a.ID, Rating: a.Rating, Winner: a.IsWinner, Note: a.Note}
	rating := history.Good
	switch command {
	case keys.MarkWinner:
		judged.Winner = !a.IsWinner
		return judged
	case keys.AddNote:
		return action.AskText{Title: "Note on " + a.Model, Label: "note", Value: a.Note, Many: true,
			Then: func(note string) action.Action {
				judged.Note = note
				return judged
			}}
	case keys.RateBad:
		rating = history.Bad
	}
	if judged.Rating = rating; a.Rating == rating {
		judged.Rating = history.Unrated
	}
	return judged
}

func copyAnswer(a history.Answer) action.Action {
	switch {
	case a.Picture != nil:
		return action.Copy{Text: a.Picture.Path, What: "the picture's path", IsPath: true}
	case hasText(a):
		return action.Copy{Text: a.Text, What: "the answer of " + a.Model}
	case a.Failure != nil:
		return action.Copy{Text: a.Failure.Message, What: "the error"}
	}
	return action.Notify{Severity: action.Warn, Text: "There is no text to copy yet."}
}

// composeFrom takes a turn's prompt and settings back into the prompt pane.
func composeFrom(t history.Turn) action.Action {
	return action.Sequence{
		action.Compose{Text: &t.Prompt, System: &t.System, Models: t.Models(), Aspect: &t.Aspect, Nonce: &t.Nonce,
			Source: t.Source, Params: &t.Params},
		action.Focus{Pane: action.PanePrompt},
	}
}

// copyCode copies the only code block, or asks which of several.
func (c *Pane) copyCode(a history.Answer) action.Action {
	blocks := markdown.CodeBlocks(a.Text)
	switch len(blocks) {
	case 0:
		return action.Notify{Severity: action.Warn, Text: "This answer holds no code block."}
	case 1:
		return action.Copy{Text: blocks[0].Text, What: "the code block"}
	}
	c.choosing = blocks
	return action.Notify{Severity: action.Info,
		Text: fmt.Sprintf("Which code block? Press 1 to %d.", min(len(blocks), 9))}
}

// moveCode moves the lines of code of an answer that are too long and cannot be broken.
func (c *Pane) moveCode(a history.Answer, by int) action.Action {
	over := markdown.CodeOverflow(a.Text, c.textWidth())
	if over == 0 {
		return action.Unused{Why: "No line of code in this answer is cut."}
	}
	// Code within a list is as much narrower as it is indented.
	const indent = 8
	to := max(min(c.view(a.ID).sideways+by*c.textWidth()/2, over+indent), 0)
	if to == c.view(a.ID).sideways {
		return action.Unused{Why: "The lines of code do not go further."}
	}
	c.view(a.ID).sideways = to
	return nil
}

func (c *Pane) chooseCode(msg keys.Press) action.Action {
	blocks := c.choosing
	c.choosing = nil
	if k := msg.String(); len(k) == 1 && k[0] >= '1' && int(k[0]-'1') < len(blocks) {
		n := int(k[0] - '1')
		return action.Copy{Text: blocks[n].Text, What: fmt.Sprintf("code block %d", n+1)}
	}
	return action.Notify{Severity: action.Info, Text: "Nothing was copied."}
}

// Hints implements [part.Pane].
func (c *Pane) Hints() []keys.Hint {
	if c.find.typing {
		return c.findHints()
	}
	t, a, ok := c.Focused()
	if t.ID == 0 {
		return nil
	}
	var commands keys.CommandList
	addOfHead := func(when bool) { // these stand beside the head of the answer too
		commands.AddIf(when && ok && !a.State.HasEnded(), keys.StopAnswer)
		commands.AddIf(when && ok && a.State == history.Done, keys.CopyAnswer)
		commands.AddIf(when && ok && a.State.HasEnded(), keys.Again)
		commands.AddIf(when && ok && service.CanContinue(a), keys.Continue)
		commands.AddIf(when && ok && hasPicture(a), keys.UseAsSource)
		commands.AddIf(when && ok && c.showsThinking(a), keys.ShowReasoning)
	}
	commands.AddIf(ok && len(t.Answers) > 1, keys.CompareAnswers, keys.NextAnswer)
	commands.AddIf(ok && len(t.Answers) > 1 && a.Picture == nil, keys.Difference)
	isHeadSeen := c.isHeadSeen(a.ID)
	addOfHead(!isHeadSeen)
	commands.AddIf(ok && hasPicture(a), keys.ViewLarge)
	commands.AddIf(true, keys.EditPrompt, keys.Find)
	commands.AddIf(len(c.turns) > 1, keys.NextTurn)
	commands.AddIf(ok, keys.Write, keys.Inspect)
	addOfHead(isHeadSeen)
	commands.AddIf(ok, keys.Delete) // the last: it is the one nobody should press by mistake
	return c.keys.Hints(keys.Conversation, commands...)
}

// isHeadSeen tells whether the line with the name of an answer's model is on screen.
func (c *Pane) isHeadSeen(answer int64) bool {
	return slices.ContainsFunc(c.flow.Visible(), func(s flow.Span) bool {
		return s.Part.Key.Answer == answer && s.Part.Key.Role == roleHead && s.To > 1
	})
}

// HintAt returns the hint that is drawn at a place of the pane: in the line of the search, beside the head of the
// selected answer.
func (c *Pane) HintAt(x, y int) (keys.Hint, bool) {
	if len(c.turns) == 0 || y < 0 || y >= c.h {
		return keys.Hint{}, false
	}
	line := ansi.Strip(c.View()[y])
	if y == c.h-1 && c.turnLines() < c.h {
		return keys.HintAt(line, x, c.findHints())
	}
	_, a, ok := c.Focused()
	switch key := c.keyAt(y); {
	case key.Role == rolePrompt:
		hints := c.keys.Hints(keys.Conversation, keys.Unformatted)
		for i := range hints {
			hints[i].Text = "shows them"
		}
		return keys.HintAt(line, x, hints)
	case ok && key.Answer == a.ID:
		return keys.HintAt(line, x, c.partHints(key, a))
	}
	return keys.Hint{}, false
}

// IsChoosing tells whether the next key picks a code block.
func (c *Pane) IsChoosing() bool { return len(c.choosing) > 0 }
