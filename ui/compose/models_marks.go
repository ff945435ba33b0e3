package compose

import (
	"slices"

	"confab/history"
	"confab/service"
	"confab/service/api"
)

// SetModels replaces the catalogue. Marked models that it lacks stay, as gone ones.
func (p *Models) SetModels(models []service.ModelInfo) {
	slug, before := p.Target(), p.models
	if p.cursor == 0 { // what an engine lists first is not to be above the screen
		slug = ""
	}
	p.models, p.gone = slices.Clone(models), map[string]bool{}
	p.keepGone(before)
	p.markDefault()
	p.rebuild(slug)
}

func (p *Models) isGone(slug string) bool { return p.gone[slug] }

// SetMarked marks models for somebody who chose them. Those that are not in the catalogue are shown as gone.
func (p *Models) SetMarked(slugs []string) {
	p.isChosen = true
	p.mark(slugs)
}

// preferEngines has the next catalogue mark a model of an engine that is up, unless a person marked others.
func (p *Models) preferEngines() { p.isChosen = p.isByHand }

// SetUsedLast marks the models of earlier screens unless others are chosen.
func (p *Models) SetUsedLast(slugs []string) {
	p.usedLast = slugs
	p.markDefault()
}

func (p *Models) mark(slugs []string) {
	p.order = nil
	for _, s := range slugs {
		if !p.isMarked(s) {
			p.order = append(p.order, s)
		}
	}
	if len(p.models) > 0 {
		p.keepGone(nil)
	}
}

// keepGone adds the marked models that the catalogue lacks, as they were before; by default they write texts.
func (p *Models) keepGone(before []service.ModelInfo) {
	for _, slug := range p.order {
		if _, known := p.Info(slug); known {
			continue
		}
		info := service.ModelInfo{Model: api.Model{Slug: slug, Kind: api.Text}}
		if i := slices.IndexFunc(before, func(m service.ModelInfo) bool { return m.Slug == slug }); i >= 0 {
			info = before[i]
		}
		p.gone[slug] = true
		p.models = append(p.models, info)
		p.rebuild(p.Target())
	}
}

// markDefault marks models where nobody chose any: those used last, else the first of an engine that is up, else the
// first of all. Simulated ones used last give way to an engine, and none is marked in place of an engine that is down;
// what an engine answers, or answered, is not replaced.
func (p *Models) markDefault() {
	isReal := func(slug string) bool {
		a, known := p.answering[slug]
		return known && !a.IsSimulated()
	}
	isKept := func(slug string) bool { return isReal(slug) || p.gone[slug] }
	if p.isChosen || slices.ContainsFunc(p.order, isKept) {
		return
	}
	first := ""
	for _, m := range p.models {
		if history.ModelKind(m.Kind) != history.KindText || p.gone[m.Slug] {
			continue
		}
		if isReal(m.Slug) && p.answering[m.Slug].IsUp {
			first = m.Slug
			break
		}
		if first == "" {
			first = m.Slug
		}
	}
	isSimulated := func(slug string) bool { return p.answering[slug].IsSimulated() }
	switch {
	case len(p.down) > 0 && !isReal(first) && !slices.ContainsFunc(p.usedLast, isReal):
		p.mark(nil)
	case len(p.usedLast) > 0 && (!isReal(first) || !slices.ContainsFunc(p.usedLast, isSimulated)):
		p.mark(p.usedLast)
	case first != "":
		p.mark([]string{first})
	}
}
