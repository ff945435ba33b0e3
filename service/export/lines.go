package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
	"unicode"

	"confab/internal/termtext"
)

// Lines writes one line per answer: JSON lines, or a CSV with a header according to RFC 4180 (UTF-8, rows that end
// with CR LF).
//
// Spreadsheet programs evaluate a CSV cell that begins with =, +, - or @ as a formula, so such cells get an
// apostrophe. A byte order mark marks the file as UTF-8 for these programs. With Options.IsExactCSV the file has
// neither.
func Lines(out io.Writer, as Format, run Run, o Options) error {
	w, err := newLineWriter(out, as, run, o)
	if err != nil {
		return err
	}
	for _, c := range run.Cells {
		if err := w.write(c); err != nil {
			return err
		}
	}
	return nil
}

// lineWriter writes the answers of a run one by one.
type lineWriter struct {
	out io.Writer
	run Run // without its cells
	o   Options

	columns []column     // of a CSV; nil for JSON lines
	buffer  bytes.Buffer // a row
	csv     *csv.Writer  // into the buffer
	quote   func(string) string
}

// newLineWriter starts writing lines. The cells of the run determine the variables and checks in a CSV's header; they
// need no answers.
func newLineWriter(out io.Writer, as Format, run Run, o Options) (*lineWriter, error) {
	w := &lineWriter{out: out, run: run, o: o, quote: validText}
	w.run.Cells = nil
	if as == FormatJSONL {
		return w, nil
	}
	w.columns, w.csv = columns(run.variables(), run.checks()), csv.NewWriter(&w.buffer)
	if !o.IsExactCSV {
		w.quote = inertText
		if _, err := io.WriteString(out, "\ufeff"); err != nil {
			return nil, err
		}
	}
	return w, w.writeRow(func(c column) string { return c.name })
}

// write writes the line of an answer.
func (w *lineWriter) write(c Cell) error {
	record := row{LineRecord: newLineRecord(w.run, c, w.o), failure: c.failure(), checks: map[string]string{}}
	if w.columns == nil {
		return encodeJSON(w.out, record.LineRecord, "")
	}
	for i, name := range c.checkNames() {
		record.checks[name] = c.Checks[i].VerdictText()
	}
	record.reasons = strings.Join(c.problemLines(c.checkNames()), "\n")
	return w.writeRow(func(c column) string { return c.text(record) })
}

// writeRow writes a row that ends with CR LF. With UseCRLF, encoding/csv would also change line ends within cells, so
// csv writes each row with a line feed that is replaced here.
func (w *lineWriter) writeRow(text func(column) string) error {
	cells := make([]string, len(w.columns))
	for i, c := range w.columns {
		cells[i] = w.quote(text(c))
	}
	w.buffer.Reset()
	_ = w.csv.Write(cells) // writing to a buffer cannot fail
	w.csv.Flush()
	w.buffer.Truncate(w.buffer.Len() - 1)
	w.buffer.WriteString("\r\n")
	_, err := w.out.Write(w.buffer.Bytes())
	return err
}

// validText replaces invalid UTF-8 in a text.
func validText(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// inertText returns a text that no spreadsheet program evaluates as a formula. These programs ignore leading blanks,
// some also invisible characters, and accept the wide forms of =, +, - and @.
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

// encodeJSON writes a value and a line break without HTML escapes.
func encodeJSON(out io.Writer, v any, indent string) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}
