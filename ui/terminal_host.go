package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// around is what stands between confab and the person's terminal, which has to
// be told to pass on what it would keep for itself.
type terminalHost struct {
	tmux   bool
	screen bool // GNU screen
	far    bool // another machine's terminal, over SSH
	outer  bool // tmux runs on the person's own machine, before SSH
	focus  bool // the terminal tells when its window gains or loses the focus
}

// screenPiece is the longest piece, in bytes, of a string that GNU screen
// passes on; 4.9 prints the rest of one of 768.
const screenPiece = 760

// askHost finds out what stands in between. Within screen or tmux on the
// person's own machine only TERM has crossed: both call themselves "screen", so
// they are asked who they are.
func (m *Model) askHost(env tea.EnvMsg) tea.Cmd {
	a, term := &m.host, env.Getenv("TERM")
	a.far = env.Getenv("SSH_CONNECTION") != "" || env.Getenv("SSH_TTY") != ""
	a.tmux = env.Getenv("TMUX") != "" || strings.HasPrefix(term, "tmux")
	a.outer = a.far && a.tmux && env.Getenv("TMUX") == ""
	// What calls itself screen and does not answer is taken for it: tmux drops
	// what is wrapped for screen, and screen prints what is wrapped for tmux.
	a.screen = !a.tmux && (env.Getenv("STY") != "" || strings.HasPrefix(term, "screen"))
	if a.screen && env.Getenv("STY") == "" {
		return tea.Raw(ansi.RequestSecondaryDeviceAttributes)
	}
	return nil
}

// handleAttributes takes the answer: screen says 83, tmux 84 (their first letters).
func (a *terminalHost) handleAttributes(msg uv.SecondaryDeviceAttributesEvent) {
	if len(msg) > 0 && msg[0] == 'T' {
		a.tmux, a.screen = true, false
		a.outer = a.far
	}
}

// through returns a sequence as it reaches the person's terminal.
func (a *terminalHost) through(seq string) string {
	switch {
	case a.tmux:
		return ansi.TmuxPassthrough(seq)
	case a.screen:
		return ansi.ScreenPassthrough(seq, screenPiece)
	}
	return seq
}

// clipboard returns what puts text on the terminal's clipboard (OSC 52).
func (a *terminalHost) clipboard(text string) string {
	seq := ansi.SetSystemClipboard(text)
	if a.tmux {
		// It passes on what is wrapped where allow-passthrough is on, and does it
		// by itself where set-clipboard is; where both are, twice is once.
		return seq + a.through(seq)
	}
	return a.through(seq)
}

// alert returns what shows a notification and rings the bell, for a terminal of
// a name. One that does not know the notification ignores it; the bell reaches
// everybody else.
func (a *terminalHost) alert(name, text string) string {
	seq := ansi.Notify(text) // OSC 9: iTerm2, kitty, WezTerm, Ghostty, Windows Terminal
	for _, one := range []string{"foot", "vte", "rxvt"} {
		if strings.HasPrefix(strings.ToLower(name), one) {
			seq = "\x1b]777;notify;confab;" + strings.ReplaceAll(text, ";", ",") + "\x07"
		}
	}
	return a.through(seq) + "\a"
}

// awayAfter is for how long nothing must have been typed, where the terminal
// does not tell of its focus, before a person counts as gone.
const awayAfter = 20 * time.Second

// away tells whether the person looks elsewhere, as far as can be known.
func (m *Model) away() bool {
	return m.unfocused || !m.host.focus && m.o.Now().Sub(m.pastes.last) > awayAfter
}
