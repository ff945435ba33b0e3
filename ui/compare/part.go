package compare

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/termtext"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/part"
)

// Part reads what a comparison shows of runs and stores its votes.
type Part struct {
	env       part.Env
	view      *View
	preview   *View                 // of a cell of one run or of two
	previewed action.ShowDifference // what it shows, or will
	turns     func() []history.Turn // of the conversation
	votes     []int64               // of this screen
}

// NewPart returns the part of a view, and of the preview of a cell. turns returns the turns of the
// conversation.
func NewPart(env part.Env, view, preview *View, turns func() []history.Turn) *Part {
	return &Part{env: env, view: view, preview: preview, turns: turns}
}

type (
	// pairMsg brings the turns of two answers of different runs.
	pairMsg struct {
		turns [2]history.Turn
		shows action.ShowDifference
		in    *View
	}
	// storedMsg tells that a vote is stored.
	storedMsg struct {
		vote      history.Vote
		wantBlind bool // it was to be blind
	}
	// winsMsg brings the wins of the models in all votes of the history, and the votes on a run.
	winsMsg struct {
		wins  history.Wins
		votes suite.Votes // zero without a run
	}
)

// Update implements [part.Receiver].
func (p *Part) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case pairMsg:
		if msg.in == p.view {
			return action.Sequence{p.view.ShowDifference(msg.turns, msg.shows), action.ShowComparison{}}, nil
		}
		if isSamePair(msg.shows, p.previewed) {
			p.preview.ShowDifference(msg.turns, msg.shows)
		}
	case storedMsg:
		p.votes = append(p.votes, msg.vote.ID)
		var notice action.Action
		if msg.wantBlind && !msg.vote.IsBlind {
			notice = action.Notify{Severity: action.Warn, Text: "The votes of others on this pair were shown to you " +
				"before: this vote does not count as blind."}
		}
		return notice, p.LoadWins(p.view.Case().Run)
	case winsMsg:
		p.view.SetWins(msg.wins, msg.votes)
	}
	return nil, nil
}

// ShowTurn compares the answers of a turn of the conversation.
func (p *Part) ShowTurn(a action.Compare) (action.Action, tea.Cmd) {
	turns := p.turns()
	at := slices.IndexFunc(turns, func(t history.Turn) bool { return t.ID == a.Turn })
	if at < 0 {
		return nil, nil
	}
	p.view.SetCase(TurnCase(turns, at), a.Answer)
	return action.ShowComparison{}, nil
}

// ShowRow compares the answers of a row of a run's table.
func (p *Part) ShowRow(a action.ShowRow) (action.Action, tea.Cmd) {
	if of := p.view.Case(); !a.Opens && (of.Run != a.Table.Run.ID || of.Row != a.Row) {
		return nil, nil
	}
	p.view.SetCase(newRowCase(a), 0)
	if !a.Opens {
		return nil, nil
	}
	if a.Column < len(a.Table.Columns) {
		p.view.FocusColumn(a.Table.Columns[a.Column].Name)
	}
	return action.ShowComparison{}, nil
}

func newRowCase(a action.ShowRow) Case {
	t := a.Table
	content := Case{Turns: a.Turns, Named: map[int64]string{}, Checks: map[int64][]history.CheckResult{}, Run: t.Run.ID,
		Row: a.Row, Concurrency: t.Run.Options.EffectiveConcurrency,
		Name: fmt.Sprintf("%s  run %d  %d/%d", termtext.Line(t.Run.Suite), t.Run.ID, a.Row+1, len(t.Rows))}
	for i, column := range t.Columns {
		content.Columns = append(content.Columns, column.Name)
		if cells := t.Rows[a.Row].Cells; i < len(cells) {
			for _, c := range cells[i] {
				content.Named[c.Turn] = column.Name
				if c.IsJudged {
					content.Checks[c.Answer] = c.Checks
				}
			}
		}
	}
	return content
}

