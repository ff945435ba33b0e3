package compare

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/part"
)

type (
	// pairMsg brings the turns of two answers of different runs.
	pairMsg struct {
		turns [2]history.Turn
		row   []history.Turn // of the answers of a row
		shows action.ShowDifference
	}
	// branchesMsg brings the branches of an edited prompt, and the answer to focus.
	branchesMsg struct {
		turns  []history.Turn
		answer int64
	}
	// storedMsg reports a stored vote.
	storedMsg struct {
		vote      history.Vote
		wantBlind bool // cast as a blind one
		scope     suite.VoteScope
	}
	// votedTurnsMsg brings the turns of the pairs of a vote.
	votedTurnsMsg struct {
		asked action.StartVote
		turns []history.Turn
	}
	// winsMsg brings the votes of the scope of a vote.
	winsMsg struct{ votes suite.Votes }
)

func (v *View) receive(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case pairMsg:
		if !isSamePair(msg.shows, v.pair) { // no longer requested
			return nil, nil
		}
		then := v.showPair(msg)
		if v.isPreview {
			return nil, nil
		}
		return action.Sequence{then, action.ShowComparison{}}, nil
	case branchesMsg:
		return v.showBranches(msg), nil
	case storedMsg:
		v.votes = append(v.votes, msg.vote.ID)
		var notice action.Action
		if msg.wantBlind && !msg.vote.IsBlind {
			notice = action.Notify{Severity: action.Warn, Text: "The votes of others on this pair were shown to you " +
				"before: this vote does not count as blind."}
		}
		return notice, v.LoadWins(msg.scope)
	case votedTurnsMsg:
		return v.offerVote(msg.asked, msg.turns), nil
	case winsMsg:
		v.wins = msg
	case measuredMsg:
		v.afterMeasured(msg)
	case differenceMsg:
		if d, ok := v.mode.(*difference); ok {
			d.take(msg)
		}
	}
	return nil, nil
}

// Compare compares the answers of a turn of the open session, and of the branches beside it once they are read.
func (v *View) Compare(a action.Compare) (action.Action, tea.Cmd) {
	t, ok := v.turns.Turn(a.Turn)
	if !ok {
		return nil, nil
	}
	if len(t.Siblings) == 0 {
		v.ShowTurn(t, a.Answer)
		return action.ShowComparison{}, nil
	}
	return nil, part.Ask(v, func() (tea.Msg, error) {
		siblings, err := v.env.Service.Siblings(v.env.Ctx, a.Turn)
		return branchesMsg{siblings, a.Answer}, err
	})
}

// showBranches compares the answers of the branches of an edited prompt.
func (v *View) showBranches(msg branchesMsg) action.Action {
	content := Case{Branch: branchNames(msg.turns), HasOtherTurns: len(v.turns.Window()) > 1}
	for _, t := range msg.turns {
		content.Turns = append(content.Turns, t.ID)
	}
	v.turns.Show(v, msg.turns)
	v.SetCase(content, msg.answer)
	return action.ShowComparison{}
}

// branchNames names branches with several values by what tells them apart, others by their numbers.
func branchNames(turns []history.Turn) map[int64]string {
	var points []suite.Point
	for _, t := range turns {
		points = append(points, suite.PointOf(t, ""))
	}
	labels, uses, names := suite.NewLabels(points), map[string]int{}, map[int64]string{}
	haveValues := false
	for _, p := range points {
		uses[labels.ShortName(p)]++
		haveValues = haveValues || p.On(suite.AxisValues) != points[0].On(suite.AxisValues) ||
			p.On(suite.AxisParams) != points[0].On(suite.AxisParams)
	}
	for i, t := range turns {
		names[t.ID] = labels.ShortName(points[i])
		if uses[names[t.ID]] > 1 || !haveValues {
			names[t.ID] = "branch " + format.Number(i+1)
		}
	}
	return names
}

