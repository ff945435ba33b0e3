package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/config"
	"confab/internal/fileio"
	"confab/internal/terminput"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// terminalProbe asks the terminal what it can do.
type terminalProbe struct {
	probe      *graphics.Probe
	env        Env
	colors     colorprofile.Profile
	modes      map[ansi.Mode]bool // that it knows
	hasKeys    bool               // it tells shift+enter from enter (kitty's keyboard)
	background string             // "dark" or "light"
	hasCopy    bool               // it says that it takes copies (OSC 52)
	asked      time.Time
	roundTrip  time.Duration
}

type probeTimeoutMsg struct{}

// probeTerminal asks the terminal and waits at most [graphics.AnswerTimeout].
func probeTerminal(ctx context.Context, a *app) (*terminalProbe, error) {
	t := &terminalProbe{env: a.env, colors: profileOf(a.env), modes: map[ansi.Mode]bool{},
		probe: graphics.NewProbe(graphics.Protocol(a.config.UI.Pictures), a.env.Get)}
	in := terminput.New(a.env.Stdin, a.log)
	p := tea.NewProgram(t, tea.WithContext(ctx), in.Input(), tea.WithOutput(a.env.Stdout),
		tea.WithEnvironment(a.env.Environ))
	in.SendTo(p)
	if _, err := p.Run(); err != nil {
		return nil, fmt.Errorf("ask the terminal: %w", err)
	}
	return t, nil
}

func (t *terminalProbe) Init() tea.Cmd {
	query := t.probe.Query()
	if query == "" {
		return tea.Quit
	}
	t.asked = time.Now()
	query = ansi.RequestModeSynchronizedOutput + ansi.RequestModeFocusEvent + ansi.RequestBackgroundColor +
		graphics.TrueColorQuery(t.colors, t.env.Get) + query
	return tea.Batch(tea.Raw(query),
		tea.Tick(graphics.AnswerTimeout, func(time.Time) tea.Msg { return probeTimeoutMsg{} }))
}

func (t *terminalProbe) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	t.probe.HandleAnswer(msg)
	switch msg := msg.(type) {
	case probeTimeoutMsg:
		t.probe.Finish()
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+c" {
			return t, tea.Quit
		}
	case tea.KeyboardEnhancementsMsg:
		t.hasKeys = true
	case tea.ModeReportMsg:
		t.modes[msg.Mode] = msg.Value == ansi.ModeSet || msg.Value == ansi.ModeReset
	case tea.BackgroundColorMsg:
		t.background = choose(msg.IsDark(), "dark", "light")
	case uv.UnknownDcsEvent:
		if graphics.IsTrueColor(string(msg)) {
			t.colors = colorprofile.TrueColor
		}
	case tea.CapabilityMsg:
		if msg.Content == "RGB" || strings.HasPrefix(msg.Content, "Tc") {
			t.colors = colorprofile.TrueColor
		}
	case uv.PrimaryDeviceAttributesEvent:
		t.roundTrip = time.Since(t.asked)
		t.hasCopy = slices.Contains([]int(msg), 52)
	}
	if t.probe.Capabilities().Done {
		return t, tea.Quit
	}
	return t, nil
}

func (t *terminalProbe) View() tea.View { return tea.NewView("") }

// checkConnection reports what the terminal can do.
func (d *doctorReport) checkConnection(ctx context.Context) {
	if d.app.canShow() != nil {
		return
	}
	t, err := probeTerminal(ctx, d.app)
	if err != nil {
		d.warn("connection", "the terminal could not be asked: "+err.Error(), "")
		return
	}
	found := t.probe.Capabilities()
	if found.Terminal != "" {
		d.ok("answers", "it is %s", found.Terminal)
	}
	if t.roundTrip > 0 {
		d.ok("line", "a round trip takes %d ms", t.roundTrip.Milliseconds())
	} else if found.Asked {
		d.warn("line", "the terminal answers no questions",
			"pictures are drawn as blocks and colors follow TERM; set ui.pictures and COLORTERM=truecolor for more")
	}
	if t.colors < colorprofile.TrueColor && d.app.tmuxDraws24(ctx) {
		d.ok("colors", "%s, as tmux draws them", strings.ToLower(colorprofile.TrueColor.String()))
	} else {
		d.ok("colors", "%s, with what it answers", strings.ToLower(t.colors.String()))
	}
	bindings, _ := d.app.keys() // an error is reported by another check
	switch theme := d.app.config.UI.Theme; {
	case t.background != "":
		d.ok("background", "%s, as it answers", t.background)
	case found.Asked && (theme == "" || theme == "auto"):
		d.warn("background", "the terminal does not report it, so the theme is for a dark background",
			bindings.Phrase(keys.Everywhere, keys.Themes, "%s in the screen, or ")+"ui.theme, for one that is light")
	}
	d.ok("pictures", "drawn as %s: %s", found.Protocol, found.Reason)
	if found.Cell.X > 0 {
		d.ok("cells", "%d×%d px", found.Cell.X, found.Cell.Y)
	}
	d.ok("tearing", "%s", choose(t.modes[ansi.ModeSynchronizedOutput], "frames appear at once",
		"no synchronized output, so a frame may be seen while it is drawn"))
	d.ok("keyboard", "%s", choose(t.hasKeys, "shift+enter and enter are different keys",
		"shift+enter may be enter here"+bindings.Phrase(keys.Prompt, keys.NewLine, "; %s is a new line everywhere")))
	d.ok("alerts", "%s the end of a long run; %s",
		choose(d.app.isInMosh(), "the bell announces", "a notification (OSC 9) and the bell announce"),
		choose(t.modes[ansi.ModeFocusEvent], "the screen knows whether its window has the focus",
			"the terminal does not report its focus, so after 20 s without a key you count as away"))
	if t.hasCopy {
		d.ok("clipboard", "the terminal accepts copies (OSC 52)")
	}
	d.checkMultiplexer(ctx, found)
}

