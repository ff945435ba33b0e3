package compare

import (
	"slices"

	"confab/internal/termtext"
	"confab/service"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/part"
)

// Commands returns the commands of the comparison, and of a vote in it.
func Commands() []keys.Entry { return slices.Concat(commands.Entries(), voting.Entries()) }

var commands = part.Table[*View]{Scope: keys.Compare, Refuses: (*View).refuse, Bindings: []part.Binding[*View]{
	{Command: keys.NextAnswer, Section: "move",
		Keys: "l right", Short: "next", Long: "Next answer", Refuses: (*View).lacksOthers,
		Rank: rank(1, 1, func(v *View, x *cell) bool {
			return len(v.listed) > 1 && (x.answer().Picture != nil || !v.hasFocusInList())
		}), Do: func(v *View) action.Action { return v.focus(v.focusIndex + 1) }},
	{Command: keys.PreviousAnswer, Keys: "h left", Short: "previous", Long: "Previous answer",
		Refuses: (*View).lacksOthers, Do: func(v *View) action.Action { return v.focus(v.focusIndex - 1) }},
	{Command: keys.Down, Keys: "j down", Short: "down", Long: "A line down; in the list the next answer",
		Rank: rank(1, 0, func(v *View, _ *cell) bool { return len(v.listed) > 1 && v.hasFocusInList() }),
		Do:   move(keys.Down)},
	{Command: keys.Up, Keys: "k up", Short: "up", Long: "A line up; in the list the previous answer",
		Do: move(keys.Up)},
	{Command: keys.PageDown, Keys: "pgdown space", Short: "page down", Long: "Page down",
		Do: move(keys.PageDown)},
	{Command: keys.PageUp, Keys: "pgup", Short: "page up", Long: "Page up", Do: move(keys.PageUp)},
	{Command: keys.HalfDown, Keys: "ctrl+d", Short: "half down", Long: "Half a page down",
		Do: move(keys.HalfDown)},
	{Command: keys.HalfUp, Keys: "ctrl+u", Short: "half up", Long: "Half a page up", Do: move(keys.HalfUp)},
	{Command: keys.Top, Keys: "home", Short: "top", Long: "To the start of the answer", Do: move(keys.Top)},
	{Command: keys.Bottom, Keys: "G end", Short: "end", Long: "To the end of the answer",
		Do: move(keys.Bottom)},
	{Command: "jump_answer", Keys: "g", Short: "go to",
		Long: "Go to answer by number",
		Do:   func(v *View) action.Action { v.jump = jump{isTyping: true}; v.relayout(); return nil }},
	{Command: "window_left", Keys: "[", Short: "answers left", Long: "Show the answers before",
		Refuses: (*View).lacksHidden, Do: func(v *View) action.Action { return v.focus(v.windowStart - 1) }},
	{Command: "window_right", Keys: "]", Short: "answers right", Long: "Show the answers after",
		Refuses: (*View).lacksHidden,
		Do:      func(v *View) action.Action { return v.focus(v.windowStart + len(v.layout.boxes)) }},
	{Command: "stack", Section: "layout", Keys: "v", Short: "chat",
		Long:    "Back to the conversation",
		Refuses: (*View).lacksConversation,
		Rank:    rank(4, 9, func(v *View, _ *cell) bool { return v.content.Name == "" }),
		Word:    func(v *View) string { return part.TextIf(v.content.HasOtherTurns, AllTurns) },
		Action:  action.LeaveComparison{}},
	{Command: keys.ShowTable, Keys: "#", Acts: true, Short: "table",
		Long: "Table of turn and branches", Refuses: (*View).lacksSession,
		Rank: rank(5, 9, func(v *View, _ *cell) bool { return v.lacksSession() == "" && v.hasBranches() }),
		Do: func(v *View) action.Action {
			turn, _ := v.Focused()
			return action.ShowTable{Turn: turn}
		}},
	{Command: keys.Layouts, Keys: "L", Short: "layout",
		Long:  "Next layout: columns, grid, strip, list",
		Group: keys.GroupCompare, Title: "Another layout", Refuses: (*View).lacksLayouts,
		Rank: rank(4, 9, func(v *View, _ *cell) bool { return v.content.Name != "" && v.lacksLayouts() == "" }),
		Word: (*View).layoutWord, Do: (*View).changeLayout},
	{Command: keys.ZoomAnswer, Keys: "z enter", Short: "zoom",
		Long: "Zoom the answer, or go back",
		Rank: rank(3, 2, func(v *View, _ *cell) bool { return v.zoom.shows != zoomAnswer }),
		Do:   func(v *View) action.Action { return v.toggleZoom(zoomAnswer) }},
	{Command: keys.SyncScroll, Keys: "=", Short: "scroll together",
		Long:  "Scroll together: proportional, by line, off",
		Group: keys.GroupCompare, Title: "Scroll together", Do: (*View).changeSync,
		Word: func(v *View) string { return "scroll " + v.nextSync().String() }},
	{Command: keys.Pin, Section: "difference",
		Keys: "P", Acts: true, Short: "pin", Long: "Pin, to compare others with",
		Do: (*View).togglePin},
	{Command: keys.Difference, Keys: "d", Short: "diff",
		Long:  "Show the difference to the pinned answer, or to the next one",
		Group: keys.GroupCompare, Title: "Difference of two answers",
		Rank: rank(2, 0, func(v *View, x *cell) bool { return len(v.listed) > 1 && x.isText() }),
		Do:   (*View).openDifference},
	{Command: keys.DiffColumns, Keys: "D", Short: "columns", Long: "Difference: one column or two",
		Refuses: (*View).lacksDifference},
	{Command: keys.SwapSides, Keys: "x", Short: "swap sides", Long: "Difference: swap sides",
		Refuses: (*View).lacksDifference},
	{Command: keys.FindNext, Keys: "n", Short: "next match", Long: "Next match; in a difference the next change",
		Do: func(v *View) action.Action { return v.goToMatch(1) }},
	{Command: keys.FindPrevious, Keys: "N", Short: "previous match",
		Long: "Previous match; in a difference the previous change",
		Do:   func(v *View) action.Action { return v.goToMatch(-1) }},
	{Command: keys.SortAnswers, Section: "read", Keys: "o", Short: "order",
		Long: "Sort by time, words, …",
		Rank: part.RankIf(12, (*View).hasFocusInList), Do: (*View).nextOrder},
	{Command: keys.ShowAnswers, Keys: "t", Short: "show",
		Long: "Filter: failed, rated, …",
		Rank: part.RankIf(13, func(v *View) bool { return v.current() == nil || v.hasFocusInList() }),
		Do:   (*View).nextFilter},
	{Command: "next_prompt", Keys: "}", Short: "next prompt",
		Long: "Next prompt of the run, or next turn", Action: action.StepCase{By: 1}},
	{Command: "previous_prompt", Keys: "{", Short: "previous prompt",
		Long:   "Previous prompt of the run, or previous turn",
		Rank:   rank(5, 0, func(v *View, _ *cell) bool { return v.content.HasOtherTurns }),
		Action: action.StepCase{By: -1}},
	{Command: keys.Find, Keys: "/", Short: "find", Long: "Find in all answers",
		Do: func(v *View) action.Action { v.find.Start(v.env.Keys, v.styles, v.w); v.relayout(); return nil }},
	{Command: keys.WholePrompt, Keys: "p", Short: "full text", Long: "Whole prompt, or one line",
		Do: func(v *View) action.Action { v.showsPrompt = !v.showsPrompt; v.relayout(); return nil }},
	{Command: keys.NextSample, Keys: ">", Short: "next sample", Long: "Next sample of the model",
		Refuses: (*View).lacksSamples, Do: func(v *View) action.Action { return v.stepSample(1) }},
	{Command: "previous_sample", Keys: "<", Short: "previous sample", Long: "Previous sample of the model",
		Refuses: (*View).lacksSamples, Do: func(v *View) action.Action { return v.stepSample(-1) }},
	{Command: keys.Unformatted, Keys: "u", Short: "show Markdown", Long: "Drawn text or Markdown",
		Refuses: (*View).lacksAnswer, Do: inReader(keys.Unformatted)},
	ofReader(keys.ShowReasoning, "f", nil),
	ofReader(keys.Inspect, "i", nil),
	{Command: keys.BlindVote, Section: "judge", Keys: "V", Short: "blind vote",
		Long:  "Vote on pairs of answers without names, times and lengths",
		Group: keys.GroupCompare, Title: "Blind vote", Do: (*View).openVote},
	{Command: keys.ShowWins, Keys: "W", Short: "votes",
		Long:  "Results of the votes on these answers and on all",
		Group: keys.GroupCompare, Title: "Results of blind votes",
		Do: func(v *View) action.Action { return action.ShowWins{Scope: v.voteScope()} }},
	ofReader(keys.RateGood, "+", nil),
	ofReader(keys.RateBad, "-", nil),
	{Command: keys.MarkWinner, Keys: "*", Acts: true, Short: "best", Long: "Mark the best answer",
		Refuses: (*View).lacksAnswer,
		Rank:    rank(6, 7, func(_ *View, x *cell) bool { return x.isDone() }),
		Word:    func(v *View) string { return v.bestWord(keys.MarkWinner) }, Do: (*View).toggleBest},
	ofReader(keys.AddNote, "m", nil),
	inSection("ask again", ofReader(keys.Again, "r", rank(8, 8, func(_ *View, x *cell) bool {
		return x.answer().Picture != nil || x.wasAsked() && x.answer().State.HasEnded()
	}))),
	ofReader(keys.Another, "a", pictureRank(keys.Another)),
	ofReader(keys.Continue, ".", rank(9, 0, func(_ *View, x *cell) bool { return service.CanContinue(x.answer()) })),
	{Command: keys.ResumeFailed, Keys: "R", Acts: true, Short: "again all failed",
		Long: "Ask again for all failed", Do: (*View).resumeFailed},
	ofReader(keys.StopAnswer, "s", rank(10, 0, func(_ *View, x *cell) bool {
		return x.wasAsked() && !x.answer().State.HasEnded()
	})),
	{Command: keys.StopAll, Keys: "S", Short: "stop all", Long: "Stop every running answer", Do: (*View).stopAll},
	inSection("copy and write",
		ofReader(keys.CopyAnswer, "y", rank(7, 0, func(_ *View, x *cell) bool { return x.isDone() }))),
	ofReader(keys.CopyTurn, "Y", nil),
	ofReader(keys.CopyCode, "c", nil),
	ofReader(keys.CodeLeft, "(", nil),
	ofReader(keys.CodeRight, ")", nil),
	{Command: keys.Write, Keys: "w", Acts: true, Short: "export",
		Long:    "Export; difference: without marks",
		Refuses: (*View).lacksAnswer,
		Rank:    rank(11, 10, func(_ *View, x *cell) bool { return x.wasAsked() }), Do: (*View).askWrite},
	{Command: keys.BeforeAfter, Section: "pictures", Keys: "b", Short: "before/after",
		Long: "Before or after the edit", Rank: pictureRank(keys.BeforeAfter),
		Do: (*View).toggleSource},
	ofReader(keys.EditChain, "T", pictureRank(keys.EditChain)),
	ofReader(keys.UseAsSource, "E", pictureRank(keys.UseAsSource)),
	ofReader(keys.OpenPicture, "O", pictureRank(keys.OpenPicture)),
	{Command: keys.Help, Keys: "?", Short: "help", Long: "Help for the comparison",
		Action: action.ShowHelp{Scope: keys.Compare}},
}}

