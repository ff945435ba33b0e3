package service

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"confab/history"
	"confab/service/api"
	"confab/service/export"
	"confab/service/problem"
)

// runWriter writes the cells of a run in one format.
type runWriter struct {
	s     *Service
	as    export.Format
	run   export.Run
	o     export.Options
	every int            // samples of a cell
	rows  *export.Rows   // of a CSV
	cells []history.Cell // of what is written at once
}

// newRunWriter returns a writer for a file at w.Path.
func (s *Service) newRunWriter(facts history.Run, w Write, every int) runWriter {
	run := export.Run{ID: facts.ID, Name: facts.Suite, Created: facts.Started}
	if !s.Saving() {
		run.ID = 0
	}
	return runWriter{s: s, as: w.As, every: every, run: run, o: s.exportOptions(w, w.Path)}
}

// atOnce tells whether the format is written when all cells are there.
func (w *runWriter) atOnce() bool { return w.as != export.FormatCSV && w.as != export.FormatJSONL }

// begin writes the head. The cells tell what that of a CSV names; its rows go to
// the same writer.
func (w *runWriter) begin(out io.Writer, head []history.Cell) (err error) {
	if w.as != export.FormatCSV {
		return nil
	}
	named := w.run
	for _, c := range head {
		named.Cells = append(named.Cells, export.Cell{Vars: c.Vars, Checks: c.Checks})
	}
	w.rows, err = export.NewRows(out, named, w.o)
	return err
}

// add writes a cell, or keeps it for the end.
func (w *runWriter) add(ctx context.Context, out io.Writer, c history.Cell) error {
	if w.atOnce() {
		w.cells = append(w.cells, c)
		return nil
	}
	cell, err := w.cell(ctx, c)
	if err != nil {
		return err
	}
	if w.rows != nil {
		return w.rows.Write(cell)
	}
	run := w.run
	run.Cells = []export.Cell{cell}
	return export.JSONL(out, run, w.o)
}

// end writes what is written at once, in the order of the suite.
func (w *runWriter) end(ctx context.Context, out io.Writer) error {
	if !w.atOnce() {
		return nil
	}
	slices.SortStableFunc(w.cells, func(a, b history.Cell) int { return cmp.Compare(a.Number, b.Number) })
	run, size := w.run, 0
	for _, c := range w.cells {
		cell, err := w.cell(ctx, c)
		if err != nil {
			return err
		}
		if size += len(cell.Answer.Text); size > maxTogether {
			return problem.New(api.CodeTooLarge, nil, "the answers are larger than 64 MiB together; write them as .jsonl or .csv")
		}
		run.Cells = append(run.Cells, cell)
	}
	switch w.as {
	case export.FormatHTML:
		return export.HTML(ctx, out, run, w.o)
	case export.FormatContactSheet:
		return contactSheet(ctx, out, run, w.o)
	}
	return export.Markdown(out, run, w.o)
}

// cell returns a cell with its answer.
func (w *runWriter) cell(ctx context.Context, c history.Cell) (export.Cell, error) {
	t, a, err := w.s.cellAnswer(ctx, c)
	if err != nil {
		return export.Cell{}, err
	}
	cell := w.s.exportCell(t, a)
	cell.Number, cell.Prompt, cell.Description = (c.Number-1)/max(1, w.every)+1, c.Prompt, c.Description
	cell.Vars, cell.Checks = c.Vars, c.Checks
	cell.Answer.Sample = c.Repeat
	return cell, nil
}

// cellAnswer reads the answer of a cell and the turn it is of, without the
// turn's other samples.
func (s *Service) cellAnswer(ctx context.Context, c history.Cell) (history.Turn, history.Answer, error) {
	t, err := s.Turn(ctx, c.Turn)
	if err != nil {
		return history.Turn{}, history.Answer{}, err
	}
	i := slices.IndexFunc(t.Answers, func(a history.Answer) bool { return a.ID == c.Answer })
	if i < 0 {
		return history.Turn{}, history.Answer{}, problem.Usage("an answer of the run was deleted")
	}
	a := t.Answers[i]
	t.Answers = nil
	return t, a, nil
}

// WriteRun writes a run as it is kept to a new file and returns its path. The
// format is that of the name: .jsonl, .csv, .md or .html.
func (s *Service) WriteRun(ctx context.Context, run int64, path string) (string, error) {
	full, err := s.FreeRunFile(path)
	if err != nil {
		return "", err
	}
	as, _ := RunFormat(full)
	paths, err := s.Write(ctx, Write{Run: run, As: as, Path: full})
	if err != nil {
		return "", err
	}
	return paths[0], nil
}

// runDocument is a run as it is kept.
func (s *Service) runDocument(ctx context.Context, w Write) (document, error) {
	ext, ok := map[export.Format]string{
		export.FormatMarkdown: ".md", export.FormatHTML: ".html", export.FormatCSV: ".csv", export.FormatJSONL: ".jsonl",
		export.FormatContactSheet: ".png",
	}[w.As]
	if !ok {
		return document{},
			problem.Usage("a run can be written as markdown, html, csv, jsonl or contact-sheet, not as %q", string(w.As))
	}
	facts, err := s.runner.Run(ctx, w.Run)
	if err != nil {
		return document{}, err
	}
	cells, err := s.runner.Cells(ctx, w.Run)
	if err != nil {
		return document{}, err
	}
	every := 1
	for _, c := range cells {
		every = max(every, c.Repeat)
	}
	doc := document{title: facts.Suite, ext: ext, exact: w.As == export.FormatContactSheet}
	if s.Saving() {
		doc.title = fmt.Sprintf("%s run %d", facts.Suite, facts.ID)
	}
	if len(w.Turns) > 0 {
		cells = slices.DeleteFunc(cells, func(c history.Cell) bool { return !slices.Contains(w.Turns, c.Turn) })
		if len(cells) == 0 {
			return document{}, problem.New(api.CodeUsage, nil, "there is no answer to write")
		}
		doc.title = fmt.Sprintf("%s row %d", doc.title, max(cells[0].Row, 1))
	}
	doc.write = func(ctx context.Context, out io.Writer, path string) error {
		w.Path = path
		r := s.newRunWriter(facts, w, every)
		if err := r.begin(out, cells); err != nil {
			return err
		}
		for _, c := range cells {
			if err := r.add(ctx, out, c); err != nil {
				return err
			}
		}
		return r.end(ctx, out)
	}
	return doc, nil
}
