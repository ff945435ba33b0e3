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
	s      *Service
	as     export.Format
	run    export.Run
	o      export.Options
	repeat int            // how often each question is asked
	rows   *export.Rows   // of a CSV
	cells  []history.Cell // of a format that is written whole
}

// newRunWriter returns a writer for a file at w.Path.
func (s *Service) newRunWriter(record history.Run, w export.Request, repeat int) runWriter {
	run := export.Run{ID: record.ID, Name: record.Suite, Created: record.Started}
	if !s.Saving() {
		run.ID = 0
	}
	return runWriter{s: s, as: w.As, repeat: repeat, run: run, o: s.exporter.OptionsFor(w, w.Path)}
}

// isStreamed tells whether the format is written cell by cell.
func (w *runWriter) isStreamed() bool { return w.as == export.FormatCSV || w.as == export.FormatJSONL }

// begin writes the header of a CSV, whose columns are named by the variables and checks of the cells. Its rows go to
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

// add writes a cell, or keeps it for the end where the format is not streamed.
func (w *runWriter) add(ctx context.Context, out io.Writer, c history.Cell) error {
	if !w.isStreamed() {
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

// end writes a format that is not streamed, in the order of the suite.
func (w *runWriter) end(ctx context.Context, out io.Writer) error {
	if w.isStreamed() {
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
			return problem.New(api.CodeTooLarge, nil,
				"the answers are larger than 64 MiB together; write them as .jsonl or .csv")
		}
		run.Cells = append(run.Cells, cell)
	}
	switch w.as {
	case export.FormatHTML:
		return export.HTML(ctx, out, run, w.o)
	case export.FormatContactSheet:
		return export.ContactSheet(ctx, out, run, w.o)
	}
	return export.Markdown(out, run, w.o)
}

// cell returns a cell with its answer and the turn it is of, without the turn's other samples.
func (w *runWriter) cell(ctx context.Context, c history.Cell) (export.Cell, error) {
	t, err := w.s.Turn(ctx, c.Turn)
	if err != nil {
		return export.Cell{}, err
	}
	i := slices.IndexFunc(t.Answers, func(a history.Answer) bool { return a.ID == c.Answer })
	if i < 0 {
		return export.Cell{}, problem.Usage("an answer of the run was deleted")
	}
	a := t.Answers[i]
	t.Answers = nil
	cell := w.s.exporter.Cell(t, a)
	cell.Number, cell.Prompt, cell.Description = (c.Number-1)/max(1, w.repeat)+1, c.Prompt, c.Description
	cell.Vars, cell.Checks = c.Vars, c.Checks
	cell.Answer.Sample = c.Repeat
	return cell, nil
}

// runDocument is a run as it is stored.
func (s *Service) runDocument(ctx context.Context, w export.Request) (export.Document, error) {
	ext, ok := map[export.Format]string{
		export.FormatMarkdown: ".md", export.FormatHTML: ".html", export.FormatCSV: ".csv",
		export.FormatJSONL:        ".jsonl",
		export.FormatContactSheet: ".png",
	}[w.As]
	if !ok {
		return export.Document{},
			problem.Usage("a run can be written as markdown, html, csv, jsonl or contact-sheet, not as %q",
				string(w.As))
	}
	run, err := s.runner.Run(ctx, w.Run)
	if err != nil {
		return export.Document{}, err
	}
	cells, err := s.runner.Cells(ctx, w.Run)
	if err != nil {
		return export.Document{}, err
	}
	repeat := 1
	for _, c := range cells {
		repeat = max(repeat, c.Repeat)
	}
	doc := export.Document{Title: run.Suite, Ext: ext, IsExact: w.As == export.FormatContactSheet}
	if s.Saving() {
		doc.Title = fmt.Sprintf("%s run %d", run.Suite, run.ID)
	}
	if len(w.Turns) > 0 {
		cells = slices.DeleteFunc(cells, func(c history.Cell) bool { return !slices.Contains(w.Turns, c.Turn) })
		if len(cells) == 0 {
			return export.Document{}, problem.New(api.CodeUsage, nil, "there is no answer to write")
		}
		doc.Title = fmt.Sprintf("%s row %d", doc.Title, max(cells[0].Row, 1))
	}
	doc.Write = func(ctx context.Context, out io.Writer, path string) error {
		w.Path = path
		r := s.newRunWriter(run, w, repeat)
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
