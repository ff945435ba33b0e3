package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/safego"
	"confab/internal/sshserver"
	"confab/service"
)

// Run implements [sshserver.House]: it carries out ask, the only command that can be
// allowed, with the streams of the connection.
func (h *house) Run(ctx context.Context, v sshserver.Visit, words []string, s sshserver.Streams) (code int) {
	env := Env{Stdin: s.In, Stdout: s.Out, Stderr: s.Err, Signals: s.Signals}
	if v.Window != (sshserver.Window{}) {
		env.Stdin = nil // a terminal, which has nothing to say before it is asked
	}
	a, g, err := h.guest(ctx, v, env)
	if err != nil {
		_, _ = s.Err.Write([]byte("confab: " + sentence(err) + "\n")) // the client may have gone
		return exitFailed
	}
	defer g.share.close()
	defer safego.Recover(h.a.log, "ask over ssh", func(error) {
		a.say("confab: an unexpected fault ended the command (service)")
		code = exitFailed
	})
	// A client that has gone leaves its answers interrupted, to be run again.
	asking, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(service.ErrClosing) })()
	root := a.guestRoot()
	root.SetArgs(words)
	return a.end(root.ExecuteContext(asking))
}

// guestRoot returns the tree of commands of a served user.
func (a *app) guestRoot() *cobra.Command {
	root := &cobra.Command{
		Use: "confab", SilenceUsage: true, SilenceErrors: true,
		PersistentPreRun: func(*cobra.Command, []string) { a.running = true },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	ask := a.askCommand()
	ask.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if a.guest.house.a.cfg.SSH.LocalFiles {
			return nil
		}
		if cmd.Flags().Changed("output") {
			return usage("-o would write on the server; redirect the answer on your own machine: ssh HOST ask … > FILE")
		}
		if system, _ := cmd.Flags().GetString("system"); strings.HasPrefix(system, "@") && !strings.HasPrefix(system, "@@") {
			return usage("--system @FILE would read on the server; give the text itself")
		}
		return nil
	}
	root.AddCommand(ask)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return usage("%s; ask --help shows the flags", firstLine(err.Error()))
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.help(cmd) })
	root.SetIn(a.env.Stdin)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	return root
}

// settle applies what flags of a command say to a served user's configuration:
// only what is theirs to say.
func (g *guest) settle(a *app, settings map[string]string) error {
	a.cfg = g.tenant.cfg
	for name, value := range settings {
		switch name {
		case "history.save":
			a.cfg.History.Save = a.cfg.History.Save && value != "false"
		case "service.concurrency":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return usage("--concurrency takes a number from 1")
			}
			a.cfg.Service.Concurrency = min(n, g.tenant.cfg.Service.Concurrency)
		default:
			return usage("%s is not yours to set here", name)
		}
	}
	a.loaded = true
	return nil
}
