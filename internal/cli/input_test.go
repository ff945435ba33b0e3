package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
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
		if api.CodeOf(err) != api.CodeCancelled || codeOf(err) != exitInterrupted || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestInputThatIsNoPrompt(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"bytes that are no text", "\xff\xfe", "not UTF-8"},
		{"a zero byte", "a\x00b", "not UTF-8"},
		{"nothing", " \n", "standard input is empty"},
		{"too much", strings.Repeat("x", maxText+1), "larger than 16 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.stdin = strings.NewReader(c.input)
			wantTexts(t, w.must(2, "ask", "-m", "zeta").err, c.want)
		})
	}
}

func TestTimeoutTellsMoreThanAFailure(t *testing.T) {
	s := newRemote(t, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		if strings.Contains(r.URL.Path, "zeta") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		<-r.Context().Done()
	})
	remoteWorld(t, s).must(124, "ask", "-m", "zeta,delta", "--timeout", "1s", "hello")
}
