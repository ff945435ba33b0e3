package browse

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/keys"
	"confab/ui/widget"
)

// View implements [part.Pane].
func (p *StartPage) View() []string {
	lines, text := make([]string, p.h), p.layout.text
	text[sessionsSection], text[previewSection] = p.sessionLines(), p.previewBlock()
	text[picturesSection] = p.pictureLines()
	for section, from := range p.layout.from {
		copy(lines[min(from, p.h):min(from+p.layout.rows[section], p.h)], text[section])
	}
	if p.hasColumns() {
		name := ansi.Truncate(widget.OneLine(p.sessions[p.at].Title), p.previewWidth(), "…")
		column := p.selectedPreview()
		if len(p.layout.column) > 0 {
			column = p.columnLines()
		}
		column = slices.Concat([]string{p.styles.Strong.On(name), ""}, column, make([]string, p.h))
		for i := range lines {
			lines[i] = termtext.Fit(lines[i], p.w) + p.styles.Rule.On("│ ") + column[i]
		}
	}
	for i, line := range lines {
		lines[i] = termtext.Fit(line, p.paneW)
	}
	return lines
}

func (p *StartPage) wordmark() (lines []string) {
	s := p.styles
	says := []string{"", "one prompt, many models, side by side", "text and pictures, in your terminal"}
	if s.ScreenReader || s.Palette.Success == "" || p.w < 80 {
		return []string{" " + s.Strong.On("confab") + s.Muted.On(": "+says[1])}
	}
	for i, line := range []string{ // two pixels in a character, one above the other
		"                     ▄█▀▀▀        ██    ",
		"▄█▀▀▀▀ ▄█▀▀█▄ ██▀▀█▄ ██▀▀  ▄█▀▀██ ██▀▀█▄",
		"▀█▄▄▄▄ ▀█▄▄█▀ ██  ██ ██    ▀█▄▄██ ██▄▄█▀",
	} {
		lines = append(lines, " "+s.Gradient(line)+"   "+s.Muted.On(says[i]))
	}
	return lines
}

func (p *StartPage) head() (lines []string) {
	style, text := p.styles.Warning, termtext.Line(p.texts.Unfinished)
	switch {
	case text == "" && p.reads == 0:
		style, text = p.styles.Muted, "Loading the history. Write a prompt or run an example:"
	case text == "" && len(p.sessions) == 0:
		style, text = p.styles.Strong, "Nothing sent yet. Write a prompt or run an example:"
	}
	if text == "" {
		return nil
	}
	for _, line := range termtext.Wrap(text, max(p.w-2, 1)) {
		lines = append(lines, " "+style.On(line))
	}
	return lines
}

// notes draws hints for new users, the most useful first.
func (p *StartPage) notes() (notes [][]string) {
	for _, note := range [][2]string{{"Service", termtext.Line(p.texts.Service)},
		{"Values", "{{topic}} asks for its values; a | b | c there sends three."},
		{"Edits", p.env.Keys.Phrase(keys.Conversation, keys.UseAsSource,
			"%s on a picture edits it: write what to change.")},
	} {
		var lines []string
		for i, line := range termtext.Wrap(note[1], max(p.w-p.labelWidth()-1, 1)) {
			lines = append(lines, p.labelled(label(note[0], i), p.styles.Muted.On(line)))
		}
		if note[1] != "" {
			notes = append(notes, lines)
		}
	}
	return notes
}

// label returns the name of a section for its first row, "" for others.
func label(name string, row int) string {
	if row > 0 {
		return ""
	}
	return name
}

func (p *StartPage) labelled(label, line string) string {
	return p.styles.Muted.On(" "+termtext.Fit(label, p.labelWidth()-1)) + line
}

// row draws a label, a text and a note that are cut to fit what follows, the facts and, at the right, a key. Facts
// stand in columns beside the column of keys; a text without facts ends before its own key. Up to half the space is
// kept for a note; one of which little would be seen is left out.
func (p *StartPage) row(label, text, note, facts, key string, keyWidth int) string {
	s := p.styles
	keyWidth--
	if facts == "" {
		keyWidth = ansi.StringWidth(key)
	}
	space := max(p.w-p.labelWidth()-termtext.Width(facts)-keyWidth-1, 1)
	const gap, leastNote = 2, 14
	kept := 0
	if n := min(termtext.Width(note), (space-1)/2-gap); note != "" && n >= min(leastNote, termtext.Width(note)) {
		kept = n + gap
	}
	text = termtext.CutWords(widget.OneLine(text), space-1-kept)
	if left := space - 1 - termtext.Width(text) - gap; note != "" && left >= min(leastNote, termtext.Width(note)) {
		text = s.Text.On(text) + strings.Repeat(" ", gap) + s.Muted.On(termtext.CutWords(note, left))
	}
	return p.labelled(label, termtext.Fit(s.Text.On(text), space)+s.Muted.On(facts)+
		strings.Repeat(" ", max(keyWidth-ansi.StringWidth(key), 0))+key+" ")
}

// keyTo returns a key and the verb that says what it does, "" without a key.
func (p *StartPage) keyTo(key, verb string) string {
	if key == "" {
		return ""
	}
	return p.styles.Key.On(key) + p.styles.Muted.On(" "+verb)
}

