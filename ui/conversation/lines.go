package conversation

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
	"confab/ui/keys"
)

// youLines is the line above a prompt.
func (c *Pane) youLines(t history.Turn, height int) []string {
	facts := []string{t.Created.Local().Format("15:04")}
	if c.now.Sub(t.Created) > 20*time.Hour {
		facts[0] = t.Created.Local().Format("2 Jan 15:04")
	}
	models := map[string]bool{}
	for _, a := range t.Answers {
		models[a.Model] = true
	}
	if len(models) > 1 {
		facts = append(facts, fmt.Sprintf("%d models", len(models)))
	}
	if t.Samples > 1 {
		facts = append(facts, fmt.Sprintf("%d samples", t.Samples))
	}
	if t.Aspect != "" {
		facts = append(facts, t.Aspect)
	}
	if t.Source != nil {
		facts = append(facts, "edits "+termtext.Line(t.Source.Name()))
	}
	if t.Context {
		facts = append(facts, "with context")
	}
	if t.System != "" {
		facts = append(facts, "system: "+termtext.Line(t.System))
	}
	line := c.styles.You.Render("▌ you") + "  " + c.styles.Muted.Render(ansi.Truncate(strings.Join(facts, "   "),
		max(c.w-9, 1), "…"))
	out := make([]string, height)
	out[height-1] = line
	return out
}

// headLine is the line above an answer.
func (c *Pane) headLine(t history.Turn, a history.Answer, i int) string {
	focused := c.selected() == ref{t.ID, a.ID}
	bar, name := " ", c.styles.Strong
	if focused {
		bar, name = c.withRail(" "), c.styles.Accent
	}
	right := ""
	if len(t.Answers) > 1 {
		right = fmt.Sprintf("%d of %d", i+1, len(t.Answers))
	}
	hints := ""
	if focused && c.focused {
		for _, h := range c.answerHints(a) {
			hints += "  " + c.styles.Key.Render(h.Key) + " " + c.styles.KeyText.Render(h.Text)
		}
	}
	tail := c.styles.Faint.Render(right) + hints
	left := bar + name.Render(termtext.Line(a.Model)) + c.judged(a) + "  " + c.stateText(a)
	room := c.w - 1
	if used := termtext.Width(tail); used+24 <= room {
		left = termtext.Fit(left, room-used-1)
		return left + " " + tail
	}
	return termtext.Fit(left, room)
}

// judged is the mark of a person's judgement.
func (c *Pane) judged(a history.Answer) string {
	out := ""
	if a.Sample > 1 {
		out += c.styles.Muted.Render(fmt.Sprintf(" #%d", a.Sample))
	}
	if a.Winner {
		out += c.styles.Accent.Render(" ★")
	}
	switch a.Rating {
	case history.Good:
		out += c.styles.Success.Render(" +")
	case history.Bad:
		out += c.styles.Danger.Render(" −")
	}
	return out
}

// spinner has one figure a second: it moves with the seconds, not by itself.
var spinner = [...]string{"⠋", "⠙", "⠸", "⠴", "⠦", "⠇"}

// stateText says where an answer stands.
func (c *Pane) stateText(a history.Answer) string {
	s := c.styles
	switch a.State {
	case history.Queued:
		return s.Muted.Render("queued")
	case history.Running:
		return c.runningText(a)
	case history.Failed:
		code := ""
		if a.Failure != nil {
			code = " · " + a.Failure.Code
		}
		return s.Danger.Render("failed"+code) + s.Muted.Render(took(a))
	case history.Cancelled:
		return s.Warning.Render("cancelled") + s.Muted.Render(took(a))
	case history.Interrupted:
		return s.Warning.Render("interrupted") + s.Muted.Render("   confab ended before it answered")
	}
	facts := []string{fmt.Sprintf("%.2f s", a.Elapsed.Seconds())}
	switch {
	case a.Cached:
		facts[0] = "(" + facts[0] + " cached)"
	case a.Elapsed >= 100*time.Second:
		facts[0] = format.Seconds(a.Elapsed)
	}
	by := termtext.Line(a.AnsweredBy())
	if a.Simulated() { // the last to be cut
		facts, by = append(facts, by), ""
	}
	if n, counted := c.words[a.ID]; counted || a.Picture == nil && a.Kind == history.KindText && !isText(a) {
		facts = append(facts, format.Count(n, "word"))
	}
	if by != "" {
		facts = append(facts, by)
	}
	if a.Failure != nil {
		return s.Muted.Render(strings.Join(facts, "   ")) + s.Danger.Render("   not saved: "+termtext.Line(a.Failure.Message))
	}
	if a.Masked {
		facts = append(facts, "key masked")
	}
	if c.raw[a.ID] {
		facts = append(facts, "unformatted")
	}
	if c.before[a.ID] {
		facts = append(facts, "before")
	}
	return s.Muted.Render(strings.Join(facts, "   "))
}

