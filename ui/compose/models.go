package compose

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/widget"
)

// Models lists the catalogue by kind, with marks, badges and typical times.
type Models struct {
	part.Commands
	Options
	styles  *themes.Styles
	w, h    int
	focused bool

	models   []service.ModelInfo
	gone     map[string]bool // slugs of those that are marked and no longer in the catalogue
	order    []string        // marked slugs in the order of marking
	isChosen bool            // the marks are those of a person, a session or a draft, so no default replaces them
	isByHand bool            // a person marked them on this screen
	usedLast []string        // slugs that were marked in earlier screens

	showsEngines bool                            // the list names the engine of each model
	answering    map[string]service.EngineStatus // by slug; empty until it is known
	down         []string                        // the configured engines that do not answer

	filter    widget.Field
	rows      []row
	listed    []int // the rows that are models
	cursor    int   // index into listed
	hasMarked bool  // a person marked the models one by one, or all of them
	offset    int   // first visible row
}

// row is a line of the list: a heading or a model.
type row struct {
	heading history.ModelKind
	model   int // index into models, -1 for headings and gaps
}

func newModels(o Options) *Models {
	p := &Models{Options: o, gone: map[string]bool{}, filter: widget.NewField(o.Keys, "", "type a name to filter")}
	p.Commands = modelCommands.For(p, o.Keys)
	p.SetStyles(o.Styles())
	return p
}

func (p *Models) isMarked(slug string) bool { return slices.Contains(p.order, slug) }

// Marked returns the marked slugs in catalogue order, so that turns to the same models have the same order.
func (p *Models) Marked() []string {
	if len(p.models) == 0 {
		return slices.Clone(p.order)
	}
	var out []string
	for _, m := range p.models {
		if p.isMarked(m.Slug) {
			out = append(out, m.Slug)
		}
	}
	return out
}

// Kinds counts the marked models of each kind.
func (p *Models) Kinds() map[history.ModelKind]int {
	kinds := map[history.ModelKind]int{}
	for _, m := range p.models {
		if p.isMarked(m.Slug) {
			kinds[history.ModelKind(m.Kind)]++
		}
	}
	return kinds
}

// Info returns a model of the catalogue.
func (p *Models) Info(slug string) (service.ModelInfo, bool) {
	at := slices.IndexFunc(p.models, func(m service.ModelInfo) bool { return m.Slug == slug })
	if at < 0 {
		return service.ModelInfo{}, false
	}
	return p.models[at], true
}

// Of returns the slugs of a kind, in catalogue order.
func (p *Models) Of(kind history.ModelKind) []string {
	var out []string
	for _, m := range p.models {
		if history.ModelKind(m.Kind) == kind {
			out = append(out, m.Slug)
		}
	}
	return out
}

// Target returns the slug of the model under the cursor, "" for none.
func (p *Models) Target() string {
	if p.cursor >= len(p.listed) {
		return ""
	}
	return p.models[p.rows[p.listed[p.cursor]].model].Slug
}

// State implements [action.Layer].
func (p *Models) State() action.LayerState {
	slug := p.Target()
	return action.LayerState{Lookups: keys.LookupsIn(p.Scope()), CapturesText: p.CapturesText(), Target: slug,
		TakesKey: p.filter.Takes}
}

// rebuild lists the models that match the filter, with the cursor on slug if it is listed.
func (p *Models) rebuild(slug string) {
	p.rows, p.listed, p.cursor = nil, nil, 0
	for _, kind := range []history.ModelKind{history.KindText, history.KindImage, history.KindEdit} {
		hasHeading := false
		for _, i := range p.byEngine(kind) {
			m := p.models[i]
			if !p.matches(m) {
				continue
			}
			if !hasHeading && len(p.rows) > 0 {
				p.rows = append(p.rows, row{model: -1})
			}
			if !hasHeading {
				p.rows = append(p.rows, row{heading: kind, model: -1})
				hasHeading = true
			}
			if m.Slug == slug {
				p.cursor = len(p.listed)
			}
			p.listed = append(p.listed, len(p.rows))
			p.rows = append(p.rows, row{model: i})
		}
	}
	p.scroll()
}

