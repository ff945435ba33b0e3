package export

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"confab/history"
)

// Format is how something is written.
type Format string

// The formats.
const (
	FormatText         Format = "text"          // of an answer exactly its text
	FormatMarkdown     Format = "markdown"      // pictures by relative path
	FormatJSON         Format = "json"          // one value, with answers as [AnswerRecord]
	FormatJSONL        Format = "jsonl"         // one line for each answer
	FormatPicture      Format = "picture"       // of an answer: the bytes as received
	FormatHTML         Format = "html"          // one file, pictures within
	FormatCSV          Format = "csv"           // a row for each answer
	FormatContactSheet Format = "contact-sheet" // the pictures, as one PNG
	FormatSuite        Format = "suite"         // a turn, with its matrix, as a suite that asks the same
)

// ext returns the extension of files in the format; that of a picture depends on the picture.
func (f Format) ext() string {
	switch f {
	case FormatText:
		return ".txt"
	case FormatMarkdown:
		return ".md"
	case FormatContactSheet:
		return ".png"
	}
	return "." + string(f)
}

// Turn is a turn with the answers that are written.
type Turn struct {
	history.Turn
	Cells []Cell
}

// Session is a session whose turns are read while they are written.
type Session struct {
	history.Session                                    // its ID is zero when the history on disk lacks it
	EachTurn        func(visit func(Turn) error) error // visits the turns, the oldest first
}

// ConversationWriter writes answers, turns and sessions as text, Markdown, JSON or JSON lines.
type ConversationWriter struct {
	Out     io.Writer
	Format  Format
	Options Options
}

// WriteAnswer writes one answer.
func (w ConversationWriter) WriteAnswer(c Cell) error {
	switch w.Format {
	case FormatJSON:
		return encodeJSON(w.Out, NewLineRecord(Run{}, c, w.Options), "  ")
	case FormatJSONL:
		return JSONL(w.Out, Run{Cells: []Cell{c}}, w.Options)
	case FormatText:
		if c.Answer.Kind == history.KindText {
			_, err := io.WriteString(w.Out, c.Answer.Text)
			return err
		}
		p := printer{out: w.Out}
		p.textAnswer(c, w.Options)
		return p.err
	}
	p := printer{out: w.Out}
	p.markdownAnswer(c, w.Options)
	return p.err
}

// WriteTurn writes a turn with its answers.
func (w ConversationWriter) WriteTurn(t Turn) error {
	switch w.Format {
	case FormatJSON:
		return encodeJSON(w.Out, newTurnRecord(t, w.Options), "  ")
	case FormatJSONL:
		return JSONL(w.Out, Run{Cells: t.Cells}, w.Options)
	case FormatText:
		p := printer{out: w.Out}
		p.textTurn(t, w.Options)
		return p.err
	}
	p := printer{out: w.Out}
	p.markdownTurn(t, w.Options)
	return p.err
}

// WriteSession writes all turns of a session.
func (w ConversationWriter) WriteSession(s Session) error {
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
	first := true
	err := s.EachTurn(func(t Turn) error {
		if !first {
			p.print("%s", separator)
		}
		first = false
		if p.err != nil {
			return p.err
		}
		return w.WriteTurn(t)
	})
	if err != nil {
		return err
	}
	p.print("%s", tail)
	return p.err
}

// printer remembers the first error of several writes.
type printer struct {
	out io.Writer
	err error
}

func (p *printer) print(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format, args...)
	}
}

func (p *printer) textTurn(t Turn, o Options) {
	p.print("=== %s\n\n%s\n\n", timestamp(t.Created), t.Prompt)
	if t.System != "" {
		p.print("--- system prompt\n\n%s\n\n", t.System)
	}
	if len(t.Vars) > 0 {
		p.print("--- filled in\n\n%s\n", VariableList(t.Vars))
	}
	for _, c := range t.Cells {
		p.textAnswer(c, o)
	}
}

func (p *printer) textAnswer(c Cell, o Options) {
	body := c.Answer.Text
	switch a := c.Answer; {
	case a.Picture != nil:
		body = o.path(a.Picture.Path)
	case a.Failure != nil:
		body = c.failure()
	}
	p.print("--- %s\n\n%s\n\n", c.heading(), body)
}

// VariableList lists the values of variables, one on each line, as text and as Markdown.
func VariableList(vars map[string]string) string {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		fmt.Fprintf(&list, "- %s: %s\n", name, strings.ReplaceAll(vars[name], "\n", "\n  "))
	}
	return list.String()
}
