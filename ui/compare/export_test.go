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
	return v.showPair(pairMsg{turns, a})
}

// SetWins sets what the result of a vote shows.
func (v *View) SetWins(w history.Wins, votes suite.Votes) { v.wins = winsMsg{w, votes} }
