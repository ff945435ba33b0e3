package cli

import (
	"context"
	"os/exec"

	"confab/internal/desktop"
	"confab/service/api"
)

// servedDesktop is the desktop of a served screen. It can only use the user's terminal: the clipboard, the programs
// and the editor of this machine are not the user's.
type servedDesktop struct{}

// Copy implements [ui.Desktop].
func (servedDesktop) Copy(_ context.Context, text string) (where string, terminal bool, err error) {
	if len(text) > desktop.MaxTerminalText {
		return "", false, &api.Error{Code: api.CodeTooLarge, Message: "This is too large for a terminal's " +
			"clipboard (70 KB); copy a part of it, or ask for it with ssh HOST ask and redirect the answer."}
	}
	return "sent to the terminal", true, nil
}

// Open implements [ui.Desktop].
func (servedDesktop) Open(_ context.Context, target string) (hint string, err error) {
	return "nothing is opened on the server; it is " + target, nil
}

// Editor implements [ui.Desktop].
func (servedDesktop) Editor(context.Context, string) (*exec.Cmd, func() (string, error), error) {
	return nil, nil, &api.Error{Code: api.CodeConfig, Message: "There is no editor in a screen that is served over " +
		"SSH: it would run on the server."}
}
