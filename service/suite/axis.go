package suite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
)

// Axis is one of the ways in which the answers of a table differ.
type Axis string

const (
	AxisPrompt Axis = "prompt" // the text and the system prompt: the variant
	AxisValues Axis = "values" // of variables, with the pictures and files that were sent
	AxisParams Axis = "parameters"
	AxisModel  Axis = "model"
)

// AllAxes returns the axes in display order.
func AllAxes() []Axis { return []Axis{AxisPrompt, AxisValues, AxisParams, AxisModel} }

// Point is where an answer stands on all axes.
type Point struct {
	Model          string // slug, or what the suite calls the model
	Name           string // what the suite calls the prompt; empty for a prompt that was sent by hand
	Prompt, System string // with variables in place of their values
	Test           string // description of the suite's test
	Vars           map[string]string
	Params         history.Params
}

// PointOf returns where the answers of a turn by a model stand.
func PointOf(t history.Turn, model string) Point {
	p := Point{Model: model, Prompt: cmp.Or(t.Template, t.Prompt), System: cmp.Or(t.SystemTemplate, t.System),
		Vars: t.Vars, Params: t.Params.WithAspect(t.Aspect)}
	sent := map[string]string{}
	if t.Source != nil {
		sent["source picture"] = cmp.Or(t.Source.Path, t.Source.URL)
	}
	for i, f := range t.Files {
		sent["file "+strconv.Itoa(i+1)] = f.Name
	}
	if len(sent) > 0 {
		maps.Copy(sent, t.Vars)
		p.Vars = sent
	}
	return p
}

// On identifies the position of a point on an axis: points with the same one do not differ there.
func (p Point) On(a Axis) string {
	switch a {
	case AxisPrompt:
		return p.Name + "\x00" + p.Prompt + "\x00" + p.System
	case AxisValues:
		return p.Test + VariablesKey(p.Vars)
	case AxisParams:
		b, _ := json.Marshal(p.Params) // values that came from JSON
		return string(b)
	}
	return p.Model
}

// Differing returns the axes on which two points differ.
func (p Point) Differing(o Point) (axes []Axis) {
	for _, a := range AllAxes() {
		if p.On(a) != o.On(a) {
			axes = append(axes, a)
		}
	}
	return axes
}

// isNamed reports whether the suite calls the prompt by more than a number.
func (p Point) isNamed() bool {
	_, err := strconv.Atoi(p.Name)
	return p.Name != "" && err != nil
}

// param returns the value of a parameter in a few words; empty if it is not set.
func (p Point) param(name string) string {
	value, isSet := p.Params[name]
	if !isSet {
		return ""
	}
	text := fmt.Sprint(value)
	if _, isText := value.(string); !isText {
		b, _ := json.Marshal(value) // values that came from JSON
		text = string(b)
	}
	return ansi.Truncate(OneLine(text), maxValueWidth, "…")
}
