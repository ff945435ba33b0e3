package conversation

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/part"
)

// Rerunner runs answers again, after the questions that have to be answered before.
type Rerunner struct{ env part.Env }

// NewRerunner returns a part that runs answers again.
func NewRerunner(env part.Env) *Rerunner { return &Rerunner{env} }

// AddHandlers adds the handlers of running answers again to the table.
func (r *Rerunner) AddHandlers(h part.Handlers) {
	part.Handle(h, r.again)
	part.Handle(h, r.resume)
}

// again runs an answer once more.
func (r *Rerunner) again(a action.Again) (action.Action, tea.Cmd) {
	ctx, svc := r.env.Ctx, r.env.Service
	return nil, func() tea.Msg {
		if !a.Confirmed {
			plan, err := svc.AgainPlan(ctx, a.Answer)
			if err != nil {
				return part.Fail(err)
			}
			if plan != "" {
				a.Confirmed = true
				return part.Do(action.ConfirmFirst(1, []string{plan}, a))
			}
		}
		turn, events, err := svc.Again(ctx, a.Answer, a.Fresh)
		if err != nil {
			return part.Fail(err)
		}
		return part.Do(action.FollowTurn{Turn: turn, Events: events})
	}
}

// resume runs all failed and interrupted answers of some turns again. The questions about all of them are one.
func (r *Rerunner) resume(a action.Resume) (action.Action, tea.Cmd) {
	if a.Confirmed {
		cmds := make([]tea.Cmd, len(a.Turns))
		for i, turn := range a.Turns {
			cmds[i] = r.resumeTurn(turn)
		}
		return nil, tea.Batch(cmds...)
	}
	a.Confirmed = true
	ctx, svc := r.env.Ctx, r.env.Service
	return nil, func() tea.Msg {
		calls := 0
		var publish []string
		for _, turn := range a.Turns {
			plan, err := svc.ResumePlan(ctx, turn)
			if err != nil {
				return part.Fail(err)
			}
			calls += plan.Calls
			if plan.Publish != "" && !slices.Contains(publish, plan.Publish) {
				publish = append(publish, plan.Publish)
			}
		}
		return part.Do(action.ConfirmFirst(calls, publish, a))
	}
}

// resumeTurn runs all failed and interrupted answers of a turn again.
func (r *Rerunner) resumeTurn(turn int64) tea.Cmd {
	ctx, svc := r.env.Ctx, r.env.Service
	return func() tea.Msg {
		t, events, err := svc.Resume(ctx, turn)
		if err != nil {
			return part.Fail(err)
		}
		return part.Do(action.FollowTurn{Turn: t, Events: events})
	}
}
