package service

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"confab/history"
	"confab/service/api"
	"confab/service/export"
	"confab/service/problem"
	"confab/service/suiterun"
)

// maxTogether bounds the texts of a run that is written as one page, in bytes.
// JSON lines and CSV have no bound: they are written answer by answer.
const maxTogether = 64 << 20

// RunFormat returns as what a run is written, by the name of the file.
func RunFormat(path string) (export.Format, bool) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl":
		return export.FormatJSONL, true
	case ".csv":
		return export.FormatCSV, true
	case ".md", ".markdown":
		return export.FormatMarkdown, true
	case ".html", ".htm":
		return export.FormatHTML, true
	}
	return "", false
}

// RunFile is a file to which a run is written while it is in progress.
type RunFile struct {
	runWriter
	path string
	file *os.File // of a streamed format
	buf  bytes.Buffer
}

// NewRunFile begins to write a run to a new file of its owner only: JSON lines
// and CSV answer by answer as they come, Markdown and HTML when it is closed.
// The format is that of the name; what spreadsheetSafe does, [export.Request] says.
func (s *Service) NewRunFile(r *suiterun.Run, path string, spreadsheetSafe bool) (*RunFile, error) {
	full, err := s.FreeRunFile(path)
	if err != nil {
		return nil, err
	}
	as, _ := RunFormat(full)
	w := export.Request{As: as, Path: full, SpreadsheetSafe: spreadsheetSafe}
	f := &RunFile{runWriter: s.newRunWriter(r.Record(), w, r.Plan.Repeat), path: full}
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		return nil, problem.Disk("make the folder "+filepath.Dir(full), err)
	}
	if !f.isStreamed() {
		return f, nil
	}
	if f.file, err = os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil, problem.Usage("there is a file %s already, and none is written over; choose another name", full)
		}
		return nil, problem.Disk("write "+filepath.Base(full), err)
	}
	cells := make([]history.Cell, len(r.Plan.Cells))
	for i := range cells {
		cells[i] = r.Plan.Cell(i)
		for _, c := range r.Plan.Cells[i].Checks {
			cells[i].Checks = append(cells[i].Checks, history.CheckResult{Name: s.o.Mask.String(c.String())})
		}
	}
	if err = f.begin(&f.buf, cells); err == nil {
		err = f.flush()
	}
	if err != nil {
		return nil, errors.Join(problem.Disk("write "+filepath.Base(full), err), f.file.Close())
	}
	return f, nil
}

// FreeRunFile returns the whole path of a file that a run can be written to.
func (s *Service) FreeRunFile(path string) (string, error) {
	if _, ok := RunFormat(path); !ok {
		return "", problem.Usage("a run is written to a file that ends with .jsonl, .csv, .md or .html")
	}
	full, err := s.paths.Resolve(path)
	if err != nil {
		return "", problem.Disk("find the folder to write to", err)
	}
	if _, err := os.Lstat(full); err == nil {
		return "", problem.Usage("there is a file %s already, and none is written over; choose another name", full)
	}
	return full, nil
}

// Add writes a cell that has ended.
func (f *RunFile) Add(ctx context.Context, c history.Cell) error {
	err := f.add(ctx, &f.buf, c)
	if err == nil && f.file != nil {
		err = f.flush()
	}
	if err != nil && api.CodeOf(err) == "" {
		err = problem.Disk("write "+filepath.Base(f.path), err)
	}
	return err
}

// RunLine returns a cell that has ended as the line of JSON that a .jsonl file
// has for it, with the whole path of its picture.
func (s *Service) RunLine(ctx context.Context, r *suiterun.Run, c history.Cell) (string, error) {
	w := s.newRunWriter(r.Record(), export.Request{As: export.FormatJSONL}, r.Plan.Repeat)
	w.o = export.Options{Path: export.SavedPath}
	var line bytes.Buffer
	if err := w.add(ctx, &line, c); err != nil {
		return "", err
	}
	return s.o.Mask.String(line.String()), nil
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
			return "", problem.Disk("write "+filepath.Base(f.path), err)
		}
		return f.path, nil
	}
	doc := export.Document{Write: func(ctx context.Context, out io.Writer, _ string) error { return f.end(ctx, out) }}
	return f.s.exporter.WriteDocument(ctx, doc, f.path, true)
}
