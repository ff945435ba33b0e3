package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
)

// noteConnection takes from an answer whether the service can be reached. It is not asked for by itself: the newest
// call tells.
func (m *Model) noteConnection(a history.Answer) {
	switch {
	case a.HTTPStatus == 0 && service.WithoutConnection(a):
		m.unreachable = true
	case a.State == history.Done, a.HTTPStatus != 0, a.Progress.Failure != "", a.Progress.Received > 0:
		m.unreachable = false
	}
}

// who is the badge of the header: which service answers, or which engines.
func (m *Model) who() string {
	s := m.styles
	simulated := s.Badge.Render("◇ offline (simulated)")
	switch {
	case !m.endpoint.Embedded:
		return m.remoteBadge()
	case m.endpoint.Simulated && m.w >= 90:
		return s.Badge.Render("◇ offline engine (simulated)")
	case m.endpoint.Simulated:
		return simulated
	case len(m.endpoint.Engines) == 0:
		return s.Danger.Render("× no engine answers")
	}
	var up, down, unused []string
	invents := false
	for _, name := range m.endpoint.Engines {
		switch {
		case name == history.Offline:
			invents = true
		case !m.models.Down(name):
			up = append(up, termtext.Line(name))
		case m.models.Uses(name):
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
	case m.w < 80:
		width, simulated = 14, s.Badge.Render("◇ simulated")
	case m.w < 120:
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
func (m *Model) remoteBadge() string {
	width := min(40, max(m.w/3, 12))
	host := ansi.Truncate(termtext.Line(m.endpoint.Host), width, "…")
	if m.unreachable {
		return m.styles.Danger.Render("× " + host + ": no connection")
	}
	return m.styles.Success.Render("◆ " + host)
}
