package browse

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/localfile"
	"confab/themes"
	"confab/ui/graphics"
	"confab/ui/part"
)

// previewer draws previews in commands, with the state of the screen at the time of the request.
type previewer struct {
	ctx     context.Context
	service *service.Service
	styles  *themes.Styles
	draw    func() Drawing // draws the picture of the item
	w, h    int
}

// preview returns a [Config.Preview] that calls draw in a command.
func (b *Browser) preview(draw func(p previewer, item Item) (Preview, error)) func(Item, int, int) func() Preview {
	return func(item Item, w, h int) func() Preview {
		p := previewer{ctx: b.env.Ctx, service: b.env.Service, styles: b.env.Styles(),
			draw: drawFile(b.env.Graphics, item.File, image.Pt(max(w, 1), max(h-2, 1))), w: w, h: h}
		return func() Preview {
			made, err := draw(p, item)
			if err != nil {
				made.Lines = p.text(part.Sentence(err))
			}
			return made
		}
	}
}

func (p previewer) text(s string) []string {
	lines := termtext.Wrap(termtext.Clean(s), max(p.w, 1))
	return lines[:min(len(lines), 2000)]
}

// session draws the facts of a session, then the turn that a search found and its newest turns.
func (p previewer) session(item Item) (Preview, error) {
	s, err := p.service.Session(p.ctx, item.ID)
	if err != nil {
		return Preview{}, err
	}
	turns, err := p.service.Turns(p.ctx, item.ID, history.Page{Limit: 12})
	if err != nil {
		return Preview{}, err
	}
	hasBranches := slices.ContainsFunc(turns, func(t history.Turn) bool { return len(t.Siblings) > 0 })
	facts := format.Count(s.Turns, "turn") + part.TextIf(hasBranches, " of all branches") + " · " +
		format.Count(s.Answers, "answer")
	if s.Pictures > 0 {
		facts += " · " + format.Count(s.Pictures, "picture")
	}
	facts += " · "
	first, last := s.Created.Local().Format("2 Jan"), s.Updated.Local().Format("2 Jan 2006 15:04")
	if !strings.HasPrefix(last, first+" ") || s.Created.Year() != s.Updated.Year() {
		facts += first + " – "
	}
	facts += last
	lines := []string{p.line(p.styles.Muted, "%s", facts), ""}
	if !slices.ContainsFunc(turns, func(t history.Turn) bool { return isNamedAfter(item.Title, t.Prompt) }) {
		lines = append([]string{p.line(p.styles.Strong, "%s", item.Title)}, lines...)
	}
	if item.Turn != 0 {
		found, err := p.foundTurn(item)
		if err != nil {
			return Preview{}, err
		}
		lines = append(append(lines, found...), "")
	}
	var numbers []string
	var shown []history.Turn
	for i, t := range slices.Backward(turns) {
		if t.ID == item.Turn {
			continue
		}
		number := ""
		switch {
		case turns[0].Parent == 0 && len(turns) > 1:
			number = fmt.Sprintf("turn %d", i+1)
		case turns[0].Parent != 0 && !hasBranches: // of older branches nothing is known here
			number = fmt.Sprintf("turn %d", s.Turns-len(turns)+i+1)
		}
		numbers, shown = append(numbers, number), append(shown, t)
	}
	return Preview{Lines: append(lines, p.turns(shown, numbers, p.h-len(lines))...)}, nil
}

// turns draws turns with their numbers, with equally many lines of each answer; what is left goes to the first turns.
func (p previewer) turns(turns []history.Turn, numbers []string, height int) (lines []string) {
	free, answers := height+1, 0
	for _, t := range turns {
		free, answers = free-2-len(t.Answers), answers+len(t.Answers)
	}
	most, drawn := 1+max(free, 0)/max(answers, 1), make([][]string, len(turns))
	free = height + 1
	for i, t := range turns {
		drawn[i] = p.answers(t, most*len(t.Answers))
		free -= len(drawn[i]) + 2
	}
	for i, t := range turns {
		if free > 0 {
			former := len(drawn[i])
			drawn[i] = p.answers(t, former+free)
			free -= len(drawn[i]) - former
		}
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(append(lines, p.prompt(t.Prompt, numbers[i])), drawn[i]...)
	}
	return lines
}

