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

	"confab/history"
	"confab/service/api"
	"confab/service/problem"
	"confab/service/suiterun"
)

// maxRunText bounds the texts of a run that is written as one page, in bytes. JSON lines and CSV have no bound: they
// are written answer by answer.
const maxRunText = 64 << 20

// RunFormat returns the format in which a run is written to a file of this name.
func RunFormat(path string) (Format, bool) {
	f, ok := FormatOf(path)
	return f, ok && f != FormatText && f != FormatJSON
}

// FreeRunFile returns the whole path of a file that a run can be written to.
func (e *Exporter) FreeRunFile(path string) (string, error) {
	if _, ok := RunFormat(path); !ok {
		return "", problem.Usage("a run is written to a file that ends with .jsonl, .csv, .md or .html")
	}
	full, err := e.o.Root.Resolve(path)
	if err != nil {
		return "", problem.Disk("find the folder to write to", err)
	}
	if _, err := os.Lstat(full); err == nil {
		return "", existsAlready(full, fs.ErrExist)
	}
	return full, nil
}

// RunFile is a file to which a run is written while it is in progress.
type RunFile struct {
	e       *Exporter
	run     int64
	request Request
	// Of JSON lines and CSV; nil of the other formats, which are written from the history when the file is closed.
	file   *os.File
	lines  *runWriter
	buffer bytes.Buffer
}

// NewRunFile begins to write a run to a new file of its owner only: JSON lines and CSV answer by answer as they come,
// Markdown and HTML when it is closed. The format is that of the name; what spreadsheetSafe does, [Request] says.
func (e *Exporter) NewRunFile(r *suiterun.Run, path string, spreadsheetSafe bool) (*RunFile, error) {
	full, err := e.FreeRunFile(path)
	if err != nil {
		return nil, err
	}
	as, _ := RunFormat(full)
	f := &RunFile{e: e, run: r.Record().ID, request: Request{As: as, Path: full, SpreadsheetSafe: spreadsheetSafe}}
	if as != FormatJSONL && as != FormatCSV {
		return f, nil
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		return nil, problem.Disk("make the folder "+filepath.Dir(full), err)
	}
	f.file, err = os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, existsAlready(full, err)
	}
	if err != nil {
		return nil, problem.Disk("write "+filepath.Base(full), err)
	}
	cells := make([]history.Cell, len(r.Plan.Cells))
	for i := range cells {
		cells[i] = r.Plan.Cell(i)
		for _, c := range r.Plan.Cells[i].Checks {
			cells[i].Checks = append(cells[i].Checks, history.CheckResult{Name: e.o.Mask.String(c.String())})
		}
	}
	f.lines = e.newRunWriter(r.Record(), r.Plan.Repeat, e.OptionsFor(f.request, full))
	if as == FormatCSV {
		err = f.lines.writeHead(&f.buffer, cells)
	}
	if err = errors.Join(err, f.flush()); err != nil {
		return nil, errors.Join(problem.Disk("write "+filepath.Base(full), err), f.file.Close())
	}
	return f, nil
}

// Add writes a cell that has ended.
func (f *RunFile) Add(ctx context.Context, c history.Cell) error {
	if f.file == nil {
		return nil
	}
	err := f.lines.write(ctx, &f.buffer, c)
	if err == nil {
		err = f.flush()
	}
	if err != nil && api.CodeOf(err) == "" {
		err = problem.Disk("write "+filepath.Base(f.request.Path), err)
	}
	return err
}

// flush writes whole lines, the key masked.
func (f *RunFile) flush() error {
	_, err := io.WriteString(f.file, f.e.o.Mask.String(f.buffer.String()))
	f.buffer = bytes.Buffer{} // an answer may have been large
	return err
}

// Close completes the file and returns its path.
func (f *RunFile) Close(ctx context.Context) (string, error) {
	if f.file == nil {
		f.request.Run = f.run
		_, err := f.e.Write(ctx, f.request)
		return f.request.Path, err
	}
	if err := errors.Join(f.file.Sync(), f.file.Close()); err != nil {
		return "", problem.Disk("write "+filepath.Base(f.request.Path), err)
	}
	return f.request.Path, nil
}

