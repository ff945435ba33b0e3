package ui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/compare"
	"confab/ui/compose"
	"confab/ui/conversation"
	"confab/ui/desktop"
	"confab/ui/engines"
	"confab/ui/graphics"
	"confab/ui/inflight"
	"confab/ui/keys"
	"confab/ui/layout"
	"confab/ui/notice"
	"confab/ui/overlay"
	"confab/ui/part"
	"confab/ui/runs"
	"confab/ui/sessions"
	"confab/ui/theme"
)

// Options is what a screen is made of.
type Options struct {
	Service *service.Service
	Desktop desktop.Machine
	// Neighbours may be nil: nothing is looked for then.
	Neighbours engines.Neighbors
	Keys       keys.Map
	Palettes   []themes.Palette
	// Theme is a palette's name, or "auto": Dark or Light by the background.
	Theme, Dark, Light string
	Models             []service.ModelInfo // the catalogue, for the first frame
	Default            []string            // slugs marked at first; empty: those marked last, else the first text model
	System             string              // system prompt at first
	Session            int64               // to open; 0 is a new one
	Mouse              bool                // take the mouse at first
	SideBySide         bool                // turns to several models open side by side at first
	Still              bool                // no sign of work moves
	NoItalics          bool                // the terminal has none
	Notify             string              // "auto", "bell" or "off": when a long run ends out of focus
	Colours            colorprofile.Profile
	Pictures           graphics.Protocol // how pictures are drawn; Auto asks the terminal
	NextSteps          string            // one line that names the ways on from the offline engine; empty for none
	Warnings           []string          // what is wrong with the configuration, one clause each, shown at first
	Now                func() time.Time
}

// Model is the root: it routes, lays out, and carries out actions.
type Model struct {
	ctx    context.Context
	o      Options
	keys   keys.Map
	styles *themes.Styles

	models       *compose.Models
	conversation *conversation.Pane
	system       *compose.System
	prompt       *compose.Prompt
	compare      *compare.View
	table        *runs.View
	dialogs      overlay.Stack

	w, h       int
	focus      action.Pane
	zoom       bool
	mode       screenMode
	from       screenMode // where the comparison was opened
	docked     bool       // the comparison stands above the prompt, in the place of the conversation
	sideBySide bool       // turns to several models open side by side
	graphics   *graphics.Terminal
	layout     layout.Layout
	mouse      bool
	theme      theme.Theme

	unreachable bool // the newest call found no connection to the service

	desktop     *desktop.Part
	sidePane    *compare.SidePane
	pastes      *compose.PasteDetector
	sender      *compose.Sender
	drafts      *compose.DraftSaver
	resumeOffer *compose.ResumeOffer
	rerunner    *conversation.Rerunner
	suiteRuns   *runs.Part
	comparePart *compare.Part
	engines     *engines.Engines
	turns       *inflight.Turns
	changes     *sessions.Part
	browser     *browse.Browser

	started  bool
	saving   bool
	endpoint service.Endpoint
	session  history.Session
	persona  named // the persona in the system prompt, while unchanged

	ticking  bool
	notice   notice.Line
	guard    guard
	handlers part.Handlers
	quitAt   time.Time // when ctrl+c was pressed first
	leaving  bool
	dragging bool // a mouse button is held, in the focused pane
}

// named is a text with the name it is kept under.
type named struct{ name, text string }

// of returns the name while the text is the one it belongs to.
func (n named) of(text string) string {
	if n.text != text {
		return ""
	}
	return n.name
}

// New returns the root model of a screen. ctx is the program's or the SSH
// session's: its end stops everything the screen started.
func New(ctx context.Context, o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Model{
		ctx: ctx, o: o, keys: o.Keys, mouse: o.Mouse,
		theme: theme.Theme{Palettes: o.Palettes, Name: o.Theme, Dark: o.Dark, Light: o.Light,
			NoItalics: o.NoItalics, IsDark: true, Profile: o.Colours},
		focus: action.PanePrompt, saving: true, endpoint: o.Service.Endpoint(
			ctx,
		), sideBySide: o.SideBySide,
	}
	m.graphics = graphics.NewTerminal(o.Pictures, graphics.NewLoader(ctx, o.Service.Files().Read), m.updatePictures)
	m.graphics.SetProfile(o.Colours)
	env := part.Env{Ctx: ctx, Service: o.Service, Keys: o.Keys, Now: o.Now,
		Styles: func() *themes.Styles { return m.styles }, Session: func() history.Session { return m.session }}
	m.desktop = desktop.New(env, o.Desktop, o.Notify, m.graphics)
	m.turns = inflight.New(env)
	m.changes = sessions.New(env)
	m.engines = engines.New(env, o.Neighbours, m.endpoint, func() bool {
		return !m.desktop.IsAway() && m.mode == panes && !m.layout.Panes[action.PaneModels].Empty()
	})
	m.browser = browse.New(browse.Env{
		Env: env, Graphics: m.graphics, Palettes: o.Palettes,
		Theme:        func() string { return m.theme.Name },
		SystemPrompt: func() string { return m.system.Text() },
		Runs:         func() (compared, live int64) { return m.suiteRuns.RunToCompare(), m.suiteRuns.LiveRun() },
		FetchLine:    m.desktop.FetchLine,
	})
	m.styles = m.theme.Styles()
	m.models = compose.NewModels(m.keys, m.styles)
	m.conversation = m.newReader()
	m.sidePane = compare.NewSidePane(m.newReader())
	m.system = compose.NewSystem(m.keys, m.styles)
	m.prompt = compose.NewPrompt(m.keys, m.styles)
	m.rerunner = conversation.NewRerunner(env)
	m.addComposer(compose.Env{Env: env, Prompt: m.prompt, System: m.system, Models: m.models,
		Turns: m.conversation.Turns})
	m.compare = compare.New(m.keys, m.styles, m.newReader)
	m.table = runs.New(m.keys, m.styles)
	m.comparePart = compare.NewPart(env, m.compare, m.conversation.Turns)
	m.suiteRuns = runs.NewPart(env, m.table, m.models.Of, m.comparedRow)
	m.handlers = newActionHandlers(m)
	m.models.SetEngines(m.engines.Configured())
	m.models.SetModels(o.Models)
	m.mark(o.Default)
	if first := m.models.Of(history.KindText); len(o.Default) == 0 && len(first) > 0 {
		m.mark(first[:1])
	}
	m.system.SetText(o.System)
	m.prompt.SetExamples(true)
	m.prompt.SetFocused(true)
	m.setColours(o.Colours)
	m.clock(o.Now())
	return m
}

