package ui

import (
	"context"
	"os/exec"
)

// Desktop is the machine the person sits at, as far as confab reaches it.
type Desktop interface {
	// Copy puts text on the local clipboard; terminal tells whether the
	// terminal should be asked too, by OSC 52. Where it says for people what
	// was done.
	Copy(ctx context.Context, text string) (where string, terminal bool, err error)
	// Open shows a file or link with the desktop's own program, or says in
	// hint what to do instead.
	Open(ctx context.Context, target string) (hint string, err error)
	// Editor returns the command of the person's editor on a file that holds
	// text, and a function that reads the text back and removes the file.
	Editor(ctx context.Context, text string) (*exec.Cmd, func() (string, error), error)
}

// Neighbours are servers of models that run on the person's own machine.
type Neighbours interface {
	// Find names those that are not in the configuration; empty for none. It
	// takes less than a second.
	Find(ctx context.Context) string
	// Take takes them into the configuration and says what that means.
	Take(ctx context.Context) (string, error)
}
