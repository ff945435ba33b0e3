package compose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
	"confab/ui/widget"
)

// View implements [part.Pane].
func (p *Models) View() []string {
	lines := make([]string, 0, p.h)
	if p.head() > 0 {
		lines = append(append(lines, p.filterLine()), p.downLine())[:p.head()]
	}
	marked := p.Marked()
	on, off := p.styles.Sign("●", "marked"), p.styles.Sign("○", "      ")
	styles := p.styles.ModelStyles(marked)
	for i, end := p.offset, min(p.offset+p.visibleRows(), len(p.rows)); i < end; i++ {
		r := p.rows[i]
		switch {
		case r.model >= 0:
			slug := p.models[r.model].Slug
			if at := slices.Index(marked, slug); at >= 0 {
				lines = append(lines, p.modelLine(r.model, on, styles[at], p.styles.Strong))
			} else {
				lines = append(lines, p.modelLine(r.model, off, p.styles.Faint, p.styles.Text))
			}
		case r.heading != "":
			lines = append(lines, p.headingLine(r.heading))
		default:
			lines = append(lines, "")
		}
	}
	switch {
	case p.hasNone():
		lines = append(lines, p.styles.Faint.Render(" no engine has a model now"))
	case len(p.models) == 0:
		lines = append(lines, p.styles.Faint.Render(" loading models…"))
	case len(p.rows) == 0:
		lines = append(lines, p.styles.Faint.Render(" no model matches"))
	}
	return widget.FillLines(lines, p.w, p.h)
}

// head returns the number of lines above the rows: the filter, and a blank line in a high list.
func (p *Models) head() int {
	switch {
	case p.h > 12:
		return 2
	case p.focused, p.CapturesText():
		return 1
	}
	return 0
}

func (p *Models) visibleRows() int { return max(p.h-p.head(), 1) }

// PositionText says which of the models are on the screen, and nothing when all are.
func (p *Models) PositionText() string {
	above, _ := slices.BinarySearch(p.listed, p.offset)
	end, _ := slices.BinarySearch(p.listed, p.offset+p.visibleRows())
	return widget.ScrollPosition(above, end-above, len(p.listed))
}

// filterColumn is the first column of the text of the filter.
const filterColumn = 3

func (p *Models) filterLine() string {
	return p.styles.Accent.Render(" > ") + p.filter.View(p.focused)
}

// NeededWidth returns the width without a border that cuts no name.
func (p *Models) NeededWidth() int {
	const around, facts = 5, 9 // mark and blanks; the widest usual facts
	longest, column := 0, 0
	for _, m := range p.models {
		longest = max(longest, termtext.Width(termtext.Line(m.Slug)))
	}
	if p.showsEngines {
		column = engineWidth + 1
	}
	return longest + column + around + facts
}

// modelLine draws the row of a model, its mark in a style.
func (p *Models) modelLine(model int, mark string, style, text themes.Style) string {
	m := p.models[model]
	engine, facts := p.columns(m)
	wide, column := termtext.Width(facts.text), 0 // without engines a name takes what its own facts leave
	if p.showsEngines {
		const factsWidth = 7
		wide = max(wide, factsWidth)
	}
	switch {
	case p.showsEngines && facts.text == "" && p.w < engineWide:
		wide, column = 0, engineWidth-1
	case p.showsEngines:
		column = engineWidth + 1
	}
	slugs := make([]string, len(p.models))
	for i, m := range p.models {
		slugs[i] = termtext.Line(m.Slug)
	}
	nameWidth := max(p.w-4-termtext.Width(mark)-wide-column, 4)
	gap := 0 // cells before the facts, beside the blank that is always there
	if wide > 0 && column == 0 {
		gap = 1
	}
	name := termtext.Fit(termtext.CutName(slugs[model], nameWidth-gap, slugs), nameWidth)
	facts.text = strings.Repeat(" ", wide-termtext.Width(facts.text)) + facts.text
	if column > 0 {
		engine.text = termtext.Fit(" "+engine.text, column)
	}
	start := " "
	if m.Slug == p.Target() {
		if p.focused {
			row := p.styles.Sign(start, "> ") + p.styles.OnSelected(style).On(mark) +
				p.styles.Selected.On(" "+name+engine.text+" "+facts.text)
			return p.styles.Selected.Behind(termtext.Fit(row, p.w))
		}
		start = p.styles.Accent.On(p.styles.Sign("▌", ">"))
	}
	line := start + style.Render(mark) + " " + text.Render(name) + engine.style.Render(engine.text) + " " +
		facts.style.Render(facts.text)
	if m.Slug == p.Target() {
		return p.styles.SelectedIdle.Behind(termtext.Fit(line, p.w))
	}
	return line
}

