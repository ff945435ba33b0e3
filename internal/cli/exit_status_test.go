package cli

import (
	"errors"
	"fmt"
	"testing"

	"confab/service/problem"

	"confab/service/api"
)

// What is meant for people at a terminal is neither printed to a pipe nor with --quiet.
func TestOnlyPeopleAreTold(t *testing.T) {
	w := newWorld(t, "CONFAB_UI_THEME=no-such-theme")
	const warning = "there is no theme"
	wantTexts(t, w.must(exitDone, "ask", "-m", "zeta", "hello").err, warning)
	wantNoTexts(t, w.must(exitDone, "ask", "-q", "-m", "zeta", "hello").err, warning)
	wantNoTexts(t, w.must(exitDone, "history", "list", "-n", "1").err, "1 session of 2")
	wantTexts(t, w.onTerminal(80, "", "history", "list", "-n", "1").out, "1 session of 2")
}

func TestExitStatusOfErrors(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, exitDone}, {exitCode(7), 7}, {errors.New("anything"), exitFailed}, {problem.Usage("wrong"), exitUsage},
		{&api.Error{Code: api.CodeConfig}, exitUsage}, {&api.Error{Code: api.CodeUnknownModel}, exitUsage},
		{&api.Error{Code: api.CodeTimeout}, exitTimeout}, {&api.Error{Code: api.CodeCancelled}, exitInterrupted},
		{&api.Error{Code: api.CodeDisk}, exitFailed}, {&api.Error{Code: api.CodeService}, exitFailed},
	} {
		err := tt.err
		if err != nil {
			err = fmt.Errorf("do something: %w", err)
		}
		if got := codeOf(err); got != tt.want {
			t.Errorf("%v ends with %d, want %d", tt.err, got, tt.want)
		}
	}
}
