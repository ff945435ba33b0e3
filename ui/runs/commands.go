package runs

import (
	"strings"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// Commands returns the commands of the table of a run, or of two.
func Commands() []keys.Entry { return commands.Entries() }

var commands = part.Table[*View]{Scope: keys.Runs, Refuses: (*View).refuse, Bindings: []part.Binding[*View]{
	{Command: keys.OpenCell, Keys: "enter", Acts: true, Short: "open",
		Long: "The answers to the prompt side by side, this one focused", Refuses: (*View).lacksRow,
		Rank: part.RankIf(1, func(v *View) bool { return v.lacksRow() == "" }), Do: (*View).open},
	{Command: keys.NextAnswer, Keys: "l right", Moves: 1, Short: "right", Long: "The next model",
		Rank: rankIf(10, func(t *runTable) bool { return len(t.Columns) > 1 }),
		Do:   onTable(func(_ *View, t *runTable) { t.move(0, 1) })},
	{Command: keys.PreviousAnswer, Keys: "h left", Moves: -1, Short: "left", Long: "The previous model",
		Do: onTable(func(_ *View, t *runTable) { t.move(0, -1) })},
	{Command: keys.Down, Keys: "j down", Moves: 1, Short: "down", Long: "The next prompt",
		Rank: rankIf(11, func(t *runTable) bool { return len(t.listed) > 1 }), Do: move(keys.Down)},
	{Command: keys.Up, Keys: "k up", Moves: -1, Short: "up", Long: "The previous prompt", Do: move(keys.Up)},
	{Command: keys.PageDown, Keys: "pgdown space", Moves: 1, Short: "page down", Long: "A page down",
		Do: move(keys.PageDown)},
	{Command: keys.PageUp, Keys: "pgup", Moves: -1, Short: "page up", Long: "A page up", Do: move(keys.PageUp)},
	{Command: "columns_left", Keys: "[", Moves: -1, Short: "models left", Long: "A screen of models to the left",
		Do: onTable(func(v *View, t *runTable) { t.moveColumns(-1, v.layout) })},
	{Command: "columns_right", Keys: "]", Moves: 1, Short: "models right", Long: "A screen of models to the right",
		Do: onTable(func(v *View, t *runTable) { t.moveColumns(1, v.layout) })},
	{Command: keys.Top, Keys: "g home", Moves: -1, Short: "first", Long: "To the first prompt", Do: move(keys.Top)},
	{Command: keys.Bottom, Keys: "G end", Moves: 1, Short: "last", Long: "To the last prompt", Do: move(keys.Bottom)},
	{Command: "next_failed", Keys: "f", Short: "next failed",
		Long: "The next cell that failed; with two runs the next that differs",
		Rank: rankIf(2, func(t *runTable) bool {
			return t.attention > 1 || t.attention == 1 && !t.isAtAttention()
		}),
		Word: func(v *View) string {
			if v.ShowsComparison() {
				return "next that differs"
			}
			return ""
		}, Do: (*View).toNextFailed},
	{Command: keys.OnlyFailed, Keys: "t", Short: "show",
		Long: "Only prompts with a failure, or all; with two runs only those that differ",
		Rank: rankIf(3, func(t *runTable) bool {
			return t.isFiltered || t.attention > 0 && t.attentionRows < len(t.Rows)
		}),
		Do: onTable(func(_ *View, t *runTable) { t.isFiltered = !t.isFiltered; t.relist() })},
	{Command: "compare_runs", Keys: "c", Short: "compare",
		Long: "Compare with another run of the suite, cell by cell", Refuses: (*View).isTwo,
		Rank: part.RankIf(7, (*View).isOne),
		Do:   func(v *View) action.Action { return action.CompareRuns{A: v.ShownRun().ID} }},
	{Command: keys.ResumeRun, Keys: "R", Acts: true, Short: "go on", Long: "Ask for what is missing or failed",
		Refuses: part.FirstOf((*View).isTwo, (*View).isAnswered),
		Rank: part.RankIf(5, func(v *View) bool {
			return v.isOne() && !v.isLive() && (v.results.results.Unanswered() > 0 || v.ShownRun().Owner != "")
		}), Do: (*View).resume},
	{Command: "stop_run", Keys: "S", Acts: true, Short: "stop", Long: "Stop the run",
		Rank: part.RankIf(4, func(v *View) bool { return v.isOne() && v.isLive() }), Action: action.StopRun{}},
	{Command: keys.Edit, Keys: "e", Acts: true, Short: "edit suite",
		Long:    "Change prompts, values and checks of the suite",
		Refuses: part.FirstOf((*View).isTwo, (*View).lacksSuite), Rank: part.RankIf(12, (*View).isOne),
		Do: func(v *View) action.Action { return action.EditSuite{Path: v.ShownRun().Path} }},
	{Command: keys.ShowWins, Keys: "W", Short: "wins",
		Long: "Wins per model in the votes on the run, who voted, and how far they agree; with two runs what was " +
			"judged better or worse, by check, and what is flaky",
		Word: func(v *View) string {
			if v.ShowsComparison() {
				return "verdicts"
			}
			return ""
		},
		Rank: rankIf(8, func(*runTable) bool { return true }), Do: (*View).showVerdicts},
	{Command: "judge_again", Keys: "J", Acts: true, Short: "judge again",
		Long:    "Judge the answers by the checks that the suite has now; no model is asked for an answer",
		Refuses: part.FirstOf((*View).isTwo, (*View).lacksSuite),
		Do:      func(v *View) action.Action { return action.ResumeRun{Run: v.ShownRun().ID, JudgesOnly: true} }},
	{Command: "copy_table", Keys: "y", Short: "copy", Long: "Copy the table as markdown",
		Rank: rankIf(9, func(*runTable) bool { return true }), Do: (*View).copyTable},
	{Command: keys.Write, Keys: "w", Acts: true, Short: "write", Long: "Write the run to a file",
		Refuses: (*View).isTwo,
		Rank:    part.RankIf(6, (*View).isOne),
		Do:      func(v *View) action.Action { return action.ShowWrite{Run: v.ShownRun().ID} }},
	{Command: keys.Help, Keys: "?", Short: "help", Long: "Help for the runs",
		Action: action.ShowHelp{Scope: keys.Runs}},
}}

// onTable returns the action of a command that changes the table's focus or rows.
func onTable(do func(*View, *runTable)) func(*View) action.Action {
	return func(v *View) action.Action {
		do(v, v.content().table())
		v.relayout()
		return nil
	}
}

func move(command keys.Command) func(*View) action.Action {
	return onTable(func(v *View, t *runTable) {
		by, _ := command.Lines(v.layout.rows, 1, len(t.listed))
		t.move(by, 0)
	})
}

func rankIf(rank int, condition func(*runTable) bool) func(*View) int {
	return part.RankIf(rank, func(v *View) bool { return v.isOpen() && condition(v.content().table()) })
}

func (v *View) isOne() bool { return v.comparison == nil && v.isRun() }

func (v *View) refuse(command keys.Command) string {
	if !v.isOpen() && command != keys.Help {
		return "No table is open."
	}
	return ""
}

// isTwo refuses commands for a single run.
func (v *View) isTwo() string {
	if v.ShowsComparison() {
		return "These are two runs: open one of them for that."
	}
	if !v.isRun() {
		return "These are turns of a session, no run of a suite."
	}
	return ""
}

func (v *View) lacksSuite() string {
	if run := v.ShownRun(); run.Owner != "" || run.Path == "" {
		return "The suite of this run is not a file of yours."
	}
	return ""
}

func (v *View) isAnswered() string {
	if v.ShownRun().Owner == "" && !v.isLive() && v.results.results.Unanswered() == 0 {
		return "Every cell of this run has an answer."
	}
	return ""
}

func (v *View) lacksRow() string {
	if t := v.content().table(); t.row() < 0 || len(t.Columns) == 0 {
		return "No prompt is listed" + v.env.Keys.Phrase(keys.Runs, keys.OnlyFailed, ": %s lists all") + "."
	}
	return ""
}

// showVerdicts shows the votes on a run, or how two runs were judged.
func (v *View) showVerdicts() action.Action {
	if c := v.comparison; c != nil {
		return action.ShowText{Title: c.title(), Text: strings.Join(c.changes.Report(), "\n")}
	}
	return action.ShowWins{Run: v.ShownRun().ID}
}

// resume requests the missing answers, or adopts the run of another user.
func (v *View) resume() action.Action {
	if v.ShownRun().Owner != "" {
		return action.AdoptRun{Run: v.ShownRun().ID}
	}
	return action.ResumeRun{Run: v.ShownRun().ID}
}

// open shows the answers of the focused row side by side, or the difference between the two runs.
func (v *View) open() action.Action {
	if v.comparison != nil {
		return v.comparison.open()
	}
	return action.OpenRow{Row: v.results.row(), Column: v.results.column}
}

func (v *View) toNextFailed() action.Action {
	t := v.content().table()
	if !t.goToAttention() {
		return action.Notify{Severity: action.Info, Text: t.words.none}
	}
	v.relayout()
	return nil
}

func (v *View) copyTable() action.Action {
	title, what := v.content().copyTitle()
	return action.Copy{Text: v.content().table().markdown(title, v.state()), What: what}
}
