package action

import (
	"strings"

	"confab/internal/format"
)

// manyCalls is the number of calls beyond which a person is asked before they are made.
const manyCalls = 20

// BeforePublishing is the title of the question before a picture leaves the machine.
const BeforePublishing = "Before anything leaves this machine"

// ConfirmFirst returns the action itself where it needs no question, otherwise the question that leads to it on yes: it
// makes many calls, or publishes pictures (a sentence each). Whoever calls it does nothing else.
func ConfirmFirst(calls int, publish []string, then Action) Action {
	title, question := "Many calls", strings.Join(publish, " ")
	if question != "" {
		title = BeforePublishing
	}
	if calls > manyCalls {
		question = strings.TrimSpace(question + " This makes " + format.Count(calls, "call") + ". Send it?")
	}
	if question == "" {
		return then
	}
	return Confirm{Title: title, Question: question, Yes: then}
}
