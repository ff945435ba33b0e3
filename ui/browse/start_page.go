package browse

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
	"confab/ui/widget"
)

const (
	startSessions = 16                     // sessions on the start page at most
	startPictures = 12                     // pictures on the start page at most
	startBlank    = 500 * time.Millisecond // time for which the page stays blank while the history is read
)

// StartPage is the pane of an empty session: the sessions used last, the newest pictures, and examples. It reads
// nothing before the first [action.ReadRecent].
type StartPage struct {
	part.Commands
	env Env
	drawings
	styles    *themes.Styles
	paneW     int
	w, h      int // of the page, which is not as wide as a wide pane
	focused   bool
	selection // of the sessions

	texts    StartTexts
	examples []Example
	reads    int  // how often the history was read
	isLate   bool // the page is drawn before the history is read
	sessions []startSession
	pictures PictureList
	layout   startLayout

	preview  func(session Item, w, h int) func() Preview
	previews startPreviews
	asked    string // key of the requested previews
}

// StartTexts are sentences on the start page; each may be empty.
type StartTexts struct {
	Unfinished string // what was left unfinished, and how to continue it
	Service    string // who answers
	IsBegun    bool   // something was chosen for the session that begins here, so enter continues no other
}

// Example is a prompt for new users. Its key may be empty.
type Example struct {
	Key, Title string
	Shows      string // the result in few words
	Models     []string
	IsPicture  bool
}

// startSession is the item that the list of sessions has of a session, and the columns of its facts.
type startSession struct {
	Item
	hit history.SessionHit
}

type recentMsg struct {
	sessions []history.SessionHit
	pictures []history.PictureHit
}

// lateMsg ends the time in which the page stays blank.
type lateMsg struct{}

// startPreviews are the previews of the listed sessions, by session. The key names all that they depend on.
type startPreviews struct {
	key   string
	lines map[int64][]string
}

// StartPage returns the pane of empty sessions.
func (b *Browser) StartPage(examples []Example) *StartPage {
	p := &StartPage{env: b.env, styles: b.env.Styles(), examples: examples,
		preview: b.preview(previewer.newestTurns), selection: selection{cols: 1}}
	p.Commands = startCommands.For(p, b.env.Keys)
	p.drawings = newDrawings(p, b.look(), "too large to show")
	return p
}

// ReadRecent reads the history.
func (p *StartPage) ReadRecent() tea.Cmd {
	return func() tea.Msg {
		// Another notice reports a history that cannot be read; the page then shows only the examples.
		var read recentMsg
		read.sessions, _, _ = p.env.Service.Sessions(p.env.Ctx, "", startSessions)
		read.pictures, _ = p.env.Service.Pictures(p.env.Ctx, 0, "", startPictures)
		return part.Result{To: p, Msg: read}
	}
}

// Init sends a [lateMsg] after the time in which the page stays blank.
func (p *StartPage) Init() tea.Cmd {
	return tea.Tick(startBlank, func(time.Time) tea.Msg { return part.Result{To: p, Msg: lateMsg{}} })
}

// SetTexts sets the sentences on the page.
func (p *StartPage) SetTexts(t StartTexts) {
	if t != p.texts {
		p.texts = t
		p.layOut()
	}
}

// SetSize implements [part.Pane].
func (p *StartPage) SetSize(w, h int) {
	p.paneW, p.h = w, h
	p.fitAspect()
	p.layOut()
}

// SetStyles implements [part.Pane].
func (p *StartPage) SetStyles(s *themes.Styles) {
	p.styles = s
	p.layOut()
}

// SetFocused implements [part.Pane].
func (p *StartPage) SetFocused(focused bool) tea.Cmd {
	p.focused = focused
	return nil
}

// Cursor implements [part.Pane].
func (p *StartPage) Cursor() *tea.Cursor { return nil }

// State implements [part.Pane].
func (p *StartPage) State() action.LayerState {
	state := action.LayerState{Lookups: keys.LookupsIn(p.Scope()),
		Pictures: p.placements(), HintAt: p.hintAt}
	if p.at < len(p.sessions) {
		state.Target = p.sessions[p.at].hit.Name
	}
	return state
}

// Continue opens the session used last that is no run of a suite; it returns nil without one.
func (p *StartPage) Continue() action.Action {
	if !p.canContinue() {
		return nil
	}
	return p.open(0)
}

// canContinue reports whether the page offers to continue the first session. A run of a suite takes no other prompt.
func (p *StartPage) canContinue() bool {
	return !p.texts.IsBegun && len(p.sessions) > 0 && p.sessions[0].hit.Run == 0
}

// ContinueName returns the short name of the session that [StartPage.Continue] opens.
func (p *StartPage) ContinueName() string {
	if !p.canContinue() {
		return ""
	}
	return ansi.Truncate(widget.OneLine(p.sessions[0].Title), 32, "…")
}

func (p *StartPage) open(at int) action.Action {
	if at >= len(p.sessions) {
		return nil
	}
	return p.sessions[at].Enter
}

