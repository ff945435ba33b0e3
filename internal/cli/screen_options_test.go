package cli

import (
	"testing"
)

func TestNothingMovesOverSSH(t *testing.T) {
	for _, c := range []struct {
		motion  string
		environ []string
		want    bool
	}{
		{"auto", nil, false}, {"auto", []string{"SSH_TTY=x"}, true}, {"on", []string{"SSH_TTY=x"}, false}, {"off", nil,
			true},
	} {
		a := newApp(Env{Environ: c.environ})
		a.config.UI.Motion = c.motion
		if got := a.reducesMotion(); got != c.want {
			t.Errorf("%s with %v: %t", c.motion, c.environ, got)
		}
	}
}
