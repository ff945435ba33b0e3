package compose

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/textedit"
)

// Models lists the catalogue by kind, with marks, badges and typical times.
type Models struct {
	keys    keys.Map
	styles  *themes.Styles
	w, h    int
	focused bool

	models []service.ModelInfo
	marked map[string]bool
	order  []string // marked slugs in the order of marking

	several   bool                            // engines answer, and the list says which
	answering map[string]service.EngineStatus // by slug; empty until it is known

	running map[string]modelRun // by slug, what is asked for just now
	now     time.Time

	filter    string
	filtering bool
	rows      []row
	cursor    int // index into rows, always a model while there is one
	offset    int
}

// row is a line of the list: a heading or a model.
type row struct {
	heading history.Kind
	model   int // index into models, -1 for headings and gaps
}

// NewModels returns an empty list.
func NewModels(m keys.Map, s *themes.Styles) *Models {
	return &Models{keys: m, styles: s, marked: map[string]bool{}}
}

// SetModels replaces the catalogue; marks of models that are gone are dropped.
func (p *Models) SetModels(models []service.ModelInfo) {
	slug := p.current()
	p.models = models
	p.SetMarked(p.order)
	p.rebuild(slug)
}

// SetMarked replaces the marks; unknown slugs are left out once a catalogue is known.
func (p *Models) SetMarked(slugs []string) {
	p.order, p.marked = nil, map[string]bool{}
	for _, s := range slugs {
		if p.marked[s] || (len(p.models) > 0 && !p.known(s)) {
			continue
		}
		p.marked[s] = true
		p.order = append(p.order, s)
	}
}

// Marked returns the marked slugs in catalogue order, so that answers of two
// turns to the same models stand in the same places.
func (p *Models) Marked() []string {
	if len(p.models) == 0 {
		return slices.Clone(p.order)
	}
	var out []string
	for _, m := range p.models {
		if p.marked[m.Slug] {
			out = append(out, m.Slug)
		}
	}
	return out
}

// Kinds returns how many models of each kind are marked.
func (p *Models) Kinds() map[history.Kind]int {
	kinds := map[history.Kind]int{}
	for _, m := range p.models {
		if p.marked[m.Slug] {
			kinds[history.Kind(m.Kind)]++
		}
	}
	return kinds
}

// Info returns what is known of a model.
func (p *Models) Info(slug string) (service.ModelInfo, bool) {
	at := slices.IndexFunc(p.models, func(m service.ModelInfo) bool { return m.Slug == slug })
	if at < 0 {
		return service.ModelInfo{}, false
	}
	return p.models[at], true
}

// Of returns the slugs of a kind, in catalogue order.
func (p *Models) Of(kind history.Kind) []string {
	var out []string
	for _, m := range p.models {
		if history.Kind(m.Kind) == kind {
			out = append(out, m.Slug)
		}
	}
	return out
}

func (p *Models) known(slug string) bool { _, ok := p.Info(slug); return ok }

// current returns the slug under the cursor, "" when there is none.
func (p *Models) current() string {
	if p.cursor < len(p.rows) && p.rows[p.cursor].model >= 0 {
		return p.models[p.rows[p.cursor].model].Slug
	}
	return ""
}

// Target tells which model is under the cursor.
func (p *Models) Target() string { return p.current() }

// rebuild makes the rows anew and keeps the cursor on slug where it is listed.
func (p *Models) rebuild(slug string) {
	p.rows = nil
	for _, kind := range []history.Kind{history.KindText, history.KindImage, history.KindEdit} {
		var of []row
		for i, m := range p.models {
			if history.Kind(m.Kind) == kind && p.matches(m) {
				of = append(of, row{heading: kind, model: i})
			}
		}
		if len(of) == 0 {
			continue
		}
		if len(p.rows) > 0 {
			p.rows = append(p.rows, row{model: -1})
		}
		p.rows = append(p.rows, row{heading: kind, model: -1})
		p.rows = append(p.rows, of...)
	}
	p.cursor = 0
	for i, r := range p.rows {
		if r.model >= 0 && (p.models[r.model].Slug == slug || p.rows[p.cursor].model < 0) {
			p.cursor = i
			if p.models[r.model].Slug == slug {
				break
			}
		}
	}
	p.scroll()
}

func (p *Models) matches(m service.ModelInfo) bool {
	hay := strings.ToLower(m.Slug + " " + m.About + " " + string(m.Kind) + " " + m.Stage + " " +
		p.answering[m.Slug].Engine)
	for _, word := range strings.Fields(strings.ToLower(p.filter)) {
		if !strings.Contains(hay, word) {
			return false
		}
	}
	return true
}

// SetSize implements [part.Pane].
func (p *Models) SetSize(w, h int) { p.w, p.h = w, h; p.scroll() }

// SetStyles implements [part.Pane].
func (p *Models) SetStyles(s *themes.Styles) { p.styles = s }

// SetFocused implements [part.Pane].
func (p *Models) SetFocused(focused bool) tea.Cmd {
	p.focused = focused
	if !focused {
		p.filtering = false
	}
	return nil
}

// Scope implements [part.Pane].
func (p *Models) Scope() keys.Scope { return keys.Models }

// Capturing tells whether letters are text now.
func (p *Models) Capturing() bool { return p.filtering }

// Lookups implements [part.KeyLooker].
func (p *Models) Lookups() []keys.Lookup {
	if p.filtering {
		return keys.InLine()
	}
	return keys.In(keys.Models)
}