// ShowTurn compares the answers of a turn of the open session and focuses one unless it is 0.
func (v *View) ShowTurn(t history.Turn, answer int64) {
	v.turns.Show(v, []history.Turn{t})
	v.SetCase(Case{Turns: []int64{t.ID}, HasOtherTurns: len(v.turns.Window()) > 1}, answer)
}

// ShowRow compares the answers of a row of a run's table.
func (v *View) ShowRow(a action.ShowRow) (action.Action, tea.Cmd) {
	if of := v.content; !a.Opens && (of.Run != a.Run.ID || of.Table != a.Turn || of.Row != a.Row) {
		return nil, nil
	}
	v.turns.Show(v, a.Turns)
	v.SetCase(newRowCase(a), 0)
	if !a.Opens {
		return nil, nil
	}
	v.focusColumn(a.Columns[a.Column])
	if a.IsZoom != (v.zoom.shows == zoomAnswer) {
		v.toggleZoom(zoomAnswer)
	}
	v.zoom.isOpened = a.IsZoom
	return action.ShowComparison{}, nil
}

func newRowCase(a action.ShowRow) Case {
	content := Case{Name: termtext.Line(a.Name), Named: map[Asked]string{}, Checks: map[int64][]history.CheckResult{},
		Run: a.Run.ID, Table: a.Turn, Row: a.Row, Columns: a.Columns}
	for _, turn := range a.Turns {
		content.Turns = append(content.Turns, turn.ID)
	}
	for i, name := range a.Columns {
		for _, c := range a.Cells[i] {
			content.Named[Asked{c.Turn, c.Model}] = name
			if c.IsJudged {
				content.Checks[c.Answer] = c.Checks
			}
		}
	}
	return content
}

// StepCase compares the next row of a run, or the next turn of the conversation.
func (v *View) StepCase(a action.StepCase) (action.Action, tea.Cmd) {
	content, name := v.content, v.Column()
	if content.Run != 0 || content.Table != 0 {
		return action.OpenRow{Row: content.Row + a.By, Column: max(slices.Index(content.Columns, name), 0)}, nil
	}
	turn, _ := v.Focused()
	turns := v.turns.Window()
	at := slices.IndexFunc(turns, func(t history.Turn) bool { return t.ID == turn })
	to := at + a.By
	if at < 0 || to < 0 || to >= len(turns) {
		return notifyInfo("No further turn."), nil
	}
	v.ShowTurn(turns[to], 0)
	v.focusColumn(name)
	return nil, nil
}

// ShowDifference compares two answers of different runs.
func (v *View) ShowDifference(a action.ShowDifference) (action.Action, tea.Cmd) {
	v.pair = a
	return nil, v.readPair(a)
}

// followFocus reads the answers of the cell that has got the focus.
func (v *View) followFocus() tea.Cmd {
	if v.previewed == nil || isSamePair(v.previewed(), v.pair) {
		return nil
	}
	v.pair = v.previewed()
	return v.readPair(v.pair)
}

func isSamePair(a, b action.ShowDifference) bool {
	isSame := func(a, b history.Answer) bool { return a.ID == b.ID && a.State == b.State }
	return isSame(a.A, b.A) && isSame(a.B, b.B) && a.NameA == b.NameA && a.NameB == b.NameB &&
		slices.EqualFunc(a.Row, b.Row, func(a, b action.NamedAnswer) bool {
			return isSame(a.Answer, b.Answer) && a.Name == b.Name && len(a.Checks) == len(b.Checks)
		})
}

// readPair reads the turns of two answers. A preview leaves out those that cannot be read.
func (v *View) readPair(a action.ShowDifference) tea.Cmd {
	return part.Ask(v, func() (tea.Msg, error) {
		msg := pairMsg{shows: a}
		for _, x := range a.Row {
			if t, err := v.env.Service.Turn(v.env.Ctx, x.Answer.Turn); err == nil {
				msg.row = append(msg.row, t)
			}
		}
		for i, x := range []history.Answer{a.A, a.B} {
			if x.ID == 0 || len(a.Row) > 0 {
				continue
			}
			var err error
			if msg.turns[i], err = v.env.Service.Turn(v.env.Ctx, x.Turn); err != nil && !v.isPreview {
				return nil, err
			}
		}
		return msg, nil
	})
}