// noteOf returns what tells a session from others: its newest prompt unless its name says it, or, where others have the
// same name and prompt, when it began.
func (p *StartPage) noteOf(at int) string {
	h := p.sessions[at]
	if h.hit.Run != 0 {
		return ""
	}
	isSame := func(o startSession) bool { return o.ID != h.ID && o.Title == h.Title && o.Note == h.Note }
	if !slices.ContainsFunc(p.sessions, isSame) {
		return widget.OneLine(h.Note)
	}
	layout := "15:04:05"
	if created := h.hit.Created; p.env.Now().Sub(created) > 20*time.Hour {
		layout = "2 Jan 15:04"
	}
	return "since " + h.hit.Created.Local().Format(layout)
}

func (p *StartPage) sessionLines() (lines []string) {
	for i := range p.layout.rows[sessionsSection] {
		lines = append(lines, p.sessionRow(i))
	}
	return lines
}

func (p *StartPage) sessionRow(i int) string {
	h, k := p.sessions[i], p.env.Keys
	first := 0 // of the sessions that are not continued
	if p.canContinue() {
		first = 1
	}
	name, key := label("Recent", i-first), ""
	switch {
	case i < first:
		name, key = "Continue", p.keyTo(k.Key(keys.Prompt, keys.Send), "open")
	case i == first:
		key = p.keyTo(k.Key(keys.Everywhere, keys.NextPane), "choose")
	}
	isSelected := p.focused && i == p.at
	switch {
	case isSelected:
		key = p.keyTo(k.Key(keys.Start, keys.Choose), "open")
	case p.focused:
		key = ""
	}
	facts := ""
	all := p.sessionFacts(h)
	for column, text := range all {
		blanks := strings.Repeat(" ", max(p.layout.facts[column]-termtext.Width(text), 0))
		if column == len(all)-1 { // when
			text, blanks = blanks+text, ""
		}
		if p.layout.facts[column] > 0 {
			facts += "   " + text + blanks
		}
	}
	title := h.Title
	if h.hit.Run != 0 {
		title += fmt.Sprintf(" · run %d", h.hit.Run)
	}
	row := p.row(name, title, p.noteOf(i), facts, key, startKey)
	if isSelected {
		return p.styles.Selected.On(ansi.Strip(row))
	}
	return row
}

// sessionFacts returns the columns of facts of a session that fit.
func (p *StartPage) sessionFacts(h startSession) []string {
	muted := p.styles.Muted
	var facts []string
	if p.w >= 100 {
		facts = append(facts, muted.On(format.Count(h.hit.Turns, "turn")))
	}
	if p.w >= 80 {
		facts = append(facts, widget.Dots(p.styles, h.Models, columnDots, false))
	}
	return append(facts, muted.On(h.Facts))
}

func (p *StartPage) selectedPreview() []string {
	if len(p.sessions) == 0 {
		return nil
	}
	return p.previews.lines[p.sessions[p.at].ID]
}

func (p *StartPage) previewBlock() (lines []string) {
	preview := p.selectedPreview()
	for i, line := range preview[:min(len(preview), p.layout.rows[previewSection])] {
		lines = append(lines, p.labelled(label("Preview", i), line))
	}
	return lines
}

// exampleLines draws the examples as rows, or as cards beside each other if h allows.
func (p *StartPage) exampleLines(h int) (lines []string) {
	var cards [][]string
	for i, e := range p.examples {
		facts := ""
		if p.w >= 78 {
			facts = p.styles.Muted.On(termtext.Fit(e.Shows, shownWidth))
		}
		if p.w >= 100 {
			facts += termtext.Fit(widget.ModelDots(p.styles, e.Models), 16)
		}
		lines = append(lines, p.row(label("Try", i), e.Title, "", facts, p.styles.Key.On(e.Key), exampleKey))
		if h > len(p.examples) {
			cards = append(cards, widget.FillLines(nil, 1, h), p.card(e, h))
		}
	}
	if len(cards) > 0 {
		return strings.Split(widget.JoinBlocks(cards...), "\n")
	}
	return lines
}

// card draws an example in a frame: its prompt, a sketch of the result if h allows, and its models.
func (p *StartPage) card(e Example, h int) []string {
	s, w := p.styles, p.cardWidth()
	var lines []string
	for _, line := range termtext.Wrap(e.Title, w-4) {
		lines = append(lines, s.Text.On(line))
	}
	if sketched := h - p.cardHeight() - 1; sketched > 1 {
		lines = append(widget.FillLines(lines, w-4, h-sketched-4), p.sketch(e, w-4, sketched)...)
	}
	lines = append(widget.FillLines(lines, w-4, h-3), widget.ModelDots(s, e.Models))
	run := ""
	if e.Key != "" {
		run = widget.HintLine(s, []keys.Hint{{Key: e.Key, Text: "run"}})
	}
	return widget.BoxLines(widget.Box{Title: e.Shows, Bottom: run, W: w, H: h, Pad: 1, Styles: s}, lines)
}

// sketch draws the result of an example: a column of lines for each model, or a lighthouse by the sea.
func (p *StartPage) sketch(e Example, w, h int) []string {
	rows, colors, column := make([]string, h), p.styles.ModelStyles(e.Models), w/max(len(e.Models), 1)
	for y := range rows {
		for i, color := range colors {
			if !e.IsPicture {
				line := color.On("┃ ") + p.styles.Rule.On(strings.Repeat("─", max((column-3)*(8-(3*y+2*i)%5)/8, 0)))
				rows[y] += termtext.Fit(line, column)
				continue
			}
			last := (y + 1) / h
			tower := [...]string{"╶─╴▟▙╶─╴", "   ██   ", "▂▄▆██▆▄▂"}[min(y, 1)+last]
			side := strings.Repeat([...]string{" ", "▁"}[last], max((w-8)/2, 0))
			rows[y] = color.On(side + tower + side)
		}
	}
	return rows
}
