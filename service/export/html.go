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
	w := htmlWriter{ctx: ctx, md: newProse(), o: o}
	t, err := template.New("page").Funcs(template.FuncMap{
		"partial":   Cell.partialNote,
		"params":    func(t history.Turn) string { return paramsText(&t.Params) },
		"reasoning": func(c Cell) string { return o.reasoning(c.Answer) },
		"name":      Cell.name, "failure": Cell.failure, "checks": Cell.checkLines, "body": w.body,
		"picture": w.picture,
		"facts":   func(c Cell) string { return strings.Join(c.about(), " · ") }, "path": o.path,
		"number": func(index int) int { return index + 1 },
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	return t.Execute(out, map[string]any{
		"Policy": policy(), "Title": run.title(), "Style": template.CSS(pageStyle), "Facts": run.summary(),
		"Questions": run.groups(),
	})
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
	if text := r.usageText(); text != "" {
		facts = append(facts, text)
	}
	if !r.Created.IsZero() {
		facts = append(facts, timestamp(r.Created))
	}
	if r.Votes != "" {
		facts = append(facts, r.Votes)
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

// htmlWriter writes what the template cannot.
type htmlWriter struct {
	ctx context.Context
	md  goldmark.Markdown
	o   Options
}

// body returns the text of an answer; the error ends the page when ctx has ended.
func (w htmlWriter) body(a history.Answer) (template.HTML, error) {
	if a.Kind != history.KindText || a.Text == "" {
		return "", w.ctx.Err()
	}
	return template.HTML(prose(w.md, a.Text)), w.ctx.Err() // escaped there
}

// picture embeds a picture. One that cannot be had, or that is none, is left out; its file is named below it anyway.
func (w htmlWriter) picture(a history.Answer) template.HTML {
	if w.o.Picture == nil {
		return ""
	}
	b, err := w.o.Picture(w.ctx, a)
	if err != nil {
		return ""
	}
	size, format, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil || format != "png" && format != "jpeg" {
		return ""
	}
	return template.HTML(fmt.Sprintf("<img width=\"%d\" height=\"%d\" alt=\"%s\" src=\"data:image/%s;base64,%s\">\n",
		size.Width, size.Height, template.HTMLEscapeString("picture by "+a.Model), format,
		base64.StdEncoding.EncodeToString(b)))
}
