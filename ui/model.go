package ui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/redact"
	"confab/service"
	"confab/service/pictures"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/compare"
	"confab/ui/compose"
	"confab/ui/conversation"
	"confab/ui/desktop"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
	"confab/ui/runs"
	"confab/ui/screen"
	"confab/ui/sessions"
	"confab/ui/turns"
)

// Options is what a screen is made of.
type Options struct {
	Service *service.Service
	Desktop desktop.Machine
	Mask    *redact.Masker // masks what is drawn; nil masks nothing
	// LocalEngines may be nil: nothing is looked for then.
	LocalEngines compose.LocalEngines
	Keys         keys.Map
	Now          func() time.Time
	Theme        screen.Theme // at first; the catalogue sets its models
	Start        Start
	Terminal     Terminal
}

// Start is what a screen begins with.
type Start struct {
	Models     []service.ModelInfo // the catalogue, for the first frame
	Marked     []string            // slugs; empty: those marked last, else the first text model
	Given      history.Setup       // models, system prompt and parameters that an opened session gives way to
	Session    sessions.First
	Remembers  bool     // earlier turns go with prompts
	SideBySide bool     // turns to several models open side by side
	NextSteps  string   // one line that says how to leave the offline engine; empty for none
	Warnings   []string // what is wrong with the configuration, one clause each
}

// Terminal is how a screen uses its terminal.
type Terminal struct {
	Mouse         bool              // take the mouse at first
	ReducesMotion bool              // no sign of work moves
	Notify        string            // "auto", "bell" or "off": when a long run ends out of focus
	Pictures      graphics.Protocol // how pictures are drawn; Auto asks the terminal
	FPS           int               // the most views in a second; 0 draws after every message
}

// Model is the root: it routes messages, lays out the panes and handles actions.
type Model struct {
	o        Options
	env      part.Env
	styles   *themes.Styles
	theme    screen.Theme
	commands part.Commands // those that work everywhere
	panes
	parts
	arrangement
	input
}

// panes are what has a rectangle of the screen.
type panes struct {
	conversation *conversation.Pane
	composer     *compose.Composer
	compare      *compare.View
	cellPreview  *compare.View // of the focused cell of the table
	table        *runs.View
	sidePane     *conversation.SidePane
	start        *browse.StartPage
	dialogs      overlay.Stack
	footer       *screen.Footer
}

// parts are subjects without a rectangle.
type parts struct {
	sessions *sessions.Controller
	turns    *turns.Turns
	engines  *compose.Engines
	desktop  *desktop.Integration
	browser  *browse.Browser
	graphics *graphics.Terminal
}

// arrangement is what is where on the screen.
type arrangement struct {
	w, h       int
	layout     screen.Layout
	mode       screenMode
	behind     screenMode // the mode that the comparison goes back to
	focus      action.Pane
	isZoomed   bool // the focused pane fills the screen
	sideBySide sideBySideChoice
	showsStart bool  // the start page stands in the place of the conversation, which has no turns
	tableRows  int   // lines that the table of a run needed when it got its size
	isLarge    bool  // docked answers fill the screen
	isLeaving  bool  // the program ends, and nothing is drawn any more
	refusal    error // why it ends by itself; nil where the person left
}

// input is what is known of keys, the mouse and the clock from one message to the next.
type input struct {
	throttle  screen.Throttle
	guard     screen.KeyGuard
	mouse     screen.Mouse
	isTicking bool      // a tick of the clock is on its way
	quitAt    time.Time // when ctrl+c was pressed first
}

// New returns the root model of a screen. ctx is the program's or the SSH session's: its end stops everything the
// screen started.
func New(ctx context.Context, o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Model{o: o, theme: o.Theme,
		arrangement: arrangement{focus: action.PanePrompt, sideBySide: sideBySideChoice{isOn: o.Start.SideBySide}},
		input: input{mouse: screen.Mouse{IsOn: o.Terminal.Mouse}, guard: screen.KeyGuard{Now: o.Now, Keys: o.Keys},
			throttle: screen.Throttle{Now: o.Now}}}
	if o.Terminal.FPS > 0 {
		m.throttle.Every = time.Second / time.Duration(o.Terminal.FPS)
	}
	m.theme.IsDark = true
	for _, info := range o.Start.Models {
		m.theme.Models = append(m.theme.Models, info.Slug)
	}
	m.styles, m.commands = m.theme.Styles(), everywhere.For(m, o.Keys)
	m.env = part.Env{Ctx: ctx, Service: o.Service, Keys: o.Keys, Now: o.Now, Host: m}
	m.turns = turns.New(m.env)
	m.conversation = conversation.New(m.turns, m.o.Keys, m.styles, o.Now, func(slug string) time.Duration {
		info, _ := m.composer.Models.Info(slug)
		return info.MedianTime
	})
	m.conversation.ReducesMotion, m.conversation.PathName = o.Terminal.ReducesMotion, o.Service.Paths().Name
	m.conversation.Mask = o.Mask
	m.compare = compare.New(m.env, m.turns, m.conversation)
	m.table = runs.New(m.env, m.turns)
	m.cellPreview = compare.NewPreview(m.env, m.turns, m.conversation, m.table.FocusedAnswers)
	m.sidePane = conversation.NewSidePane(m.conversation)
	m.addParts()
	m.composer.Models.SetModels(o.Start.Models)
	if len(o.Start.Marked) > 0 {
		m.composer.MarkByHand(o.Start.Marked)
	}
	m.composer.ApplyGiven()
	m.composer.SetFocused(true)
	m.restyle()
	return m
}

