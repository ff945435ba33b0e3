package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// colourQuery sets a colour of 24 bits and asks which style is set (DECRQSS):
// who answers with that colour draws it. COLORTERM, which would tell too, is
// unset by xterm and does not cross most SSH connections.
const colourQuery = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[m"

// ColourQuery returns the question for more colours than the environment
// promises; empty where there are no more, and for a terminal that would print
// the question.
func ColourQuery(have colorprofile.Profile, getenv func(string) string) string {
	if have < colorprofile.ANSI || have == colorprofile.TrueColor {
		return ""
	}
	term := getenv("TERM")
	switch {
	case term == "", term == "dumb", term == "linux", strings.HasPrefix(term, "screen"):
		return ""
	case getenv("TERM_PROGRAM") == "Apple_Terminal":
		return ""
	case getenv("TMUX") != "", strings.HasPrefix(term, "tmux"):
		// tmux 3.5 takes any DCS with a q for a picture and prints that it cannot
		// show it; it has told its colours in another way (see colorprofile).
		return ""
	}
	return colourQuery
}

// IsTrueColour tells whether an answer to [ColourQuery] says that colours of 24
// bits are drawn.
func IsTrueColour(answer string) bool {
	return strings.Contains(answer, "48:2:") || strings.Contains(answer, "48;2;")
}

// askColours asks the terminal for more colours than its environment promises.
func (m *Model) askColours(env tea.EnvMsg) tea.Cmd {
	query := ColourQuery(m.profile, env.Getenv)
	if query == "" {
		return nil
	}
	return tea.Batch(tea.Raw(query), tea.RequestCapability("RGB"), tea.RequestCapability("Tc"))
}

// colourAnswer takes the answer to [ColourQuery].
func (m *Model) colourAnswer(answer string) tea.Cmd {
	if !IsTrueColour(answer) {
		return nil
	}
	// Cells that stay the same are not recoloured by themselves.
	return tea.Sequence(func() tea.Msg { return tea.ColorProfileMsg{Profile: colorprofile.TrueColor} }, tea.ClearScreen)
}
