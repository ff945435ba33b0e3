package cli

import (
	"context"
	"io"

	"confab/internal/desktop"
	"confab/service/api"
)

// servedDesktop is the desktop of a served screen. It can only use the user's terminal: the clipboard, the programs
// and the editor of this machine are not the user's.
type servedDesktop struct{}

// Copy implements [desktop.Machine] of the screen.
func (servedDesktop) Copy(_ context.Context, text string) (where string, terminal bool, err error) {
	if len(text) > desktop.MaxTerminalText {
		return "", false, &api.Error{Code: api.CodeTooLarge, Message: "This is too large for a terminal's " +
			"clipboard (70 KB); copy a part of it, or ask for it with ssh HOST ask and redirect the answer."}
	}
	return "sent to the terminal", true, nil
}

// Open implements [desktop.Machine] of the screen.
func (servedDesktop) Open(_ context.Context, target string) (hint string, err error) {
	return "nothing is opened on the server; it is " + target, nil
}

// Editor implements [desktop.Machine] of the screen.
func (servedDesktop) Editor(context.Context, string) (func(in io.Reader, out, errOut io.Writer) (string, error),
	error) {
	return nil, &api.Error{Code: api.CodeConfig, Message: "There is no editor in a screen that is served over " +
		"SSH: it would run on the server."}
}

// Fetch implements [desktop.Machine] of the screen: files of the server are not the user's to fetch.
func (servedDesktop) Fetch(...string) (line string, ok bool) { return "", false }
