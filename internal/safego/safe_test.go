package safego_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"confab/internal/safego"
)

func TestPanicsAreLoggedWithoutWhatTheyQuote(t *testing.T) {
	for _, tt := range []struct {
		cause any
		want  string
	}{
		{"the prompt was: my secret plan", `in=work cause="a panic with a string"`},
		{nil, `cause="panic called with nil argument`},
	} {
		var log bytes.Buffer
		failed := make(chan error)
		safego.Go(slog.New(slog.NewTextHandler(&log, nil)), "work", func() { panic(tt.cause) },
			func(err error) { failed <- err })
		if err := <-failed; !strings.HasPrefix(err.Error(), "work: unexpected fault: ") {
			t.Errorf("the error is %q", err)
		}
		if got := log.String(); !strings.Contains(got, tt.want) || !strings.Contains(got, "safe_test.go") ||
			strings.Contains(got, "my secret plan") {
			t.Errorf("the log says %s", got)
		}
	}
}
