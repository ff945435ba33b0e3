package graphics

import (
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// trueColorQuery sets a color of 24 bits and asks which style is set (DECRQSS): a terminal that answers with that color
// draws it. COLORTERM, which would tell too, is unset by xterm and does not cross most SSH connections.
const trueColorQuery = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[m"

// TrueColorQuery returns the question for more colors than the environment promises; it is empty where there are no
// more, and for a terminal that would print the question.
func TrueColorQuery(have colorprofile.Profile, getenv func(string) string) string {
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
		// tmux 3.5 takes any DCS with a q for a picture and prints that it cannot show it; it has told its colors in
		// another way (see colorprofile).
		return ""
	}
	return trueColorQuery
}

// IsTrueColor tells whether an answer to [TrueColorQuery] says that colors of 24 bits are drawn.
func IsTrueColor(answer string) bool {
	return strings.Contains(answer, "48:2:") || strings.Contains(answer, "48;2;")
}