var startCommands = part.Table[*StartPage]{Scope: keys.Start, Bindings: []part.Binding[*StartPage]{
	{Command: keys.Choose, Keys: "enter", Short: "open", Long: "Open the session", Refuses: (*StartPage).lacksSession,
		Rank: part.RankIf(1, func(p *StartPage) bool { return p.n > 0 }),
		Do:   func(p *StartPage) action.Action { return p.open(p.at) }},
	{Command: keys.Down, Keys: "j down", Short: "down", Long: "Next session",
		Refuses: (*StartPage).lacksSession,
		Rank:    part.RankIf(2, func(p *StartPage) bool { return p.n > 1 }), Do: step(1)},
	{Command: keys.Up, Keys: "k up", Short: "up", Long: "Previous session",
		Refuses: (*StartPage).lacksSession,
		Rank:    part.RankIf(3, func(p *StartPage) bool { return p.n > 1 }), Do: step(-1)},
	{Command: keys.Help, Keys: "?", Short: "help", Long: "Help for the start page",
		Action: action.ShowHelp{Scope: keys.Start}},
}}

func step(by int) func(*StartPage) action.Action {
	return func(p *StartPage) action.Action {
		p.move(by)
		return nil
	}
}

func (p *StartPage) move(by int) {
	p.moveRows(by)
	p.layOut()
}

// lacksSession explains why there is no session to open.
func (p *StartPage) lacksSession() string {
	switch {
	case p.reads == 0:
		return "Loading the history…"
	case p.n == 0:
		return "No session to open yet: write a prompt or run an example."
	}
	return ""
}

// Update implements [part.Pane].
func (p *StartPage) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case recentMsg:
		p.keep(msg)
	case lateMsg:
		p.isLate = true
		p.layOut()
	case startPreviews:
		if msg.key == p.asked {
			p.previews = msg
			p.layOut()
		}
	case drawnMsg, graphics.PreviewMsg:
		p.drawings.update(msg)
		p.layOut()
	case tea.MouseClickMsg:
		return p.click(image.Pt(msg.X, msg.Y)), nil
	case tea.MouseWheelMsg:
		p.move(cmp.Compare(keys.Wheel(msg), 0))
	case keys.Press:
		if msg.Command == "" {
			return overlay.UnusedKey(msg), nil
		}
		return p.Run(msg.Command), nil
	}
	return nil, nil
}

func (p *StartPage) keep(msg recentMsg) {
	now := p.env.Now()
	p.reads++
	p.sessions, p.pictures = nil, msg.pictures
	for _, h := range msg.sessions {
		p.sessions = append(p.sessions, startSession{sessionItem(h, now, 0), h})
	}
	// The newest session that is no run of a suite comes first: enter in the prompt continues it.
	if i := slices.IndexFunc(p.sessions, func(s startSession) bool { return s.hit.Run == 0 }); i > 0 {
		chat := p.sessions[i]
		copy(p.sessions[1:i+1], p.sessions[:i])
		p.sessions[0] = chat
	}
	p.n, p.rows = len(p.sessions), len(p.sessions)
	p.moveTo(p.at)
	p.layOut()
}

func (p *StartPage) click(at image.Point) action.Action {
	l := p.layout
	switch i := at.Y - l.from[sessionsSection]; {
	case at.X >= p.w:
		return p.open(p.at)
	case i >= 0 && i < l.rows[sessionsSection]:
		p.moveTo(i)
		return p.open(i)
	case l.has(previewSection, at.Y):
		return p.open(p.at)
	}
	for _, i := range l.strip {
		if at.In(i.box) {
			return action.ViewPictures{Album: p.pictures, At: i.picture}
		}
	}
	return nil
}

// hintAt returns the key of the example at a position of the pane, the key of the pictures, or one that a note names.
func (p *StartPage) hintAt(x, y int) (keys.Hint, bool) {
	l := p.layout
	switch {
	case x >= p.w:
	case len(l.strip) > 0 && y == l.from[picturesSection] && x >= p.w-startKey:
		return keys.Hint{Key: p.env.Keys.Key(keys.Everywhere, keys.Pictures)}, true
	case l.has(notesSection, y):
		name := strings.Trim(widget.WordAt(ansi.Strip(p.View()[y]), x), ".,;:")
		_, ok := keys.Parse(name)
		return keys.Hint{Key: name}, ok && len(name) > 1
	}
	for i, box := range l.boxes {
		if e := p.examples[i]; e.Key != "" && image.Pt(x, y).In(box) {
			return keys.Hint{Key: e.Key, Text: e.Title}, true
		}
	}
	return keys.Hint{}, false
}

// Work requests the pictures shown and the previews of the listed sessions.
func (p *StartPage) Work() (action.Action, tea.Cmd) {
	var cmds []tea.Cmd
	for _, i := range p.layout.strip {
		picture := p.pictures[i.picture].Answer.Picture
		cmds = append(cmds, p.request(graphics.FileOf(picture), picture, i.box.Size(), true))
	}
	if w, most := p.previewWidth(), p.layout.previewLines; most > 0 {
		sessions := p.sessions[:p.layout.rows[sessionsSection]]
		key := fmt.Sprintf("%dx%d %p %d %d", w, most, p.styles, p.reads, len(sessions))
		draw := map[int64]func() Preview{}
		for _, s := range sessions {
			draw[s.ID] = p.preview(s.Item, w, most)
		}
		if key != p.asked {
			p.asked = key
			cmds = append(cmds, func() tea.Msg {
				drawn := startPreviews{key, map[int64][]string{}}
				for id, draw := range draw {
					drawn.lines[id] = draw().Lines
				}
				return part.Result{To: p, Msg: drawn}
			})
		}
	}
	return nil, tea.Batch(cmds...)
}
