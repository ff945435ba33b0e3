package screen

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
)

// Header is what the line says.
type Header struct {
	Styles        *themes.Styles
	Width         int
	Endpoint      service.Endpoint
	IsUnreachable bool // the newest call found no connection to the service
	Models        EngineStates
	Name          string // of the session, or of what is shown instead
	Session       history.Session
	Sums          string // what the session's answers took together, empty where that is not known
	IsSaving      bool
	HasContext    bool // the session's earlier turns go with the prompt
}

// EngineStates tells of engines by their names: whether one is down, and whether a model uses it.
type EngineStates interface {
	IsDown(engine string) bool
	Uses(engine string) bool
}

// Line returns the header, as wide as the screen.
func (h Header) Line() string {
	s := h.Styles
	left := " " + s.Gradient("confab") + "   " + h.service()
	right := ""
	if h.Session.Turns > 0 {
		right = format.Count(h.Session.Turns, "turn")
		if h.Width >= 90 {
			right += "   " + format.Count(h.Session.Answers, "answer")
		}
	}
	if h.Sums != "" && h.Width >= 100 {
		right = h.Sums + "   " + right
	}
	if !h.IsSaving {
		right = s.Danger.Render("not saving") + "   " + right
	}
	if h.HasContext {
		right = s.Warning.Render("context on") + "   " + right
	}
	cells := h.Width - termtext.Width(left) - termtext.Width(right) - 7
	middle := ""
	if cells >= 8 {
		name := h.Name
		if name == "" {
			name = "new session"
		}
		middle = s.Text.Render(ansi.Truncate(termtext.Line(name), cells, "…"))
	}
	line := left + "     " + middle
	gap := max(h.Width-termtext.Width(line)-termtext.Width(right)-1, 1)
	return termtext.Fit(line+strings.Repeat(" ", gap)+s.Muted.Render(right), h.Width)
}

// service returns the badge that says which service answers, or which engines.
func (h Header) service() string {
	s := h.Styles
	simulated := s.Badge.Render("◇ offline (simulated)")
	switch {
	case !h.Endpoint.Embedded:
		return h.remoteBadge()
	case h.Endpoint.Simulated && h.Width >= 90:
		return s.Badge.Render("◇ offline engine (simulated)")
	case h.Endpoint.Simulated:
		return simulated
	case len(h.Endpoint.Engines) == 0:
		return s.Danger.Render("× no engine answers")
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
	if len(up)+len(down) == 0 && !invents {
		down = unused
	}
	width := 44
	switch {
	case h.Width < 80:
		width, simulated = 14, s.Badge.Render("◇ simulated")
	case h.Width < 120:
		width = 24
	}
	var badges []string
	if len(down) > 0 { // first: it is what a person has to know
		text := ansi.Truncate("× "+strings.Join(down, ", "), width-5, "…") + " down"
		badges, width = append(badges, s.Danger.Render(text)), max(width-ansi.StringWidth(text), 8)
	}
	if len(up) > 0 {
		badges = append(badges, s.Success.Render(ansi.Truncate("◆ "+strings.Join(up, ", "), width+2, "…")))
	}
	if invents {
		badges = append(badges, simulated)
	}
	return strings.Join(badges, "  ")
}

// remoteBadge names the remote service, and says so when the newest call found no connection to it.
func (h Header) remoteBadge() string {
	width := min(40, max(h.Width/3, 12))
	host := ansi.Truncate(termtext.Line(h.Endpoint.Host), width, "…")
	if h.IsUnreachable {
		return h.Styles.Danger.Render("× " + host + ": no connection")
	}
	return h.Styles.Success.Render("◆ " + host)
}
