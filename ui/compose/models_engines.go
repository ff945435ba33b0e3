package compose

import (
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
)

// setAnswering takes who answers each model, as known just now.
func (p *Models) setAnswering(by map[string]service.EngineStatus) {
	p.answering = by
	if p.CapturesText() { // which may name an engine
		p.rebuild(p.Target())
	}
}

// IsDown tells whether an engine was found not to answer.
func (p *Models) IsDown(engine string) bool {
	for _, a := range p.answering {
		if a.Engine == engine {
			return !a.IsUp
		}
	}
	return false
}

// Uses tells whether an engine answers a marked model.
func (p *Models) Uses(engine string) bool {
	for _, slug := range p.order {
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
	case a.IsSimulated():
		return styledText{makesUp, p.styles.Faint}, false
	}
	return styledText{termtext.Line(a.Engine), p.styles.Muted}, !a.IsUp
}

// columns are what stands right of a model's name: its engine and its facts, where there is room for both, else the
// more telling one.
func (p *Models) columns(m service.ModelInfo) (engine, facts styledText) {
	facts = styledText{p.facts(m), p.styles.Muted}
	run, runs := p.runOf(m.Slug)
	if runs {
		facts.text, facts.style = p.runText(run)
	}
	if !p.showsEngines {
		return styledText{}, facts
	}
	engine, isDown := p.engineOf(m.Slug)
	if isDown && !runs {
		facts = styledText{downMark, p.styles.Danger}
	}
	switch {
	case p.w >= engineWide:
		return engine, facts
	case runs, isDown:
		return facts, styledText{}
	}
	return engine, styledText{}
}

// engineFacts says all that is known of who answers a model.
func (p *Models) engineFacts(slug string) []fact {
	a, known := p.answering[slug]
	switch {
	case !known:
		return nil
	case a.Engine == "":
		return []fact{{"engine", "nobody answers this model: name it in a route of the configuration"}}
	case a.IsSimulated():
		return []fact{{"engine", a.Engine + ": answers are simulated"}}
	}
	engine, state := a.Engine, "up"
	if a.Model != "" && a.Model != slug {
		engine += ", which calls it " + a.Model
	}
	if !a.IsUp {
		state = "down: " + a.Problem
	}
	return []fact{{"engine", engine}, {"state", state}}
}
