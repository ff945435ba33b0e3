package app

import (
	"github.com/charmbracelet/colorprofile"

	"confab/internal/cli/answertext"
)

// TextWriter returns how the text of an answer is printed: as markdown where text may be styled, cleaned on any other
// terminal, and as it comes elsewhere. Over SSH the other end may be a terminal without saying so: ssh HOST ask has no
// pseudo-terminal, and its client prints what comes.
func (a *App) TextWriter(isRaw bool) answertext.Writer {
	switch {
	case isRaw:
	case a.Out.Styled:
		return answertext.Markdown(answertext.Terminal{Print: a.PrintStyled, Styles: a.Styles(), Size: a.Out.Size,
			HasNoCursor: !a.Out.Terminal || a.Out.Profile <= colorprofile.NoTTY})
	case a.Out.Terminal, a.Served != nil:
		return answertext.Clean(a.Print)
	}
	return answertext.Plain(a.Print)
}
