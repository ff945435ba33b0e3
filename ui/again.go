package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
)

// again runs an answer once more.
func (q *promptSender) again(a action.Again) tea.Cmd {
	ctx, svc := q.root.ctx, q.root.o.Service
	return func() tea.Msg {
		if !a.Confirmed {
			plan, err := svc.AgainPlan(ctx, a.Answer)
			if err != nil {
				return doneMsg{err: err}
			}
			if plan != "" {
				a.Confirmed = true
				return showMsg{action.Confirm{Title: beforePublishing, Question: plan, Yes: a}}
			}
		}
		turn, events, err := svc.Again(ctx, a.Answer, a.Fresh)
		if err != nil {
			return doneMsg{err: err}
		}
		return againMsg{turn: turn, events: events}
	}
}

// resume runs all failed and interrupted answers of some turns again. The questions about all of them are one.
func (q *promptSender) resume(a action.Resume) tea.Cmd {
	if a.Confirmed {
		cmds := make([]tea.Cmd, len(a.Turns))
		for i, turn := range a.Turns {
			cmds[i] = q.resumeTurn(turn)
		}
		return tea.Batch(cmds...)
	}
	a.Confirmed = true
	ctx, svc := q.root.ctx, q.root.o.Service
	return func() tea.Msg {
		calls := 0
		var publish []string
		for _, turn := range a.Turns {
			plan, err := svc.ResumePlan(ctx, turn)
			if err != nil {
				return doneMsg{err: err}
			}
			calls += plan.Calls
			if plan.Publish != "" && !slices.Contains(publish, plan.Publish) {
				publish = append(publish, plan.Publish)
			}
		}
		return showMsg{confirmed(calls, publish, a)}
	}
}

// resumeTurn runs all failed and interrupted answers of a turn again.
func (q *promptSender) resumeTurn(turn int64) tea.Cmd {
	ctx, svc := q.root.ctx, q.root.o.Service
	return func() tea.Msg {
		t, events, err := svc.Resume(ctx, turn)
		if err != nil {
			return doneMsg{err: err}
		}
		return againMsg{turn: t, events: events}
	}
}

// againMsg is a sentMsg of a turn that was there before.
type againMsg sentMsg