// byEngine returns the models of a kind: first those of engines that are up, last those that nobody answers.
func (p *Models) byEngine(kind history.ModelKind) []int {
	var order []int
	for i, m := range p.models {
		if history.ModelKind(m.Kind) == kind {
			order = append(order, i)
		}
	}
	rank := func(i int) int {
		a, known := p.answering[p.models[i].Slug]
		switch {
		case !known || a.IsSimulated():
			return 1
		case a.IsUp:
			return 0
		}
		return 2
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(a) - rank(b) })
	return order
}

// words returns the words of the filter in lower case, without a slash at the start, which starts a search elsewhere.
func (p *Models) words() []string {
	return strings.Fields(strings.TrimPrefix(strings.ToLower(p.filter.Value()), "/"))
}

func (p *Models) matches(m service.ModelInfo) bool {
	text := strings.ToLower(m.Slug + " " + m.About + " " + string(m.Kind) + " " + m.Stage + " " +
		p.answering[m.Slug].Engine)
	return !slices.ContainsFunc(p.words(), func(word string) bool { return !strings.Contains(text, word) })
}

// filtered lists the models that match the filter. The cursor goes to the one whose name equals the filter, else
// to the first whose name contains it.
func (p *Models) filtered() {
	p.rebuild(p.Target())
	typed := strings.Join(p.words(), " ")
	if typed == "" {
		return
	}
	for _, fits := range []func(slug, typed string) bool{strings.EqualFold, strings.Contains} {
		at := slices.IndexFunc(p.listed, func(row int) bool {
			return fits(strings.ToLower(p.models[p.rows[row].model].Slug), typed)
		})
		if at >= 0 {
			p.cursor = at
			p.scroll()
			return
		}
	}
}

// SetSize implements [part.Pane].
func (p *Models) SetSize(w, h int) {
	p.w, p.h = w, h
	p.filter.SetWidth(w - filterColumn - 1)
	p.scroll()
}

// SetStyles implements [part.Pane].
func (p *Models) SetStyles(s *themes.Styles) { p.styles, p.filter.Styles = s, s }

// SetFocused implements [part.Pane].
func (p *Models) SetFocused(focused bool) tea.Cmd {
	p.focused = focused
	p.scroll()
	if focused {
		p.showMarked()
	}
	return nil
}

// showMarked moves the cursor to the first marked model if none is on the screen.
func (p *Models) showMarked() {
	isShown := func(i int) bool { return p.listed[i] >= p.offset && p.listed[i] < p.offset+p.visibleRows() }
	first := -1
	for i, row := range p.listed {
		if p.isMarked(p.models[p.rows[row].model].Slug) {
			if isShown(i) {
				return
			}
			if first < 0 {
				first = i
			}
		}
	}
	if first >= 0 {
		p.cursor = first
		p.scroll()
	}
}

// CapturesText reports whether the key that goes back clears a filter.
func (p *Models) CapturesText() bool { return p.filter.Value() != "" }

// Update implements [part.Pane]. Typed text filters the list.
func (p *Models) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case keys.Press:
		switch {
		case msg.Scope == keys.Vi:
			if p.filter.Update(msg) {
				p.filtered()
			}
		case msg.Command == keys.Back:
			p.filter.SetValue("")
			p.filtered()
		case msg.Command != "" && (msg.Command != keys.Help || p.filter.Value() == ""):
			return p.Run(msg.Command), nil
		case !p.filter.Edits(msg):
			return action.Unused{Key: msg.String()}, nil
		case p.filter.Update(msg):
			p.filtered()
		}
	case tea.PasteMsg:
		if p.filter.Update(msg) {
			p.filtered()
		}
	case tea.MouseClickMsg:
		y := msg.Y - p.head()
		if at, ok := slices.BinarySearch(p.listed, p.offset+y); ok && y >= 0 && y < p.visibleRows() {
			p.cursor = at
			return p.Run(keys.MarkModel), nil
		}
	case tea.MouseWheelMsg:
		p.offset = max(min(p.offset+keys.Wheel(msg), len(p.rows)-p.visibleRows()), 0)
		first, _ := slices.BinarySearch(p.listed, p.offset)
		end, _ := slices.BinarySearch(p.listed, p.offset+p.visibleRows())
		p.cursor = max(min(max(p.cursor, first), end-1), 0)
	}
	return nil, nil
}
