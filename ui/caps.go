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

// askColours asks the terminal for more colours than its environment promises,
// unless it is one that would print the question.
func (m *Model) askColours(env tea.EnvMsg) tea.Cmd {
	if m.profile < colorprofile.ANSI || m.profile == colorprofile.TrueColor {
		return nil
	}
	term := env.Getenv("TERM")
	switch {
	case term == "", term == "dumb", term == "linux", strings.HasPrefix(term, "screen"):
		return nil
	case env.Getenv("TERM_PROGRAM") == "Apple_Terminal":
		return nil
	case env.Getenv("TMUX") != "":
		// tmux 3.5 takes any DCS with a q for a picture and prints that it cannot
		// show it; it has told its colours in another way (see colorprofile).
		return nil
	}
	return tea.Batch(tea.Raw(colourQuery), tea.RequestCapability("RGB"), tea.RequestCapability("Tc"))
}

// colourAnswer takes the answer to [colourQuery].
func (m *Model) colourAnswer(answer string) tea.Cmd {
	if !strings.Contains(answer, "48:2:") && !strings.Contains(answer, "48;2;") {
		return nil
	}
	// Cells that stay the same are not recoloured by themselves.
	return tea.Sequence(func() tea.Msg { return tea.ColorProfileMsg{Profile: colorprofile.TrueColor} }, tea.ClearScreen)
}
