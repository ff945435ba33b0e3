package browse

import (
	"path/filepath"
	"strings"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
)

const (
	factGap      = "  "
	maxFactBytes = 4000 // of one fact
)

// factStyle returns the style of a fact of a picture: a warning for another ratio than requested.
func factStyle(name history.FactName, h history.PictureHit, s *themes.Styles) themes.Style {
	switch _, _, isOther := h.Answer.Picture.Shape(h.Turn.Aspect); {
	case name == history.FactShape && isOther:
		return s.Warning
	case name == history.FactShape, name == history.FactNote:
		return s.Text
	case name == history.FactJudgement:
		return s.Success
	case name == history.FactServiceNote:
		return s.Faint
	}
	return s.Muted
}

// leastPrompt is the width, in cells, to which a prompt is cut in favor of the shape of its picture.
const leastPrompt = 12

// pictureLine draws the position of a picture among others and its facts in at most w cells: as much of the prompt as
// there is room for beside the picture's shape, then other facts.
func pictureLine(h history.PictureHit, position string, look Look, s *themes.Styles, w int) string {
	all := h.Turn.Facts(h.Answer, -1)
	var facts []string
	for _, f := range all.Only(history.FactShape) {
		facts = append(facts, factStyle(f.Name, h, s).On(f.Text))
	}
	line := " " + s.Accent.On(position) + factGap + s.ModelStyle(h.Answer.Model).On("●") + " " +
		s.Strong.On(termtext.Line(h.Answer.Model)) + factGap
	left := w - 1 - termtext.Width(line)
	if rest := left - termtext.Width(factGap+strings.Join(facts, "")); rest >= leastPrompt {
		left = rest
	}
	line += s.Text.On(termtext.CutWords(termtext.Line(h.Turn.Prompt), left))
	for _, fact := range []string{all.Text(history.FactEngine),
		all.Only(history.FactFile, history.FactNonce).Join(factGap), look.When(h.Turn.Created),
		all.Text(history.FactJudgement)} {
		if fact != "" {
			facts = append(facts, s.Muted.On(fact))
		}
	}
	for _, fact := range facts {
		if termtext.Width(line+factGap+fact) < w {
			line += factGap + fact
		}
	}
	return line
}

// pictureFacts describes a picture in lines of w cells.
func pictureFacts(h history.PictureHit, look Look, s *themes.Styles, w int) (lines []string) {
	add := func(style themes.Style, text string) {
		for _, line := range termtext.Wrap(termtext.Clean(text[:min(len(text), maxFactBytes)]), w) {
			lines = append(lines, style.On(line))
		}
	}
	facts := h.Turn.Facts(h.Answer, -1)
	add(s.Text, h.Turn.Prompt)
	add(s.Muted, "")
	add(s.ModelStyle(h.Answer.Model).Inherit(s.Strong), "● "+h.Answer.Model)
	for _, f := range facts.Without(history.FactTime) {
		add(factStyle(f.Name, h, s), f.Text)
	}
	when := look.When(h.Turn.Created)
	if took := facts.Text(history.FactTime); took != "" {
		when += ", took " + took
	}
	add(s.Muted, when)
	if name := sessionOf(h); name != "" {
		add(s.Muted, "session "+name)
	}
	add(s.Muted, "")
	add(s.Faint, filepath.Base(h.Answer.Picture.Path))
	return lines
}

// sessionOf returns the name of a picture's session, "" where the prompt of the picture says it.
func sessionOf(h history.PictureHit) string {
	if h.SessionName == format.FirstLine(h.Turn.Prompt) {
		return ""
	}
	return h.SessionName
}
