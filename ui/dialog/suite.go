package dialog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

const maxListed = 8

// Suite is the form to run a suite. Above its fields it describes the suite, its cost and what is not applied. Empty
// fields stand for the values of the suite, or of the continued run.
type Suite struct {
	form
	subject                      action.AskSuite
	what                         *row // nil without a run to continue
	models, samples, concurrency *row
}

// NewSuite returns the form, with a new run of the suite's own models chosen.
func NewSuite(subject action.AskSuite, m keys.Map, s *themes.Styles) action.Dialog {
	subject.Repeat, subject.Concurrency = max(subject.Repeat, 1), max(subject.Concurrency, 1)
	d := &Suite{
		subject: subject,
		models: &row{label: "Models", text: widget.NewField(m, "", ""),
			note: "names or patterns: beta, alpha*, all-text"},
		samples: &row{label: "Samples", text: widget.NewField(m, "", ""),
			note: fmt.Sprintf("answers per prompt, 1 to %d", suite.MaxRepeat)},
		concurrency: &row{label: "At once", text: widget.NewField(m, "", ""),
			note: fmt.Sprintf("parallel calls, 1 to %d", suite.MaxConcurrency)},
	}
	rows := []*row{d.models, d.samples, d.concurrency}
	if subject.LastRun != 0 {
		d.what = &row{label: "What", choices: []string{"new run", fmt.Sprintf("continue run %d", subject.LastRun)}}
		rows = append([]*row{d.what}, rows...)
	}
	d.form = form{title: "Run " + termtext.Line(subject.Name), verb: "run", rows: rows,
		maxWidth: 78, leastAbove: 5, // the cost matters more than notes
		summary: d.summary, changed: d.adaptFields, accept: d.result}
	d.init("suite", m, s)
	return d
}

func (d *Suite) resumes() bool { return d.what != nil && d.what.at == 1 }

// defaults returns the values of empty fields.
func (d *Suite) defaults() (models string, samples, concurrency int) {
	models, samples, concurrency = "the suite's own", d.subject.Repeat, d.subject.Concurrency
	if how := d.subject.LastOptions; d.resumes() {
		models = cmp.Or(strings.Join(how.Models, ", "), models)
		samples, concurrency = cmp.Or(how.Repeat, samples), cmp.Or(how.Concurrency, concurrency)
	}
	return models, samples, concurrency
}

func (d *Suite) adaptFields() {
	models, samples, concurrency := d.defaults()
	d.models.text.SetPlaceholder(models)
	d.samples.text.SetPlaceholder(strconv.Itoa(samples))
	d.concurrency.text.SetPlaceholder(strconv.Itoa(concurrency))
	if d.what != nil {
		d.what.note = "sends every prompt again"
	}
	if d.resumes() {
		d.what.note = "keeps its answers and asks for the rest"
	}
}

// summary draws the lines above the fields, at most height.
func (d *Suite) summary(w, height int) []string {
	text, muted, faint := d.Styles.Text, d.Styles.Muted, d.Styles.Faint
	draw := func(style themes.Style, lines []string) []string {
		lines = lines[:min(len(lines), height)]
		height -= len(lines)
		return widget.StyleLines(style, "", lines)
	}
	// The most important lines are given their height first; they are drawn in another order.
	cost := draw(text, wrapAtMost(d.cost(), w, 2))
	var problem []string
	for _, r := range d.shown() {
		if r.problem != "" && d.pitch == 1 && problem == nil {
			problem = draw(d.Styles.Danger, wrapAtMost(r.label+": "+r.problem, w, 2))
		}
	}
	size := draw(muted, wrapAtMost(d.size(), w, 2))
	publish := draw(d.Styles.Warning, bulletList("Sent to", d.subject.Publish, w, height))
	most := 3
	if len(d.subject.Notes) > 0 {
		most = max(min(most, height-3), 0)
	}
	description := draw(text, wrapAtMost(d.subject.Description, w, most))
	notes := draw(faint, bulletList("Not applied", d.subject.Notes, w, height))
	return slices.Concat(description, size, publish, notes, cost, problem)
}

func wrapAtMost(s string, w, n int) []string {
	if s = termtext.Line(s); s == "" || n < 1 {
		return nil
	}
	return termtext.Wrap(ansi.Truncate(s, w*n-n, "…"), w)
}