// foundTurn draws the turn that a search found in a session, the answer first that it found.
func (p previewer) foundTurn(item Item) ([]string, error) {
	t, err := p.service.Turn(p.ctx, item.Turn)
	if err != nil {
		return nil, err
	}
	word := ""
	if len(item.Match) > 0 {
		word = item.Detail[item.Match[0][0]:item.Match[0][1]]
	}
	if item.Answer == 0 {
		t.Prompt = startNear(t.Prompt, word, "\n")
	}
	answers := slices.Clone(t.Answers)
	if at := slices.IndexFunc(answers, func(a history.Answer) bool { return a.ID == item.Answer }); at >= 0 {
		found := answers[at]
		found.Text = startNear(found.Text, word, "\n\n")
		answers = slices.Insert(slices.Delete(answers, at, at+1), 0, found)
	}
	t.Answers = answers
	return append([]string{p.prompt(t.Prompt, cmp.Or(t.BranchText(), "found"))}, p.answers(t, p.h/2)...), nil
}

// startNear leaves out what is before the part of a text, between separators, that has a word.
func startNear(text, word, separator string) string {
	at := max(strings.Index(text, word), 0)
	if before := strings.LastIndex(text[:at], separator); before >= 0 {
		return text[before+len(separator):]
	}
	return text
}

// isNamedAfter tells whether a session has the beginning of a prompt as its name.
func isNamedAfter(name, prompt string) bool {
	return strings.HasPrefix(format.FirstLine(prompt), strings.TrimRight(name, "… "))
}

// newestTurns draws as many of the newest turns of a session as fit. The answers of the newest get the lines left.
func (p previewer) newestTurns(session Item) (Preview, error) {
	turns, err := p.service.Turns(p.ctx, session.ID, history.Page{Limit: 6})
	if err != nil || len(turns) == 0 {
		return Preview{}, err
	}
	newest, height := turns[len(turns)-1], p.h
	draw := func(t history.Turn, height int) []string {
		return append([]string{p.prompt(t.Prompt, "")}, p.answers(t, height-1)...)
	}
	last := draw(newest, min(height, 1+len(newest.Answers)*usualAnswerLines))
	height -= len(last)
	var lines []string
	for _, t := range slices.Backward(turns[:len(turns)-1]) {
		turn := append(draw(t, min(height-1, 1+len(t.Answers)*usualAnswerLines)), "")
		if len(turn) > height {
			break
		}
		lines, height = append(turn, lines...), height-len(turn)
	}
	if height > 0 {
		last = draw(newest, height+len(last))
	}
	lines = append(lines, last...)
	if more := len(lines) - p.h; more > 0 && p.h > 2 {
		lines = append(lines[:p.h-1], "  "+p.line(p.styles.Muted, "… %d more", more+1))
	}
	return Preview{Lines: lines[:min(len(lines), p.h)]}, nil
}

// turn draws the whole prompt and the start of its answers.
func (p previewer) turn(item Item) (Preview, error) {
	t, err := p.service.Turn(p.ctx, item.ID)
	if err != nil {
		return Preview{}, err
	}
	lines := []string{p.styles.Muted.Render(t.Created.Local().Format("2 Jan 2006 15:04")), ""}
	lines = append(lines, p.wholePrompt(cmp.Or(t.Template, t.Prompt))...)
	system := cmp.Or(t.SystemTemplate, t.System)
	if system != "" {
		lines = append(lines, "", p.styles.Muted.Render("system prompt"))
		lines = append(lines, p.text(system)...)
	}
	if len(item.Values) > 0 {
		lines = append(lines, "", p.styles.Muted.Render(format.Count(len(item.Values), "value")))
		for _, values := range item.Values[:min(len(item.Values), listLimit)] {
			lines = append(lines, "  "+p.line(p.styles.Text, "%s", values))
		}
		lines = append(lines, "", p.line(p.styles.Muted, "the newest: %s", item.Values[0]))
	}
	if system+strings.Join(item.Values, "") != "" {
		lines = append(lines, "")
	}
	return Preview{Lines: append(lines, p.answers(t, p.h-len(lines))...)}, nil
}

