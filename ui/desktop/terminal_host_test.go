package desktop

import (
	"encoding/base64"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

func TestWhatStandsBetween(t *testing.T) {
	screen, tmux := uv.SecondaryDeviceAttributesEvent{83, 40900, 0}, uv.SecondaryDeviceAttributesEvent{84, 0, 0}
	for name, c := range map[string]struct {
		env    tea.EnvMsg
		answer uv.SecondaryDeviceAttributesEvent
		want   terminalHost
		asked  bool
	}{
		"nothing": {env: tea.EnvMsg{"TERM=xterm"}},
		"ssh":     {env: tea.EnvMsg{"TERM=xterm", "SSH_TTY=x"}, want: terminalHost{isRemote: true}},
		"tmux":    {env: tea.EnvMsg{"TERM=screen-256color", "TMUX=x"}, want: terminalHost{inTmux: true}},
		"tmux there": {env: tea.EnvMsg{"TERM=tmux-256color", "TMUX=x", "SSH_CONNECTION=x"},
			want: terminalHost{inTmux: true, isRemote: true}},
		"tmux here": {env: tea.EnvMsg{"TERM=tmux-256color", "SSH_CONNECTION=x"},
			want: terminalHost{inTmux: true, isRemote: true, isTmuxLocal: true}},
		"screen there": {env: tea.EnvMsg{"TERM=screen.xterm-256color", "STY=x", "SSH_TTY=x"},
			want: terminalHost{inScreen: true, isRemote: true}},
		"screen here": {env: tea.EnvMsg{"TERM=screen", "SSH_TTY=x"}, answer: screen,
			want: terminalHost{inScreen: true, isRemote: true}, asked: true},
		"tmux here as screen": {env: tea.EnvMsg{"TERM=screen-256color", "SSH_TTY=x"}, answer: tmux,
			want: terminalHost{inTmux: true, isRemote: true, isTmuxLocal: true}, asked: true},
		"one of both": {env: tea.EnvMsg{"TERM=screen", "SSH_TTY=x"}, want: terminalHost{inScreen: true, isRemote: true},
			asked: true},
	} {
		var host terminalHost
		if asked := host.ask(c.env) != nil; asked != c.asked {
			t.Errorf("%s: asked %t", name, asked)
		}
		host.handleAttributes(c.answer)
		if host != c.want {
			t.Errorf("%s: %+v, want %+v", name, host, c.want)
		}
	}
}

func TestACopyReachesTheTerminal(t *testing.T) {
	text := strings.Repeat("a text of some length\n", 200)
	plain := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
	if got := (&terminalHost{}).clipboard(text); got != plain {
		t.Errorf("plain: %.80q", got)
	}
	if got := (&terminalHost{inTmux: true}).clipboard(text); got != plain+"\x1bPtmux;\x1b"+plain+"\x1b\\" {
		t.Errorf("tmux: %.80q", got)
	}
	// What screen hands on is what stands in its strings, each of which must fit.
	handed := ""
	for _, piece := range strings.SplitAfter((&terminalHost{inScreen: true}).clipboard(text), "\x1b\\") {
		inner := strings.TrimSuffix(strings.TrimPrefix(piece, "\x1bP"), "\x1b\\")
		if piece != "" && (len(inner)+len("\x1bP\x1b\\") != len(piece) || len(inner) >= 768) {
			t.Errorf("screen: a piece of %d bytes: %.20q", len(inner), piece)
		}
		handed += inner
	}
	if handed != plain {
		t.Errorf("screen hands on %.80q", handed)
	}
}

func TestAnAlertReachesTheTerminal(t *testing.T) {
	for name, c := range map[string]struct {
		host terminalHost
		name string
		want string
	}{
		"plain": {want: "\x1b]9;done; all\a\a"},
		"kitty": {name: "kitty(0.41.1)", want: "\x1b]9;done; all\a\a"},
		"foot":  {name: "foot(1.21.0)", want: "\x1b]777;notify;confab;done, all\a\a"},
		"VTE":   {name: "VTE(8001)", want: "\x1b]777;notify;confab;done, all\a\a"},
		"tmux": {host: terminalHost{inTmux: true}, name: "tmux 3.5a",
			want: ansi.TmuxPassthrough("\x1b]9;done; all\a") + "\a"},
		"screen": {host: terminalHost{inScreen: true}, want: "\x1bP\x1b]9;done; all\a\x1b\\\a"},
	} {
		if got := c.host.alert(c.name, "done; all"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
