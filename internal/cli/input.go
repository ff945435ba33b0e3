package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"confab/internal/fileio"
	"confab/internal/format"
	"confab/internal/safego"
	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/problem"
)

// isFolder tells whether a path is meant as a folder.
func isFolder(path string) bool {
	if os.IsPathSeparator(path[len(path)-1]) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// silence is how long standard input may say nothing before the person is told what is waited for: a pipe that nobody
// closes, as over SSH, looks like a program that hangs.
const silence = 2 * time.Second

// readPrompt returns standard input, a blank line and the words of the call.
func (c *console) readPrompt(ctx context.Context, args []string) (string, error) {
	words := strings.Join(args, " ")
	if words == "-" { // standard input, which is read anyway
		words = ""
	}
	if err := validText(words, "the prompt"); err != nil {
		return "", err
	}
	if !isReadable(c.env.Stdin) {
		if strings.TrimSpace(words) == "" {
			return "", problem.Usage("there is no prompt; give one as an argument or through a pipe")
		}
		return words, nil
	}
	input, err := c.readInput(ctx)
	if err != nil {
		return "", err
	}
	input = strings.TrimRight(input, "\r\n")
	switch {
	case strings.TrimSpace(input) == "" && strings.TrimSpace(words) == "":
		return "", problem.Usage("there is no prompt: standard input is empty and there is no argument")
	case strings.TrimSpace(input) == "":
		return words, nil
	case words == "":
		return input, nil
	}
	return input + "\n\n" + words, nil
}

// readInput reads standard input to its end. The reading itself cannot be stopped; it ends with the program.
func (c *console) readInput(ctx context.Context) (string, error) {
	type outcome struct {
		b   []byte
		err error
	}
	done := make(chan outcome, 2)
	safego.Go(c.log, "standard input", func() {
		b, err := io.ReadAll(io.LimitReader(c.env.Stdin, maxText+1))
		done <- outcome{b, err}
	}, func(err error) { done <- outcome{err: err} })
	t := time.NewTimer(silence)
	defer t.Stop()
	for {
		select {
		case o := <-done:
			if o.err != nil {
				return "", &api.Error{Code: api.CodeUsage, Message: "standard input could not be read", Err: o.err}
			}
			return asText(o.b, "standard input")
		case <-t.C:
			if !c.flags.quiet {
				c.warn("reading standard input to its end; ctrl+d ends it, and </dev/null does without it")
			}
		case <-ctx.Done():
			return "", interrupted(ctx)
		}
	}
}

// asText refuses what is not a prompt.
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

// maxText bounds a file or standard input that holds a prompt, in bytes.
const maxText = 16 << 20

// textOrFile returns the text of a flag: itself, or what stands in a file when it begins with @. @@ stands for an @.
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

// readBounded reads a regular file of at most that many bytes. Its errors are [*api.Error].
func readBounded(path string, most int64) ([]byte, error) {
	b, err := fileio.ReadSettings(path, most)
	if err != nil {
		return nil, &api.Error{Code: api.CodeUsage, Err: err,
			Message: "the file " + termtext.Line(path) + " " + fileio.ReadProblem(err, most)}
	}
	return b, nil
}

// manyCalls is the number of calls beyond which a person at a terminal is asked before they are made.
const manyCalls = 20

// sendingCost is what sending something costs: so many calls, and pictures that leave the machine, a sentence each.
type sendingCost struct {
	calls   int
	publish []string
}

// confirmCost asks whether to do what costs that much; nil means yes. It does not ask where there is little to ask
// about, or where a flag said yes. It asks about many calls at a terminal only: a script means them.
func (c *console) confirmCost(ctx context.Context, costs sendingCost) error {
	var question []string
	if costs.calls > manyCalls && isTerminal(c.env.Stdin) {
		question = append(question, "These are "+format.Count(costs.calls, "call")+".")
	}
	for _, p := range costs.publish {
		question = append(question, termtext.Line(p))
	}
	if c.flags.yes && !c.flags.quiet {
		for _, p := range costs.publish {
			c.info(termtext.Line(p))
		}
	}
	if len(question) == 0 {
		return nil
	}
	text := strings.Join(question, "\n") + " Go on?"
	return c.confirm(ctx, text, "--yes goes on without asking", "nothing was sent")
}

// confirmDelete asks whether something is to be deleted, unless yes was said by a flag.
func (c *console) confirmDelete(ctx context.Context, question string) error {
	return c.confirm(ctx, question, "--yes deletes without asking", "nothing was deleted")
}

// confirm asks a question on the terminal that standard input is; elsewhere it is an error that names the way around.
// It returns nil for yes, which a flag may have said, and an error with the text of refused for anything else.
func (c *console) confirm(ctx context.Context, question, otherwise, refused string) error {
	if c.flags.yes {
		return nil
	}
	if !isTerminal(c.env.Stdin) {
		return problem.Usage("%s Standard input is no terminal to ask on; %s", question, otherwise)
	}
	_, _ = fmt.Fprintf(c.err, "%s [y/N] ", c.secrets.Masker().String(question)) // without an answer nothing happens
	line := make(chan string, 2)
	safego.Go(c.log, "question", func() {
		s, _ := bufio.NewReader(c.env.Stdin).ReadString('\n') // what came before an error counts
		line <- s
	}, func(error) { line <- "" })
	select {
	case s := <-line:
		if s = strings.ToLower(strings.TrimSpace(s)); s != "y" && s != "yes" {
			return problem.Usage("%s", refused)
		}
		return nil
	case <-ctx.Done():
		c.info("")
		return interrupted(ctx)
	}
}
