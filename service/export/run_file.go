package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"confab/history"
	"confab/service/api"
	"confab/service/problem"
	"confab/service/suite"
)

// maxRunText bounds the texts in bytes of a run written as one page. JSON lines and CSV are written answer by answer
// without a bound.
const maxRunText = 64 << 20

// RunFormat returns the format of a run for a file name.
func RunFormat(path string) (Format, bool) {
	if strings.EqualFold(filepath.Ext(path), formatJUnit.ext()) {
		return formatJUnit, true
	}
	f, ok := FormatOf(path)
	return f, ok && f != FormatText && f != FormatJSON
}

// RunPath returns the absolute path of the file for a run.
func (e *Exporter) RunPath(path string) (string, error) {
	if _, ok := RunFormat(path); !ok {
		return "", problem.Usage("a run is written to a file that ends with .jsonl, .csv, .md, .html or .xml (JUnit)")
	}
	full, err := e.o.Root.Resolve(path)
	if err != nil {
		return "", problem.Disk("find the folder to write to", err)
	}
	if info, err := os.Lstat(full); err == nil && !info.Mode().IsRegular() {
		return "", e.existsAlready(full, fs.ErrExist)
	}
	return full, nil
}

// RunFile is a file to which a run is written while it is in progress.
type RunFile struct {
	e       *Exporter
	run     *suite.Run
	request Request
	// Set for JSON lines and CSV. Other formats are written from the history on Close.
	file   *os.File
	lines  *lineWriter // into the buffer
	buffer bytes.Buffer
}

// NewRunFile creates a file of mode 0600 for a run in the format of its name, in place of the one of an earlier run. It
// writes JSON lines and CSV as answers arrive, the other formats on Close. For isExactCSV see [Request].
func (e *Exporter) NewRunFile(r *suite.Run, path string, isExactCSV bool) (*RunFile, error) {
	full, err := e.RunPath(path)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(full); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, problem.Disk("replace "+filepath.Base(full), err)
	}
	as, _ := RunFormat(full)
	f := &RunFile{e: e, run: r,
		request: Request{Run: r.Record().ID, As: as, Path: full, IsExactCSV: isExactCSV}}
	if as != FormatJSONL && as != FormatCSV {
		return f, nil
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		return nil, problem.Disk("make the folder "+e.o.Root.Name(filepath.Dir(full)), err)
	}
	f.file, err = os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, e.existsAlready(full, err)
	}
	if err != nil {
		return nil, f.problem(err)
	}
	cells := make([]history.Cell, len(r.Plan.Calls))
	for i := range cells {
		cells[i] = r.Plan.Cell(i)
		for _, c := range r.Plan.Calls[i].Checks {
			cells[i].Checks = append(cells[i].Checks, history.CheckResult{Name: e.o.Mask.String(c.String())})
		}
	}
	f.lines, err = e.newRunLines(&f.buffer, f.request, r.Record(), cells)
	if err = errors.Join(err, f.flush()); err != nil {
		return nil, errors.Join(f.problem(err), f.file.Close())
	}
	return f, nil
}

func (f *RunFile) problem(err error) error {
	if api.CodeOf(err) != "" {
		return err
	}
	return problem.Disk("write "+filepath.Base(f.request.Path), err)
}

// Add writes an ended cell.
func (f *RunFile) Add(ctx context.Context, c history.Cell) error {
	if f.file == nil {
		return nil
	}
	cell, err := f.e.runCell(ctx, c, f.run.Plan.Repeat)
	if err == nil {
		err = f.lines.write(cell)
	}
	if err == nil {
		err = f.flush()
	}
	if err != nil {
		return f.problem(err)
	}
	return nil
}

// flush writes complete lines with the key masked.
func (f *RunFile) flush() error {
	_, err := io.WriteString(f.file, f.e.o.Mask.String(f.buffer.String()))
	f.buffer = bytes.Buffer{} // releases the memory of a large answer
	return err
}

// Close completes the file and returns its path.
func (f *RunFile) Close(ctx context.Context) (string, error) {
	if f.file == nil {
		_, err := f.e.Write(ctx, f.request)
		return f.request.Path, err
	}
	if err := errors.Join(f.file.Sync(), f.file.Close()); err != nil {
		return "", f.problem(err)
	}
	return f.request.Path, nil
}

// RunLine returns an ended cell as a line of a .jsonl file, with the absolute path of its picture.
func (e *Exporter) RunLine(ctx context.Context, r *suite.Run, c history.Cell) (string, error) {
	cell, err := e.runCell(ctx, c, r.Plan.Repeat)
	if err != nil {
		return "", err
	}
	var line bytes.Buffer
	err = encodeJSON(&line, newLineRecord(e.runOf(r.Record()), cell, Options{Path: e.savedPath}), "")
	return e.o.Mask.String(line.String()), err
}

