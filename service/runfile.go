package service

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"confab/service/api"
	"confab/service/export"
)

// maxTogether bounds the texts of a run that is written as one page, in bytes.
// JSON lines and CSV have no bound: they are written answer by answer.
const maxTogether = 64 << 20

// RunFormat returns as what a run is written, by the name of the file.
func RunFormat(path string) (Format, bool) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl":
		return FormatJSONL, true
	case ".csv":
		return FormatCSV, true
	case ".md", ".markdown":
		return FormatMarkdown, true
	case ".html", ".htm":
		return FormatHTML, true
	}
	return "", false
}

// RunFile is a file to which a run is written while it goes on.
type RunFile struct {
	s     *Service
	as    Format
	path  string
	file  *os.File // of the formats that are written answer by answer
	buf   bytes.Buffer
	rows  *export.Rows
	run   export.Run
	o     export.Options
	every int // samples of a cell
	cells []RunCell
}

// NewRunFile begins to write a run to a new file of its owner only: JSON lines
// and CSV answer by answer as they come, Markdown and HTML when it is closed.
// The format is that of the name.
func (s *Service) NewRunFile(r *Run, path string) (*RunFile, error) {
	full, err := s.FreeRunFile(path)
	if err != nil {
		return nil, err
	}
	cells := make([]RunCell, len(r.Plan.Cells))
	for i := range cells {
		cells[i] = s.cellOf(r.Plan, i)
		for _, c := range r.Plan.Cells[i].Checks {
			cells[i].Checks = append(cells[i].Checks, CheckResult{Name: s.o.Mask.String(c.String())})
		}
	}
	return s.runFile(r.Facts(), full, r.Plan.Repeat, cells)
}

// FreeRunFile returns the whole path of a file that a run can be written to.
func (s *Service) FreeRunFile(path string) (string, error) {
	if _, ok := RunFormat(path); !ok {
		return "", usage("a run is written to a file that ends with .jsonl, .csv, .md or .html")
	}
	full, err := wholePath(path)
	if err != nil {
		return "", diskProblem("find the folder to write to", err)
	}
	if _, err := os.Lstat(full); err == nil {
		return "", usage("there is a file %s already, and none is written over; choose another name", full)
	}
	return full, nil
}

// runFile makes the file. The cells tell what the head of a CSV names.
func (s *Service) runFile(facts RunFacts, full string, every int, head []RunCell) (*RunFile, error) {
	as, _ := RunFormat(full)
	f := &RunFile{s: s, as: as, path: full, every: every, run: export.Run{ID: facts.ID, Name: facts.Suite, Created: facts.Started}}
	f.o = export.Options{
		Picture: func(ctx context.Context, a Answer) ([]byte, error) { return s.ReadPicture(ctx, a.Picture.Path) },
		Path:    func(a Answer) string { return relative(full, a.Picture.Path) },
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		return nil, diskProblem("make the folder "+filepath.Dir(full), err)
	}
	if as != FormatCSV && as != FormatJSONL {
		return f, nil
	}
	var err error
	if f.file, err = os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil, usage("there is a file %s already, and none is written over; choose another name", full)
		}
		return nil, diskProblem("write "+filepath.Base(full), err)
	}
	if as == FormatCSV {
		named := f.run
		for _, c := range head {
			named.Cells = append(named.Cells, export.Cell{Vars: c.Vars, Checks: exportChecks(c.Checks)})
		}
		if f.rows, err = export.NewRows(&f.buf, named, f.o); err == nil {
			err = f.flush()
		}
		if err != nil {
			return nil, errors.Join(diskProblem("write "+filepath.Base(full), err), f.file.Close())
		}
	}
	return f, nil
}

// Add writes a cell that has ended.
func (f *RunFile) Add(ctx context.Context, c RunCell) error {
	if f.file == nil {
		f.cells = append(f.cells, c)
		return nil
	}
	cell, err := f.cell(ctx, c)
	if err != nil {
		return err
	}
	if f.rows != nil {
		err = f.rows.Write(cell)
	} else {
		run := f.run
		run.Cells = []export.Cell{cell}
		err = export.JSONL(&f.buf, run, f.o)
	}
	if err == nil {
		err = f.flush()
	}
	if err != nil {
		return diskProblem("write "+filepath.Base(f.path), err)
	}
	return nil
}

