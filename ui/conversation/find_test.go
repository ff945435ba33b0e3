package conversation_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/conversation"
	"confab/ui/keys"
)

// A match far down in a long block is scrolled to, and stays where the reader scrolls from it.
func TestAMatchFarDownInABlockIsScrolledTo(t *testing.T) {
	code := ""
	for i := range 200 {
		code += fmt.Sprintf("call(%d)\n", i)
	}
	answer := growingAnswer(1, 2, "alpha")
	answer.State, answer.Text = history.Done, "Before it.\n\n```\n"+code+"```\n\nAfter it."
	c := newPane(80, 20)
	c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{answer}}}, false)
	settle(t, c, nil)
	c.Run(keys.Find)
	c.Update(tea.PasteMsg{Content: "call(150)"})
	c.FoundTurns(conversation.FoundTurnsMsg{Gen: 1, Turns: []int64{1}})
	c.Update(keys.Press{Command: keys.Accept})
	settle(t, c, nil)
	if got := screenOf(c); strings.Count(got, "call(150)") != 2 { // the line of the search has it too
		t.Errorf("the match is not on the screen:\n%s", got)
	}
	c.Run(keys.Top)
	settle(t, c, nil)
	if got := screenOf(c); !strings.Contains(got, "call(0)") {
		t.Errorf("it went back to the match:\n%s", got)
	}
}
