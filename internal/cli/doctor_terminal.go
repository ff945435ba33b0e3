package cli

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/terminput"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// connection is what the terminal at the other end of the line answers when it
// is asked. What it does not answer is not known.
type connection struct {
	probe   *graphics.Probe
	colours colorprofile.Profile
	sync    bool   // it draws a frame at once (mode 2026)
	wide    bool   // it measures clusters, not code points (mode 2027)
	keys    bool   // it tells shift+enter from enter (kitty's keyboard)
	focus   bool   // it tells whether its window has the focus (mode 1004)
	ground  string // "dark" or "light"
	copies  bool   // it says that it takes copies (OSC 52)
	trip    time.Duration
	asked   time.Time
	env     Env
}

type overMsg struct{}

// askConnection asks the terminal what it can do; it takes a round trip, and at
// most [pixels.Wait].
func (a *app) askConnection(ctx context.Context) (*connection, error) {
	c := &connection{env: a.env, colours: profileOf(a.env)}
	c.probe = graphics.NewProbe(graphics.Protocol(a.cfg.UI.Pictures), a.env.get)
	in := terminput.New(a.env.Stdin, a.log)
	p := tea.NewProgram(c, tea.WithContext(ctx), in.Input(), tea.WithOutput(a.env.Stdout),
		tea.WithEnvironment(a.env.Environ))
	in.SendTo(p)
	if _, err := p.Run(); err != nil {
		return nil, fmt.Errorf("ask the terminal: %w", err)
	}
	return c, nil
}

// Init implements [tea.Model].
func (c *connection) Init() tea.Cmd {
	query := c.probe.Query()
	if query == "" {
		return tea.Quit
	}
	c.asked = time.Now()
	query = ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore + ansi.RequestModeFocusEvent +
		ansi.RequestBackgroundColor + graphics.TrueColorQuery(c.colours, c.env.get) + query
	return tea.Batch(tea.Raw(query), tea.Tick(graphics.AnswerTimeout, func(time.Time) tea.Msg { return overMsg{} }))
}

// Update implements [tea.Model].
func (c *connection) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case overMsg:
		c.probe.Finish()
		return c, tea.Quit
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+c" {
			return c, tea.Quit
		}
	case tea.KeyboardEnhancementsMsg:
		c.keys = true
	case tea.ModeReportMsg:
		known := msg.Value == ansi.ModeSet || msg.Value == ansi.ModeReset
		switch msg.Mode {
		case ansi.ModeSynchronizedOutput:
			c.sync = known
		case ansi.ModeUnicodeCore:
			c.wide = known
		case ansi.ModeFocusEvent:
			c.focus = known
		}
	case tea.BackgroundColorMsg:
		c.ground = map[bool]string{true: "dark", false: "light"}[msg.IsDark()]
	case uv.UnknownDcsEvent:
		if graphics.IsTrueColor(string(msg)) {
			c.colours = colorprofile.TrueColor
		}
	case tea.CapabilityMsg:
		if msg.Content == "RGB" || strings.HasPrefix(msg.Content, "Tc") {
			c.colours = colorprofile.TrueColor
		}
	case uv.PrimaryDeviceAttributesEvent:
		c.trip = time.Since(c.asked)
		c.copies = slices.Contains([]int(msg), 52)
		c.probe.HandleAnswer(msg)
	default:
		c.probe.HandleAnswer(msg)
	}
	if c.probe.Capabilities().Done {
		return c, tea.Quit
	}
	return c, nil
}

// View implements [tea.Model].
func (c *connection) View() tea.View { return tea.NewView("") }

// examineConnection tells what this connection can do, and why not more.
func (a *app) examineConnection(ctx context.Context, f *findings) {
	if a.canShow() != nil {
		f.ok("pictures", "shown as %s; a screen in a terminal finds out more", a.cfg.UI.Pictures)
		return
	}
	c, err := a.askConnection(ctx)
	if err != nil {
		f.warn("connection", "the terminal could not be asked: "+err.Error(), "")
		return
	}
	found := c.probe.Capabilities()
	if found.Terminal != "" {
		f.ok("answers", "it is %s", found.Terminal)
	}
	if c.trip > 0 {
		f.ok("line", "a question and its answer take %d ms", c.trip.Milliseconds())
	} else if found.Asked {
		f.warn("line", "the terminal answers no questions",
			"pictures stay blocks and colours are what TERM promises; ui.pictures and COLORTERM=truecolor say more")
	}
	if c.colours < colorprofile.TrueColor && a.tmuxDraws24(ctx) {
		f.ok("colours", "%s, as tmux draws them", strings.ToLower(colorprofile.TrueColor.String()))
	} else {
		f.ok("colours", "%s, with what it answers", strings.ToLower(c.colours.String()))
	}
	bindings, _ := a.keys() // what is wrong with them is told elsewhere
	switch theme := a.cfg.UI.Theme; {
	case c.ground != "":
		f.ok("background", "%s, as it answers", c.ground)
	case found.Asked && (theme == "" || theme == "auto"):
		f.warn("background", "it does not tell, so the theme is one for a dark background",
			bindings.Phrase(keys.Everywhere, keys.Themes, "%s in the screen, or ")+"ui.theme, for one that is light")
	}
	f.ok("pictures", "drawn as %s: %s", found.Protocol, found.Reason)
	if found.Cell.X > 0 {
		f.ok("cells", "%d×%d px", found.Cell.X, found.Cell.Y)
	}
	told := map[bool]string{true: "a frame is drawn at once",
		false: "not answered, so a frame may be seen while it is drawn"}
	f.ok("tearing", "%s", told[c.sync])
	newLine := bindings.Phrase(keys.Prompt, keys.NewLine, "; %s is a new line everywhere")
	told = map[bool]string{true: "shift+enter is told from enter", false: "shift+enter may be enter here" + newLine}
	f.ok("keyboard", "%s", told[c.keys])
	told = map[bool]string{true: "a screen knows when its window is left",
		false: "unless the terminal tells of its focus, who has typed nothing for 20 s counts as gone"}
	by := "a notification (OSC 9) and the bell"
	if a.inMosh() {
		by = "the bell"
	}
	f.ok("alerts", "the end of a long run is told by %s; %s", by, told[c.focus])
	if c.copies {
		f.ok("clipboard", "the terminal says that it takes copies (OSC 52)")
	}
	a.examineAround(f)
	a.examineTmux(ctx, f, found)
}