// ofReader returns a command of the conversation that the reader of the focused answer runs.
func ofReader(command keys.Command, bound string, rank func(*View) int) part.Binding[*View] {
	all := conversation.Commands()
	e := all[slices.IndexFunc(all, func(e keys.Entry) bool { return e.Command == command })]
	return part.Binding[*View]{Command: command, Keys: bound, Short: e.Short, Long: e.Long, Acts: e.Acts, Rank: rank,
		Refuses: (*View).lacksAnswer, Do: inReader(command)}
}

func inSection(section string, b part.Binding[*View]) part.Binding[*View] {
	b.Section = section
	return b
}

func inReader(command keys.Command) func(*View) action.Action {
	return func(v *View) action.Action { return v.readerOf(v.current()).Run(command) }
}

// move scrolls the focused answer, or moves in the list.
func move(command keys.Command) func(*View) action.Action {
	return func(v *View) action.Action {
		height := v.h
		if len(v.layout.boxes) > 0 {
			height = v.layout.boxes[0].Dy() - 2
		}
		by, _ := command.Lines(height, 2, 1<<30)
		if v.hasFocusInList() && (command == keys.Down || command == keys.Up) {
			return v.focus(v.focusIndex + by)
		}
		v.scroll(by)
		return nil
	}
}

// rank returns the rank of a hint for a text and for a picture under a condition; nil always holds.
func rank(text, picture int, condition func(*View, *cell) bool) func(*View) int {
	return func(v *View) int {
		switch x := v.current(); {
		case x == nil || condition != nil && !condition(v, x):
			return 0
		case x.answer().Picture != nil:
			return picture
		}
		return text
	}
}