// suite describes a suite; for a folder it shows an example.
func (p previewer) suite(item Item) (Preview, error) {
	if item.IsFolder {
		head, example, _ := strings.Cut(exampleSuite, "\n\n")
		says, _, _ := strings.Cut(head, "\n")
		lines := append(p.text(strings.TrimPrefix(says, "# ")), "")
		for line := range strings.SplitSeq(example, "\n") {
			lines = append(lines, p.styles.Text.Render(ansi.Truncate(line, p.w, "…")))
		}
		return Preview{Lines: lines}, nil
	}
	f, err := p.service.OpenSuite(p.ctx, item.Key)
	if err != nil {
		return Preview{}, err
	}
	su := f.Suite
	lines := []string{p.line(p.styles.Muted, "%s · %s · %s", format.Count(len(su.Prompts), "prompt"),
		format.Count(len(su.Tests), "test"), format.Count(len(su.Providers), "model")), ""}
	if su.Description != "" {
		lines = append(append(lines, p.text(su.Description)...), "")
	}
	for _, prompt := range su.Prompts {
		lines = append(lines, p.prompt(prompt.Raw, ""))
	}
	lines = append(lines, "")
	for _, provider := range su.Providers {
		lines = append(lines, p.line(p.styles.Text, "  %s  %s", provider.ID, provider.Label))
	}
	for _, n := range su.Unapplied {
		lines = append(lines, p.line(p.styles.Warning, "line %d: %s", n.Line, n.Text))
	}
	return Preview{Lines: lines}, nil
}

// file draws a picture, or lists a folder.
func (p previewer) file(item Item) (Preview, error) {
	if !item.IsFolder {
		return p.picture(item)
	}
	f, err := p.service.Paths().List(p.ctx, item.Key, localfile.PictureFiles)
	if err != nil {
		return Preview{}, err
	}
	pictures := 0
	var lines []string
	for _, e := range f.Entries {
		name := e.Name
		if e.IsDir {
			name += "/"
		} else {
			pictures++
		}
		lines = append(lines, p.line(p.styles.Text, "%s", name))
	}
	head := []string{p.styles.Muted.Render(format.Count(pictures, "picture")), ""}
	return Preview{Lines: append(head, lines[:min(len(lines), 200)]...)}, nil
}

// picture draws a picture's file, or says why it cannot.
func (p previewer) picture(item Item) (Preview, error) {
	if item.File.Path == "" {
		return Preview{}, nil
	}
	x := p.draw()
	if x.size == (image.Point{}) {
		return Preview{Lines: p.text(x.Problem)}, nil
	}
	facts := p.line(p.styles.Muted, "%d×%d  %s", x.size.X, x.size.Y, filepath.Base(item.File.Path))
	if x.Problem != "" {
		return Preview{Lines: append([]string{facts, ""}, p.text(x.Problem)...)}, nil
	}
	return Preview{append(x.Lines, "", facts), &graphics.Placement{File: item.File, Cells: x.Cells}}, nil
}

func (p previewer) line(style themes.Style, layout string, facts ...any) string {
	return style.Render(ansi.Truncate(termtext.Line(fmt.Sprintf(layout, facts...)), max(p.w-2, 1), "…"))
}

// prompt draws the first line of a prompt with a note at its right.
func (p previewer) prompt(text, note string) string {
	if note != "" {
		note = p.styles.Muted.On("  " + note + " ")
	}
	inside := p
	inside.w -= termtext.Width(ansi.Strip(note))
	line := p.styles.You.Render("▌ ") + inside.line(p.styles.Text, "%s", format.FirstLine(text))
	return p.styles.Prompt.Behind(termtext.Fit(line, max(inside.w, 0)) + note)
}

// wholePrompt draws every line of a prompt like the first one of [previewer.prompt].
func (p previewer) wholePrompt(text string) []string {
	bar := p.styles.You.Render("▌ ")
	inside := p
	inside.w -= 2
	lines := inside.text(text)
	for i, line := range lines {
		lines[i] = p.styles.Prompt.Behind(termtext.Fit(bar+p.styles.Text.On(line), p.w))
	}
	return lines
}
