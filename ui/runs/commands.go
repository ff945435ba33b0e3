package runs

import (
	"cmp"
	"slices"
	"strings"

	"confab/history"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// Commands returns the commands of the table of a run, or of two.
func Commands() []keys.Entry { return commands.Entries() }

var commands = part.Table[*View]{Scope: keys.Runs, Refuses: (*View).refuse, Bindings: []part.Binding[*View]{
	{Command: keys.OpenCell, Section: "read", Keys: "enter", Acts: true, Short: "open",
		Long: "Open; two runs: difference", Refuses: (*View).lacksRow,
		Rank: part.RankIf(1, func(v *View) bool { return v.lacksRow() == "" }),
		Do:   func(v *View) action.Action { return v.open(true) }},
	{Command: keys.CompareAnswers, Keys: "v", Acts: true, Short: "side by side",
		Long: "The row's answers side by side", Refuses: (*View).lacksRow,
		Rank: part.RankIf(2, func(v *View) bool { return v.showsResults() && v.lacksRow() == "" }),
		Do:   func(v *View) action.Action { return v.open(false) }},
	{Command: keys.Pin, Keys: "P", Acts: true, Short: "pin", Long: "Pin, to compare others with",
		Refuses: part.FirstOf((*View).lacksCells, (*View).lacksRow), Do: (*View).togglePin},
	{Command: keys.Difference, Keys: "d", Acts: true, Short: "diff",
		Long:    "Difference to the pinned answer, or to the next",
		Refuses: (*View).lacksRow, Rank: part.RankIf(5, func(v *View) bool { return v.pinned.answer.ID != 0 }),
		Do: (*View).openDifference},
	{Command: "totals", Keys: "a", Short: "totals",
		Long: "Totals by prompt, model, …", Refuses: (*View).lacksSingleTable,
		Rank: part.RankIf(7, func(v *View) bool {
			return v.comparison == nil && v.isOpen() && len(v.results.Rows)*len(v.results.Columns) > 1
		}),
		Word: func(v *View) string { return part.TextIf(v.totals != nil, "table") }, Do: (*View).toggleTotals},
	{Command: "transpose", Keys: "x", Short: "swap", Long: "Swap rows and columns",
		Refuses: (*View).lacksCells, Do: (*View).transpose},
	{Command: keys.NextAnswer, Section: "move", Keys: "l right", Short: "right", Long: "Next model",
		Rank: rankIf(10, func(t *runTable) bool { return len(t.Columns) > 1 }),
		Do:   onTable(func(_ *View, t *runTable) { t.move(0, 1) })},
	{Command: keys.PreviousAnswer, Keys: "h left", Short: "left", Long: "Previous model",
		Do: onTable(func(_ *View, t *runTable) { t.move(0, -1) })},
	{Command: keys.Down, Keys: "j down", Short: "down", Long: "Next prompt",
		Rank: rankIf(11, func(t *runTable) bool { return len(t.listed) > 1 }), Do: move(keys.Down)},
	{Command: keys.Up, Keys: "k up", Short: "up", Long: "Previous prompt", Do: move(keys.Up)},
	{Command: keys.PageDown, Keys: "pgdown space", Short: "page down", Long: "Page down",
		Do: move(keys.PageDown)},
	{Command: keys.PageUp, Keys: "pgup", Short: "page up", Long: "Page up", Do: move(keys.PageUp)},
	{Command: "columns_left", Keys: "[", Short: "models left", Long: "A screen of models to the left",
		Do: onTable(func(v *View, t *runTable) { t.moveColumns(-1, v.layout) })},
	{Command: "columns_right", Keys: "]", Short: "models right", Long: "A screen of models to the right",
		Do: onTable(func(v *View, t *runTable) { t.moveColumns(1, v.layout) })},
	{Command: keys.Top, Keys: "g home", Short: "first", Long: "First prompt", Do: move(keys.Top)},
	{Command: keys.Bottom, Keys: "G end", Short: "last", Long: "Last prompt", Do: move(keys.Bottom)},
	{Command: "next_failed", Section: "failures", Keys: "f", Short: "next failed",
		Long: "Next failed or changed cell",
		Rank: rankIf(3, func(t *runTable) bool {
			return t.attention > 1 || t.attention == 1 && !t.isAtAttention()
		}),
		Word: func(v *View) string { return part.TextIf(v.ShowsComparison(), "next change") },
		Do:   (*View).toNextFailed},
	{Command: keys.OnlyFailed, Keys: "t", Short: "failed only",
		Long: "Failed or changed rows only",
		Word: func(v *View) string {
			return cmp.Or(part.TextIf(v.content().table().isFiltered, "all rows"),
				part.TextIf(v.ShowsComparison(), "changed only"))
		},
		Rank: rankIf(4, func(t *runTable) bool {
			return t.isFiltered || t.attention > 0 && t.attentionRows < len(t.Rows)
		}),
		Do: onTable(func(_ *View, t *runTable) { t.isFiltered = !t.isFiltered; t.relist() })},
	{Command: keys.CompareRuns, Section: "run and judge", Keys: "c", Short: "compare",
		Long: "Compare with another run", Refuses: (*View).lacksSingleRun,
		Rank: part.RankIf(7, (*View).isOneRun),
		Do:   func(v *View) action.Action { return action.CompareRuns{A: v.ShownRun().ID} }},
	{Command: keys.ResumeRun, Keys: "R", Acts: true, Short: "continue",
		Long:    "Continue: send what is missing",
		Refuses: part.FirstOf((*View).lacksSingleTable, (*View).lacksUnanswered),
		Rank: part.RankIf(5, func(v *View) bool {
			return v.comparison == nil && !v.isLive() &&
				(v.results.results.Unanswered() > 0 || v.ShownRun().Owner != "")
		}), Do: (*View).resume},
	{Command: "stop_run", Keys: "S", Acts: true, Short: "stop", Long: "Stop the run",
		Rank: part.RankIf(4, func(v *View) bool { return v.comparison == nil && v.isLive() }), Do: (*View).stop},
	{Command: keys.Edit, Keys: "e", Acts: true, Short: "edit suite",
		Long:    "Change the suite",
		Refuses: part.FirstOf((*View).lacksSingleRun, (*View).lacksSuite), Rank: part.RankIf(12, (*View).isOneRun),
		Do: func(v *View) action.Action { return action.EditSuite{Path: v.ShownRun().Path} }},
	{Command: keys.BlindVote, Keys: "V", Short: "vote",
		Long:    "Vote on pairs of answers",
		Refuses: (*View).lacksSingleTable, Rank: part.RankIf(8, func(v *View) bool { return v.comparison == nil }),
		Do: func(v *View) action.Action {
			t := v.shown()
			return action.StartVote{Name: cmp.Or(v.Subject().Name, "Blind vote"), Table: t.Turn, Entrants: t.Entrants(),
				Scope: t.VoteScope()}
		}},
	{Command: keys.MarkWinner, Keys: "*", Acts: true, Short: "best", Long: "Mark the best answer",
		Refuses: part.FirstOf((*View).lacksCells, (*View).lacksFocusedAnswer), Do: (*View).toggleBest,
		Rank: part.RankIf(3, func(v *View) bool { return v.showsResults() && v.lacksFocusedAnswer() == "" })},
	{Command: keys.ShowWins, Keys: "W", Short: "votes",
		Long: "Results of votes; two runs: by check",
		Word: func(v *View) string { return part.TextIf(v.ShowsComparison(), "verdicts") },
		Rank: rankIf(8, func(*runTable) bool { return true }), Do: (*View).showVerdicts},
	{Command: keys.Again, Keys: "r", Acts: true, Short: "again",
		Long:    "Run cells or checks again",
		Refuses: part.FirstOf((*View).lacksCells, (*View).lacksRow), Rank: part.RankIf(8, (*View).showsResults),
		Do: (*View).askAgain},
	{Command: "copy_table", Section: "copy and write", Keys: "y", Short: "copy", Long: "Copy the table as markdown",
		Rank: rankIf(9, func(*runTable) bool { return true }), Do: (*View).copyTable},
	{Command: keys.Write, Keys: "w", Acts: true, Short: "export", Long: "Export the run",
		Refuses: (*View).lacksSingleTable,
		Rank:    part.RankIf(6, (*View).isOneRun),
		Do:      (*View).write},
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

func (v *View) isOneRun() bool { return v.comparison == nil && v.isRun() }

func (v *View) refuse(command keys.Command) string {
	return part.TextIf(!v.isOpen() && command != keys.Help, "No table is open.")
}

// lacksSingleTable says why a command for a single table cannot be done.
func (v *View) lacksSingleTable() string {
	return part.TextIf(v.ShowsComparison(), "Open one of the two runs for that.")
}

func (v *View) lacksFocusedAnswer() string {
	answer, _ := v.results.focused()
	return part.TextIf(answer.State != history.Done, "No answer to mark in this cell.")
}

// toggleBest marks the answer of the focused cell as the best of those to the same prompt.
func (v *View) toggleBest() action.Action {
	best, _ := v.results.focused()
	toggle := action.ToggleBest{Answer: best.ID}
	for _, row := range v.shown().Rows {
		cells := slices.Concat(row.Cells...)
		if !slices.ContainsFunc(cells, func(c history.Cell) bool { return c.Answer == best.ID }) {
			continue
		}
		for _, c := range cells {
			if c.Answer != 0 && c.Answer != best.ID {
				toggle.Others = append(toggle.Others, c.Answer)
			}
		}
	}
	return toggle
}

// lacksSingleRun says why a command for a single run cannot be done.
func (v *View) lacksSingleRun() string {
	return cmp.Or(v.lacksSingleTable(), part.TextIf(!v.isRun(), "This is a session's table, not a run of a suite."))
}

// lacksCells says why a command for cells cannot be done.
func (v *View) lacksCells() string {
	return cmp.Or(v.lacksSingleTable(), part.TextIf(v.totals != nil, "These are totals"+
		v.env.Keys.Phrase(keys.Runs, "totals", ": %s shows the table")+"."))
}

// showsResults reports whether the cells of a run or of turns are shown.
func (v *View) showsResults() bool { return v.comparison == nil && v.totals == nil && v.isOpen() }

func (v *View) lacksSuite() string {
	run := v.ShownRun()
	return part.TextIf(run.Owner != "" || run.Path == "", "The suite of this run is not one of your files.")
}

func (v *View) lacksUnanswered() string {
	if v.ShownRun().Owner == "" && !v.isLive() && v.results.results.Unanswered() == 0 {
		return "Every cell of this table has an answer."
	}
	return ""
}

func (v *View) lacksRow() string {
	if t := v.content().table(); t.row() < 0 || len(t.Columns) == 0 {
		return "No row is listed" + v.env.Keys.Phrase(keys.Runs, keys.OnlyFailed, ": %s lists all") + "."
	}
	return ""
}

// showVerdicts shows the votes on a table, or how two runs were judged.
func (v *View) showVerdicts() action.Action {
	if c := v.comparison; c != nil {
		return action.ShowText{Title: c.title(), Text: strings.Join(c.changes.Report(), "\n")}
	}
	return action.ShowWins{Scope: v.shown().VoteScope()}
}

// resume requests the missing answers, or adopts the run of another user.
func (v *View) resume() action.Action {
	switch {
	case !v.isRun():
		return action.Resume{Turns: v.sent}
	case v.ShownRun().Owner != "":
		return action.AdoptRun{Run: v.ShownRun().ID}
	}
	return action.ResumeRun{Run: v.ShownRun().ID}
}

// askAgain asks what is to be asked again.
func (v *View) askAgain() action.Action {
	cells := v.results.results.Cells(v.results.row(), v.results.column)
	if len(cells) == 0 {
		return action.Notify{Severity: action.Info, Text: "This row is not for this model."}
	}
	ask := action.Choose{Title: "Again", Question: "What should run again? Each answer is added as a sample."}
	if !v.isRun() {
		var row action.Sequence
		for _, cells := range v.results.results.RowCells(v.results.row()) {
			if len(cells) > 0 {
				row = append(row, action.Again{Answer: cells[len(cells)-1].Answer})
			}
		}
		ask.Choices = []string{"cell", "row", "failed"}
		ask.Then = func(i int) action.Action {
			return []action.Action{action.Again{Answer: cells[len(cells)-1].Answer}, row,
				action.Resume{Turns: v.sent}}[i]
		}
		return ask
	}
	if problem := v.lacksSuite(); problem != "" {
		return action.Notify{Severity: action.Info, Text: problem}
	}
	line := suite.Selection{Cells: suite.AllCells, Row: cells[0].Row}
	if v.results.results.IsTransposed {
		line.Row, line.Column = 0, cells[0].Column
	}
	ask.Choices = []string{"cell", "row", "failed", "all", "only checks"}
	ask.Then = func(i int) action.Action {
		return action.ResumeRun{Run: v.ShownRun().ID, Asks: []suite.Selection{
			{Cells: suite.AllCells, Row: cells[0].Row, Column: cells[0].Column}, line, {Cells: suite.FailedCells},
			{Cells: suite.AllCells}, {Cells: suite.NoCells}}[i]}
	}
	return ask
}

// stop stops the run, or the answers of turns.
func (v *View) stop() action.Action {
	if v.isRun() {
		return action.StopRun{}
	}
	var running []int64
	for _, row := range v.shown().Rows {
		for _, c := range slices.Concat(row.Cells...) {
			if !c.State.HasEnded() {
				running = append(running, c.Answer)
			}
		}
	}
	if len(running) == 0 {
		return action.Notify{Severity: action.Info, Text: "No answer is running."}
	}
	return action.Stop{Answers: running}
}

// write asks how to write the run, or the turn of the focused cell with its session.
func (v *View) write() action.Action {
	if v.isRun() {
		return action.ShowWrite{Run: v.ShownRun().ID}
	}
	answer, _ := v.results.focused()
	return action.ShowWrite{Answer: answer.ID, Turn: answer.Turn, IsTable: true}
}

// open shows the answers of the focused row side by side, one answer alone, or the difference between the two runs. On
// a total it goes back to the table.
func (v *View) open(isZoom bool) action.Action {
	switch {
	case v.comparison != nil:
		return v.comparison.open()
	case v.totals != nil:
		return v.toggleTotals()
	}
	return action.OpenRow{Row: v.results.row(), Column: v.results.column, IsZoom: isZoom}
}

// transpose swaps rows and columns.
func (v *View) transpose() action.Action {
	v.results.transpose()
	v.relayout()
	return nil
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
	state := suite.CellState{Now: v.env.Now(), IsLive: v.isLive()}
	return action.Copy{Text: v.content().table().markdown(title, state), What: what}
}
