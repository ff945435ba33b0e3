package ui

import (
	"fmt"
	"image"
	"path/filepath"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/suiterun"
	"confab/service/userpath"
	"confab/themes"
	"confab/ui/graphics"
)

// previewer draws what stands beside a list, in commands.
type previewer struct {
	styles  *themes.Styles
	profile colorprofile.Profile
	w, h    int
	load    graphics.Loader
	id      int     // of the picture, where the terminal draws by ids
	aspect  float64 // height of a cell over its width
}

// text sets a text as plain lines.
func (d previewer) text(s string) []string {
	lines := termtext.Wrap(termtext.Clean(s), max(d.w, 1))
	return lines[:min(len(lines), 2000)]
}

// session says what is in a session: its facts, then its newest turns.
func (d previewer) session(s history.Session, turns []history.Turn) []string {
	name := s.Name
	if name == "" {
		name = "unnamed session"
	}
	facts := fmt.Sprintf("%s · %s", format.Count(s.Turns, "turn"), format.Count(s.Answers, "answer"))
	if s.Pictures > 0 {
		facts += " · " + format.Count(s.Pictures, "picture")
	}
	facts += " · "
	if first := s.Created.Local().Format("2 Jan"); first != s.Updated.Local().Format("2 Jan") ||
		s.Created.Year() != s.Updated.Year() {
		facts += first + " – "
	}
	facts += s.Updated.Local().Format("2 Jan 2006")
	lines := []string{d.styles.Strong.Render(d.cut(name)), d.styles.Muted.Render(d.cut(facts)), ""}
	for i := len(turns) - 1; i >= 0; i-- {
		lines = append(lines, d.styles.You.Render("▌ ")+d.styles.Text.Render(d.cut(firstLine(turns[i].Prompt))))
		for _, a := range turns[i].Answers {
			lines = append(lines, d.answer(a))
		}
		lines = append(lines, "")
	}
	return lines
}

func (d previewer) answer(a history.Answer) string {
	said := firstLine(a.Text)
	switch {
	case a.Picture != nil:
		said = fmt.Sprintf("picture %d×%d", a.Picture.Width, a.Picture.Height)
	case a.State != history.Done:
		said = string(a.State)
	}
	head := termtext.Fit("  "+termtext.Line(a.Model), 18) + fmt.Sprintf(" %5.1f s  ", a.Elapsed.Seconds())
	return d.styles.Muted.Render(head) + d.styles.Text.Render(ansi.Truncate(termtext.Line(said),
		max(d.w-ansi.StringWidth(head), 1), "…"))
}

// turn shows a prompt whole, with where it went.
func (d previewer) turn(t history.Turn) []string {
	lines := []string{d.styles.Muted.Render(t.Created.Local().Format("2 Jan 2006 15:04")), ""}
	lines = append(lines, d.text(t.Prompt)...)
	if t.System != "" {
		lines = append(lines, "", d.styles.Muted.Render("system prompt"))
		lines = append(lines, d.text(t.System)...)
	}
	lines = append(lines, "")
	for _, a := range t.Answers {
		lines = append(lines, d.answer(a))
	}
	return lines
}

// run says how a run went, model by model.
func (d previewer) run(t suiterun.Table) []string {
	f := t.Run
	lines := []string{
		d.styles.Strong.Render(d.cut(fmt.Sprintf("%s  run %d", f.Suite, f.ID))),
		d.styles.Muted.Render(d.cut(fmt.Sprintf("%s · %d of %d answered · %s", f.Started.Local().Format("2 Jan 2006 15:04"),
			f.Done, f.Planned, format.Count(len(t.Rows), "prompt")))),
		d.styles.Faint.Render(d.cut(f.Path)), "",
	}
	for i, column := range t.Columns {
		count := map[history.CellVerdict]int{}
		for _, r := range t.Rows {
			if i >= len(r.Cells) {
				continue
			}
			for _, c := range r.Cells[i] {
				count[c.Verdict()]++
			}
		}
		text := fmt.Sprintf("%3d passed", count[history.CellPassed])
		for _, other := range []struct {
			verdict history.CellVerdict
			what    string
		}{{history.CellFailed, "failed checks"}, {history.CellSkipped, "skipped"}, {history.CellUnchecked, "unchecked"},
			{history.CellError, "errors"}} {
			if n := count[other.verdict]; n > 0 {
				text += fmt.Sprintf("  %d %s", n, other.what)
			}
		}
		lines = append(lines, d.styles.Text.Render(d.cut(termtext.Fit("  "+termtext.Line(column.Name), 28)+text)))
	}
	return lines
}

// suite says what is in a suite's file.
func (d previewer) suite(f service.SuiteFile) []string {
	su := f.Suite
	lines := []string{d.styles.Muted.Render(d.cut(fmt.Sprintf("%s · %s · %s", format.Count(len(su.Prompts), "prompt"),
		format.Count(len(su.Tests), "test"), format.Count(len(su.Providers), "model")))), ""}
	if su.Description != "" {
		lines = append(append(lines, d.text(su.Description)...), "")
	}
	for _, p := range su.Prompts {
		lines = append(lines, d.styles.You.Render("▌ ")+d.styles.Text.Render(d.cut(firstLine(p.Raw))))
	}
	lines = append(lines, "")
	for _, p := range su.Providers {
		lines = append(lines, d.styles.Text.Render(d.cut("  "+p.ID+"  "+p.Label)))
	}
	for _, n := range su.Notes {
		lines = append(lines, d.styles.Warning.Render(d.cut(fmt.Sprintf("line %d: %s", n.Line, n.Text))))
	}
	return lines
}

// folder says what is in a folder.
func (d previewer) folder(f userpath.Folder) []string {
	pictures := 0
	var lines []string
	for _, e := range f.Entries {
		name := e.Name
		if e.Dir {
			name += "/"
		} else {
			pictures++
		}
		lines = append(lines, d.styles.Text.Render(d.cut(name)))
	}
	return append([]string{d.styles.Muted.Render(format.Count(pictures, "picture")), ""}, lines[:min(len(lines), 200)]...)
}

// picture draws a picture's file, or says why it cannot. The second result says
// where in the lines it is drawn, for a terminal with pixels.
func (d previewer) picture(path string) ([]string, *graphics.Placement) {
	if path == "" {
		return nil, nil
	}
	img, problem := d.load.Picture(path)
	if problem != "" {
		return d.text(problem), nil
	}
	size := img.Bounds().Size()
	facts := d.styles.Muted.Render(d.cut(fmt.Sprintf("%d×%d  %s", size.X, size.Y, termtext.Line(filepath.Base(path)))))
	w, h := graphics.FitCells(size.X, size.Y, max(d.w, 1), max(d.h-2, 1), d.aspect)
	placed := &graphics.Placement{Path: path, Cells: image.Pt(w, h)}
	if d.id != 0 {
		return append(graphics.Placeholders(d.id, w, h), "", facts), placed
	}
	cells, ok := graphics.RenderCells(graphics.Preview(img), w, h,
		graphics.CellOptions{Profile: d.profile, CellAspect: d.aspect})
	if !ok {
		return append([]string{facts}, d.text(path)...), nil
	}
	return append(cells.Lines, "", facts), placed
}

func (d previewer) cut(s string) string { return ansi.Truncate(termtext.Line(s), max(d.w-2, 1), "…") }
