package export

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode"

	"confab/internal/errtext"
)

// CSV writes one row for each answer, with a header, as RFC 4180 has it: UTF-8,
// rows ended by CR LF, cells with the texts as they are.
//
// Options.SpreadsheetSafe makes it one for programs that take a cell that begins
// with =, +, - or @ for a formula and carry it out: such cells get an apostrophe
// before them. A byte order mark at the start tells them that the file is UTF-8.
func CSV(out io.Writer, run Run, o Options) error {
	r, err := NewRows(out, run, o)
	if err != nil {
		return err
	}
	for _, c := range run.Cells {
		if err := r.Write(c); err != nil {
			return err
		}
	}
	return nil
}

// Rows writes the CSV of a run whose answers come one after another.
type Rows struct {
	w            *rowWriter
	run          Run
	o            Options
	vars, checks []string
	cell         func(string) string
}

// NewRows writes the header of a CSV as [CSV] does. The cells of the run tell
// the variables and the names of the checks that there will be; they need no
// answers, and are not kept.
func NewRows(out io.Writer, run Run, o Options) (*Rows, error) {
	cell := exactly
	if o.SpreadsheetSafe {
		cell = disarmed
		if _, err := io.WriteString(out, "\ufeff"); err != nil {
			return nil, err
		}
	}
	r := &Rows{w: newRowWriter(out), run: run, o: o, vars: run.variables(), checks: run.checks(), cell: cell}
	r.run.Cells = nil
	head := []string{"run", "session", "turn", "cell", "sample", "model asked", "model served", "description", "prompt id", "prompt", "system"}
	for _, name := range r.vars {
		head = append(head, "var."+name)
	}
	head = append(head, "answer", "state", "error", "ms", "reused", "bytes", "chars", "words", "lines")
	head = append(head, "verdict")
	for _, name := range r.checks {
		head = append(head, "check."+name)
	}
	head = append(head, "rating", "winner", "note", "engine", "engine model", "service note")
	return r, r.w.write(head, cell)
}

// Write writes the row of an answer.
func (r *Rows) Write(c Cell) error {
	return r.w.write(row(r.run, c, r.o, r.vars, r.checks), r.cell)
}

// row returns the cells of one answer. What does not apply is empty, never 0.
func row(run Run, c Cell, o Options, vars, checks []string) []string {
	a := c.Answer
	row := []string{
		id(run.ID), id(c.Turn.Session), id(c.Turn.ID), strconv.Itoa(c.Number), strconv.Itoa(a.Sample),
		a.Model, a.ServedModel, c.Description, c.Prompt, c.Turn.Prompt, c.Turn.System,
	}
	for _, name := range vars {
		row = append(row, c.Vars[name])
	}
	answer, ms := a.Text, ""
	if a.Picture != nil {
		answer = o.path(a)
	}
	if d, ok := c.took(); ok {
		ms = strconv.FormatInt(d.Milliseconds(), 10)
	}
	row = append(row, answer, string(a.State), c.failure(), ms, strconv.FormatBool(a.Cached))
	if size, ok := c.size(); ok {
		for _, n := range []int{size.Bytes, size.Chars, size.Words, size.Lines} {
			row = append(row, strconv.Itoa(n))
		}
	} else if a.Picture != nil {
		row = append(row, strconv.FormatInt(a.Picture.Bytes, 10), "", "", "")
	} else {
		row = append(row, "", "", "", "")
	}
	row = append(row, string(c.verdict()))
	verdicts := map[string]string{}
	for i, name := range c.checkNames() {
		verdicts[name] = c.Checks[i].Verdict
	}
	for _, name := range checks {
		row = append(row, verdicts[name])
	}
	winner := ""
	if a.Winner {
		winner = "true"
	}
	return append(row, rating(a.Rating), winner, a.Note, a.Engine, a.EngineModel, a.ServiceNote)
}

// id writes the number of a run, a session or a turn; what has none is empty.
func id(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// rowWriter writes rows that end with CR LF. The library would then also turn
// line feeds within a cell into CR LF and drop other carriage returns
// (encoding/csv, UseCRLF), so it writes each row with a line feed, which is
// replaced here.
type rowWriter struct {
	out io.Writer
	row bytes.Buffer
	csv *csv.Writer
}

func newRowWriter(out io.Writer) *rowWriter {
	w := &rowWriter{out: out}
	w.csv = csv.NewWriter(&w.row)
	return w
}

func (w *rowWriter) write(cells []string, cell func(string) string) error {
	w.row.Reset()
	for i, s := range cells {
		cells[i] = cell(s)
	}
	if err := w.csv.Write(cells); err != nil {
		return err
	}
	w.csv.Flush()
	if err := w.csv.Error(); err != nil {
		return err
	}
	w.row.Truncate(w.row.Len() - 1)
	w.row.WriteString("\r\n")
	_, err := w.out.Write(w.row.Bytes())
	return err
}

// exactly returns a text as it is; only broken UTF-8 cannot be written as UTF-8.
func exactly(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// disarmed returns a text that no spreadsheet carries out. They look past
// blanks, and some past characters that show nothing, and take the wide forms
// for the narrow ones.
func disarmed(s string) string {
	s = exactly(s)
	first := strings.TrimLeftFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || errtext.IsInvisible(r)
	})
	if s != "" && (s[0] == '\t' || s[0] == '\r' || s[0] == '\n') || hasAnyPrefix(first, "=", "+", "-", "@", "＝", "＋", "－", "＠") {
		return "'" + s
	}
	return s
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
