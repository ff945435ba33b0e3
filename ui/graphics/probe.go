package graphics

import (
	"image"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
)

// AnswerTimeout is how long a probe waits for answers, which over a slow line take a round trip. Until then pictures
// are drawn as cells.
const AnswerTimeout = 2 * time.Second

// Probe finds out which protocol a terminal has. It never blocks: the caller sends its queries and passes it the
// answers.
type Probe struct {
	want       Protocol
	found      Capabilities
	env        func(string) string
	hasKitty   bool // the terminal answered that it draws kitty's pictures
	hasVirtual bool // the terminal knows placeholders, or ignores the parameter
	hasSixel   bool // according to the device attributes
}

// The ids of the two queries of kitty's protocol tell their answers apart.
const (
	plainID   = 31
	virtualID = 32
)

// NewProbe returns the probe of a terminal with this environment; want is the protocol of the configuration.
func NewProbe(want Protocol, getenv func(string) string) *Probe {
	p := &Probe{want: want, env: getenv}
	// tmux takes what is not wrapped for the title of its pane.
	p.found.Tmux = insideTmux(getenv)
	p.found.Protocol, p.found.Reason = p.choose()
	return p
}

// printsQueries tells whether a terminal is one that would print a query, or that can do nothing beyond text anyway.
func printsQueries(getenv func(string) string, tmux bool) bool {
	term := getenv("TERM")
	return term == "" || term == "dumb" || term == "linux" || getenv("TERM_PROGRAM") == "Apple_Terminal" ||
		strings.HasPrefix(term, "screen") && !tmux
}

// insideTmux tells whether tmux is between confab and the terminal. Over SSH, only TERM tells of a tmux at the user's
// end.
func insideTmux(getenv func(string) string) bool {
	return getenv("TMUX") != "" || strings.HasPrefix(getenv("TERM"), "tmux")
}

func (p *Probe) isSilent() bool { return printsQueries(p.env, p.found.Tmux) }

// Query returns the queries to send, "" for none. The device attributes are asked for last, because every terminal
// answers them and answers in order.
func (p *Probe) Query() string {
	if p.want == Off || p.isSilent() {
		p.Finish()
		return ""
	}
	p.found.Asked = true
	// CSI 18 t is never sent: tmux answers with rows and columns swapped, which would arrive as a change of size.
	return p.kittyQuery() + p.SizeQuery() + "\x1b[>q" + "\x1b[c"
}

// kittyQuery returns the queries of kitty's protocol.
func (p *Probe) kittyQuery() string {
	query := "\x1b_Gi=" + strconv.Itoa(plainID) + ",s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\" +
		"\x1b_Gi=" + strconv.Itoa(virtualID) + ",s=1,v=1,a=q,t=d,f=24,U=1;AAAA\x1b\\"
	return wrap(query, p.found.Tmux)
}

// SizeQuery returns the query for the px of a cell and of the window, to be sent again whenever the size changes.
func (p *Probe) SizeQuery() string {
	if p.want == Off || p.isSilent() {
		return ""
	}
	return "\x1b[16t\x1b[14t"
}

// HandleAnswer takes an answer and tells whether the capabilities have changed.
func (p *Probe) HandleAnswer(msg tea.Msg) bool {
	before := p.found
	switch msg := msg.(type) {
	case uv.KittyGraphicsEvent:
		ok := strings.HasPrefix(string(msg.Payload), "OK")
		switch msg.Options.ID {
		case plainID:
			p.hasKitty = p.hasKitty || ok
		case virtualID:
			p.hasVirtual = p.hasVirtual || ok
		}
	case tea.TerminalVersionMsg:
		p.found.Terminal = msg.Name
		// Where TMUX is not set and TERM is another, such as in a container, only this tells of tmux.
		p.found.Tmux = p.found.Tmux || strings.HasPrefix(msg.Name, "tmux")
	case uv.PrimaryDeviceAttributesEvent:
		p.hasSixel = p.hasSixel || slices.Contains([]int(msg), 4)
		// They are asked for last. tmux answers them itself, before the terminal answers what passed through tmux.
		p.found.Done = p.found.Done || !p.found.Tmux
	case uv.CellSizeEvent:
		if msg.Width > 0 && msg.Height > 0 {
			p.found.Cell = image.Pt(msg.Width, msg.Height)
		}
	case uv.PixelSizeEvent:
		if msg.Width > 0 && msg.Height > 0 {
			p.found.Window = image.Pt(msg.Width, msg.Height)
		}
	default:
		return false
	}
	p.found.Protocol, p.found.Reason = p.choose()
	return p.found != before
}

