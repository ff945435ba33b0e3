package browse

import (
	"path/filepath"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/termtext"
	"confab/themes"
)

// maxFactBytes is how much of a text, in bytes, is set as facts.
const maxFactBytes = 4000

// factStyle returns the style of a fact of a picture: a warning where the picture has another ratio than requested.
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

// pictureLine says what a picture is in one line.
func pictureLine(h history.PictureHit, look Look, s *themes.Styles) string {
	facts := h.Turn.Facts(h.Answer, -1)
	line := modelName(h.Answer.Model, s)
	for _, f := range facts.Only(history.FactShape) {
		line += factGap + factStyle(f.Name, h, s).On(f.Text)
	}
	return line + factGap + s.Muted.On(joinFacts(facts.Only(history.FactFile, history.FactNonce).Join(factGap),
		look.When(h.Turn.Created), facts.Text(history.FactJudgement)))
}

// modelName is the name of a model behind a dot in its color.
func modelName(model string, s *themes.Styles) string {
	return s.ModelStyle(model).On("●") + s.Strong.On(" "+termtext.Line(model))
}

// fact is a line of facts with its style.
type fact struct {
	style themes.Style
	text  string
}

// pictureFacts is everything that is known of a picture.
func pictureFacts(h history.PictureHit, look Look, s *themes.Styles) []fact {
	facts := h.Turn.Facts(h.Answer, -1)
	out := []fact{{s.Text, h.Turn.Prompt}, {s.Muted, ""}, {s.ModelStyle(h.Answer.Model).Inherit(s.Strong),
		"● " + h.Answer.Model}}
	for _, f := range facts.Without(history.FactTime) {
		out = append(out, fact{factStyle(f.Name, h, s), f.Text})
	}
	when := look.When(h.Turn.Created)
	if took := facts.Text(history.FactTime); took != "" {
		when += ", took " + took
	}
	out = append(out, fact{s.Muted, when})
	if h.SessionName != "" {
		out = append(out, fact{s.Muted, "session " + h.SessionName})
	}
	path := h.Answer.Picture.Path
	return append(out, fact{s.Muted, ""}, fact{s.Text, filepath.Base(path)}, fact{s.Faint, look.Name(path)})
}

const factGap = "  "

// joinFacts sets facts in one line, without the empty ones.
func joinFacts(facts ...string) string {
	return termtext.Line(strings.Join(slices.DeleteFunc(facts, func(f string) bool { return f == "" }), factGap))
}
