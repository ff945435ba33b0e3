package export

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
	"unicode"

	"confab/internal/termtext"
)

// CSV writes one row for each answer, with a header, as RFC 4180 has it: UTF-8, rows that end with CR LF, the texts as
// they are.
//
// Options.SpreadsheetSafe is for programs that take a cell that begins with =, +, - or @ for a formula: such cells get
// an apostrophe before them. A byte order mark at the start tells these programs that the file is UTF-8.
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
	out     io.Writer
	buffer  bytes.Buffer // a row
	csv     *csv.Writer  // into the buffer
	run     Run
	o       Options
	columns []column
	quote   func(string) string
}

// NewRows writes the header of a CSV as [CSV] does. The cells of the run name the variables and checks that will
// follow; they need no answers and are not kept.
func NewRows(out io.Writer, run Run, o Options) (*Rows, error) {
	r := &Rows{out: out, run: run, o: o, columns: columns(run.variables(), run.checks()), quote: validText}
	r.csv = csv.NewWriter(&r.buffer)
	r.run.Cells = nil
	if o.SpreadsheetSafe {
		r.quote = inertText
		if _, err := io.WriteString(out, "\ufeff"); err != nil {
			return nil, err
		}
	}
	return r, r.writeRow(func(c column) string { return c.name })
}

// Write writes the row of an answer.
func (r *Rows) Write(c Cell) error {
	record := row{LineRecord: NewLineRecord(r.run, c, r.o), failure: c.failure(), checks: map[string]string{}}
	for i, name := range c.checkNames() {
		record.checks[name] = c.Checks[i].Verdict
	}
	return r.writeRow(func(c column) string { return c.text(record) })
}

// writeRow writes a row that ends with CR LF. With UseCRLF encoding/csv would also turn line feeds within a cell into
// CR LF and drop other carriage returns, so csv writes each row with a line feed, which is replaced here.
func (r *Rows) writeRow(text func(column) string) error {
	cells := make([]string, len(r.columns))
	for i, c := range r.columns {
		cells[i] = r.quote(text(c))
	}
	r.buffer.Reset()
	if err := r.csv.Write(cells); err != nil {
		return err
	}
	r.csv.Flush()
	if err := r.csv.Error(); err != nil {
		return err
	}
	r.buffer.Truncate(r.buffer.Len() - 1)
	r.buffer.WriteString("\r\n")
	_, err := r.out.Write(r.buffer.Bytes())
	return err
}

// validText returns a text as it is, except that invalid UTF-8 is replaced.
func validText(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// inertText returns a text that no spreadsheet program takes for a formula. These programs look past blanks, some also
// past invisible characters, and take the wide forms of =, +, - and @ for the narrow ones.
func inertText(s string) string {
	s = validText(s)
	first := strings.TrimLeftFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || termtext.IsInvisible(r)
	})
	startsFormula := first != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(first)[0])
	if startsFormula || s != "" && strings.ContainsRune("\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}
