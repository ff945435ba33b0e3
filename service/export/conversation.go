package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/format"
)

// Format is a format of exported documents.
type Format string

const (
	FormatText     Format = "text"     // of an answer exactly its text
	FormatMarkdown Format = "markdown" // pictures by relative path
	FormatJSON     Format = "json"     // one value with answers as [AnswerRecord]
	FormatJSONL    Format = "jsonl"    // one line per answer
	FormatPicture  Format = "picture"  // of an answer: the bytes as received
	FormatHTML     Format = "html"     // one file, pictures within
	FormatCSV      Format = "csv"      // a row per answer
	formatJUnit    Format = "junit"    // of runs: XML for continuous integration
	FormatSuite    Format = "suite"    // a turn with its batch as a suite
)

// ext returns the file extension of the format, "" for pictures.
func (f Format) ext() string {
	known := map[Format]string{FormatText: ".txt", FormatMarkdown: ".md", formatJUnit: ".xml"}
	return cmp.Or(known[f], "."+string(f))
}

// FormatOf returns the format for a file's extension.
func FormatOf(path string) (f Format, ok bool) {
	f, ok = map[string]Format{
		".md": FormatMarkdown, ".markdown": FormatMarkdown, ".txt": FormatText, ".json": FormatJSON,
		".jsonl": FormatJSONL, ".html": FormatHTML, ".htm": FormatHTML, ".csv": FormatCSV,
	}[strings.ToLower(filepath.Ext(path))]
	return f, ok
}

// Turn is a turn with the answers to write.
type Turn struct {
	history.Turn
	Cells []Cell
}

// ConversationWriter writes answers, turns and sessions as text, Markdown, JSON or JSON lines.
type ConversationWriter struct {
	Out     io.Writer
	Format  Format
	Options Options
}

// WriteAnswer writes one answer.
func (w ConversationWriter) WriteAnswer(c Cell) error {
	p := printer{out: w.Out}
	switch {
	case w.Format == FormatJSON:
		return encodeJSON(w.Out, newLineRecord(Run{}, c, w.Options), "  ")
	case w.Format == FormatJSONL:
		return Lines(w.Out, w.Format, Run{Cells: []Cell{c}}, w.Options)
	case w.Format != FormatText:
		p.markdownAnswer(c, w.Options)
	case c.Answer.Kind == history.KindText && !c.isPartial():
		p.print("%s", c.Answer.Text)
	default:
		p.textAnswer(c, w.Options)
	}
	return p.err
}

// WriteTurn writes a turn with its answers.
func (w ConversationWriter) WriteTurn(t Turn) error {
	p := printer{out: w.Out}
	switch w.Format {
	case FormatJSON:
		return encodeJSON(w.Out, newTurnRecord(t, w.Options), "  ")
	case FormatJSONL:
		return Lines(w.Out, w.Format, Run{Cells: t.Cells}, w.Options)
	}
	p.turn(t, w.Format, w.Options)
	return p.err
}

// WriteSession writes the turns of a session in the order in which eachTurn visits them, and how many turns of other
// branches that leaves out. The session's ID is zero if the permanent history lacks it.
func (w ConversationWriter) WriteSession(s history.Session,
	eachTurn func(visit func(Turn) error) (leftOut int, err error)) error {
	head, separator, tail := "", "", ""
	switch w.Format {
	case FormatMarkdown:
		head = "# " + oneLine(s.Name) + "\n\n"
	case FormatText:
		head = oneLine(s.Name) + "\n\n"
	case FormatJSON:
		named := map[string]any{"name": s.Name, "created": s.Created, "updated": s.Updated}
		if s.ID != 0 {
			named["session"] = s.ID
		}
		facts, err := json.Marshal(named)
		if err != nil {
			return err
		}
		head = strings.TrimSuffix(string(facts), "}") + ",\"turns\":[\n"
		separator, tail = ",\n", "]}\n"
	}
	p := printer{out: w.Out}
	p.print("%s", head)
	before := ""
	leftOut, err := eachTurn(func(t Turn) error {
		p.print("%s", before)
		before = separator
		if p.err != nil {
			return p.err
		}
		return w.WriteTurn(t)
	})
	if err != nil {
		return err
	}
	if leftOut > 0 {
		tail = format.Count(leftOut, "turn") + " on other branches left out.\n"
	}
	p.print("%s", tail)
	return p.err
}

// printer keeps the first error of several writes.
type printer struct {
	out io.Writer
	err error
}

func (p *printer) print(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format, args...)
	}
}

// turn writes a turn with unchanged texts.
func (p *printer) turn(t Turn, as Format, o Options) {
	head, answer := "## %s\n\n%s\n\n", p.markdownAnswer
	section := func(name, body string) { p.print("**%s**\n\n%s\n", name, body) }
	settings := t.settings(o)
	if as == FormatText {
		head, answer, settings = "=== %s\n\n%s\n\n", p.textAnswer, ""
		section = func(name, body string) { p.print("--- %s\n\n%s\n", strings.ToLower(name[:1])+name[1:], body) }
	}
	created := timestamp(t.Created)
	if branch := t.BranchText(); branch != "" && as == FormatText {
		created += " · " + branch
	}
	p.print(head, created, t.Prompt)
	if t.System != "" {
		section("System prompt", t.System+"\n")
	}
	if len(t.Vars) > 0 {
		section("Filled in", VariableList(t.Vars))
	}
	p.files(t.Turn, as, o, section)
	if settings != "" {
		p.print("*%s*\n\n", settings)
	}
	for _, c := range t.Cells {
		answer(c, o)
	}
}

// files writes the files of a prompt as sections: texts whole, fenced in Markdown, and pictures by their path.
func (p *printer) files(t history.Turn, as Format, o Options, section func(name, body string)) {
	for _, f := range t.Files {
		title, body := plainMD(f.Name), format.Fenced(f.Language(), f.Text)
		switch {
		case as == FormatText && f.Kind == history.PictureFile:
			title, body = oneLine(f.Name), o.path(f.Path)+"\n"
		case as == FormatText:
			title, body = oneLine(f.Name), strings.TrimSuffix(f.Text, "\n")+"\n"
		case f.Kind == history.PictureFile:
			body = "![" + title + "](" + link(o.path(f.Path)) + ")\n"
		}
		section("File "+title, body)
	}
}

func (p *printer) textAnswer(c Cell, o Options) {
	var parts []string
	if text := o.reasoning(c.Answer); text != "" {
		parts = append(parts, "Reasoning: "+text)
	}
	body := c.Answer.Text
	switch a := c.Answer; {
	case a.Picture != nil:
		body = o.path(a.Picture.Path)
	case a.Failure != nil && body == "":
		body = c.failure()
	case c.isPartial():
		parts = append(parts, strings.TrimSpace(c.failure()+"\n"+c.partialNote()))
	}
	body = strings.Join(append(parts, body), "\n\n")
	p.print("--- %s\n\n%s\n\n", c.heading(), body)
}

// VariableList lists the values of variables, one per line, as text and Markdown.
func VariableList(vars map[string]string) string {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		fmt.Fprintf(&list, "- %s: %s\n", name, strings.ReplaceAll(vars[name], "\n", "\n  "))
	}
	return list.String()
}