func (p *Models) facts(m service.ModelInfo) string {
	facts := ""
	if m.MedianTime > 0 {
		facts = format.Seconds(m.MedianTime)
	}
	if m.IsCustom && !p.showsEngines { // else its engine says that
		facts = "own " + facts
	}
	return facts
}

// headingLine draws the heading of a kind of models, and that of their column of times.
func (p *Models) headingLine(kind history.ModelKind) string {
	marked := p.Kinds()[kind]
	count := format.Count(len(p.Of(kind)), "model")
	switch {
	case marked > 0:
		count = fmt.Sprintf("%d marked", marked)
	case kind == history.KindEdit:
		count = "needs a source picture"
	}
	isTimed := func(m service.ModelInfo) bool { return history.ModelKind(m.Kind) == kind && m.MedianTime > 0 }
	title := strings.ToUpper(string(kind)) + "  "
	if slices.ContainsFunc(p.models, isTimed) {
		const head = "median"
		count += strings.Repeat(" ", max(p.w-2-len(title)-termtext.Width(count)-len(head), 1)) + head
	}
	return " " + p.styles.Title.Render(title) + p.styles.Faint.Render(count)
}

// about describes a model and its engine.
func (p *Models) about(m service.ModelInfo) string {
	facts := []fact{{"kind", string(m.Kind)}, {"size", m.Params}, {"stage", m.Stage}}
	add := func(applies bool, label, text string) {
		if applies {
			facts = append(facts, fact{label, text})
		}
	}
	add(m.IsSlow, "speed", "slow: longer time-outs apply")
	add(m.Kind == "text" && !m.TakesSystem, "system", "takes no system prompt")
	add(m.DefaultAspect != "", "ratio", m.DefaultAspect+" unless another is asked")
	add(m.IsCustom, "origin", "added by your configuration")
	add(true, "answers", fmt.Sprintf("%d, failed %d", m.Answers, m.Failures))
	add(m.MedianTime > 0, "typical", format.Seconds(m.MedianTime)+", the median of the newest answers")
	text := m.About + "\n\n"
	for _, f := range append(facts, p.engineFacts(m.Slug)...) {
		if f.text != "" {
			text += fmt.Sprintf("%-10s%s\n", f.label, f.text)
		}
	}
	return text
}

type fact struct{ label, text string }

// modelRun counts the answers of a model in progress.
type modelRun struct {
	all   int
	count map[history.State]int
	began time.Time // of the answer that has run longest
	waits bool      // an answer waits for another attempt
}

// runOf counts the answers of a model in progress; ok is false for none.
func (p *Models) runOf(slug string) (r modelRun, ok bool) {
	r.count = map[history.State]int{}
	for a := range p.Turns.AnswersIn(p.Session().ID) {
		if a.Model != slug {
			continue
		}
		r.all++
		r.count[a.State]++
		if a.State == history.Running {
			r.waits = r.waits || !a.Progress.RetryAt.IsZero()
			if r.began.IsZero() || a.Started.Before(r.began) {
				r.began = a.Started
			}
		}
	}
	return r, r.all > 0
}

// runText describes the states of answers in progress without relying on colors.
func (p *Models) runText(r modelRun) (string, themes.Style) {
	s, count := p.styles, ""
	running, queued := r.count[history.Running], r.count[history.Queued]
	if r.all > 1 {
		count = fmt.Sprintf("%d/%d ", r.all-queued-running, r.all)
	}
	switch {
	case r.waits:
		return count + "waiting", s.Warning
	case running > 0:
		seconds := int(format.Elapsed(r.began, p.Now()).Seconds())
		return fmt.Sprintf("%s%s %d s", count, s.Sign("▸", "running"), seconds), s.Info
	case queued > 0:
		return count + "queued", s.Muted
	case r.count[history.Failed] > 0:
		return count + "✗ failed", s.Danger
	case r.count[history.Done] < r.all:
		return count + "− stopped", s.Warning
	}
	return count + "✓ done", s.Success
}

// scroll brings the cursor into view, and its heading if it fits.
func (p *Models) scroll() {
	if len(p.listed) == 0 {
		p.offset = 0
		return
	}
	at := p.listed[p.cursor]
	if at > 0 && p.rows[at-1].model < 0 {
		p.offset = widget.WindowStart(p.offset, at-1, p.visibleRows(), len(p.rows))
	}
	p.offset = widget.WindowStart(p.offset, at, p.visibleRows(), len(p.rows))
}

// Cursor implements [part.Pane].
func (p *Models) Cursor() *tea.Cursor {
	if p.w <= filterColumn {
		return nil
	}
	return p.filter.Cursor(filterColumn, 0)
}