// readPicture returns what reads a picture that is drawn. It refuses a file that holds another one.
func readPicture(files *pictures.Files) func(context.Context, graphics.File) ([]byte, error) {
	return func(ctx context.Context, f graphics.File) ([]byte, error) {
		if f.Answer != 0 {
			return files.ReadSource(ctx, history.Source{Answer: f.Answer, Path: f.Path})
		}
		return files.ReadPicture(ctx, history.Picture{Path: f.Path, SHA256: f.SHA256})
	}
}

func (m *Model) addParts() {
	o, env := m.o, m.env
	endpoint := o.Service.Endpoint()
	load := graphics.NewLoader(env.Ctx, readPicture(o.Service.Files()), o.Service.Paths().Name)
	m.graphics = graphics.NewTerminal(o.Terminal.Pictures, load, m.updatePictures)
	m.footer = screen.NewFooter(env)
	m.composer = compose.New(compose.Options{Env: env, Turns: m.turns, Given: o.Start.Given,
		IsEmbedded: endpoint.IsEmbedded, Remembers: o.Start.Remembers,
		HasKeys:              func() bool { return m.dialogs.Len() == 0 && m.focus == action.PanePrompt },
		IsConversationHidden: func() bool { return m.w > 0 && m.layout.Panes[action.PaneConversation].Empty() }})
	m.sessions = sessions.New(env, m.turns, m.conversation, m.composer)
	m.desktop = desktop.New(env, o.Desktop, o.Terminal.Notify, m.graphics)
	m.engines = compose.NewEngines(env, m.composer.Models, o.LocalEngines, func() bool {
		return !m.desktop.IsAway() && m.mode == modePanes && !m.layout.Panes[action.PaneModels].Empty()
	})
	m.browser = browse.New(browse.Env{
		Env: env, Graphics: m.graphics, Palettes: o.Theme.Palettes,
		Theme:        func() string { return m.theme.Name },
		SystemPrompt: m.composer.SystemText,
		Settings:     m.composer.Settings,
		Runs:         func() (compared, live int64) { return m.table.RunToCompare(), m.table.LiveRun() },
		FetchLine:    m.desktop.FetchLine,
		Offers:       m.offers,
		Lookups:      func() []keys.Lookup { return m.pane(m.focus).State().Lookups },
	})
	m.start, m.showsStart = m.browser.StartPage(startExamples(m.o.Keys)), true
}

// Init starts what the first frame does not need.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{tea.RequestBackgroundColor, m.sessions.Start(m.o.Start.Session), m.start.Init()}
	if len(m.o.Start.Warnings) > 0 {
		cmds = append(cmds, m.do(
			action.Notify{Severity: action.Warn, Text: strings.Join(m.o.Start.Warnings, "; ")}))
	}
	return tea.Batch(cmds...)
}

// Styles implements [part.Host].
func (m *Model) Styles() *themes.Styles { return m.styles }

// Session implements [part.Host].
func (m *Model) Session() history.Session { return m.sessions.Open() }

// CanShare implements [part.Host].
func (m *Model) CanShare() bool { return m.sessions.CanShare() }

// IsCovered implements [part.Host].
func (m *Model) IsCovered() bool { return m.dialogs.Len() > 0 }

// KeepDraft saves what was written and is not saved yet. It is for whoever runs the screen, once it has ended: by a
// signal or a closed terminal it ends without a message.
func (m *Model) KeepDraft() {
	if save := m.composer.SaveDraft(); save != nil {
		save()
	}
}

// Refusal returns why the screen has ended by itself, nil where the person left.
func (m *Model) Refusal() error { return m.refusal }

// restyle gives every part the styles and the colors of the theme.
func (m *Model) restyle() {
	m.styles = m.theme.Styles()
	for _, p := range []part.Pane{m.composer.Models, m.conversation, m.composer.System, m.composer, m.compare,
		m.cellPreview, m.table, m.sidePane, m.start} {
		p.SetStyles(m.styles)
	}
	m.dialogs.SetStyles(m.styles)
	m.graphics.SetProfile(m.theme.Profile)
	m.graphics.SetBackground(m.theme.Background())
	for _, p := range m.pictureViews() {
		p.SetProfile(m.graphics.Profile())
	}
}
