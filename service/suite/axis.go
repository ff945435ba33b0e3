package suite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

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
		return p.Test + variablesKey(p.Vars)
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

// Entrant is an answer that can be voted on, and where it stands.
type Entrant struct {
	Point
	Slug       string // of the model
	IsProvider bool   // Model is what a suite calls the model with its parameters
	Turn       int64
	Answer     int64
	Question   int64 // the turn before it where that was sent too; 0 for none
}

// NewEntrant returns an answer by its id.
func NewEntrant(a history.VotedAnswer, answer int64) Entrant {
	e := Entrant{Point: PointOf(a.Turn, a.Model), Slug: a.Model, Turn: a.Turn.ID, Answer: answer}
	e.Name, e.Test = a.Prompt, a.Test
	e.nameModel(a.Provider)
	if a.Turn.HasContext {
		e.Question = a.Turn.Parent
	}
	return e
}

// nameModel names the model as a suite calls it, where that is not its slug.
func (e *Entrant) nameModel(provider string) {
	e.Model, e.IsProvider = e.Slug, provider != ""
	if name := ProviderName(provider); name != "" && name != e.Slug {
		e.Model = name + " (" + e.Slug + ")"
	}
}

// Entrants returns the first finished answer of each cell.
func (t Table) Entrants() (all []Entrant) {
	for _, row := range t.Rows {
		for i, cells := range row.Cells {
			isDone := func(c history.Cell) bool { return c.Answer != 0 && c.State == history.Done }
			done := slices.IndexFunc(cells, isDone)
			if done < 0 {
				continue
			}
			e := Entrant{Point: row.Point, Slug: t.Columns[i].Model, Turn: cells[done].Turn, Answer: cells[done].Answer}
			if e.nameModel(t.Columns[i].Provider); e.IsProvider {
				e.Params = t.Columns[i].Params
			}
			all = append(all, e)
		}
	}
	return all
}

// VoteScope selects the votes on the run, or on the turns, of the table.
func (t Table) VoteScope() VoteScope {
	if t.Run.ID != 0 {
		return VoteScope{Run: t.Run.ID}
	}
	scope := VoteScope{Turns: []int64{}}
	for _, row := range t.Rows {
		for _, c := range slices.Concat(row.Cells...) {
			scope.Turns = append(scope.Turns, c.Turn)
		}
	}
	return scope
}

// key identifies what was asked for the answer.
func (e Entrant) key() string {
	words := []string{strconv.FormatInt(e.Question, 10)}
	for _, axis := range AllAxes() {
		words = append(words, e.On(axis))
	}
	return strings.Join(words, "\x00")
}

// AxisBetween returns the axis on which a vote between two answers counts: the only one on which they differ. Providers
// of a suite may differ in model and parameters at once: such a vote is on the models, or the parameters of one model.
func AxisBetween(a, b Entrant) (axis Axis, ok bool) {
	differing := a.Differing(b.Point)
	if a.IsProvider && b.IsProvider && slices.Equal(differing, []Axis{AxisParams, AxisModel}) {
		differing = differing[:1]
		if a.Slug != b.Slug {
			differing[0] = AxisModel
		}
	}
	if len(differing) != 1 || a.Question != b.Question {
		return "", false
	}
	return differing[0], true
}

// PairsByAxis returns [VotePairs] of the axes on which there are some.
func PairsByAxis(entrants []Entrant) map[Axis][][2]int {
	all := map[Axis][][2]int{}
	for _, axis := range AllAxes() {
		if pairs := VotePairs(axis, entrants); len(pairs) > 0 {
			all[axis] = pairs
		}
	}
	return all
}

// maxRivals is half the number of answers that each answer is paired with at most.
const maxRivals = 8

// VotePairs returns the pairs of answers, by their indices, on which a vote counts on an axis. Of more than 17 answers
// that differ on the axis alone, each is paired with 16 others, its neighbours in the order given.
func VotePairs(axis Axis, entrants []Entrant) (pairs [][2]int) {
	var keys []string
	groups := map[string][]int{} // of answers that are the same on the other axes
	for i, e := range entrants {
		words := []string{strconv.FormatInt(e.Question, 10)}
		for _, other := range AllAxes() {
			isFree := other == axis || e.IsProvider && (axis == AxisModel || axis == AxisParams) &&
				(other == AxisModel || other == AxisParams)
			if !isFree {
				words = append(words, e.On(other))
			}
		}
		key := strings.Join(words, "\x00")
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], i)
	}
	for _, key := range keys {
		group := groups[key]
		for apart := 1; apart <= min(len(group)/2, maxRivals); apart++ {
			for i := range group {
				if 2*apart == len(group) && i >= apart { // it has this neighbour on both sides
					break
				}
				a, b := group[i], group[(i+apart)%len(group)]
				if on, ok := AxisBetween(entrants[a], entrants[b]); ok && on == axis {
					pairs = append(pairs, [2]int{a, b})
				}
			}
		}
	}
	return pairs
}
