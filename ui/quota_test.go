package ui_test

import (
	"testing"

	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// answersLeft is a quota of so many answers that is never used up: only what asks for more at once is refused.
type answersLeft int

// CheckAnswers implements service.Quota.
func (q answersLeft) CheckAnswers(answers int) error {
	if answers > int(q) {
		return &api.Error{Code: api.CodeRateLimited, Message: "Not so many answers are left for today."}
	}
	return nil
}

// ReserveAnswers implements service.Quota.
func (q answersLeft) ReserveAnswers(answers int) (func(int64), error) {
	return func(int64) {}, q.CheckAnswers(answers)
}

// Release implements service.Quota.
func (answersLeft) Release(int) {}

// ReserveBytes implements service.Quota.
func (answersLeft) ReserveBytes(int64) error { return nil }

// TestCombinationsAreRefusedTogether sends a template with four combinations where three answers are left: none of them
// is sent, and the template goes back to the prompt pane.
func TestCombinationsAreRefusedTogether(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, func(_ *ui.Options, so *service.Options) { so.Limits.Quota = answersLeft(3) })
		s.typed("say {{number}}")
		s.press("enter")
		s.shows("Values of the variables")
		s.press("ctrl+u")
		s.typed(numbers(4))
		s.press("enter")
		s.wantRequests("four combinations where three answers are left", 0)
		s.shows("┃ say {{number}}")
	})
}
