package compare

import (
	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
)

// ShowDifference shows how two answers differ that are in no case together:
// those of one cell in two runs, with their turns. Behind the difference they
// stand side by side; of pictures that is all there is to see.
func (c *Compare) ShowDifference(of [2]history.Turn, a action.ShowDifference) (action.Action, tea.Cmd) {
	for i, x := range []history.Answer{a.A, a.B} {
		of[i].Answers = []history.Answer{x}
	}
	c.SetCase(Case{
		Turns: of[:], Name: a.NameA + " → " + a.NameB,
		Columns: []string{a.NameA, a.NameB}, Named: map[int64]string{a.A.Turn: a.NameA, a.B.Turn: a.NameB},
	}, a.B.ID)
	if a.A.State != history.Done || a.B.State != history.Done || a.A.Picture != nil || a.B.Picture != nil {
		return nil, nil
	}
	c.pin = a.NameA
	c.layout()
	return c.openDifference()
}

// Picture tells whether the focused answer is a picture.
func (c *Compare) Picture() bool {
	x := c.current()
	return x != nil && x.answer().Picture != nil
}
