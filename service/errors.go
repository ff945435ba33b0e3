package service

import (
	"confab/service/api"
	"confab/service/problem"
)

// ErrClosing is the cause with which running answers end when the program does: they become interrupted, not cancelled.
// A caller whose context ends because the program is told to end may cancel it with this cause.
var ErrClosing = problem.ErrClosing

// closing returns the error of a call after [Service.Close].
func closing() *api.Error {
	return problem.New(api.CodeCancelled, ErrClosing, "confab is closing; start it again to go on")
}
