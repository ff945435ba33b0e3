package conversation

import (
	"confab/history"
	"confab/service"
	"confab/service/export"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// Commands returns the commands of the conversation.
func Commands() []keys.Entry { return commands.Entries() }

// The ranks of hints that stand beside the head of an answer too: they are the first while it is not on screen.
const (
	rankHeadUnseen = 4
	rankHeadSeen   = 11
)

var commands = part.Table[*Pane]{Scope: keys.Conversation, Refuses: (*Pane).refuse, Bindings: []part.Binding[*Pane]{
	{Command: keys.Down, Section: "move",
		Keys: "j down", Short: "down", Long: "Line down", Do: scroll(keys.Down)},
	{Command: keys.Up, Keys: "k up", Short: "up", Long: "Line up", Do: scroll(keys.Up)},
	{Command: keys.PageDown, Keys: "pgdown space", Short: "page down", Long: "Page down",
		Do: scroll(keys.PageDown)},
	{Command: keys.PageUp, Keys: "pgup", Short: "page up", Long: "Page up", Do: scroll(keys.PageUp)},
	{Command: keys.HalfDown, Keys: "ctrl+d", Short: "half down", Long: "Half a page down",
		Do: scroll(keys.HalfDown)},
	{Command: keys.HalfUp, Keys: "ctrl+u", Short: "half up", Long: "Half a page up",
		Do: scroll(keys.HalfUp)},
	{Command: keys.Top, Keys: "g home", Short: "top", Long: "To the first turn", Do: (*Pane).toTop},
	{Command: keys.Bottom, Keys: "G end", Short: "end",
		Long: "Follow the newest answer", Do: (*Pane).toEnd},
	{Command: keys.NextTurn, Keys: "]", Short: "next turn", Long: "Next turn",
		Rank: part.RankIf(8, func(c *Pane) bool { return len(c.shownTurns()) > 1 }),
		Do:   func(c *Pane) action.Action { return c.stepTurn(1) }},
	{Command: keys.PreviousTurn, Keys: "[", Short: "previous turn", Long: "Previous turn",
		Do: func(c *Pane) action.Action { return c.stepTurn(-1) }},
	{Command: keys.NextAnswer, Keys: "l right", Short: "next answer", Long: "Next answer",
		Rank: part.RankIf(2, (*Pane).hasAnswers),
		Do:   func(c *Pane) action.Action { return c.stepAnswer(1) }},
	{Command: keys.PreviousAnswer, Keys: "h left", Short: "previous answer", Long: "Previous answer",
		Do: func(c *Pane) action.Action { return c.stepAnswer(-1) }},
	{Command: keys.NextBranch, Keys: ">", Short: "next branch", Long: "Next branch of the prompt",
		Refuses: (*Pane).lacksBranches, Rank: part.RankIf(2, (*Pane).hasBranches),
		Do: func(c *Pane) action.Action { return c.stepBranch(1) }},
	{Command: keys.PreviousBranch, Keys: "<", Short: "previous branch", Long: "Previous branch of the prompt",
		Refuses: (*Pane).lacksBranches, Rank: part.RankIf(2, (*Pane).hasBranches),
		Do: func(c *Pane) action.Action { return c.stepBranch(-1) }},
	{Command: keys.Unformatted, Section: "read", Keys: "u", Short: "show Markdown",
		Long: "Show Markdown, or the drawn text", Refuses: (*Pane).lacksUnformatted,
		Do: (*Pane).toggleUnformatted},
	{Command: keys.Find, Keys: "/", Short: "find", Long: "Find in the conversation",
		Group: keys.GroupSession, Title: "Find in the conversation",
		Rank: part.RankIf(7, (*Pane).hasTurn), Do: (*Pane).startFind},
	{Command: keys.FindNext, Keys: "n", Short: "next match", Long: "Next match",
		Do: func(c *Pane) action.Action { return c.nextMatch(1) }},
	{Command: keys.FindPrevious, Keys: "N", Short: "previous match", Long: "Previous match",
		Do: func(c *Pane) action.Action { return c.nextMatch(-1) }},
	{Command: keys.ShowReasoning, Keys: "f", Short: "thoughts",
		Long:    "Show or hide the reasoning",
		Refuses: (*Pane).lacksReasoning, Rank: headRank((*Pane).showsThinking), Do: (*Pane).toggleReasoning},
	{Command: "show_files", Keys: "F", Acts: true, Short: "files", Long: "Files sent with the prompt",
		Group: keys.GroupAnswer, Title: "Files of the prompt", Offered: (*Pane).hasFiles,
		Rank: part.RankIf(5, (*Pane).hasFiles), Do: onAnswer(showFiles)},
	{Command: keys.Again, Section: "ask again", Keys: "r", Acts: true, Short: "again",
		Long:  "Ask again: one more sample",
		Group: keys.GroupAnswer, Title: "Ask again, as one more sample", Words: "regenerate retry redo",
		Refuses: (*Pane).lacksAnswer,
		Rank:    headRank(func(_ *Pane, a history.Answer) bool { return a.State.HasEnded() }),
		Do:      onAnswer(func(_ history.Turn, a history.Answer) action.Action { return action.Again{Answer: a.ID} })},
	{Command: keys.Another, Keys: "a", Acts: true, Short: "another",
		Long:    "Ask for a different answer",
		Refuses: (*Pane).lacksAnswer,
		Do: onAnswer(func(_ history.Turn, a history.Answer) action.Action {
			return action.Again{Answer: a.ID, Fresh: true}
		})},
	{Command: keys.Continue, Keys: ".", Acts: true, Short: "continue",
		Long:    "Continue a cut-off answer",
		Refuses: (*Pane).lacksAnswer,
		Rank:    headRank(func(_ *Pane, a history.Answer) bool { return service.CanContinue(a) }),
		Do: onAnswer(func(_ history.Turn, a history.Answer) action.Action {
			return action.Continue{Answer: a.ID}
		})},
	{Command: keys.ResumeFailed, Keys: "R", Acts: true, Short: "again all failed",
		Long:  "Run all failed and interrupted answers of the turn again",
		Group: keys.GroupAnswer, Title: "Run all failed again", Refuses: (*Pane).lacksAnswer,
		Do: onAnswer(func(t history.Turn, _ history.Answer) action.Action {
			return action.Resume{Turns: []int64{t.ID}}
		})},
	{Command: "edit_prompt", Keys: "e", Acts: true, Short: "edit prompt",
		Long:  "Edit the prompt and send it as a new branch",
		Group: keys.GroupAnswer, Title: "Edit the prompt", Refuses: (*Pane).lacksTurn,
		Rank: part.RankIf(6, (*Pane).hasTurn), Do: onAnswer(editPrompt)},
	{Command: keys.StopAnswer, Section: "stop and delete",
		Keys: "s", Acts: true, Short: "stop", Long: "Stop this answer",
		Refuses: (*Pane).lacksRunning,
		Rank:    headRank(func(_ *Pane, a history.Answer) bool { return !a.State.HasEnded() }),
		Do: onAnswer(func(_ history.Turn, a history.Answer) action.Action {
			return action.Stop{Answers: []int64{a.ID}}
		})},
	{Command: keys.StopAll, Keys: "S", Short: "stop all", Long: "Stop every running answer",
		Group: keys.GroupAnswer, Title: "Stop all answers", Action: action.Stop{},
		Offered: (*Pane).isAnyRunning},
	{Command: keys.Delete, Keys: "x", Acts: true, Short: "delete",
		Long:  "Delete the answer, the last with its turn; undo restores it",
		Group: keys.GroupAnswer, Title: "Delete the answer", Words: "turn remove", Refuses: (*Pane).lacksAnswer,
		Rank: part.RankIf(12, (*Pane).hasAnswer), // the last: it is the one nobody should press by mistake
		Do:   onAnswer(deleteAnswer)},
	{Command: keys.CompareAnswers, Section: "compare", Keys: "v", Acts: true, Short: "compare",
		Long:  "Show the turn's answers side by side",
		Group: keys.GroupCompare, Title: "Compare the answers", Refuses: (*Pane).lacksOthers,
		Rank: part.RankIf(1, (*Pane).isBesideOthers),
		Do: onAnswer(func(t history.Turn, a history.Answer) action.Action {
			return action.Compare{Turn: t.ID, Answer: a.ID}
		})},
	{Command: keys.ShowTable, Keys: "#", Acts: true, Short: "table",
		Long:  "Table of turn and branches",
		Group: keys.GroupCompare, Title: "Table of the turn and its branches", Refuses: (*Pane).lacksOthers,
		Rank: part.RankIf(4, (*Pane).hasBranches),
		Do:   onAnswer(func(t history.Turn, _ history.Answer) action.Action { return action.ShowTable{Turn: t.ID} })},
	{Command: keys.Difference, Keys: "d", Short: "diff",
		Long:    "Difference to next answer",
		Refuses: (*Pane).lacksOthers, Rank: part.RankIf(3, (*Pane).isTextBesideOthers),
		Action: action.RunCommand{Scope: keys.Compare, Command: keys.Difference}},
	{Command: keys.BlindVote, Keys: "V", Short: "blind vote",
		Long:    "Vote without seeing names",
		Refuses: (*Pane).lacksOthers, Action: action.RunCommand{Scope: keys.Compare, Command: keys.BlindVote}},
	{Command: keys.ShowWins, Keys: "W", Short: "votes", Long: "Results of all blind votes",
		Refuses: (*Pane).lacksAnswer, Action: action.ShowWins{}},
	{Command: keys.RateGood, Section: "judge", Keys: "+ =", Acts: true, Short: "rate good",
		Long: "Rate the answer good", Refuses: (*Pane).lacksAnswer, Do: rate(history.Good)},
	{Command: keys.RateBad, Keys: "-", Acts: true, Short: "rate bad", Long: "Rate the answer bad",
		Refuses: (*Pane).lacksAnswer, Do: rate(history.Bad)},
	{Command: keys.MarkWinner, Keys: "*", Acts: true, Short: "best",
		Long:  "Mark the best answer",
		Group: keys.GroupCompare, Title: "Best answer", Words: "star rate favourite", Refuses: (*Pane).lacksAnswer,
		Do: onAnswer(toggleBest)},
	{Command: keys.AddNote, Keys: "m", Acts: true, Short: "note", Long: "Write a note on the answer",
		Group: keys.GroupAnswer, Title: "Write a note", Refuses: (*Pane).lacksAnswer, Do: onAnswer(askNote)},
	{Command: keys.Inspect, Keys: "i", Short: "inspect",
		Long:  "Request and response; copy as curl",
		Group: keys.GroupAnswer, Title: "Request and response", Refuses: (*Pane).lacksAnswer,
		Rank: part.RankIf(10, (*Pane).hasAnswer),
		Do:   onAnswer(func(_ history.Turn, a history.Answer) action.Action { return action.Inspect{Answer: a.ID} })},
	{Command: keys.CopyAnswer, Section: "copy and write",
		Keys: "y", Acts: true, Short: "copy", Long: "Copy the answer as markdown",
		Group: keys.GroupAnswer, Title: "Copy the answer", Refuses: (*Pane).lacksAnswer,
		Rank: headRank(func(_ *Pane, a history.Answer) bool { return a.State == history.Done }),
		Do:   onAnswer(func(_ history.Turn, a history.Answer) action.Action { return copyAnswer(a) })},
	{Command: keys.CopyTurn, Keys: "Y", Short: "copy turn", Long: "Copy the whole turn as markdown",
		Group: keys.GroupAnswer, Title: "Copy the turn as markdown", Refuses: (*Pane).lacksAnswer,
		Do: (*Pane).copyTurn},
	{Command: keys.CopyCode, Keys: "c", Acts: true, Short: "copy code",
		Long:  "Copy a code block, by number",
		Group: keys.GroupAnswer, Title: "Copy a code block", Refuses: (*Pane).lacksAnswer, Do: (*Pane).copyCode},
	{Command: keys.CodeLeft, Keys: "(", Short: "move code left", Long: "Scroll cut lines of code left",
		Refuses: (*Pane).lacksAnswer, Do: func(c *Pane) action.Action { return c.moveCode(-1) }},
	{Command: keys.CodeRight, Keys: ")", Short: "move code right", Long: "Scroll cut lines of code right",
		Refuses: (*Pane).lacksAnswer, Do: func(c *Pane) action.Action { return c.moveCode(1) }},
	{Command: keys.Write, Keys: "w", Acts: true, Short: "export",
		Long:  "Export the answer, turn or session: text, Markdown, HTML, CSV, JSON or a suite",
		Group: keys.GroupAnswer, Title: "Export the answer or turn", Refuses: (*Pane).lacksAnswer,
		Rank: part.RankIf(9, (*Pane).hasAnswer), Do: onAnswer(askWrite)},
	{Command: "export_session", Keys: "alt+w", Acts: true, Short: "export session",
		Long:  "Export the session: Markdown, HTML, CSV or JSON",
		Group: keys.GroupSession, Title: "Export the session", Words: "save write", Refuses: (*Pane).lacksAnswer,
		Do: onAnswer(func(t history.Turn, _ history.Answer) action.Action {
			return action.ShowWrite{Session: t.Session}
		})},
	{Command: "save_suite", Keys: "alt+e", Acts: true, Short: "save as a suite",
		Long:  "Write the turn and its branches as a suite, to run it again",
		Group: keys.GroupRuns, Title: "Save as a suite", Refuses: (*Pane).lacksAnswer,
		Do: onAnswer(func(t history.Turn, _ history.Answer) action.Action {
			return action.ShowWrite{Turn: t.ID, As: export.FormatSuite}
		})},
	{Command: keys.UseAsSource, Section: "pictures and files", Keys: "E", Acts: true, Short: "edit",
		Long:  "Edit the picture; use a text as prompt",
		Group: keys.GroupPictures, Title: "Edit the picture, or use the text", Refuses: (*Pane).lacksSource,
		Rank: headRank(func(_ *Pane, a history.Answer) bool { return hasPicture(a) }), Do: onAnswer(useAsSource)},
	{Command: keys.OpenPicture, Keys: "O", Acts: true, Short: "open", Long: "Open in another program",
		Refuses: (*Pane).lacksPicture,
		Do: onAnswer(func(_ history.Turn, a history.Answer) action.Action {
			return action.Open{Target: a.Picture.Path}
		})},
	{Command: keys.CopyPath, Keys: "p", Acts: true, Short: "copy path", Long: "Copy the picture's path",
		Refuses: (*Pane).lacksPicture,
		Do:      onAnswer(func(_ history.Turn, a history.Answer) action.Action { return copyAnswer(a) })},
	{Command: keys.BeforeAfter, Keys: "b", Short: "before/after",
		Long:    "Before or after the edit",
		Refuses: (*Pane).lacksSourcePicture, Do: (*Pane).flip},
	{Command: keys.ViewLarge, Keys: "z", Short: "large",
		Long:  "Show the picture full screen",
		Group: keys.GroupPictures, Title: "Show the picture large", Refuses: (*Pane).lacksPicture,
		Rank: part.RankIf(5, (*Pane).showsPicture),
		Do: onAnswer(func(t history.Turn, a history.Answer) action.Action {
			return action.ViewTurn{Turn: t, Answer: a.ID}
		})},
	{Command: keys.EditChain, Keys: "T", Short: "edits",
		Long:  "History of its edits",
		Group: keys.GroupPictures, Title: "Chain of edits", Refuses: (*Pane).lacksPicture,
		Do: onAnswer(func(_ history.Turn, a history.Answer) action.Action { return action.ShowChain{Answer: a.ID} })},
	{Command: keys.Help, Keys: "?", Short: "help", Long: "Help for the conversation",
		Action: action.ShowHelp{Scope: keys.Conversation}},
}}
