package export

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/format"
)

// Markdown writes the run for people: each question with a table of its answers. Answers cannot break the table.
func Markdown(out io.Writer, run Run, o Options) error {
	p := &printer{out: out}
	p.print("# %s\n\n%s\n\n", plainMD(run.title()), plainMD(run.summary()))
	p.totals(run.totals())
	p.problems(run)
	for i, g := range run.groups() {
		p.print("## %d. %s\n\n", i+1, plainMD(g.First.name()))
		p.question(g, o)
		p.table(g, o)
	}
	return p.err
}

// totals writes the verdicts by prompt and model, for summaries of continuous integration.
func (p *printer) totals(t totals) {
	if len(t.Rows) == 0 {
		return
	}
	p.print("| passed of judged |")
	for _, model := range t.Models {
		p.print(" %s |", cellMD(model))
	}
	p.print("\n|%s\n", strings.Repeat(" --- |", len(t.Models)+1))
	for _, row := range t.Rows {
		p.print("| %s |", cellMD(row.Prompt))
		for _, text := range row.Cells {
			p.print(" %s |", cellMD(text))
		}
		p.print("\n")
	}
	p.print("\n")
}

// problems lists the answers that have not passed, with the reasons.
func (p *printer) problems(run Run) {
	const most = 50
	n := 0
	for _, c := range run.Cells {
		status := c.status()
		if status == "" || status.Verdict() == history.VerdictPassed {
			continue
		}
		if n++; n <= most {
			reasons := strings.Join(append(c.problemLines(c.checkLabels()), c.failure()), "; ")
			p.print("- **%s**: %s\n", status, plainMD(strings.Trim(c.Prompt+", "+c.caseName()+": "+reasons, ":; ")))
		}
	}
	if n > most {
		p.print("- %d more\n", n-most)
	}
	if n > 0 {
		p.print("\n")
	}
}

// settings returns the settings of a turn as Markdown.
func (t Turn) settings(o Options) string {
	var settings []string
	if t.Aspect != "" {
		settings = append(settings, "aspect ratio "+t.Aspect)
	}
	if t.Nonce.Mode == history.NonceFixed {
		settings = append(settings, "nonce `"+oneLine(t.Nonce.Value)+"`")
	}
	if t.Source != nil {
		settings = append(settings, "source <"+cmp.Or(t.Source.URL, link(o.path(t.Source.Path)))+">")
	}
	if text := paramsText(t.Params); text != "" {
		settings = append(settings, "parameters "+plainMD(text))
	}
	if text := t.BranchText(); text != "" {
		settings = append(settings, text)
	}
	if n := t.RememberedTurns(); n > 0 {
		settings = append(settings, "with "+format.Count(n, "earlier turn"))
	}
	return strings.Join(settings, " · ")
}

// markdownAnswer writes an answer with its unchanged text below a heading.
func (p *printer) markdownAnswer(c Cell, o Options) {
	p.print("### %s\n\n", plainMD(c.heading()))
	if text := o.reasoning(c.Answer); text != "" {
		p.print("Reasoning:\n\n")
		p.quote(text)
	}
	if c.Answer.Failure != nil && c.Answer.Picture == nil {
		p.print("> %s\n\n", plainMD(c.failure()))
	}
	if note := c.partialNote(); note != "" {
		p.print("> %s\n\n", note)
	}
	switch a := c.Answer; {
	case a.Picture != nil:
		p.print("%s\n\n", pictureMD(a, o))
	case a.Failure == nil, a.Text != "":
		p.print("%s\n\n", a.Text)
	}
	if c.Answer.Note != "" {
		p.print("*Note:* %s\n\n", c.Answer.Note)
	}
}

// name returns a short name of a question.
func (c Cell) name() string {
	switch {
	case c.Prompt != "" && c.Description != "":
		return c.Description + " · " + c.Prompt
	case c.Prompt != "" || c.Description != "":
		return c.Description + c.Prompt
	}
	const longest = 60
	name := []rune(oneLine(c.Turn.Prompt))
	if len(name) > longest {
		name = append(name[:longest-1], '…')
	}
	return string(name)
}

