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
		if c.find.IsTyping {
			return c.typeFind(msg), nil
		}
		if len(c.choosing) > 0 {
			return c.chooseCode(msg), nil
		}
		if msg.Command == "" {
			return action.Unused{Key: msg.String(), Why: c.whySideBySide(msg)}, nil
		}
		return c.Run(msg.Command), nil
	case tea.PasteMsg:
		if c.find.IsTyping {
			return c.typeFind(msg), nil
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

func copyAnswer(a history.Answer) action.Action {
	switch {
	case a.Picture != nil:
		return action.Copy{Text: a.Picture.Path, What: "the picture's path", IsPath: true}
	case hasText(a):
		return action.Copy{Text: a.Text, What: "the answer of " + a.Model}
	case a.Failure != nil:
		return action.Copy{Text: a.Failure.Message, What: "the error"}
	}
	return action.Notify{Severity: action.Warn, Text: "No text to copy yet."}
}

func (c *Pane) copyTurn() action.Action {
	t, _, _ := c.Focused()
	return action.Copy{Text: export.TurnMarkdown(t, c.PathName), What: "the turn as markdown"}
}

func askWrite(t history.Turn, a history.Answer) action.Action {
	return action.ShowWrite{Answer: a.ID, Turn: t.ID, Session: t.Session, IsPicture: a.Picture != nil}
}

// deleteAnswer deletes an answer, or its turn where it is the only one.
func deleteAnswer(t history.Turn, a history.Answer) action.Action {
	if len(t.Answers) == 1 {
		return action.Delete{Turn: t.ID}
	}
	return action.Delete{Answer: a.ID}
}

// editPrompt takes a turn's prompt and settings back into the prompt pane.
func editPrompt(t history.Turn, _ history.Answer) action.Action {
	return action.Sequence{
		action.Compose{Text: &t.Prompt, System: &t.System, Models: t.Models(), Aspect: &t.Aspect, Nonce: &t.Nonce,
			Source: t.Source, Params: &t.Params, Files: t.Files, Beside: &t.ID},
		action.Focus{Pane: action.PanePrompt},
	}
}

// showFiles shows the texts of the files that went with a turn, and the paths of the copies of pictures.
func showFiles(t history.Turn, _ history.Answer) action.Action {
	text := service.SentText(t.Files, "")
	for _, f := range t.Files {
		if f.Kind == history.PictureFile {
			text += "Picture " + f.Name + ": " + f.Path + "\n"
		}
	}
	return action.ShowText{Title: "Files of the prompt", Text: text}
}

// stepBranch shows the next branch beside the focused turn, or the one before it.
func (c *Pane) stepBranch(by int) action.Action {
	t, _, _ := c.Focused()
	to := slices.Index(t.Siblings, t.ID) + by
	if to < 0 || to >= len(t.Siblings) {
		return action.Unused{Why: "No further branch: this is " + t.BranchText() + "."}
	}
	return action.ShowBranch{Turn: t.Siblings[to]}
}

// useAsSource takes a picture as the source of the next turn, or a text as its prompt.
func useAsSource(_ history.Turn, a history.Answer) action.Action {
	next := action.Compose{Text: &a.Text}
	if a.Picture != nil {
		next = action.Compose{Source: &history.Source{Answer: a.ID, Path: a.Picture.Path}}
	}
	return action.Sequence{next, action.Focus{Pane: action.PanePrompt}}
}

// judged returns a person's judgement of an answer, to be changed.
func judged(a history.Answer) action.Judge {
	return action.Judge{Answer: a.ID, Rating: a.Rating, Winner: a.IsWinner, Note: a.Note}
}

// rate is a command that gives a rating, or takes it back.
func rate(rating history.Rating) func(*Pane) action.Action {
	return onAnswer(func(_ history.Turn, a history.Answer) action.Action {
		j := judged(a)
		if j.Rating = rating; a.Rating == rating {
			j.Rating = history.Unrated
		}
		return j
	})
}

func toggleBest(_ history.Turn, a history.Answer) action.Action {
	return action.ToggleBest{Answer: a.ID}
}

func askNote(_ history.Turn, a history.Answer) action.Action {
	return action.AskText{Title: "Note on " + a.Model, Label: "note", Value: a.Note, Many: true,
		Then: func(note string) action.Action {
			j := judged(a)
			j.Note = note
			return j
		}}
}

// toTop shows the beginning of the session, which may have to be read.
func (c *Pane) toTop() action.Action {
	if c.turns.HasOlder() {
		return c.load(history.Page{Around: FirstTurn})
	}
	c.GoTo(0, 0)
	c.flow.ToTop()
	return nil
}

// toEnd shows the end of the session, which may have to be read, and follows it.
func (c *Pane) toEnd() action.Action {
	if c.turns.HasNewer() {
		return c.load(history.Page{})
	}
	c.selectNewest()
	c.flow.ToEnd()
	return nil
}

// toggleUnformatted shows the text as it came and a long prompt whole, or rendered.
func (c *Pane) toggleUnformatted() action.Action {
	t, a, ok := c.Focused()
	if !ok {
		c.unfold(t)
		return nil
	}
	v := c.view(a.ID)
	v.isUnformatted = !v.isUnformatted
	c.rebuild()
	text := "Rendered text."
	if v.isUnformatted {
		text = "Source text."
	}
	return action.Notify{Severity: action.Info, Text: text} // short texts look the same both ways
}

// copyCode copies the only code block, or asks which of several.
func (c *Pane) copyCode() action.Action {
	_, a, _ := c.Focused()
	blocks := markdown.CodeBlocks(a.Text)
	switch len(blocks) {
	case 0:
		return action.Notify{Severity: action.Warn, Text: "This answer has no code block."}
	case 1:
		return action.Copy{Text: blocks[0].Text, What: "the code block"}
	}
	c.choosing = blocks
	return action.Notify{Severity: action.Info,
		Text: fmt.Sprintf("Which code block? Press 1 to %d.", min(len(blocks), 9))}
}

// moveCode moves the lines of code of an answer that are too long and cannot be broken.
func (c *Pane) moveCode(by int) action.Action {
	_, a, _ := c.Focused()
	over := markdown.CodeOverflow(a.Text, c.textWidth())
	if over == 0 {
		return action.Unused{Why: "No code line in this answer is cut."}
	}
	// Code within a list is as much narrower as it is indented.
	const indent = 8
	to := max(min(c.view(a.ID).sideways+by*c.textWidth()/2, over+indent), 0)
	if to == c.view(a.ID).sideways {
		return action.Unused{Why: "Already at the end of the code lines."}
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

// isSeen tells whether a part of an answer is on screen.
func (c *Pane) isSeen(answer int64) bool {
	return slices.ContainsFunc(c.flow.Visible(), func(s flow.Span) bool { return s.Part.Key.Answer == answer })
}

// isHeadSeen tells whether the line with the name of an answer's model is on screen.
func (c *Pane) isHeadSeen(answer int64) bool {
	return slices.ContainsFunc(c.flow.Visible(), func(s flow.Span) bool {
		return s.Part.Key.Answer == answer && s.Part.Key.Role == roleHead && s.To > 1
	})
}

// hintAt returns the hint that is drawn at a place of the pane: in the line of the search, beside the head of the
// selected answer.
func (c *Pane) hintAt(x, y int) (keys.Hint, bool) {
	if c.isEmpty() || y < 0 || y >= c.h {
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
