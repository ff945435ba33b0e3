package browse

import (
	"path/filepath"
	"slices"
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

// pictureLine returns the model of a picture and its facts, drawn for one line.
func pictureLine(h history.PictureHit, look Look, s *themes.Styles) (model string, facts []string) {
	all := h.Turn.Facts(h.Answer, -1)
	model = s.ModelStyle(h.Answer.Model).On("●") + s.Strong.On(" "+termtext.Line(h.Answer.Model))
	for _, f := range all.Only(history.FactShape) {
		facts = append(facts, factStyle(f.Name, h, s).On(f.Text))
	}
	rest := joinFacts(all.Only(history.FactFile, history.FactNonce).Join(factGap), look.When(h.Turn.Created),
		all.Text(history.FactJudgement))
	return model, append(facts, s.Muted.On(rest))
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

// joinFacts joins facts in one line and omits empty ones.
func joinFacts(facts ...string) string {
	return termtext.Line(strings.Join(slices.DeleteFunc(facts, func(f string) bool { return f == "" }), factGap))
}