func (p *printer) question(g group, o Options) {
	c := g.First
	p.quote(c.Turn.Prompt)
	if c.Turn.System != "" {
		p.print("System prompt:\n\n")
		p.quote(c.Turn.System)
	}
	p.files(c.Turn, FormatMarkdown, o, func(name, body string) { p.print("%s:\n\n%s\n", name, body) })
	for _, name := range slices.Sorted(maps.Keys(c.Vars)) {
		p.print("- %s: %s\n", plainMD(name), cellMD(c.Vars[name]))
	}
	if len(c.Vars) > 0 {
		p.print("\n")
	}
	if c.Turn.Aspect != "" {
		p.print("Aspect ratio %s\n\n", plainMD(c.Turn.Aspect))
	}
	if text := g.Params(); text != "" {
		p.print("Parameters %s\n\n", plainMD(text))
	}
}

// quote writes a text as a block quote and keeps its Markdown.
func (p *printer) quote(text string) {
	for line := range strings.SplitSeq(unixLines(text), "\n") {
		p.print("> %s\n", line)
	}
	p.print("\n")
}

func (p *printer) table(g group, o Options) {
	cells := g.Cells
	row := func(of func(Cell) string) {
		for _, c := range cells {
			p.print("| %s ", of(c))
		}
		p.print("|\n")
	}
	row(func(c Cell) string { return cellMD(c.modelName()) })
	row(func(Cell) string { return "---" })
	row(func(c Cell) string { return cellMD(strings.Join(c.about(), " · ")) })
	if slices.ContainsFunc(cells, func(c Cell) bool { return g.ParamsOf(c) != "" }) {
		row(func(c Cell) string { return cellMD(g.ParamsOf(c)) })
	}
	row(func(c Cell) string {
		switch a := c.Answer; {
		case a.Picture != nil:
			return pictureMD(a, o)
		case a.Text == "":
			return cellMD(c.failure())
		default:
			return cellMD(strings.TrimSpace(c.failure() + "\n" + c.partialNote() + "\n" + a.Text))
		}
	})
	if slices.ContainsFunc(cells, func(c Cell) bool { return len(c.Checks) > 0 }) {
		row(func(c Cell) string { return cellMD(strings.Join(c.checkLines(), "\n")) })
	}
	if slices.ContainsFunc(cells, func(c Cell) bool { return c.Answer.Note != "" }) {
		row(func(c Cell) string { return cellMD(c.Answer.Note) })
	}
	p.print("\n")
}

// checkLines returns a line per check for people, such as: failed: contains "a" (the text does not contain "a").
func (c Cell) checkLines() []string { return c.linesOfChecks(c.checkLabels()) }

// linesOfChecks returns a line per check by its name.
func (c Cell) linesOfChecks(names []string) []string {
	var lines []string
	for i, name := range names {
		line := c.Checks[i].VerdictText() + ": " + name
		if reason := c.Checks[i].Reason; reason != "" {
			line += " (" + reason + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

func pictureMD(a history.Answer, o Options) string {
	path := o.path(a.Picture.Path)
	if path == "" {
		return "a picture that was not saved"
	}
	return fmt.Sprintf("![%s](%s)", plainMD(a.Model), link(path))
}

// link returns a path as a link target.
func link(path string) string { return (&url.URL{Path: path}).String() }

// plainMD returns a text as one line without Markdown markup.
func plainMD(s string) string { return escapeMD(oneLine(s)) }

// cellMD returns a text for a table cell, with visible markup and line breaks.
func cellMD(s string) string {
	s = strings.TrimRight(unixLines(s), "\n")
	return strings.ReplaceAll(escapeMD(s), "\n", "<br>")
}

// escapeMD escapes Markdown. It also splits addresses that many programs would link together with the following
// escapes.
func escapeMD(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", `\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`,
		"]", `\]`, "#", `\#`, "|", `\|`, "~", `\~`, "!", `\!`, ">", `\>`, "$", `\$`, "://", `\://`, "www.", `www\.`,
	).Replace(strings.ToValidUTF8(s, "\ufffd"))
}

// unixLines converts line ends to line feeds.
func unixLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
