package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	_ "image/jpeg" // for the size of a picture
	_ "image/png"
	"io"
	"strings"

	"confab/history"
	"confab/internal/format"
	"confab/service/suiterun"

	"github.com/yuin/goldmark"
)

var (
	//go:embed page.css
	pageStyle string
	//go:embed page.html
	pageText string
)

// HTML writes the run as one file that needs nothing else: the answers to each question side by side, pictures within,
// no script. It loads nothing and can be opened without a network; a policy within the file says so to the browser.
// What answers hold stays text: of their markdown, links lead to http and https only, and markup is shown as it is.
func HTML(ctx context.Context, out io.Writer, run Run, o Options) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	p := &page{printer: printer{out: out}, ctx: ctx, t: t, md: newProse(), o: o}
	p.put("head", map[string]any{
		"Policy": policy(), "Title": run.title(), "Style": template.CSS(pageStyle), "Facts": run.summary(),
	})
	for i, g := range run.groups() {
		p.question(i+1, g.first)
		for _, c := range g.cells {
			p.answer(c)
		}
		p.put("questionEnd", nil)
	}
	p.put("tail", nil)
	return p.err
}

// policy is the content security policy: nothing from anywhere but the pictures and the one style in the file itself.
func policy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}

// summary says what the run holds.
func (r Run) summary() string {
	states := map[history.State]int{}
	for _, c := range r.Cells {
		states[c.Answer.State]++
	}
	facts := []string{format.Count(len(r.Cells), "answer")}
	for _, s := range []history.State{history.Done, history.Failed, history.Cancelled, history.Interrupted,
		history.Running, history.Queued} {
		if n := states[s]; n > 0 {
			facts = append(facts, fmt.Sprintf("%d %s", n, s))
		}
	}
	facts = append(facts, r.statusCounts()...)
	if !r.Created.IsZero() {
		facts = append(facts, timestamp(r.Created))
	}
	return strings.Join(facts, " · ")
}

// statusCounts counts the cells of a suite's run by their statuses. Answers that failed or are missing are counted by
// their states.
func (r Run) statusCounts() []string {
	var cells []history.Cell
	for _, c := range r.Cells {
		if c.Prompt != "" {
			cells = append(cells, history.Cell{State: c.Answer.State, Checks: c.Checks})
		}
	}
	stats := suiterun.StatsOf(cells...)
	var out []string
	for _, v := range []history.CellStatus{history.CellPassed, history.CellFailed, history.CellSkipped,
		history.CellUnchecked} {
		if n := stats.Count(v); n > 0 {
			what := string(v)
			if v == history.CellFailed {
				what = "with a failed check"
			}
			out = append(out, fmt.Sprintf("%d %s", n, what))
		}
	}
	return out
}

// page writes the parts of the page, up to the first error.
type page struct {
	printer
	ctx context.Context
	t   *template.Template
	md  goldmark.Markdown
	o   Options
}

func (p *page) put(name string, data any) {
	if p.err == nil {
		p.err = p.ctx.Err()
	}
	if p.err == nil {
		p.err = p.t.ExecuteTemplate(p.out, name, data)
	}
}

func (p *page) question(number int, c Cell) {
	p.put("question", map[string]any{
		"Number": number, "Name": c.name(), "Prompt": c.Turn.Prompt, "System": c.Turn.System,
		"Vars": c.Vars, "Aspect": c.Turn.Aspect,
	})
}

// verdict is a check as it is shown.
type verdict struct{ Class, Text string }

func (p *page) answer(c Cell) {
	a := c.Answer
	var body template.HTML
	if a.Kind == history.KindText && a.Text != "" {
		body = template.HTML(prose(p.md, a.Text)) // escaped there
	}
	p.put("answer", map[string]any{
		"Model": a.Model, "Facts": strings.Join(c.about(), " · "), "Winner": a.Winner,
		"Error": c.failure(), "Body": body,
	})
	file := ""
	if a.Picture != nil {
		file = p.o.path(a.Picture.Path)
		p.picture(a)
	}
	var checks []verdict
	for i, line := range c.checkLines() {
		v := verdict{"skipped", line}
		if class := c.Checks[i].Verdict; class == "passed" || class == "failed" {
			v.Class = class
		}
		checks = append(checks, v)
	}
	p.put("answerEnd", map[string]any{"File": file, "Checks": checks, "Note": a.Note})
}

// picture embeds a picture. One that cannot be had, or that is none, is left out; its file is named below it anyway.
func (p *page) picture(a history.Answer) {
	if p.o.Picture == nil || p.err != nil {
		return
	}
	b, err := p.o.Picture(p.ctx, a)
	if err != nil {
		return
	}
	size, format, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil || format != "png" && format != "jpeg" {
		return
	}
	p.print(`<img width="%d" height="%d" alt="%s" src="data:image/%s;base64,`,
		size.Width, size.Height, template.HTMLEscapeString("picture by "+a.Model), format)
	if p.err == nil {
		enc := base64.NewEncoder(base64.StdEncoding, p.out)
		if _, p.err = enc.Write(b); p.err == nil {
			p.err = enc.Close()
		}
	}
	p.print("\">\n")
}
