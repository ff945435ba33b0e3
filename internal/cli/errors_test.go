package cli

import (
	"errors"
	"fmt"
	"testing"

	"confab/service/api"
	"confab/service/problem"
)

func TestExitStatusOfErrors(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, ExitDone}, {exitCode(7), 7}, {errors.New("anything"), ExitFailed}, {problem.Usage("wrong"), ExitUsage},
		{&api.Error{Code: api.CodeConfig}, ExitUsage}, {&api.Error{Code: api.CodeUnknownModel}, ExitUsage},
		{&api.Error{Code: api.CodeTimeout}, ExitTimeout}, {&api.Error{Code: api.CodeCancelled}, ExitInterrupted},
		{&api.Error{Code: api.CodeDisk}, ExitFailed}, {&api.Error{Code: api.CodeService}, ExitFailed},
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
