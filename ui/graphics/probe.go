package graphics

import (
	"image"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// AnswerTimeout is how long answers are waited for. Over a slow line they come after a
// round trip; until then pictures are drawn as cells.
const AnswerTimeout = 2 * time.Second

// Probe finds out which protocol a terminal has. It never waits: its questions are
// sent beside everything else and the answers are given to it as they come.
type Probe struct {
	want     Protocol
	found    Capabilities
	env      func(string) string
	plain    bool // kitty answered that it draws pictures
	virtual  bool // and that it knows placeholders, or ignores the word
	sixel    bool // by the device attributes
	answered bool // the device attributes came, which are asked for last
}

// The queries carry ids of their own, so that the answers can be told apart.
const (
	plainID   = 31
	virtualID = 32
)

// NewProbe returns the probe of a terminal with this environment; want is what
// the configuration says.
func NewProbe(want Protocol, getenv func(string) string) *Probe {
	p := &Probe{want: want, env: getenv}
	// Where SSH lies in between, only TERM tells of a tmux at the person's end. It
	// would take what it does not wrap for the title of its pane.
	p.found.Tmux = getenv("TMUX") != "" || strings.HasPrefix(getenv("TERM"), "tmux")
	p.decide()
	return p
}

// silent tells whether the terminal is one that would print a question, or that
// can draw no picture anyway.
func (p *Probe) silent() bool {
	term := p.env("TERM")
	switch {
	case term == "", term == "dumb", term == "linux", p.env("TERM_PROGRAM") == "Apple_Terminal":
		return true
	case strings.HasPrefix(term, "screen") && !p.found.Tmux:
		return true
	}
	return false
}

// Query returns the questions to be sent; empty when none should be. What is
// known by the device attributes is asked for last, because every terminal
// answers that and answers in order.
func (p *Probe) Query() string {
	if p.want == Off || p.silent() {
		p.Finish()
		return ""
	}
	p.found.Asked = true
	query := "\x1b_Gi=" + strconv.Itoa(plainID) + ",s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\" +
		"\x1b_Gi=" + strconv.Itoa(virtualID) + ",s=1,v=1,a=q,t=d,f=24,U=1;AAAA\x1b\\"
	if p.found.Tmux {
		query = ansi.TmuxPassthrough(query)
	}
	// CSI 18 t is never asked: tmux answers it with rows and columns swapped,
	// which would arrive as a real change of size.
	return query + p.SizeQuery() + "\x1b[>q" + "\x1b[c"
}

// SizeQuery returns the question for the px of a cell and of the window, to be
// sent again whenever the size changes.
func (p *Probe) SizeQuery() string {
	if p.want == Off || p.silent() {
		return ""
	}
	return "\x1b[16t\x1b[14t"
}

// HandleAnswer takes an answer. It tells whether what is known has changed.
func (p *Probe) HandleAnswer(msg tea.Msg) bool {
	before := p.found
	switch msg := msg.(type) {
	case uv.KittyGraphicsEvent:
		ok := strings.HasPrefix(string(msg.Payload), "OK")
		switch msg.Options.ID {
		case plainID:
			p.plain = p.plain || ok
		case virtualID:
			p.virtual = p.virtual || ok
		}
	case tea.TerminalVersionMsg:
		p.found.Terminal = msg.Name
	case uv.PrimaryDeviceAttributesEvent:
		p.sixel = p.sixel || slices.Contains([]int(msg), 4)
		p.answered = true
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
	p.decide()
	return p.found != before
}

// Finish tells that no answers are waited for any more.
func (p *Probe) Finish() {
	p.answered = true
	p.found.Done = true
	p.decide()
}

// Capabilities returns what is known by now.
func (p *Probe) Capabilities() Capabilities { return p.found }

func (p *Probe) decide() {
	p.found.Protocol, p.found.Reason = p.choose()
	// tmux answers the device attributes itself, before what passed through it.
	if p.answered && !p.found.Tmux {
		p.found.Done = true
	}
}

// choose judges what is known. Placeholders are trusted only where they were seen
// to work: Konsole and WezTerm answer the question with OK and ignore the word
// that makes the difference, and would paint at the cursor.
func (p *Probe) choose() (Protocol, string) {
	switch {
	case p.want == Off:
		return Off, "pictures are turned off by the configuration"
	case p.want != Auto && p.want != "":
		return p.want, "the configuration says so"
	case p.silent():
		return Cells, "TERM=" + p.env("TERM") + " names a terminal that is asked nothing"
	case p.plain && p.virtual && p.placeholders():
		return Kitty, p.name() + " answers kitty's graphics protocol with placeholders"
	case p.found.Tmux:
		// Sixel by tmux itself loses a picture with any write on its rows.
		return Cells, "inside tmux only kitty's placeholders hold; they need a terminal that has them and `set -g " +
			"allow-passthrough on`"
	case p.iterm():
		return ITerm, p.name() + " speaks iTerm2's picture protocol"
	case p.sixel && !strings.HasPrefix(p.found.Terminal, "Konsole"):
		return Sixel, p.name() + " lists sixel among its attributes"
	case p.sixel:
		return Cells, "Konsole draws sixel, but leaves pieces behind when they move"
	case !p.answered:
		return Cells, "the terminal has not answered yet"
	}
	return Cells, p.name() + " answers neither kitty's protocol nor lists sixel"
}

// placeholders tells whether the terminal is one whose placeholders work.
func (p *Probe) placeholders() bool {
	name := strings.ToLower(p.found.Terminal)
	if p.found.Tmux || name == "" { // tmux names itself
		name = strings.ToLower(p.env("LC_TERMINAL") + " " + p.env("TERM_PROGRAM") + " " + p.env("TERM"))
		if p.found.Tmux && !strings.Contains(name, "konsole") && !strings.Contains(name, "wezterm") {
			// Konsole ignores passed-through queries, so who answers both is
			// kitty or ghostty.
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

func (p *Probe) iterm() bool {
	switch p.env("TERM_PROGRAM") {
	case "iTerm.app", "WezTerm", "vscode", "mintty", "Tabby":
		return true
	}
	name := p.found.Terminal
	return p.env("LC_TERMINAL") == "iTerm2" || strings.HasPrefix(name, "iTerm2") || strings.HasPrefix(name, "WezTerm")
}

// name is what the terminal is called in a sentence.
func (p *Probe) name() string {
	if p.found.Tmux {
		return "the terminal around tmux"
	}
	if p.found.Terminal != "" {
		return p.found.Terminal
	}
	return "this terminal"
}
