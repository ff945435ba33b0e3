package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"confab/internal/fileio"
	"confab/internal/safego"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/problem"
)

func isFolder(path string) bool {
	if os.IsPathSeparator(path[len(path)-1]) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// silence is how long standard input may be silent before the user is told that confab waits for it.
const silence = 2 * time.Second

// readPrompts returns a prompt of the words of the call, and one of each variant. Standard input and a blank line stand
// before each; without words and variants it is the prompt.
func (a *app) readPrompts(ctx context.Context, args, variants []string, readsInput bool) (texts []string, err error) {
	isDash := slices.Equal(args, []string{"-"}) // standard input, which is read anyway
	if words := strings.Join(args, " "); strings.TrimSpace(words) != "" && !isDash {
		texts = []string{words}
	}
	texts = append(texts, variants...)
	for _, text := range texts {
		if err := validText(text, "the prompt"); err != nil {
			return nil, err
		}
	}
	if !readsInput || !isReadable(a.env.Stdin) {
		if len(texts) == 0 {
			return nil, problem.Usage("there is no prompt; give one as an argument or through a pipe")
		}
		return texts, nil
	}
	content, err := a.readInput(ctx)
	if err != nil {
		return nil, err
	}
	input, err := asText(content, "standard input")
	if err != nil {
		return nil, err
	}
	input = strings.TrimRight(input, "\r\n")
	switch {
	case strings.TrimSpace(input) == "" && len(texts) == 0:
		return nil, problem.Usage("there is no prompt: standard input is empty and there is no argument")
	case strings.TrimSpace(input) == "":
		return texts, nil
	case len(texts) == 0:
		return []string{input}, nil
	}
	for i := range texts {
		texts[i] = input + "\n\n" + texts[i]
	}
	return texts, nil
}

// readInput reads standard input to its end. The read itself cannot be cancelled.
func (a *app) readInput(ctx context.Context) ([]byte, error) {
	type outcome struct {
		b   []byte
		err error
	}
	done := make(chan outcome, 2)
	safego.Go(a.log, "standard input", func() {
		b, err := io.ReadAll(io.LimitReader(a.env.Stdin, maxText+1))
		done <- outcome{b, err}
	}, func(err error) { done <- outcome{err: err} })
	t := time.NewTimer(silence)
	defer t.Stop()
	for {
		select {
		case o := <-done:
			if o.err != nil {
				return nil, &api.Error{Code: api.CodeUsage, Message: "standard input could not be read", Err: o.err}
			}
			return o.b, nil
		case <-t.C:
			if !a.flags.quiet {
				a.warn("reading standard input to its end; ctrl+d ends it, </dev/null skips it")
			}
		case <-ctx.Done():
			return nil, interrupted(ctx)
		}
	}
}

// asText returns b as a string if it is valid text.
func asText(b []byte, name string) (string, error) {
	if len(b) > maxText {
		return "", problem.Usage("%s is larger than %d MiB", name, maxText>>20)
	}
	b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	return string(b), validText(string(b), name)
}

func validText(s, name string) error {
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return problem.Usage("%s is not UTF-8 text", name)
	}
	return nil
}

const maxText = 16 << 20

// textOrFile returns the text of a flag, or of the file after an @. @@ stands for an @.
func textOrFile(flag string) (string, error) {
	path, ok := strings.CutPrefix(flag, "@")
	if !ok {
		return flag, nil
	}
	if strings.HasPrefix(path, "@") {
		return path, nil
	}
	b, err := readBounded(path, maxText)
	if err != nil {
		return "", err
	}
	return asText(b, termtext.Line(path))
}

// readBounded reads a regular file of limited size. Its errors are [*api.Error].
func readBounded(path string, most int64) ([]byte, error) {
	b, err := fileio.ReadSettings(path, most)
	if err != nil {
		return nil, &api.Error{Code: api.CodeUsage, Err: err,
			Message: "the file " + termtext.Line(path) + " " + fileio.ReadProblem(err, most)}
	}
	return b, nil
}

