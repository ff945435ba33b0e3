package cli

import (
	"context"
	"os/exec"

	"confab/service/api"
)

// maxSent is the largest text, in bytes, that is sent to a terminal's
// clipboard: tmux loses 80 KB without a word.
const maxSent = 70_000

// guestDesktop is the desktop of a served screen: the user's terminal and
// nothing of this machine, whose clipboard, programs and editor are not theirs.
type guestDesktop struct{}

// Copy implements [ui.Desktop].
func (guestDesktop) Copy(_ context.Context, text string) (where string, terminal bool, err error) {
	if len(text) > maxSent {
		return "", false, &api.Error{Code: api.CodeTooLarge, Message: "This is too large for a terminal's clipboard (70 KB); copy a part of it, or ask for it with ssh HOST ask and redirect the answer."}
	}
	return "sent to the terminal", true, nil
}

// Open implements [ui.Desktop].
func (guestDesktop) Open(_ context.Context, target string) (hint string, err error) {
	return "nothing is opened on the server; it is " + target, nil
}

// Editor implements [ui.Desktop].
func (guestDesktop) Editor(context.Context, string) (*exec.Cmd, func() (string, error), error) {
	return nil, nil, &api.Error{Code: api.CodeConfig, Message: "There is no editor in a screen that is served over SSH: it would run on the server."}
}