// RunLine returns a cell that has ended as the line of JSON that a .jsonl file
// has for it, with the whole path of its picture.
func (s *Service) RunLine(ctx context.Context, r *Run, c RunCell) (string, error) {
	facts := r.Facts()
	f := &RunFile{s: s, every: r.Plan.Repeat, run: export.Run{ID: facts.ID, Name: facts.Suite}}
	cell, err := f.cell(ctx, c)
	if err != nil {
		return "", err
	}
	f.run.Cells = []export.Cell{cell}
	if err := export.JSONL(&f.buf, f.run, f.o); err != nil {
		return "", fail(api.CodeService, err, "an answer could not be written as JSON")
	}
	return s.o.Mask.String(f.buf.String()), nil
}

// flush writes whole lines, the key masked.
func (f *RunFile) flush() error {
	_, err := io.WriteString(f.file, f.s.o.Mask.String(f.buf.String()))
	f.buf = bytes.Buffer{} // an answer may have been large
	return err
}

// Close writes what is left to write and returns the path of the file.
func (f *RunFile) Close(ctx context.Context) (string, error) {
	if f.file != nil {
		if err := errors.Join(f.file.Sync(), f.file.Close()); err != nil {
			return "", diskProblem("write "+filepath.Base(f.path), err)
		}
		return f.path, nil
	}
	slices.SortFunc(f.cells, func(a, b RunCell) int { return cmp.Compare(a.Number, b.Number) })
	size := 0
	for _, c := range f.cells {
		cell, err := f.cell(ctx, c)
		if err != nil {
			return "", err
		}
		if size += len(cell.Answer.Text); size > maxTogether {
			return "", fail(api.CodeTooLarge, nil, "the answers are larger than 64 MiB together; write them as .jsonl or .csv")
		}
		f.run.Cells = append(f.run.Cells, cell)
	}
	doc := document{write: func(ctx context.Context, out io.Writer, _ string) error {
		if f.as == FormatHTML {
			return export.HTML(ctx, out, f.run, f.o)
		}
		return export.Markdown(out, f.run, export.MarkdownOptions{Options: f.o})
	}}
	return f.s.writeDocument(ctx, doc, f.path, true)
}

// cell returns a cell with its answer.
func (f *RunFile) cell(ctx context.Context, c RunCell) (export.Cell, error) {
	t, a, err := f.s.cellAnswer(ctx, c)
	if err != nil {
		return export.Cell{}, err
	}
	a.Sample = c.Repeat
	return export.Cell{Number: (c.Number-1)/max(1, f.every) + 1, Prompt: c.Prompt, Vars: c.Vars, Checks: exportChecks(c.Checks), Turn: t, Answer: a}, nil
}

// cellAnswer reads the answer of a cell and the turn it is of, without the
// turn's other samples.
func (s *Service) cellAnswer(ctx context.Context, c RunCell) (Turn, Answer, error) {
	t, err := s.Turn(ctx, c.Turn)
	if err != nil {
		return Turn{}, Answer{}, err
	}
	i := slices.IndexFunc(t.Answers, func(a Answer) bool { return a.ID == c.Answer })
	if i < 0 {
		return Turn{}, Answer{}, usage("an answer of the run was deleted")
	}
	a := t.Answers[i]
	t.Answers = nil
	return t, a, nil
}

func exportChecks(checks []CheckResult) []export.Check {
	out := make([]export.Check, len(checks))
	for i, c := range checks {
		out[i] = export.Check{Name: c.Name, Verdict: c.Verdict, Reason: c.Reason}
	}
	return out
}

// WriteRun writes a run as it is kept to a new file and returns its path. The
// format is that of the name: .jsonl, .csv, .md or .html.
func (s *Service) WriteRun(ctx context.Context, run int64, path string) (string, error) {
	full, err := s.FreeRunFile(path)
	if err != nil {
		return "", err
	}
	facts, err := s.RunFacts(ctx, run)
	if err != nil {
		return "", err
	}
	cells, err := s.runCells(ctx, run)
	if err != nil {
		return "", err
	}
	every := 1
	for _, c := range cells {
		every = max(every, c.Repeat)
	}
	f, err := s.runFile(facts, full, every, cells)
	if err != nil {
		return "", err
	}
	for _, c := range cells {
		if err := f.Add(ctx, c); err != nil {
			if f.file != nil {
				err = errors.Join(err, f.file.Close())
			}
			return "", err
		}
	}
	return f.Close(ctx)
}

// runCells returns the cells of a run in the order of the suite.
func (s *Service) runCells(ctx context.Context, run int64) ([]RunCell, error) {
	var cells []RunCell
	err := s.EachRunCell(ctx, run, func(c RunCell) error { cells = append(cells, c); return nil })
	slices.SortStableFunc(cells, func(a, b RunCell) int { return cmp.Compare(a.Number, b.Number) })
	return cells, err
}