func pictureRank(command keys.Command) func(*View) int {
	return func(v *View) int {
		if x := v.current(); x != nil && x.answer().Picture != nil {
			if i := slices.Index(pictureCommands(x), command); i >= 0 {
				return 3 + i
			}
		}
		return 0
	}
}

// AllTurns is the hint of the key that returns to a conversation with more turns.
const AllTurns = "all turns"

// refuse refuses all commands but the filter while no answer is listed.
func (v *View) refuse(command keys.Command) string {
	if v.current() != nil || command == keys.ShowAnswers || command == keys.Help {
		return ""
	}
	return "No answer is listed" + v.env.Keys.Phrase(keys.Compare, keys.ShowAnswers, ": %s shows other ones") + "."
}

func (v *View) lacksAnswer() string {
	x := v.current()
	return part.TextIf(!x.wasAsked(), termtext.Line(x.name)+" was not sent this prompt yet.")
}

// bestWord returns the hint of the key that takes the mark off the best answer, "" for other commands and answers.
func (v *View) bestWord(command keys.Command) string {
	return part.TextIf(command == keys.MarkWinner && v.current().answer().IsWinner, "not best")
}

func (v *View) lacksOthers() string { return part.TextIf(len(v.listed) < 2, "Only one answer here.") }

func (v *View) lacksHidden() string {
	return part.TextIf(len(v.layout.boxes) >= len(v.listed), "All answers are already on screen.")
}

func (v *View) lacksSamples() string {
	return part.TextIf(len(v.current().distinct) < 2, "Only one sample of this model.")
}

func (v *View) lacksConversation() string {
	return part.TextIf(v.content.Name != "",
		"A run has no conversation to show.")
}

func (v *View) lacksSession() string {
	return part.TextIf(v.content.Name != "", "These answers are of a table: the key that goes back shows it.")
}

// hasBranches reports whether turns stand beside the compared one.
func (v *View) hasBranches() bool {
	turn, _ := v.Focused()
	t, _ := v.turns.Turn(turn)
	return len(t.Siblings) > 0
}

func (v *View) lacksLayouts() string {
	return part.TextIf(v.zoom.shows == zoomNothing && len(v.possibleLayouts()) < 2,
		"Only one layout fits this screen.")
}

func (v *View) lacksDifference() string {
	return "That is for a difference" + v.env.Keys.Phrase(keys.Compare, keys.Difference, ": %s shows one") + "."
}