// examineAround tells what is lost to what stands between confab and the
// terminal.
func (a *app) examineAround(f *findings) {
	switch {
	case a.inMosh():
		f.ok("mosh", "it draws by itself: no pictures, no notifications (the bell rings), 256 colours unless "+
			"COLORTERM=truecolor is set, copies up to 12 KB")
	case a.env.get("STY") != "":
		f.ok("screen",
			"it knows no pictures, no 24-bit colours and nothing of the focus; copies and notifications are "+
				"wrapped to pass through")
	case a.outerTmux():
		f.warn("tmux", "it runs on your own machine, before SSH, and lets little through by itself",
			"there: set -s set-clipboard on for copies, set -g allow-passthrough on for notifications and kitty's "+
				"pictures")
	}
}

// examineTmux tells what tmux lets through.
func (a *app) examineTmux(ctx context.Context, f *findings, found graphics.Capabilities) {
	if !found.Tmux || a.outerTmux() {
		return
	}
	if a.tmux(ctx, "display-message", "-p", "#{client_utf8}") == "0" {
		f.warn("tmux", "it does not know that your terminal speaks UTF-8, so what is not ASCII is drawn as underscores",
			"detach, and attach again with tmux -u attach")
	}
	if v := a.tmux(ctx, "show", "-Av", "allow-passthrough"); v == "" || v == "off" {
		f.warn("tmux", "allow-passthrough is off, so pictures are blocks and only the bell tells of a long run's end",
			"set -g allow-passthrough on; pictures need a terminal with kitty's protocol besides")
	} else {
		f.ok("tmux", "allow-passthrough is %s", v)
	}
	switch v := a.tmux(ctx, "show", "-sv", "set-clipboard"); v {
	case "":
	case "off":
		f.warn("tmux", "set-clipboard is off, so a copy stays in tmux's buffer unless allow-passthrough is on",
			"set -s set-clipboard external")
	default:
		f.ok("tmux", "set-clipboard is %s: a copy goes through tmux's buffer to the terminal's clipboard", v)
	}
	if v := a.tmux(ctx, "show", "-gv", "focus-events"); v == "off" {
		f.warn("tmux", "focus-events are off",
			"set -g focus-events on: pictures come back after a window was hidden, and "+
				"alerts know whether you look")
	}
}

// examineTerminal tells what kind of terminal this is.
func (a *app) examineTerminal(f *findings) {
	term := a.env.get("TERM")
	switch {
	case !isTerminal(a.env.Stdin) || !a.out.terminal:
		f.ok("terminal", "input or output is no terminal here, so no screen could be shown; TERM=%s", term)
	case term == "" || term == "dumb":
		f.warn("terminal", "TERM="+term+" cannot show the screen",
			"set TERM to what the terminal is, such as xterm-256color")
	default:
		f.ok("terminal", "TERM=%s", term)
	}
	colours := strings.ToLower(profileOf(a.env).String())
	if v := a.env.get("NO_COLOR"); v != "" {
		colours += ", turned off by NO_COLOR"
	}
	f.ok("colours", "%s by the environment", colours)
	var around []string
	if a.env.remote() {
		around = append(around, "over SSH")
	}
	if a.inMosh() {
		around = append(around, "by mosh")
	}
	switch term := a.env.get("TERM"); {
	case a.env.get("TMUX") != "":
		around = append(around, "in tmux")
	case a.outerTmux():
		around = append(around, "from within tmux")
	case a.env.remote() && a.env.get("STY") == "" && strings.HasPrefix(term, "screen"):
		around = append(around, "from within screen or tmux")
	}
	if a.env.get("STY") != "" {
		around = append(around, "in screen")
	}
	if len(around) > 0 {
		f.ok("around", "%s", strings.Join(around, ", "))
	}
	locale := a.env.get("LC_ALL") + a.env.get("LC_CTYPE") + a.env.get("LANG")
	if low := strings.ToLower(locale); runtime.GOOS != "windows" && !strings.Contains(low, "utf-8") &&
		!strings.Contains(low, "utf8") {
		todo := "set LANG to a UTF-8 locale, such as C.UTF-8, if boxes look wrong"
		if a.env.get("STY") != "" {
			bindings, _ := a.keys() // what is wrong with them is told elsewhere
			todo = "if boxes look wrong: ctrl+a, then :utf8 on on" + bindings.Phrase(keys.Everywhere, keys.Redraw,
				", then %s in confab") + "; or start it with screen -U"
		}
		f.warn("locale", "it does not say UTF-8 ("+locale+")", todo)
	}
}
