package compose

import (
	"fmt"
	"strings"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/frame"
	"confab/ui/keys"
)

// View implements [part.Pane].
func (p *Models) View() []string {
	lines := make([]string, 0, p.h)
	if p.head() > 0 {
		lines = append(lines, p.filterLine(), "")
	}
	for i, end := p.offset, min(p.offset+p.room(), len(p.rows)); i < end; i++ {
		lines = append(lines, p.rowLine(i))
	}
	switch {
	case len(p.models) == 0:
		lines = append(lines, p.styles.Faint.Render(" reading the catalogue…"))
	case len(p.rows) == 0:
		lines = append(lines, p.styles.Faint.Render(" no model matches"))
	}
	if foot := p.foot(); len(foot) > 0 {
		return append(frame.Fill(lines, p.w, p.h-len(foot)), frame.Fill(foot, p.w, len(foot))...)
	}
	return frame.Fill(lines, p.w, p.h)
}

func (p *Models) filterLine() string {
	if p.filter == "" && !p.filtering {
		return p.styles.Faint.Render(p.keys.Phrase(keys.Models, keys.Filter, " %s to filter"))
	}
	return p.styles.Accent.Render(" > ") + p.styles.Text.Render(termtext.Line(p.filter))
}

func (p *Models) rowLine(i int) string {
	r := p.rows[i]
	if r.model < 0 {
		if r.heading == "" {
			return ""
		}
		return p.headingLine(r.heading)
	}
	m := p.models[r.model]
	engine, ink, facts, of := p.columns(m)
	mark, style := "◇", p.styles.Muted
	if p.marked[m.Slug] {
		mark, style = "◆", p.styles.Marked
	}
	const factsWidth = 7
	wide, column := max(factsWidth, termtext.Width(facts)), 0
	switch {
	case p.several && facts == "" && p.w < engineWide:
		wide, column = 0, engineWidth-1
	case p.several:
		column = engineWidth + 1
	}
	name := termtext.Fit(termtext.Line(m.Slug), max(p.w-4-wide-column-1, 4))
	facts = strings.Repeat(" ", wide-termtext.Width(facts)) + facts
	if column > 0 {
		engine = termtext.Fit(" "+engine, column)
	}
	if i == p.cursor && p.focused {
		return p.styles.Selected.Render(termtext.Fit(" "+mark+" "+name+engine+" "+facts+" ", p.w))
	}
	text := p.styles.Text
	if p.marked[m.Slug] {
		text = p.styles.Strong
	}
	return " " + style.Render(mark) + " " + text.Render(name) + ink.Render(engine) + " " + of.Render(facts)
}

// facts is the typical time of a model, with its badges.
func (p *Models) facts(m service.ModelInfo) string {
	facts := ""
	switch {
	case m.Typical > 0:
		facts = format.Seconds(m.Typical)
	case m.Slow:
		facts = "slow"
	}
	if m.Stage == "beta" {
		facts = "β " + facts
	}
	if m.Custom && !p.several { // else its engine says that
		facts = "own " + facts
	}
	return facts
}

func (p *Models) headingLine(kind history.Kind) string {
	all, marked := 0, 0
	for _, m := range p.models {
		if history.Kind(m.Kind) == kind {
			all++
			if p.marked[m.Slug] {
				marked++
			}
		}
	}
	count := fmt.Sprintf("%d of %d", marked, all)
	if kind == history.KindEdit && marked == 0 {
		count = "needs a source picture"
	}
	title := strings.ToUpper(string(kind))
	gap := max(p.w-2-len(title)-termtext.Width(count), 1)
	return " " + p.styles.Title.Render(title) + strings.Repeat(" ", gap) + p.styles.Faint.Render(count)
}

// about says what is known of a model.
func about(m service.ModelInfo) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nkind      %s\n", m.About, m.Kind)
	if m.Params != "" {
		fmt.Fprintf(&b, "size      %s\n", m.Params)
	}
	if m.Stage != "" {
		fmt.Fprintf(&b, "stage     %s\n", m.Stage)
	}
	if m.Slow {
		b.WriteString("speed     may answer slowly; its time-outs are longer\n")
	}
	if m.Kind == "text" && !m.TakesSystem {
		b.WriteString("system    takes no system prompt: none is sent to it\n")
	}
	if m.DefaultAspect != "" {
		fmt.Fprintf(&b, "ratio     %s unless another is asked\n", m.DefaultAspect)
	}
	if m.Custom {
		b.WriteString("origin    added by your configuration\n")
	}
	fmt.Fprintf(&b, "answers   %d, failed %d\n", m.Answers, m.Failures)
	if m.Typical > 0 {
		fmt.Fprintf(&b, "typical   %s, the median of the newest answers\n", format.Seconds(m.Typical))
	}
	return b.String()
}