func (e *Exporter) runOf(record history.Run) Run {
	run := Run{ID: record.ID, Name: record.Suite, Created: record.Started}
	if !e.o.History.IsSaving() {
		run.ID = 0
	}
	return run
}

// runCell returns a cell with its answer and turn, without the turn's other samples. Repeat is the number of samples
// per question.
func (e *Exporter) runCell(ctx context.Context, c history.Cell, repeat int) (Cell, error) {
	t, err := e.o.History.Turn(ctx, c.Turn)
	if err != nil {
		return Cell{}, err
	}
	a, ok := t.Answer(c.Answer)
	if !ok {
		return Cell{}, problem.Usage("an answer of the run was deleted")
	}
	t.Answers = nil
	cell := e.Cell(t, a)
	cell.Number, cell.Prompt, cell.Description = (c.Number-1)/max(1, repeat)+1, c.Prompt, c.Description
	cell.Vars, cell.Checks, cell.Provider = c.Vars, c.Checks, c.Provider
	cell.EarlierChecks = c.EarlierChecks
	cell.Answer.Sample = c.Repeat
	return cell, nil
}

// newRunLines starts writing a run as lines; the cells determine the variables and checks.
func (e *Exporter) newRunLines(out io.Writer, r Request, record history.Run, cells []history.Cell) (*lineWriter,
	error) {
	run := e.runOf(record)
	for _, c := range cells {
		run.Cells = append(run.Cells, Cell{Vars: c.Vars, Checks: c.Checks})
	}
	return newLineWriter(out, r.As, run, e.optionsFor(r, r.Path))
}

// runDocument returns a stored run as a document.
func (e *Exporter) runDocument(ctx context.Context, r Request) (Document, error) {
	switch r.As {
	case FormatMarkdown, FormatHTML, FormatCSV, FormatJSONL, formatJUnit:
	default:
		return Document{}, problem.Usage("a run can be written as markdown, html, csv, jsonl or junit, not as %q",
			string(r.As))
	}
	record, err := e.o.Runs.Run(ctx, r.Run)
	if err != nil {
		return Document{}, err
	}
	cells, err := e.o.Runs.Cells(ctx, r.Run)
	if err != nil {
		return Document{}, err
	}
	repeat := 1
	for _, c := range cells {
		repeat = max(repeat, c.Repeat)
	}
	doc := Document{Title: record.Suite, Ext: r.As.ext()}
	if e.o.History.IsSaving() {
		doc.Title = fmt.Sprintf("%s run %d", record.Suite, record.ID)
	}
	if len(r.Turns) > 0 {
		cells = slices.DeleteFunc(cells, func(c history.Cell) bool { return !slices.Contains(r.Turns, c.Turn) })
		if len(cells) == 0 {
			return Document{}, problem.Usage("there is no answer to write")
		}
		doc.Title = fmt.Sprintf("%s row %d", doc.Title, max(cells[0].Row, 1))
	}
	doc.Write = func(ctx context.Context, out io.Writer, path string) error {
		r.Path = path
		return e.writeRun(ctx, out, r, record, cells, repeat)
	}
	return doc, nil
}

// writeRun writes the cells of a run: one by one as lines, or together as a page.
func (e *Exporter) writeRun(ctx context.Context, out io.Writer, r Request, record history.Run, cells []history.Cell,
	repeat int) (err error) {
	var lines *lineWriter
	if r.As == FormatJSONL || r.As == FormatCSV {
		if lines, err = e.newRunLines(out, r, record, cells); err != nil {
			return err
		}
	}
	votes, err := e.o.Runs.Votes(ctx, suite.VoteScope{Run: record.ID})
	if err != nil {
		return err
	}
	run, size := e.runOf(record), 0
	for _, c := range cells {
		cell, err := e.runCell(ctx, c, repeat)
		if err != nil {
			return err
		}
		if tally, ok := votes.Answers[c.Answer]; ok {
			cell.Votes = &tally
		}
		if lines != nil {
			if err := lines.write(cell); err != nil {
				return err
			}
			continue
		}
		if size += len(cell.Answer.Text); size > maxRunText {
			return problem.New(api.CodeTooLarge, nil,
				"the answers are larger than 64 MiB together; write them as .jsonl or .csv")
		}
		run.Cells = append(run.Cells, cell)
	}
	if lines != nil {
		return nil
	}
	run.Votes = votes.Summary()
	return writeComparison(ctx, out, r.As, run, e.optionsFor(r, r.Path))
}