// Finish ends the wait for answers.
func (p *Probe) Finish() {
	p.found.Done = true
	p.found.Protocol, p.found.Reason = p.choose()
}

// Capabilities returns what is known of the terminal so far.
func (p *Probe) Capabilities() Capabilities { return p.found }

// choose picks the protocol. Placeholders are used only in terminals where they are known to work: Konsole and WezTerm
// answer the query with OK, ignore the parameter for placeholders, and would paint at the cursor.
func (p *Probe) choose() (Protocol, string) {
	switch {
	case p.want == Off:
		return Off, "pictures are turned off by the configuration"
	case p.want != Auto && p.want != "":
		return p.want, "the configuration says so"
	case p.isSilent():
		return Cells, "TERM=" + p.env("TERM") + " names a terminal that is not queried"
	case p.hasKitty && p.hasVirtual && p.supportsPlaceholders():
		return Kitty, p.name() + " answers kitty's graphics protocol with placeholders"
	case p.found.Tmux:
		// Sixel by tmux itself loses a picture with any write on its rows.
		return Cells, "inside tmux only kitty's placeholders work; they need a terminal that has them and `set -g " +
			"allow-passthrough on`"
	case p.isITerm2():
		return ITerm, p.name() + " speaks iTerm2's picture protocol"
	case p.hasSixel && !strings.HasPrefix(p.found.Terminal, "Konsole"):
		return Sixel, p.name() + " lists sixel among its attributes"
	case p.hasSixel:
		return Cells, "Konsole draws sixel but leaves artifacts"
	case !p.found.Done:
		return Cells, "the terminal has not answered yet"
	}
	return Cells, p.name() + " answers neither kitty's protocol nor lists sixel"
}

// supportsPlaceholders tells whether placeholders are known to work in the terminal.
func (p *Probe) supportsPlaceholders() bool {
	name := strings.ToLower(p.found.Terminal)
	if p.found.Tmux || name == "" { // tmux names itself
		name = strings.ToLower(p.env("LC_TERMINAL") + " " + p.env("TERM_PROGRAM") + " " + p.env("TERM"))
		if p.found.Tmux && !strings.Contains(name, "konsole") && !strings.Contains(name, "wezterm") {
			// Konsole ignores passed-through queries: a terminal that answers both is kitty or ghostty.
			return p.env("KONSOLE_VERSION") == "" && p.env("WEZTERM_PANE") == ""
		}
	}
	if strings.Contains(name, "ghostty") {
		return true
	}
	version, ok := strings.CutPrefix(name, "kitty(")
	if !ok {
		return strings.Contains(name, "xterm-kitty")
	}
	var major, minor int
	parts := strings.SplitN(strings.TrimSuffix(version, ")"), ".", 3)
	if len(parts) >= 2 {
		major, _ = strconv.Atoi(parts[0])
		minor, _ = strconv.Atoi(parts[1])
	}
	return major > 0 || minor >= 28 // older ones have no placeholders
}

func (p *Probe) isITerm2() bool {
	switch p.env("TERM_PROGRAM") {
	case "iTerm.app", "WezTerm", "vscode", "mintty", "Tabby":
		return true
	}
	name := p.found.Terminal
	return p.env("LC_TERMINAL") == "iTerm2" || strings.HasPrefix(name, "iTerm2") || strings.HasPrefix(name, "WezTerm")
}

// name returns the name of the terminal for a sentence.
func (p *Probe) name() string {
	if p.found.Tmux {
		return "the terminal around tmux"
	}
	if p.found.Terminal != "" {
		return p.found.Terminal
	}
	return "this terminal"
}

// trueColorQuery sets a color of 24 bits and asks which style is set (DECRQSS): a terminal that answers with that color
// draws it. COLORTERM, which would tell too, is unset by xterm and does not cross most SSH connections.
const trueColorQuery = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[m"

// TrueColorQuery returns the query for more colors than the environment promises. It is empty where there are no more,
// and for a terminal that would print the query: tmux 3.5 takes any DCS with a q for a picture and prints that it
// cannot show it; its colors are known in another way (see colorprofile).
func TrueColorQuery(have colorprofile.Profile, getenv func(string) string) string {
	if have < colorprofile.ANSI || have == colorprofile.TrueColor {
		return ""
	}
	if printsQueries(getenv, false) || insideTmux(getenv) {
		return ""
	}
	return trueColorQuery
}

// IsTrueColor tells whether an answer to [TrueColorQuery] says that colors of 24 bits are drawn.
func IsTrueColor(answer string) bool {
	return strings.Contains(answer, "48:2:") || strings.Contains(answer, "48;2;")
}