// showPair compares two answers of different runs side by side and, if both are texts, opens their difference.
func (v *View) showPair(msg pairMsg) action.Action {
	if len(msg.row) > 0 {
		v.showPreviewedRow(msg)
		return nil
	}
	a, texts := msg.shows, 0
	var shown []history.Turn
	content := Case{IsPair: true, Name: a.NameA + " → " + a.NameB, Named: map[Asked]string{}}
	for i, x := range []history.Answer{a.A, a.B} {
		t, name := msg.turns[i], [...]string{a.NameA, a.NameB}[i]
		if t.ID == 0 {
			continue
		}
		if stored, ok := t.Answer(x.ID); ok {
			x = stored
		} else {
			t.Answers = append(t.Answers, x) // deleted meanwhile
		}
		if x.State == history.Done && x.Picture == nil {
			texts++
		}
		shown, content.Columns = append(shown, t), append(content.Columns, name)
		content.Turns, content.Only = append(content.Turns, t.ID), append(content.Only, x.ID)
		content.Named[Asked{x.Turn, x.Model}] = name
	}
	v.mode = nil
	v.turns.Show(v, shown)
	v.SetCase(content, a.B.ID)
	if texts < 2 {
		return nil
	}
	if !v.isPreview {
		v.pin = a.NameA
		v.relayout()
	}
	return v.openDifference()
}

func (v *View) StoreVote(a action.Vote) (action.Action, tea.Cmd) {
	return nil, part.Ask(v, func() (tea.Msg, error) {
		stored, err := v.env.Service.AddVote(v.env.Ctx, a.Vote)
		return storedMsg{stored, a.Vote.IsBlind, a.Scope}, err
	})
}

func (v *View) UndoVote(a action.UndoVote) (action.Action, tea.Cmd) {
	if len(v.votes) == 0 {
		return notifyInfo("No vote to undo."), nil
	}
	id := v.votes[len(v.votes)-1]
	v.votes = v.votes[:len(v.votes)-1]
	return nil, func() tea.Msg {
		err := v.env.Service.UndoVote(v.env.Ctx, id)
		return part.ChangeResult(err, "The vote is taken back.", action.LoadWins(a))
	}
}

func (v *View) LoadWins(scope suite.VoteScope) tea.Cmd {
	return part.Ask(v, func() (tea.Msg, error) {
		votes, err := v.env.Service.Runner().Votes(v.env.Ctx, scope)
		return winsMsg{votes}, err
	})
}

func (v *View) ShowWins(a action.ShowWins) (action.Action, tea.Cmd) {
	bound, styles, service := v.env.Keys, v.env.Styles, v.env.Service
	return nil, func() tea.Msg {
		of, err := service.Runner().Votes(v.env.Ctx, a.Scope)
		all, err2 := service.Runner().Votes(v.env.Ctx, suite.VoteScope{})
		if err = cmp.Or(err, err2); err != nil {
			return part.Fail(err)
		}
		title := "Votes in the whole history"
		switch {
		case a.Scope.Run != 0:
			title = fmt.Sprintf("Votes on run %d", a.Scope.Run)
		case a.Scope.Turns != nil:
			title = "Votes on these answers"
		}
		return part.Do(action.ShowText{Title: title, Fit: func(w int) []string {
			s := styles()
			lines := winsLines(of, bound, w, s)
			if !slices.Equal(of.Voters, all.Voters) { // there are other votes
				lines = append(lines, "", s.Strong.On("Votes in the whole history"), "")
				lines = append(lines, winsLines(all, bound, w, s)...)
			}
			return lines
		}})
	}
}
