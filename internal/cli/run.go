// Package cli is the command line, a file or a few for each command, all made with an [app]. No logic stands here that
// a screen also needs; that is the service's.
//
// [Run] is the whole program. Everything it has of the outside comes in an [Env], so that tests run it many times in
// one process. Before the screen's first frame nothing is opened, asked or started that the frame does not show.
package cli

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Run carries out one call of the program and returns its exit code. Answers go to the environment's standard output,
// everything else to its standard error. A panic is caught: it ends the run with a masked report in a file.
func Run(ctx context.Context, args []string, env Env) (code int) {
	a := newApp(env)
	defer func() {
		if cause := recover(); cause != nil {
			fault := &panicRecord{}
			fault.catch(cause)
			code = a.report(fault)
		}
		if a.logFile != nil {
			_ = a.logFile.Close() // nobody can be told any more
		}
	}()
	if env.Signals == nil {
		// Writing to a pipe that nobody reads any more is then an error like
		// another, and does not end the program before it has stored what runs.
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGPIPE)
		defer signal.Stop(c)
	}
	root := a.root()
	root.SetArgs(append([]string{}, args...)) // nil would mean the process's own
	err := root.ExecuteContext(ctx)
	return a.reportEnd(cmp.Or(err, a.helpErr))
}