// sendingCost holds what a user confirms: the calls, and a sentence for each picture to be published.
type sendingCost struct {
	service.CallCount
	publish []string
}

// confirmCost asks for confirmation where pictures are published or, on a terminal, many calls are made.
func (a *app) confirmCost(ctx context.Context, costs sendingCost) error {
	var question []string
	if costs.IsMany() && isTerminal(a.env.Stdin) {
		question = append(question, "These are "+costs.Explained()+".")
	}
	for _, p := range costs.publish {
		question = append(question, termtext.Line(p))
	}
	if a.flags.yes {
		for _, p := range costs.publish {
			a.note(termtext.Line(p))
		}
	}
	if len(question) == 0 {
		return nil
	}
	text := strings.Join(question, "\n") + " Go on?"
	return a.confirm(ctx, text, "--yes goes on without asking", "nothing was sent")
}

// confirmDelete asks before something is deleted, unless --yes was given.
func (a *app) confirmDelete(ctx context.Context, question string) error {
	return a.confirm(ctx, question, "--yes deletes without asking", "nothing was deleted")
}

// confirm asks a question on a terminal. Elsewhere its error holds otherwise, which tells how to do without the
// question; a no is an error with the text refused.
func (a *app) confirm(ctx context.Context, question, otherwise, refused string) error {
	if a.flags.yes {
		return nil
	}
	if !isTerminal(a.env.Stdin) {
		return problem.Usage("%s Standard input is not a terminal, so confab cannot ask; %s", question, otherwise)
	}
	_, _ = fmt.Fprintf(a.err, "%s [y/N] ", a.secrets.Masker().String(question)) // without an answer nothing happens
	line := make(chan string, 2)
	safego.Go(a.log, "question", func() {
		s, _ := bufio.NewReader(a.env.Stdin).ReadString('\n') // what came before an error counts
		line <- s
	}, func(error) { line <- "" })
	select {
	case s := <-line:
		if s = strings.ToLower(strings.TrimSpace(s)); s != "y" && s != "yes" {
			return problem.Usage("%s", refused)
		}
		return nil
	case <-ctx.Done():
		a.info("")
		return interrupted(ctx)
	}
}

// errInterrupted is the cause with which ctrl+c cancels answers.
var errInterrupted = fmt.Errorf("interrupted: %w", context.Canceled)

// saveWait is how long answers may be stored after a second signal.
const saveWait = time.Second

// untilSignal returns a context that the first signal ends: ctrl+c cancels answers, other signals leave them
// interrupted, to be run again. A second signal leaves a second to store them, a third none.
//
// A handle that is not nil gets other signals than ctrl+c, more included, and reports whether the program continues.
func (a *app) untilSignal(ctx context.Context, handle func(context.Context, os.Signal) (continues bool),
	more ...os.Signal) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals, release := a.signals(append(more, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)...)
	ended := make(chan struct{})
	safego.Go(a.log, "signals", func() {
		defer release()
		var limit <-chan time.Time // set by the second signal
		for {
			select {
			case s := <-signals:
				switch {
				case limit != nil:
					a.exitAtOnce()
				case ctx.Err() != nil:
					limit = time.After(saveWait)
				case s == os.Interrupt:
					cancel(errInterrupted)
				case handle == nil || !handle(ctx, s):
					cancel(service.ErrClosing)
				}
			case <-limit:
				a.exitAtOnce()
			case <-ended:
				return
			}
		}
	}, nil)
	return ctx, sync.OnceFunc(func() {
		cancel(nil)
		close(ended)
	})
}

// exitAtOnce ends the process, unless the signals come from a client of confab ssh.
func (a *app) exitAtOnce() {
	if a.env.Signals == nil {
		os.Exit(ExitInterrupted)
	}
}

// signals returns a channel of signals until release is called.
func (a *app) signals(which ...os.Signal) (arrive <-chan os.Signal, release func()) {
	if a.env.Signals != nil {
		return a.env.Signals, func() {}
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, which...)
	return signals, func() { signal.Stop(signals) }
}
