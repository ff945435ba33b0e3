package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
)

// votedMsg tells that a vote is stored.
type votedMsg struct{ id int64 }

func (m *Model) vote(v service.Vote) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		stored, err := svc.AddVote(ctx, v)
		if err != nil {
			return doneMsg{err: err}
		}
		return votedMsg{id: stored.ID}
	}
}

func (m *Model) undoVote() tea.Cmd {
	if len(m.votes) == 0 {
		return nil
	}
	id := m.votes[len(m.votes)-1]
	m.votes = m.votes[:len(m.votes)-1]
	return m.deed("The vote is taken back.", func(s Service) error { return s.UndoVote(m.ctx, id) })
}

// showWins shows how the models fared in all votes.
func (m *Model) showWins() tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		wins, err := svc.Wins(ctx)
		if err != nil {
			return doneMsg{err: err}
		}
		return showMsg{action.ShowText{Title: "Wins over the whole history", Text: winsText(wins)}}
	}
}

// fewVotes is under how many pairs a count says little.
const fewVotes = 10

func winsText(w service.Wins) string {
	if len(w.Models) == 0 {
		return "No votes yet: V in a comparison votes between pairs without their names."
	}
	models := slices.Clone(w.Models)
	slices.SortStableFunc(models, func(a, b service.ModelWins) int { return cmp.Compare(b.Wins, a.Wins) })
	var out strings.Builder
	fmt.Fprintf(&out, "%-34s %5s %5s %5s %5s %6s %6s\n", "model", "won", "lost", "equal", "bad", "pairs", "blind")
	for _, x := range models {
		note := ""
		if x.N < fewVotes {
			note = "  few votes"
		}
		fmt.Fprintf(&out, "%-34s %5d %5d %5d %5d %6d %6d%s\n", x.Model, x.Wins, x.Losses, x.Ties, x.Bad, x.N, x.Blind, note)
	}
	out.WriteString("\nVotes in which an answer named a model are counted, but not as blind.\n")
	return out.String()
}
