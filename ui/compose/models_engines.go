package compose

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
)

const (
	engineWidth = 11 // cells of the column of engines
	engineWide  = 40 // width of the list from which it has times beside the engines
)

// setAnswering takes the states of engines by model, and the names of all that are configured.
func (p *Models) setAnswering(by map[string]service.EngineStatus, configured []string) {
	p.answering, p.down = by, nil
	for _, engine := range configured {
		if engine != history.Offline && !p.isUp(engine) {
			p.down = append(p.down, engine)
		}
	}
	p.rebuild(p.Target()) // the filter may name an engine
}

// hasNone reports whether the engines were asked, and no model is there.
func (p *Models) hasNone() bool { return len(p.models) == 0 && p.answering != nil }

// IsDown reports whether an engine does not answer.
func (p *Models) IsDown(engine string) bool {
	for _, a := range p.answering {
		if a.Engine == engine {
			return !a.IsUp
		}
	}
	return false
}

// isUp reports whether an engine answers for a model.
func (p *Models) isUp(engine string) bool {
	for _, a := range p.answering {
		if a.Engine == engine && a.IsUp {
			return true
		}
	}
	return false
}

// downLine names the engines that do not answer and have no model in the list to say so; "" for none.
func (p *Models) downLine() string {
	var names []string
	for _, engine := range p.down {
		if !p.IsDown(engine) {
			names = append(names, termtext.Line(engine))
		}
	}
	if len(names) == 0 {
		return ""
	}
	text := ansi.Truncate("✗ "+strings.Join(names, ", "), max(p.w-len(" down")-2, 1), "…") + " down"
	return " " + p.styles.Danger.Render(text)
}

// Uses reports whether an engine answers a marked model.
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

// engineOf returns the text of the column of engines, and whether the engine is down.
func (p *Models) engineOf(slug string) (engine styledText, isDown bool) {
	a, known := p.answering[slug]
	switch {
	case p.gone[slug], !known:
		return styledText{"", p.styles.Faint}, false
	case a.Engine == "":
		return styledText{"nobody", p.styles.Danger}, false
	case a.IsSimulated():
		return styledText{"simulated", p.styles.Faint}, false
	}
	return styledText{termtext.Line(a.Engine), p.styles.Muted}, !a.IsUp
}

// columns returns the engine and the facts of a model. A narrow list has only one of them.
func (p *Models) columns(m service.ModelInfo) (engine, facts styledText) {
	facts = styledText{p.facts(m), p.styles.Muted}
	run, runs := p.runOf(m.Slug)
	if runs {
		facts.text, facts.style = p.runText(run)
	} else if p.gone[m.Slug] {
		facts = styledText{"✗ gone", p.styles.Danger}
		if p.showsEngines && p.answering == nil { // the engines were not asked yet
			facts = styledText{"…", p.styles.Muted}
		}
	}
	if !p.showsEngines {
		return styledText{}, facts
	}
	engine, isDown := p.engineOf(m.Slug)
	if isDown && !runs {
		facts = styledText{"▼ down", p.styles.Danger}
	}
	switch {
	case p.w >= engineWide:
		return engine, facts
	case runs, isDown, p.gone[m.Slug]:
		return facts, styledText{}
	}
	return engine, styledText{}
}

// engineFacts describes the engine of a model.
func (p *Models) engineFacts(slug string) []fact {
	a, known := p.answering[slug]
	switch {
	case p.gone[slug]:
		return []fact{{"state", "removed: no engine has this model now"}}
	case !known:
		return nil
	case a.Engine == "":
		return []fact{{"engine", "no engine has this model: add a route in the configuration"}}
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