// RunLine returns a cell that has ended as the line of JSON that a .jsonl file has for it, with the whole path of its
// picture.
func (e *Exporter) RunLine(ctx context.Context, r *suiterun.Run, c history.Cell) (string, error) {
	var line bytes.Buffer
	err := e.newRunWriter(r.Record(), r.Plan.Repeat, Options{Path: SavedPath}).write(ctx, &line, c)
	return e.o.Mask.String(line.String()), err
}

// runWriter writes the cells of a run one after another.
type runWriter struct {
	e      *Exporter
	run    Run
	repeat int // how often each question is asked
	o      Options
	rows   *Rows // of a CSV; nil for JSON lines
}

func (e *Exporter) newRunWriter(record history.Run, repeat int, o Options) *runWriter {
	run := Run{ID: record.ID, Name: record.Suite, Created: record.Started}
	if !e.o.History.Saving() {
		run.ID = 0
	}
	return &runWriter{e: e, repeat: repeat, o: o, run: run}
}

// writeHead writes the header of a CSV, whose columns are named by the variables and checks of the cells. Its rows go
// to the same writer.
func (w *runWriter) writeHead(out io.Writer, cells []history.Cell) (err error) {
	named := w.run
	for _, c := range cells {
		named.Cells = append(named.Cells, Cell{Vars: c.Vars, Checks: c.Checks})
	}
	w.rows, err = NewRows(out, named, w.o)
	return err
}

func (w *runWriter) write(ctx context.Context, out io.Writer, c history.Cell) error {
	cell, err := w.cell(ctx, c)
	if err != nil {
		return err
	}
	if w.rows != nil {
		return w.rows.Write(cell)
	}
	run := w.run
	run.Cells = []Cell{cell}
	return JSONL(out, run, w.o)
}

// cell returns a cell with its answer and the turn it is of, without the turn's other samples.
func (w *runWriter) cell(ctx context.Context, c history.Cell) (Cell, error) {
	t, err := w.e.o.History.Turn(ctx, c.Turn)
	if err != nil {
		return Cell{}, err
	}
	a, ok := t.Answer(c.Answer)
	if !ok {
		return Cell{}, problem.Usage("an answer of the run was deleted")
	}
	t.Answers = nil
	cell := w.e.Cell(t, a)
	cell.Number, cell.Prompt, cell.Description = (c.Number-1)/max(1, w.repeat)+1, c.Prompt, c.Description
	cell.Vars, cell.Checks = c.Vars, c.Checks
	cell.Answer.Sample = c.Repeat
	return cell, nil
}

// runDocument is a run as it is stored.
func (e *Exporter) runDocument(ctx context.Context, r Request) (Document, error) {
	switch r.As {
	case FormatMarkdown, FormatHTML, FormatCSV, FormatJSONL, FormatContactSheet:
	default:
		return Document{}, problem.Usage("a run can be written as markdown, html, csv, jsonl or contact-sheet, "+
			"not as %q", string(r.As))
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
	doc := Document{Title: record.Suite, Ext: r.As.ext(), IsExact: r.As == FormatContactSheet}
	if e.o.History.Saving() {
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
		w := e.newRunWriter(record, repeat, e.OptionsFor(r, path))
		if r.As == FormatJSONL || r.As == FormatCSV {
			return w.writeLines(ctx, out, r.As, cells)
		}
		return w.writePage(ctx, out, r.As, cells)
	}
	return doc, nil
}

// writeLines writes the cells one by one, in the order in which they were asked for.
func (w *runWriter) writeLines(ctx context.Context, out io.Writer, as Format, cells []history.Cell) error {
	if as == FormatCSV {
		if err := w.writeHead(out, cells); err != nil {
			return err
		}
	}
	for _, c := range cells {
		if err := w.write(ctx, out, c); err != nil {
			return err
		}
	}
	return nil
}

// writePage writes the cells together, in the order of the suite.
func (w *runWriter) writePage(ctx context.Context, out io.Writer, as Format, cells []history.Cell) error {
	slices.SortStableFunc(cells, func(a, b history.Cell) int { return a.Number - b.Number })
	run, size := w.run, 0
	for _, c := range cells {
		cell, err := w.cell(ctx, c)
		if err != nil {
			return err
		}
		if size += len(cell.Answer.Text); size > maxRunText {
			return problem.New(api.CodeTooLarge, nil,
				"the answers are larger than 64 MiB together; write them as .jsonl or .csv")
		}
		run.Cells = append(run.Cells, cell)
	}
	return writeComparison(ctx, out, as, run, w.o)
}
