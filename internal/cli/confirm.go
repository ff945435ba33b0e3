package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"confab/internal/format"
	"confab/internal/safego"
	"confab/internal/termtext"
)

// manyCalls is the number of calls beyond which a person at a terminal is asked before they are made.
const manyCalls = 20

// cost is what sending something costs: so many calls, and pictures that leave the machine, a sentence each.
type cost struct {
	calls   int
	publish []string
}

// agreed asks whether what costs that much is to be done; nil is yes. Nothing is asked where there is little to ask
// about, or where yes was said by a flag. Many calls are asked about at a terminal only: a script means them.
func (a *app) confirmCost(ctx context.Context, c cost, yes, quiet bool) error {
	var question []string
	if c.calls > manyCalls && isTerminal(a.env.Stdin) {
		question = append(question, "These are "+format.Count(c.calls, "call")+".")
	}
	for _, p := range c.publish {
		question = append(question, termtext.Line(p))
	}
	if yes && !quiet {
		for _, p := range c.publish {
			a.info(termtext.Line(p))
		}
	}
	if yes || len(question) == 0 {
		return nil
	}
	ok, err := a.confirm(ctx, strings.Join(question, "\n")+" Go on?", "--yes goes on without asking")
	if err == nil && !ok {
		return usage("nothing was sent")
	}
	return err
}

// mayDelete asks whether something is to be deleted, unless yes was said by a flag.
func (a *app) confirmDelete(ctx context.Context, question string, yes bool) error {
	if yes {
		return nil
	}
	ok, err := a.confirm(ctx, question, "--yes deletes without asking")
	if err == nil && !ok {
		return usage("nothing was deleted")
	}
	return err
}

// confirm asks a question on the terminal that standard input is; elsewhere it
// is an error that names the way around.
func (a *app) confirm(ctx context.Context, question, otherwise string) (bool, error) {
	if !isTerminal(a.env.Stdin) {
		return false, usage("%s Standard input is no terminal to ask on; %s", question, otherwise)
	}
	_, _ = fmt.Fprintf(a.err, "%s [y/N] ", a.secrets.masker().String(question)) // without an answer nothing happens
	line := make(chan string, 2)
	safego.Go(a.log, "question", func() {
		s, _ := bufio.NewReader(a.env.Stdin).ReadString('\n') // what came before an error counts
		line <- s
	}, func(error) { line <- "" })
	select {
	case s := <-line:
		s = strings.ToLower(strings.TrimSpace(s))
		return s == "y" || s == "yes", nil
	case <-ctx.Done():
		a.info("")
		return false, interrupted(ctx)
	}
}
