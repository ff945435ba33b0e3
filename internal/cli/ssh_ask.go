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

// RunCommand implements [sshserver.Handler]. The only command that can be allowed is ask; it uses the streams of the
// connection.
func (h *sshHandler) RunCommand(ctx context.Context, v sshserver.Session, words []string,
	s sshserver.Streams) (code int) {
	env := Env{Stdin: s.Stdin, Stdout: s.Stdout, Stderr: s.Stderr, Signals: s.Signals}
	if v.Window != (sshserver.Window{}) {
		env.Stdin = nil // ask must not wait for input from a terminal
	}
	a, g, err := h.newServedApp(ctx, v, env)
	if err != nil {
		_, _ = s.Stderr.Write([]byte("confab: " + sentence(err) + "\n")) // the client may have gone
		return exitFailed
	}
	defer g.quota.close()
	defer safego.Recover(h.app.log, "ask over ssh", func(error) {
		a.info("confab: an unexpected fault ended the command (service)")
		code = exitFailed
	})
	// When the client disconnects, its answers are stored as interrupted and can be run again.
	asking, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(service.ErrClosing) })()
	root := a.servedCommands()
	root.SetArgs(words)
	return a.end(root.ExecuteContext(asking))
}

// servedCommands returns the commands of a served user.
func (a *app) servedCommands() *cobra.Command {
	root := &cobra.Command{
		Use: "confab", SilenceUsage: true, SilenceErrors: true,
		PersistentPreRun: func(*cobra.Command, []string) { a.running = true },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	ask := a.askCommand()
	ask.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if a.served.handler.app.cfg.SSH.LocalFiles {
			return nil
		}
		if cmd.Flags().Changed("output") {
			return usage("-o would write on the server; redirect the answer on your own machine: ssh HOST ask … > FILE")
		}
		if system, _ := cmd.Flags().GetString("system"); strings.HasPrefix(system, "@") &&
			!strings.HasPrefix(system, "@@") {
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

// applySettings applies the flags of a command to the configuration of a served user. It refuses settings that are
// the operator's.
func (g *servedUser) applySettings(a *app) error {
	a.cfg = g.user.cfg
	for name, value := range a.settings {
		switch name {
		case "history.save":
			a.cfg.History.Save = a.cfg.History.Save && value != "false"
		case "service.concurrency":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return usage("--concurrency takes a number from 1")
			}
			a.cfg.Service.Concurrency = min(n, g.user.cfg.Service.Concurrency)
		default:
			return usage("%s is not yours to set here", name)
		}
	}
	a.loaded = true
	return nil
}
