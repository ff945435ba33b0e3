package desktop

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// terminalHost describes the multiplexer (tmux, GNU screen) or SSH connection between confab and the terminal.
// Escape sequences meant for the terminal must be wrapped to pass through it.
type terminalHost struct {
	inTmux       bool
	inScreen     bool // GNU screen
	isRemote     bool // another machine's terminal, over SSH
	isTmuxLocal  bool // tmux runs on the person's own machine, before SSH
	reportsFocus bool // the terminal tells when its window gains or loses the focus
}

// screenPiece is the longest piece, in bytes, of a string that GNU screen
// passes on; 4.9 prints the rest of one of 768.
const screenPiece = 760

// ask reads the environment. Where screen or tmux runs on the person's own machine, before SSH, only TERM has crossed:
// both call themselves "screen", so they are asked who they are.
func (a *terminalHost) ask(env tea.EnvMsg) tea.Cmd {
	term := env.Getenv("TERM")
	a.isRemote = env.Getenv("SSH_CONNECTION") != "" || env.Getenv("SSH_TTY") != ""
	a.inTmux = env.Getenv("TMUX") != "" || strings.HasPrefix(term, "tmux")
	a.isTmuxLocal = a.isRemote && a.inTmux && env.Getenv("TMUX") == ""
	// A terminal called screen that does not answer counts as GNU screen: tmux drops sequences wrapped for screen,
	// and screen prints those wrapped for tmux.
	a.inScreen = !a.inTmux && (env.Getenv("STY") != "" || strings.HasPrefix(term, "screen"))
	if a.inScreen && env.Getenv("STY") == "" {
		return tea.Raw(ansi.RequestSecondaryDeviceAttributes)
	}
	return nil
}

// handleAttributes reads the answer: screen says 83, tmux 84 (their first letters).
func (a *terminalHost) handleAttributes(msg uv.SecondaryDeviceAttributesEvent) {
	if len(msg) > 0 && msg[0] == 'T' {
		a.inTmux, a.inScreen = true, false
		a.isTmuxLocal = a.isRemote
	}
}

// wrap returns a sequence as it reaches the person's terminal.
func (a *terminalHost) wrap(seq string) string {
	switch {
	case a.inTmux:
		return ansi.TmuxPassthrough(seq)
	case a.inScreen:
		return ansi.ScreenPassthrough(seq, screenPiece)
	}
	return seq
}

// clipboard returns the sequence that puts text on the terminal's clipboard (OSC 52).
func (a *terminalHost) clipboard(text string) string {
	seq := ansi.SetSystemClipboard(text)
	if a.inTmux {
		// tmux passes the wrapped sequence on with allow-passthrough, and the other by itself with set-clipboard.
		// With both, the same text is set twice.
		return seq + a.wrap(seq)
	}
	return a.wrap(seq)
}

// Alert returns the sequence that shows a notification in a terminal of that name, and rings the bell for those that
// ignore notifications.
func (a *terminalHost) alert(name, text string) string {
	seq := ansi.Notify(text) // OSC 9: iTerm2, kitty, WezTerm, Ghostty, Windows Terminal
	for _, one := range []string{"foot", "vte", "rxvt"} {
		if strings.HasPrefix(strings.ToLower(name), one) {
			seq = "\x1b]777;notify;confab;" + strings.ReplaceAll(text, ";", ",") + "\x07"
		}
	}
	return a.wrap(seq) + "\a"
}
