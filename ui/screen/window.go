package screen

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
)

// Work counts the answers in progress.
type Work struct {
	Ended, All       int
	HasFailed        bool
	HasUnseenFailure bool // something failed while the user was away
}

// WindowTitle returns the title of the terminal's window, with the name of the open session.
func (w Work) WindowTitle(session string) string {
	title := "confab"
	if session != "" {
		title += " · " + session
	}
	if w.All > 0 {
		title = fmt.Sprintf("%d/%d %s", w.Ended, w.All, title)
	}
	return termtext.Title(title)
}

// ProgressBar returns the terminal's progress bar of the work, or of a failure until the user returns; nil for none.
func (w Work) ProgressBar() *tea.ProgressBar {
	switch {
	case w.All > 0 && w.HasFailed:
		return tea.NewProgressBar(tea.ProgressBarError, 100*w.Ended/w.All)
	case w.All > 0:
		return tea.NewProgressBar(tea.ProgressBarDefault, 100*w.Ended/w.All)
	case w.HasUnseenFailure:
		return tea.NewProgressBar(tea.ProgressBarError, 100)
	}
	return nil
}