// addComposer makes the parts that the next turn is composed with.
func (m *Model) addComposer(e compose.Env) {
	m.sender = compose.NewSender(e, m.endpoint.Embedded)
	m.resumeOffer = compose.NewResumeOffer(e, func() bool { return m.layout.Panes[action.PaneConversation].Empty() })
	m.drafts = compose.NewDraftSaver(e, m.resumeOffer.Opened)
	m.pastes = compose.NewPasteDetector(e, func() bool { return m.dialogs.Len() == 0 && m.focus == action.PanePrompt })
}

// Init starts what the first frame does not need.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{tea.RequestBackgroundColor, m.start()}
	if len(m.o.Warnings) > 0 {
		cmds = append(cmds, m.notify(action.Warn, strings.Join(m.o.Warnings, "; ")))
	}
	return tea.Batch(cmds...)
}

// Session returns the session that is open; its id is 0 while nothing was sent.
func (m *Model) Session() history.Session { return m.session }

func (m *Model) typical(slug string) time.Duration {
	info, _ := m.models.Info(slug)
	return info.Typical
}

// newReader makes what shows turns: the conversation, and each cell of the
// comparison.
func (m *Model) newReader() *conversation.Pane {
	c := conversation.New(m.keys, m.styles, m.typical)
	c.SetStill(m.o.Still)
	return c
}

// pane returns a pane by its name.
func (m *Model) pane(p action.Pane) part.Pane {
	switch p {
	case action.PaneModels:
		return m.models
	case action.PaneConversation:
		if v := m.staged(); v != nil {
			return v
		}
		return m.conversation
	case action.PaneSystem:
		return m.system
	}
	return m.prompt
}

func (m *Model) panes() []part.Pane {
	return []part.Pane{m.models, m.conversation, m.system, m.prompt, m.compare, m.table, m.sidePane.Pane}
}

// setFocus moves the focus; the layout follows.
func (m *Model) setFocus(p action.Pane) tea.Cmd {
	if p == m.focus {
		return nil
	}
	m.pane(m.focus).SetFocused(false)
	if !m.docked {
		m.mode = panes
	}
	m.focus = p
	cmd := m.pane(p).SetFocused(true)
	m.relayout()
	if p == action.PaneModels {
		return tea.Batch(cmd, m.handleAction(action.AskEngines{}))
	}
	return cmd
}

// relayout gives every pane its size. It is called when the size, the mode or
// the height of the prompt has changed, never while drawing.
func (m *Model) relayout() {
	if m.w == 0 || m.h == 0 {
		return
	}
	m.layout = layout.Arrange(layout.Input{W: m.w, H: m.h, Focus: m.focus, IsZoomed: m.zoom,
		IsStaged:   m.mode != panes && !m.docked,
		IsDocked:   m.docked,
		PromptRows: m.prompt.Rows(m.w-2, m.h/3), NoSystem: m.system.Empty(), HasEngines: m.engines.Configured()})
	for p, r := range m.layout.Panes {
		if v := m.staged(); v != nil && action.Pane(p) == action.PaneConversation && !r.Empty() {
			v.SetSize(r.Dx(), r.Dy())
			continue
		}
		if w, h := layout.Inner(r); w > 0 && h > 0 {
			m.pane(action.Pane(p)).SetSize(w, h)
		}
	}
	if w, h := layout.Inner(m.layout.Beside); w > 0 && h > 0 {
		m.sidePane.SetSize(w, h)
	}
	m.dialogs.SetSize(m.w, m.h)
}

// restyle gives every part the styles of the theme.
func (m *Model) restyle() {
	m.styles = m.theme.Styles()
	for _, p := range m.panes() {
		p.SetStyles(m.styles)
	}
	m.dialogs.SetStyles(m.styles)
}

// setColours tells the panes how many colours there are.
func (m *Model) setColours(p colorprofile.Profile) {
	if p != m.theme.Profile {
		m.theme.Profile = p
		m.restyle()
	}
	m.graphics.SetProfile(p)
	p = m.graphics.Profile()
	m.conversation.SetProfile(p)
	m.sidePane.SetProfile(p)
	m.compare.SetProfile(p)
}
