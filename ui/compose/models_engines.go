package compose

import (
	"slices"
	"strings"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
)

// What is written of an engine that does not answer just now, and of the one that
// makes its answers up.
const (
	downMark = "▼ down"
	makesUp  = "simulated"
)

// The list is wider where it says who answers and there is room for it.
const (
	engineWidth = 11 // cells of the column of engines
	engineWide  = 40 // of the list, from which times stand beside the engines
	mostFoot    = 3  // lines at the foot that tell of the engines
	roomy       = 26 // lines of a list that has room for so many
)

// SetAnswering takes who answers each model, as known just now.
func (p *Models) SetAnswering(by map[string]service.EngineStatus) {
	p.answering = by
	if p.filter != "" { // which may name an engine
		p.rebuild(p.Target())
	}
	p.scroll()
}

// Down tells whether an engine was found not to answer.
func (p *Models) Down(engine string) bool {
	for _, a := range p.answering {
		if a.Engine == engine {
			return !a.Up
		}
	}
	return false
}

// Uses tells whether an engine answers a marked model.
func (p *Models) Uses(engine string) bool {
	for slug := range p.marked {
		if a, known := p.answering[slug]; known && a.Engine == engine {
			return true
		}
	}
	return false
}

// styledText is a short text in its style.
type styledText struct {
	text  string
	style themes.Style
}

// engineOf is what the column of engines says of a model, and whether its engine is down.
func (p *Models) engineOf(slug string) (engine styledText, isDown bool) {
	a, known := p.answering[slug]
	switch {
	case !known:
		return styledText{"", p.styles.Faint}, false
	case a.Engine == "":
		return styledText{"nobody", p.styles.Danger}, false
	case a.Simulated():
		return styledText{makesUp, p.styles.Faint}, false
	case !a.Up && a.Fallback == history.Offline && p.w >= engineWide:
		return styledText{"→ " + makesUp, p.styles.Warning}, true
	case !a.Up && a.Fallback != "":
		return styledText{"→ " + termtext.Line(a.Fallback), p.styles.Warning}, true
	}
	return styledText{termtext.Line(a.Engine), p.styles.Muted}, !a.Up
}

// columns are what stands right of a model's name: its engine and its facts, where there is room for both, else the
// more telling one.
func (p *Models) columns(m service.ModelInfo) (engine, facts styledText) {
	facts = styledText{p.facts(m), p.styles.Muted}
	run, runs := p.running[m.Slug]
	if runs {
		facts.text, facts.style = p.runText(run)
	}
	if !p.ShowsEngines {
		return styledText{}, facts
	}
	engine, isDown := p.engineOf(m.Slug)
	if isDown && !runs {
		facts = styledText{downMark, p.styles.Danger}
	}
	switch {
	case p.w >= engineWide:
		return engine, facts
	case runs, isDown && !strings.HasPrefix(engine.text, "→"):
		return facts, styledText{}
	}
	return engine, styledText{}
}

// foot tells of the engines in a few lines at the foot of the list; where they would take the room of the models, in
// one line of those that are down.
func (p *Models) foot() []string {
	if !p.ShowsEngines || len(p.answering) == 0 || p.h < 12 {
		return nil
	}
	lines := p.footLines(p.states(false))
	if len(lines) > 1 && p.h < roomy {
		lines = p.footLines(p.states(true))
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]string{""}, lines[:min(len(lines), mostFoot)]...)
}

// states says of each engine whether it is up, or of those only that do not answer. The simulated one is last.
func (p *Models) states(onlyDown bool) []styledText {
	var engines []service.EngineStatus
	for _, m := range p.models {
		a := p.answering[m.Slug]
		if !slices.ContainsFunc(engines, func(o service.EngineStatus) bool { return o.Engine == a.Engine }) {
			engines = append(engines, a)
		}
	}
	slices.SortStableFunc(engines, func(a, b service.EngineStatus) int { return rank(a) - rank(b) })
	var states []styledText
	for _, a := range engines {
		name := termtext.Line(a.Engine)
		switch {
		case name == "":
			states = append(states, styledText{"× nobody", p.styles.Danger})
		case !a.Simulated() && !a.Up:
			states = append(states, styledText{"▼ " + name + " down", p.styles.Danger})
		case onlyDown:
		case a.Simulated():
			states = append(states, styledText{"◇ " + name + " " + makesUp, p.styles.Faint})
		default:
			states = append(states, styledText{"▲ " + name + " up", p.styles.Muted})
		}
	}
	return states
}

// footLines sets pieces in lines of the list's width.
func (p *Models) footLines(all []styledText) []string {
	var lines []string
	used := p.w // of the last line
	for _, t := range all {
		w := 3 + termtext.Width(t.text)
		if used += w; used > p.w {
			lines, used = append(lines, " "+t.style.Render(t.text)), w-2
			continue
		}
		lines[len(lines)-1] += "   " + t.style.Render(t.text)
	}
	return lines
}

// rank sorts real engines before the simulated one, and nobody last.
func rank(a service.EngineStatus) int {
	switch {
	case a.Engine == "":
		return 2
	case a.Simulated():
		return 1
	}
	return 0
}

// engineFacts says all that is known of who answers a model.
func (p *Models) engineFacts(slug string) []fact {
	a, known := p.answering[slug]
	switch {
	case !known:
		return nil
	case a.Engine == "":
		return []fact{{"engine", "nobody answers this model: name it in a route of the configuration"}}
	case a.Simulated():
		return []fact{{"engine", a.Engine + ": answers are simulated"}}
	}
	engine, state, fallback := a.Engine, "up", ""
	if a.Model != "" && a.Model != slug {
		engine += ", which calls it " + a.Model
	}
	if !a.Up {
		state = "down: " + a.Why
	}
	if a.Fallback != "" {
		fallback = a.Fallback + " answers when " + a.Engine + " cannot"
	}
	return []fact{{"engine", engine}, {"state", state}, {"fallback", fallback}}
}
