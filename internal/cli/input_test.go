package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/service/api"
)

func TestSilentInputIsExplained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		var said bytes.Buffer
		c := newConsole(Env{Stdin: r, Stdout: io.Discard, Stderr: &said}, nil)
		got := make(chan string, 1)
		go func() {
			s, err := c.readPrompt(t.Context(), []string{"sum it up"})
			if err != nil {
				t.Error(err)
			}
			got <- s
		}()
		time.Sleep(silence - time.Millisecond)
		synctest.Wait()
		if said.String() != "" {
			t.Errorf("it was impatient: %q", said.String())
		}
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		if !strings.Contains(said.String(), "reading standard input to its end") {
			t.Errorf("it said %q", said.String())
		}
		_, _ = io.WriteString(w, "late\n") // the reader is there
		_ = w.Close()
		if s := <-got; s != "late\n\nsum it up" {
			t.Errorf("read %q", s)
		}
	})
}

func TestReadingInputIsInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		defer w.Close()
		c := newConsole(Env{Stdin: r, Stdout: io.Discard, Stderr: io.Discard}, nil)
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errInterrupted) })
		_, err := c.readPrompt(ctx, nil)
		if api.CodeOf(err) != api.CodeCancelled || codeOf(err) != ExitInterrupted || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
