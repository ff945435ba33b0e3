package screen

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
	"confab/ui/keys"
	"confab/ui/widget"
)

// Header is the first line of the screen.
type Header struct {
	Styles        *themes.Styles
	Width         int
	Endpoint      service.Endpoint
	IsUnreachable bool // the newest call found no connection to the service
	Models        EngineStates
	Session       history.Session // the shown one
	Sums          string          // usage of the session's answers, empty for unknown
	Right         string          // what is said of a view that is not about the session
	IsSaving      bool
	NotUploaded   int  // pictures that the bucket does not have yet
	IsForgetful   bool // earlier turns do not go with the prompt
	IsAnswering   bool // the footer counts the answers until all have ended
}

// EngineStates reports whether an engine is down, and whether a marked model uses it.
type EngineStates interface {
	IsDown(engine string) bool
	Uses(engine string) bool
}

const headerGap = "   "

// Line returns the header, as wide as the screen.
func (h Header) Line() string { return termtext.Fit(h.pieces().String(), h.Width) }

// CommandAt returns what a click on a column of the line does, "" for nothing.
func (h Header) CommandAt(x int) keys.Command { return h.pieces().CommandAt(x) }

func (h Header) pieces() widget.Pieces {
	const gap = "  " // a blank is within the badge
	left := widget.Pieces{{Text: " "}, {Text: h.Styles.Gradient("confab"), Command: keys.Commands}, {Text: gap},
		{Text: h.service(), Command: keys.ChooseModels}, {Text: gap}}
	right := h.facts()
	cells := h.Width - left.Width() - right.Width() - len(headerGap) - 1
	name := termtext.Line(h.Session.Name)
	if name == "" && h.Session.Turns == 0 {
		name = "new session"
	}
	if cells >= min(termtext.Width(name), 8) {
		name = ansi.Truncate(name, cells, "…")
		indent := min((h.Width-termtext.Width(name))/2-left.Width(), cells-termtext.Width(name)) // to the middle
		left = append(left, widget.Piece{Text: strings.Repeat(" ", max(indent, 0))},
			widget.Piece{Text: h.Styles.Strong.Render(name), Command: keys.Sessions})
	}
	blanks := max(h.Width-left.Width()-right.Width()-1, 1)
	return slices.Concat(left, widget.Pieces{{Text: strings.Repeat(" ", blanks)}}, right)
}

func (h Header) facts() (pieces widget.Pieces) {
	s := h.Styles
	add := func(when bool, text string, command keys.Command) {
		if when {
			pieces = append(pieces, widget.Piece{Text: text, Command: command})
		}
	}
	hasTurns, w := h.Session.Turns > 0, h.Width
	add(h.IsForgetful, s.Warning.Render("memory off"), keys.ToggleContext)
	add(h.Session.Owner != "", s.Warning.Render("of "+termtext.Line(h.Session.Owner)), keys.Sessions)
	add(h.Session.Owner == "" && h.Session.IsShared, s.Muted.Render("shared"), keys.Sessions)
	add(!h.IsSaving, s.Danger.Render("not saved"), keys.SaveAgain)
	add(h.Sums != "" && w >= 100, s.Muted.Render(h.Sums), keys.Pane2)
	add(h.NotUploaded > 0, s.Warning.Render(format.Count(h.NotUploaded, "picture")+" not uploaded"), "")
	add(hasTurns, s.Muted.Render(format.Count(h.Session.Turns, "turn")), keys.Pane2)
	add(hasTurns && !h.IsAnswering && w >= 90, s.Muted.Render(format.Count(h.Session.Answers, "answer")), keys.Pane2)
	add(h.Right != "", s.Text.Render(h.Right), "")
	return pieces.Join(headerGap)
}

// service draws the badge of the service, or of the engines, with a blank on both sides.
func (h Header) service() string {
	s := h.Styles
	simulated := s.Badge.Render(" ◇ offline (simulated) ")
	switch {
	case !h.Endpoint.IsEmbedded:
		return h.remoteBadge()
	case h.Endpoint.IsSimulated && h.Width >= 90:
		return s.Badge.Render(" ◇ offline engine (simulated) ")
	case h.Endpoint.IsSimulated:
		return simulated
	case len(h.Endpoint.Engines) == 0:
		return s.Danger.Render(" ✗ no engine answers ")
	}
	var up, down, unused []string
	invents := false
	for _, name := range h.Endpoint.Engines {
		switch {
		case name == history.Offline:
			invents = true
		case !h.Models.IsDown(name):
			up = append(up, termtext.Line(name))
		case h.Models.Uses(name):
			down = append(down, termtext.Line(name))
		default:
			unused = append(unused, termtext.Line(name))
		}
	}
	invents = invents && h.Models.Uses(history.Offline)
	if len(up)+len(down) == 0 && !invents {
		down = unused
	}
	width := 44
	switch {
	case h.Width < 80:
		width, simulated = 14, s.Badge.Render(" ◇ simulated ")
	case h.Width < 120:
		width = 24
	}
	var badges []string
	if len(down) > 0 { // most important
		text := ansi.Truncate("✗ "+strings.Join(down, ", "), width-5, "…") + " down"
		badges, width = append(badges, s.Danger.Render(" "+text+" ")), max(width-ansi.StringWidth(text), 8)
	}
	if len(up) > 0 {
		badges = append(badges, s.Success.Render(" "+ansi.Truncate("◆ "+strings.Join(up, ", "), width+2, "…")+" "))
	}
	if invents {
		badges = append(badges, simulated)
	}
	return strings.Join(badges, "")
}

// remoteBadge names the remote service, and whether it can be reached.
func (h Header) remoteBadge() string {
	width := min(40, max(h.Width/3, 12))
	host := ansi.Truncate(termtext.Line(h.Endpoint.Host), width, "…")
	if h.IsUnreachable {
		return h.Styles.Danger.Render(" ✗ " + host + ": no connection ")
	}
	return h.Styles.Success.Render(" ◆ " + host + " ")
}