// bulletList returns sentences under a head in at most that many lines, with the number of omitted ones.
func bulletList(head string, items []string, w, most int) []string {
	if len(items) == 0 || most < 1 {
		return nil
	}
	lines := []string{head + ":"}
	for i, item := range items {
		block := wrapAtMost(item, w-2, 2)
		need := len(block)
		if i < len(items)-1 {
			need++ // for how many more there are
		}
		switch {
		case len(lines)+need <= most && i < maxListed:
		case i == 0:
			return []string{fmt.Sprintf("%s: %s", head, format.Count(len(items), "thing"))}
		default:
			return append(lines, fmt.Sprintf("- and %d more", len(items)-i))
		}
		for j, l := range block {
			lines = append(lines, [2]string{"- ", "  "}[min(j, 1)]+l)
		}
	}
	return lines
}

// size describes the suite: a product of prompts, models and samples if the calls are one.
func (d *Suite) size() string {
	s := d.subject
	text := format.Count(s.Prompts, "prompt")
	_, own, _ := d.defaults()
	samples, ok := parseWhole(d.samples, own, suite.MaxRepeat)
	switch {
	case !ok || d.resumes() || !d.ownModels():
	case s.Prompts*s.Models*s.Repeat != s.Calls:
		text += ", " + format.Count(s.Models, "model") + " (some prompts are for some models only)"
	default:
		text += " × " + format.Count(s.Models, "model")
		if samples > 1 {
			text += " × " + format.Count(samples, "sample")
		}
	}
	if s.Checks > 0 {
		text += ", " + format.Count(s.Checks, "check")
	}
	return text
}

// cost describes how many calls the run would make, as far as known before planning.
func (d *Suite) cost() string {
	s := d.subject
	_, own, _ := d.defaults()
	samples, ok := parseWhole(d.samples, own, suite.MaxRepeat)
	switch n := d.calls(); {
	case !ok:
		return ""
	case d.resumes() && n > 0:
		return fmt.Sprintf("This makes %s, unless the file has changed.", format.Count(n, "call"))
	case d.resumes() && samples == own && d.ownModels():
		return fmt.Sprintf("Run %d is complete: only new parts of the file are sent.", s.LastRun)
	case d.resumes():
		return fmt.Sprintf("This makes the calls that are missing in run %d.", s.LastRun)
	case n > 0 && s.Gradings > 0:
		return fmt.Sprintf("This makes %s, including the grader's.", format.Count(n, "call"))
	case n > 0:
		return fmt.Sprintf("This makes %s.", format.Count(n, "call"))
	case s.Prompts > 0:
		return fmt.Sprintf("This makes at most %s to each of the models.", format.Count(s.Prompts*samples, "call"))
	}
	return ""
}

// calls returns the number of calls, 0 for unknown.
func (d *Suite) calls() int {
	_, own, _ := d.defaults()
	samples, ok := parseWhole(d.samples, own, suite.MaxRepeat)
	switch {
	case !ok || !d.ownModels() || d.resumes() && samples != own:
		return 0
	case d.resumes():
		return d.subject.Missing
	}
	return (d.subject.Calls + d.subject.Gradings) / d.subject.Repeat * samples
}

func (d *Suite) ownModels() bool {
	own, _, _ := d.defaults()
	text := strings.TrimSpace(d.models.text.Value())
	return text == "" || text == own
}

// parseWhole reads a field with a whole number from 1 to most.
func parseWhole(r *row, empty, most int) (int, bool) {
	text := strings.TrimSpace(r.text.Value())
	if text == "" {
		return empty, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 1 && n <= most
}

// result returns the action without values that are those of the suite or the run.
func (d *Suite) result() action.Action {
	ok := true
	read := func(r *row, own, most int) int {
		n, good := parseWhole(r, own, most)
		if !good {
			r.problem, ok = fmt.Sprintf("Must be a whole number from 1 to %d.", most), false
		}
		if n == own {
			return 0
		}
		return n
	}
	_, samples, concurrency := d.defaults()
	a := action.RunSuite{Path: d.subject.Path, Repeat: read(d.samples, samples, suite.MaxRepeat),
		Concurrency: read(d.concurrency, concurrency, suite.MaxConcurrency)}
	if !ok {
		return nil
	}
	if !d.ownModels() {
		a.Models = strings.FieldsFunc(d.models.text.Value(), func(r rune) bool { return r == ',' || r == ' ' })
	}
	if d.resumes() {
		a.Resume, a.Run = true, d.subject.LastRun
	}
	a.Confirmed = action.RunCost{Calls: d.calls(), Publish: d.subject.Publish}
	return a
}