// Hints implements [part.Pane].
func (p *Models) Hints() []keys.Hint {
	if p.filtering {
		return keys.LineHints(p.keys, "keep", "clear")
	}
	return p.keys.Hints(keys.Models, keys.MarkModel, keys.MarkOneModel, keys.Filter, keys.MarkAllText, keys.MarkNone,
		keys.AboutModel)
}

// Update implements [part.Pane].
func (p *Models) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case keys.Press:
		if p.filtering {
			return p.editFilter(msg), nil
		}
		command := msg.Command
		if command == "" {
			return action.Unused{Key: msg.String()}, nil
		}
		return p.HandleCommand(command)
	case tea.PasteMsg:
		if p.filtering {
			p.setFilter(p.filter + termtext.Line(msg.Content))
		}
	case tea.MouseClickMsg:
		if at := p.offset + msg.Y - p.head(); msg.Y >= p.head() && msg.Y < p.head()+p.room() && at < len(p.rows) &&
			p.rows[at].model >= 0 {
			p.cursor = at
			return p.HandleCommand(keys.MarkModel)
		}
	case tea.MouseWheelMsg:
		p.offset += keys.Wheel(msg)
		p.offset = max(min(p.offset, len(p.rows)-p.room()), 0)
		p.follow()
	}
	return nil, nil
}

// editFilter gives a key to the filter.
func (p *Models) editFilter(msg keys.Press) action.Action {
	switch msg.LineCommand() {
	case keys.Accept:
		p.filtering = false
		return nil
	case keys.Close:
		p.filtering = false
		p.setFilter("")
		return nil
	}
	if msg.String() == "down" {
		p.filtering = false
	} else if filter := textedit.EditLine(p.filter, msg.KeyPressMsg); filter != p.filter {
		p.setFilter(filter)
	}
	return nil
}

func (p *Models) setFilter(filter string) {
	slug := p.current()
	p.filter = filter
	p.rebuild(slug)
}

// noModel is said where no model is listed.
func noModel() (action.Action, tea.Cmd) {
	return action.Unused{Why: "No model is listed: the filter matches none."}, nil
}

// HandleCommand implements [part.Pane].
func (p *Models) HandleCommand(command keys.Command) (action.Action, tea.Cmd) {
	if by, ok := command.Lines(p.h, 4, len(p.rows)); ok {
		p.move(by)
		return nil, nil
	}
	slug := p.current()
	switch command {
	case keys.Filter:
		p.filtering = true
	case keys.MarkModel:
		if slug == "" {
			return noModel()
		}
		marked := slices.DeleteFunc(slices.Clone(p.order), func(s string) bool { return s == slug })
		if !p.marked[slug] {
			marked = append(marked, slug)
		}
		return action.Mark{Models: marked}, nil
	case keys.MarkOneModel:
		if slug == "" {
			return noModel()
		}
		return action.Several{action.Mark{Models: []string{slug}}, action.Focus{Pane: action.PanePrompt}}, nil
	case keys.MarkAllText:
		return action.Mark{Models: p.Of(history.KindText)}, nil
	case keys.MarkNone:
		return action.Mark{}, nil
	case keys.AboutModel:
		if info, ok := p.Info(slug); ok {
			return action.ShowText{Title: slug, Text: about(info) + p.answeredBy(slug)}, nil
		}
		return noModel()
	case keys.Help:
		return action.ShowHelp{Scope: keys.Models}, nil
	}
	return nil, nil
}

// move moves the cursor by n models.
func (p *Models) move(n int) {
	step := 1
	if n < 0 {
		step = -1
	}
	for ; n != 0; n -= step {
		next := p.cursor + step
		for next >= 0 && next < len(p.rows) && p.rows[next].model < 0 {
			next += step
		}
		if next < 0 || next >= len(p.rows) {
			break
		}
		p.cursor = next
	}
	p.scroll()
}

// follow moves the cursor to the nearest model that is seen.
func (p *Models) follow() {
	end := min(p.offset+p.room(), len(p.rows))
	switch {
	case p.cursor < p.offset:
		for i := p.offset; i < end; i++ {
			if p.rows[i].model >= 0 {
				p.cursor = i
				return
			}
		}
	case p.cursor >= end:
		for i := end - 1; i >= p.offset; i-- {
			if p.rows[i].model >= 0 {
				p.cursor = i
				return
			}
		}
	}
}

// head is the number of lines above the rows.
func (p *Models) head() int {
	if p.filter != "" || p.filtering || p.h > 12 {
		return 2
	}
	return 0
}

// room is the number of rows that are seen.
func (p *Models) room() int { return max(p.h-p.head()-len(p.foot()), 1) }

// scroll brings the cursor into view, its heading too where there is room.
func (p *Models) scroll() {
	room := p.room()
	first := p.cursor
	if first > 0 && p.rows[first-1].model < 0 {
		first--
	}
	p.offset = min(p.offset, first)
	p.offset = max(p.offset, p.cursor-room+1, 0)
	p.offset = min(p.offset, max(len(p.rows)-room, 0))
}

// Cursor implements [part.Pane].
func (p *Models) Cursor() *tea.Cursor {
	if !p.filtering {
		return nil
	}
	return tea.NewCursor(min(3+ansi.StringWidth(p.filter), p.w-1), 0)
}
