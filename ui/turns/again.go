package turns

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/ui/action"
	"confab/ui/part"
)

// Continue asks for the rest of an answer.
func (h *Turns) Continue(a action.Continue) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg { return follow(h.env.Service.Continue(h.env.Ctx, a.Answer)) }
}

// Again runs an answer again, after the question whether what it publishes may leave.
func (h *Turns) Again(a action.Again) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		if !a.Confirmed {
			plan, err := h.env.Service.AgainPlan(h.env.Ctx, a.Answer)
			if err != nil {
				return part.Fail(err)
			}
			if plan != "" {
				a.Confirmed = true
				return part.Do(action.ConfirmFirst(service.CallCount{Calls: 1}, []string{plan}, a))
			}
		}
		return follow(h.env.Service.Again(h.env.Ctx, a.Answer, a.Fresh))
	}
}

// follow returns the message that follows a turn whose answers run again.
func follow(turn history.Turn, events <-chan history.Event, err error) tea.Msg {
	if err != nil {
		return part.Fail(err)
	}
	return part.Do(action.FollowTurn{Turn: turn, Events: events})
}

// Resume runs all failed and interrupted answers of some turns again. The questions about all of them are one.
func (h *Turns) Resume(a action.Resume) (action.Action, tea.Cmd) {
	if a.Confirmed {
		cmds := make([]tea.Cmd, len(a.Turns))
		for i, turn := range a.Turns {
			cmds[i] = func() tea.Msg { return follow(h.env.Service.Resume(h.env.Ctx, turn)) }
		}
		return nil, tea.Batch(cmds...)
	}
	a.Confirmed = true
	return nil, func() tea.Msg {
		calls := 0
		var publish []string
		for _, turn := range a.Turns {
			plan, err := h.env.Service.ResumePlan(h.env.Ctx, turn)
			if err != nil {
				return part.Fail(err)
			}
			calls += plan.Calls
			if plan.Publish != "" && !slices.Contains(publish, plan.Publish) {
				publish = append(publish, plan.Publish)
			}
		}
		return part.Do(action.ConfirmFirst(service.CallCount{Calls: calls}, publish, a))
	}
}
