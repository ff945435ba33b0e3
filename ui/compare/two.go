package compare

import (
	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
)

// ShowDifference shows how two answers differ that are in no case together:
// those of one cell in two runs. Behind the difference they stand side by side.
func (c *Compare) ShowDifference(prompt string, a action.ShowDifference) (action.Action, tea.Cmd) {
	turn := func(x service.Answer) service.Turn {
		return service.Turn{ID: x.Turn, Prompt: prompt, Answers: []service.Answer{x}}
	}
	c.SetCase(Case{
		Turns: []service.Turn{turn(a.A), turn(a.B)}, Name: a.NameA + " → " + a.NameB,
		Columns: []string{a.NameA, a.NameB}, Named: map[int64]string{a.A.Turn: a.NameA, a.B.Turn: a.NameB},
	}, a.B.ID)
	c.pin = a.NameA
	c.layout()
	if a.A.State != service.Done || a.B.State != service.Done || a.A.Picture != nil || a.B.Picture != nil {
		return nil, nil // side by side is all there is to see
	}
	return c.openDifference()
}

// Picture tells whether the focused answer is a picture.
func (c *Compare) Picture() bool {
	x := c.current()
	return x != nil && x.answer().Picture != nil
}