// checkMultiplexer reports what mosh, GNU screen or tmux does not pass on.
func (d *doctorReport) checkMultiplexer(ctx context.Context, found graphics.Capabilities) {
	a := d.app
	switch {
	case a.isInMosh():
		d.ok("mosh", "it draws by itself: no pictures, no notifications (the bell rings), 256 colors unless "+
			"COLORTERM=truecolor is set, copies up to 12 KB")
	case a.env.Get("STY") != "":
		d.ok("screen", "it supports no pictures, no 24-bit colors and no focus events; copies and "+
			"notifications are wrapped to pass through")
	case a.hasOuterTmux():
		d.warn("tmux", "it runs on your own machine, before SSH, and passes little on by default",
			"there: set -s set-clipboard on for copies, set -g allow-passthrough on for notifications and kitty's "+
				"pictures")
		return
	}
	if !found.Tmux {
		return
	}
	if a.tmux(ctx, "display-message", "-p", "#{client_utf8}") == "0" {
		d.warn("tmux", "it assumes a terminal without UTF-8, so it draws other characters than ASCII as underscores",
			"detach, and attach again with tmux -u attach")
	}
	if v := a.tmux(ctx, "show", "-Av", "allow-passthrough"); v == "" || v == "off" {
		d.warn("tmux", "allow-passthrough is off, so pictures are blocks and only the bell tells of a long run's end",
			"set -g allow-passthrough on; pictures need a terminal with kitty's protocol besides")
	} else {
		d.ok("tmux", "allow-passthrough is %s", v)
	}
	switch v := a.tmux(ctx, "show", "-sv", "set-clipboard"); v {
	case "":
	case "off":
		d.warn("tmux", "set-clipboard is off, so a copy stays in tmux's buffer unless allow-passthrough is on",
			"set -s set-clipboard external")
	default:
		d.ok("tmux", "set-clipboard is %s: a copy goes through tmux's buffer to the terminal's clipboard", v)
	}
	if a.tmux(ctx, "show", "-gv", "focus-events") == "off" {
		d.warn("tmux", "focus-events are off", "set -g focus-events on: pictures come back after a window was "+
			"hidden, and alerts know whether you look")
	}
}

// checkTerminal reports what the environment tells of the terminal.
func (d *doctorReport) checkTerminal() {
	env := d.app.env
	term := env.Get("TERM")
	switch {
	case !isTerminal(env.Stdin) || !d.app.out.terminal:
		d.ok("terminal", "input or output is not a terminal, so the screen cannot be shown; TERM=%s", term)
	case term == "" || term == "dumb":
		d.warn("terminal", "TERM="+term+" cannot show the screen",
			"set TERM to what the terminal is, such as xterm-256color")
	default:
		d.ok("terminal", "TERM=%s", term)
	}
	d.ok("colors", "%s%s by the environment", strings.ToLower(profileOf(env).String()),
		choose(env.Get("NO_COLOR") != "", ", turned off by NO_COLOR", ""))
	inScreen, inTmux, outerTmux := env.Get("STY") != "", env.Get("TMUX") != "", d.app.hasOuterTmux()
	var hosts []string
	for _, host := range []struct {
		holds bool
		text  string
	}{
		{env.IsRemote(), "over SSH"},
		{d.app.isInMosh(), "by mosh"},
		{inTmux, "in tmux"},
		{outerTmux, "from within tmux"},
		{!inTmux && !outerTmux && env.IsRemote() && !inScreen && strings.HasPrefix(term, "screen"),
			"from within screen or tmux"},
		{inScreen, "in screen"},
	} {
		if host.holds {
			hosts = append(hosts, host.text)
		}
	}
	if len(hosts) > 0 {
		d.ok("around", "%s", strings.Join(hosts, ", "))
	}
	locale := env.Get("LC_ALL") + env.Get("LC_CTYPE") + env.Get("LANG")
	if runtime.GOOS == "windows" || strings.Contains(strings.ReplaceAll(strings.ToLower(locale), "-", ""), "utf8") {
		return
	}
	todo := "set LANG to a UTF-8 locale, such as C.UTF-8, if boxes look wrong"
	if inScreen {
		bindings, _ := d.app.keys() // an error is reported by another check
		todo = "if boxes look wrong: ctrl+a, then :utf8 on on" + bindings.Phrase(keys.Everywhere, keys.Redraw,
			", then %s in confab") + "; or start it with screen -U"
	}
	d.warn("locale", "it is not UTF-8 ("+locale+")", todo)
}

// checkFolders warns of folders and files that others can read.
func (d *doctorReport) checkFolders() {
	places := append(d.app.config.Paths.List(), config.NamedPath{Name: "key file",
		Path: d.app.config.Service.APIKeyFile})
	exists := 0
	for _, p := range places {
		if p.Path == "" || p.Name == "config" || p.Name == "themes" {
			continue // nothing secret stands there
		}
		info, err := os.Stat(p.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			d.fail("folders", p.Path+" cannot be read", "check its permissions and those of the folders above it")
			continue
		}
		exists++
		if mode := info.Mode().Perm(); fileio.OthersMay(0o077, info) {
			d.warn("folders", fmt.Sprintf("others can read %s (%v)", p.Path, mode),
				"chmod "+choose(info.IsDir(), "700", "600")+" "+p.Path)
		}
	}
	d.ok("folders", "%d of %d exist; confab paths lists them", exists, len(d.app.config.Paths.List())-2)
}
