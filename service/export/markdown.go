package export

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"confab/history"
)

// MarkdownOptions are those of [Markdown].
type MarkdownOptions struct {
	Options
	// Sections writes the answers below each other, with their markdown as it
	// is, instead of as a table with a column for each model.
	Sections bool
}

// Markdown writes the run for people: each question with its answers side by
// side in a table. Nothing an answer holds ends the table or section it is in.
func Markdown(out io.Writer, run Run, o MarkdownOptions) error {
	w := &printer{out: out}
	w.print("# %s\n\n", plainMD(run.title()))
	w.print("%s\n\n", plainMD(run.summary()))
	for i, g := range run.groups() {
		w.print("## %d. %s\n\n", i+1, plainMD(g.first.name()))
		w.question(g.first)
		if o.Sections {
			for _, c := range g.cells {
				w.section(c, o.Options)
			}
			continue
		}
		w.table(g.cells, o.Options)
	}
	return w.err
}

// name is a short name of a question.
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

// printer keeps the first error of a row of writes.
type printer struct {
	out io.Writer
	err error
}

func (w *printer) print(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.out, format, args...)
	}
}

// question writes what was asked.
func (w *printer) question(c Cell) {
	w.quote(c.Turn.Prompt)
	if c.Turn.System != "" {
		w.print("System prompt:\n\n")
		w.quote(c.Turn.System)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Vars)) {
		w.print("- %s: %s\n", plainMD(name), cellMD(c.Vars[name]))
	}
	if len(c.Vars) > 0 {
		w.print("\n")
	}
	if c.Turn.Aspect != "" {
		w.print("Aspect ratio %s\n\n", plainMD(c.Turn.Aspect))
	}
}

// quote writes a text as a block quote, which keeps its markdown within.
func (w *printer) quote(text string) {
	for line := range strings.SplitSeq(unixLines(text), "\n") {
		w.print("> %s\n", line)
	}
	w.print("\n")
}

// section writes one answer below a heading of its own.
func (w *printer) section(c Cell, o Options) {
	a := c.Answer
	w.print("### %s\n\n", plainMD(strings.Join(append([]string{a.Model}, c.about()...), " · ")))
	switch {
	case a.Picture != nil:
		w.print("%s\n\n", pictureMD(a, o))
	case c.failure() != "":
		w.quote(plainMD(c.failure()))
	case a.State == history.Done:
		w.quote(a.Text)
	}
	for _, line := range c.checkLines() {
		w.print("- %s\n", plainMD(line))
	}
	if len(c.Checks) > 0 {
		w.print("\n")
	}
	if a.Note != "" {
		w.print("Note:\n\n")
		w.quote(a.Note)
	}
}

// table writes answers side by side.
func (w *printer) table(cells []Cell, o Options) {
	row := func(of func(Cell) string) {
		for _, c := range cells {
			w.print("| %s ", of(c))
		}
		w.print("|\n")
	}
	row(func(c Cell) string { return cellMD(c.Answer.Model) })
	row(func(Cell) string { return "---" })
	row(func(c Cell) string { return cellMD(strings.Join(c.about(), " · ")) })
	row(func(c Cell) string {
		switch a := c.Answer; {
		case a.Picture != nil:
			return pictureMD(a, o)
		case c.failure() != "":
			return cellMD(c.failure())
		default:
			return cellMD(a.Text)
		}
	})
	if slices.ContainsFunc(cells, func(c Cell) bool { return len(c.Checks) > 0 }) {
		row(func(c Cell) string { return cellMD(strings.Join(c.checkLines(), "\n")) })
	}
	if slices.ContainsFunc(cells, func(c Cell) bool { return c.Answer.Note != "" }) {
		row(func(c Cell) string { return cellMD(c.Answer.Note) })
	}
	w.print("\n")
}

// checkLines says what each check of an answer said, a line each: "failed: contains "a" (the text does not contain "a")".
func (c Cell) checkLines() []string {
	var lines []string
	for i, name := range c.checkNames() {
		line := c.Checks[i].Verdict + ": " + name
		if reason := c.Checks[i].Reason; reason != "" {
			line += " (" + reason + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

func pictureMD(a history.Answer, o Options) string {
	path := o.path(a)
	if path == "" {
		return "a picture that was not saved"
	}
	return fmt.Sprintf("![%s](%s)", plainMD(a.Model), (&url.URL{Path: path}).EscapedPath())
}

// plainMD returns a text as one line in which markdown sees no marks.
func plainMD(s string) string { return escapeMD(oneLine(s)) }

// cellMD returns a text for a table's cell: its marks can be seen, its lines
// stand below each other.
func cellMD(s string) string {
	s = strings.TrimRight(unixLines(s), "\n")
	return strings.ReplaceAll(escapeMD(s), "\n", "<br>")
}

// escapeMD escapes what markdown would act on. Addresses that many programs
// would make links are parted too: they would take the escapes after them along.
func escapeMD(s string) string {
	noAutoLinks := strings.NewReplacer("://", `\://`, "www.", `www\.`)
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '&':
			b.WriteString("&amp;")
			continue
		case '<':
			b.WriteString("&lt;")
			continue
		case '\\', '`', '*', '_', '[', ']', '#', '|', '~', '!', '>', '$':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return noAutoLinks.Replace(b.String())
}

// unixLines ends lines with line feeds only.
func unixLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
