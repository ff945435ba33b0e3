package compare

import (
	"confab/history"
	"confab/service/suite"
	"confab/ui/action"
)

// SetToss replaces chance, for tests.
func (v *View) SetToss(randIntn func(n int) int) { v.randIntn = randIntn }

// ShowPair shows two answers of different runs whose turns were read.
func (v *View) ShowPair(turns [2]history.Turn, a action.ShowDifference) action.Action {
	return v.showPair(pairMsg{turns: turns, shows: a})
}

// PreviewRow shows the answers of a row of a table whose turns were read.
func (v *View) PreviewRow(turns []history.Turn, a action.ShowDifference) {
	v.pair = a
	v.showPair(pairMsg{row: turns, shows: a})
}

// SetWins sets what the result of a vote shows.
func (v *View) SetWins(votes suite.Votes) { v.wins = winsMsg{votes} }

// ShowCase shows a case of turns that were read.
func (v *View) ShowCase(content Case, list []history.Turn, answer int64) {
	v.turns.Show(v, list)
	for _, t := range list {
		content.Turns = append(content.Turns, t.ID)
	}
	v.SetCase(content, answer)
}

// CaseTurns returns the turns of the case with the answers that are shown.
func (v *View) CaseTurns() (list []history.Turn) {
	for _, s := range v.samples() {
		if n := len(list); n == 0 || list[n-1].ID != s.turnID {
			t := s.turn()
			t.Answers = nil
			list = append(list, t)
		}
		last := &list[len(list)-1]
		last.Answers = append(last.Answers, s.answer())
	}
	return list
}

// Apply applies events to the turns of the case, and shows them.
func (v *View) Apply(events ...history.Event) {
	v.turns.Apply(events...)
	v.takeChanges()
}

// PutTurn shows a turn of the case anew.
func (v *View) PutTurn(t history.Turn) {
	v.turns.Put(t)
	v.takeChanges()
}