func (c *Pane) runningText(a history.Answer) string {
	s := c.styles
	if text := service.RetryText(a, c.now); text != "" {
		style := s.Warning
		if service.WithoutConnection(a) {
			style = s.Danger
		}
		return style.Render(text) + s.Muted.Render(fmt.Sprintf("   attempt %d", a.Progress.Attempt+1))
	}
	seconds := max(int(c.now.Sub(a.Started).Seconds()), 0)
	text := fmt.Sprintf("%s %d s", spinner[seconds%len(spinner)], seconds)
	if c.still {
		text = fmt.Sprintf("%d s", seconds)
	}
	facts := ""
	if usual := c.typical(a.Model); usual > 0 {
		facts = "   usually " + format.Seconds(usual)
	}
	if a.Progress.Received > 0 {
		facts += "   " + format.Size(a.Progress.Received) + " so far"
	}
	return s.Info.Render(text) + s.Muted.Render(facts)
}

func took(a history.Answer) string {
	if a.Elapsed <= 0 {
		return ""
	}
	return "   after " + format.Seconds(a.Elapsed)
}

// answerHints are the keys worth showing on the focused answer.
func (c *Pane) answerHints(a history.Answer) []keys.Hint {
	switch {
	case !a.State.Ended():
		return c.keys.Hints(keys.Conversation, keys.StopAnswer)
	case a.State != history.Done:
		return c.keys.Hints(keys.Conversation, keys.Again)
	case a.Picture != nil && a.Kind == history.KindEdit:
		return c.keys.Hints(keys.Conversation, keys.BeforeAfter, keys.EditChain, keys.UseAsSource, keys.OpenPicture)
	case a.Picture != nil:
		return c.keys.Hints(keys.Conversation, keys.OpenPicture, keys.UseAsSource, keys.Another)
	}
	return c.keys.Hints(keys.Conversation, keys.CopyAnswer, keys.Again)
}

// welcome is what an empty session shows, and the hints of its rows.
func (c *Pane) welcome() (lines []string, rows map[int]keys.Hint) {
	s := c.styles
	lines = append(c.note(c.notes.Left, s.Warning), "",
		" "+s.Strong.Render("Nothing sent yet.")+s.Text.Render(" Write a prompt or run an example:"), "")
	rows = map[int]keys.Hint{}
	for _, e := range c.notes.Examples {
		if e.Key != "" {
			rows[len(lines)] = keys.Hint{Key: e.Key, Text: e.Title}
		}
		line := "   " + s.Key.Render(termtext.Fit(e.Key, 6)) + s.Text.Render(e.Title)
		if c.w > 74 {
			line += s.Faint.Render("   " + e.Models)
		}
		lines = append(lines, line)
	}
	ways := c.note(c.notes.Ways, s.Faint)
	if len(lines)+5+len(ways) > c.h { // the footer has the keys, too
		return append(lines, ways...), rows
	}
	lines = append(lines, "")
	for _, command := range []keys.Command{keys.ChooseModels, keys.Sessions, keys.Commands, keys.Help} {
		entry, ok := c.keys.Entry(keys.Everywhere, command)
		if !ok {
			continue
		}
		rows[len(lines)] = keys.Hint{Key: entry.Keys[0], Text: entry.Long}
		lines = append(lines, "   "+s.Key.Render(termtext.Fit(entry.Keys[0], 9))+s.Muted.Render(entry.Long))
	}
	return append(lines, ways...), rows
}

// note is a blank line and a sentence; nothing for no sentence.
func (c *Pane) note(text string, style themes.Style) []string {
	if text == "" {
		return nil
	}
	lines := []string{""}
	for _, line := range termtext.Wrap(termtext.Line(text), c.w-2) {
		lines = append(lines, " "+style.Render(line))
	}
	return lines
}