// StepCase compares the next row of a run, or the next turn of the conversation.
func (p *Part) StepCase(a action.StepCase) (action.Action, tea.Cmd) {
	content, name := p.view.Case(), p.view.Column()
	if content.Run != 0 {
		return action.OpenRow{Row: content.Row + a.By, Column: max(slices.Index(content.Columns, name), 0)}, nil
	}
	turn, _ := p.view.Focused()
	turns := p.turns()
	at := slices.IndexFunc(turns, func(t history.Turn) bool { return t.ID == turn })
	to := at + a.By
	if at < 0 || to < 0 || to >= len(turns) {
		return notifyInfo("There is no further turn here."), nil
	}
	p.view.SetCase(TurnCase(turns, to), 0)
	p.view.FocusColumn(name)
	return nil, nil
}

// ShowDifference compares two answers of different runs.
func (p *Part) ShowDifference(a action.ShowDifference) (action.Action, tea.Cmd) {
	return nil, p.readPair(a, p.view)
}

// Preview shows the answers of a cell of one run or of two in the preview. Until they are read, it shows those before.
func (p *Part) Preview(a action.ShowDifference) tea.Cmd {
	if isSamePair(a, p.previewed) {
		return nil
	}
	p.previewed = a
	return p.readPair(a, p.preview)
}

func isSamePair(a, b action.ShowDifference) bool {
	isSame := func(a, b history.Answer) bool { return a.ID == b.ID && a.State == b.State }
	return isSame(a.A, b.A) && isSame(a.B, b.B) && a.NameA == b.NameA && a.NameB == b.NameB
}

// readPair reads the turns of two answers, to compare them in a view. An answer that cannot be read has no preview.
func (p *Part) readPair(a action.ShowDifference, in *View) tea.Cmd {
	return part.Ask(p, func() (tea.Msg, error) {
		msg := pairMsg{shows: a, in: in}
		for i, x := range []history.Answer{a.A, a.B} {
			if x.ID == 0 {
				continue
			}
			var err error
			if msg.turns[i], err = p.env.Service.Turn(p.env.Ctx, x.Turn); err != nil && in == p.view {
				return nil, err
			}
		}
		return msg, nil
	})
}

func (p *Part) StoreVote(a action.Vote) (action.Action, tea.Cmd) {
	return nil, part.Ask(p, func() (tea.Msg, error) {
		stored, err := p.env.Service.AddVote(p.env.Ctx, a.Vote)
		return storedMsg{stored, a.Vote.IsBlind}, err
	})
}

func (p *Part) UndoVote(action.UndoVote) (action.Action, tea.Cmd) {
	if len(p.votes) == 0 {
		return notifyInfo("There is no vote to take back."), nil
	}
	id, run := p.votes[len(p.votes)-1], p.view.Case().Run
	p.votes = p.votes[:len(p.votes)-1]
	return nil, func() tea.Msg {
		err := p.env.Service.UndoVote(p.env.Ctx, id)
		return part.ChangeResult(err, "The vote is taken back.", action.LoadWins{Run: run})
	}
}

func (p *Part) LoadWins(run int64) tea.Cmd {
	return part.Ask(p, func() (tea.Msg, error) { return p.readWins(run) })
}

func (p *Part) readWins(run int64) (msg winsMsg, err error) {
	if msg.wins, err = p.env.Service.Wins(p.env.Ctx); err == nil && run != 0 {
		msg.votes, err = p.env.Service.Runner().Votes(p.env.Ctx, run)
	}
	return msg, err
}

func (p *Part) ShowWins(a action.ShowWins) (action.Action, tea.Cmd) {
	bound, styles := p.env.Keys, p.env.Styles
	title := "Wins over the whole history"
	if a.Run != 0 {
		title = fmt.Sprintf("Votes on run %d", a.Run)
	}
	return nil, func() tea.Msg {
		wins, err := p.readWins(a.Run)
		if err != nil {
			return part.Fail(err)
		}
		return part.Do(action.ShowText{Title: title, Fit: func(w int) []string {
			s := styles()
			lines := winsLines(wins.wins, bound, w, s)
			if a.Run == 0 {
				return lines
			}
			lines = append([]string{"", s.Strong.On("Wins over the whole history"), ""}, lines...)
			return append(votesLines(wins.votes, bound, w, s), lines...)
		}})
	}
}
