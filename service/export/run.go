package export

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/service/suite"
)

// Run is a set of answers that are looked at together: those of a suite, of a session or of a turn.
type Run struct {
	ID      int64 // zero for what no suite asked
	Name    string
	Created time.Time
	Cells   []Cell
	Votes   string // on the answers, in a sentence; empty without any
}

// Cell is one answer of a run, with what was asked and what its checks say. Cells with the same Number are samples of
// one question to one model.
type Cell struct {
	Number      int    // from 1; zero where answers are not numbered
	Provider    string // what the suite calls the model; empty for an answer that no suite asked for
	Prompt      string // the suite's name of the prompt; the same
	Description string // of the test; empty when it has none
	Vars        map[string]string
	Checks      []history.CheckResult
	// EarlierChecks are as those of [history.Cell].
	EarlierChecks [][]history.CheckResult
	Votes         *history.Tally // of those on the answer, as far as the user may know them; nil without any
	Turn          history.Turn   // without its Answers
	Answer        history.Answer
	// IsUnsaved says that the history on disk does not hold the answer. Ids that would name other entries there
	// are zero.
	IsUnsaved bool
}

// Options are what the writers need from outside.
type Options struct {
	// Picture returns the bytes of an answer's picture. Without it, or where it fails, the file is named and not
	// embedded.
	Picture func(ctx context.Context, a history.Answer) ([]byte, error)
	// Path returns the path of a picture as it is written, such as relative to the file; empty where there is none.
	// Without it the path is written as it is stored.
	Path func(path string) string
	// IsExactCSV leaves cells of a CSV as they are that spreadsheet programs take for formulas.
	IsExactCSV bool
	// HasReasoning writes what models wrote before their answers, too.
	HasReasoning bool
}

func (o Options) path(path string) string {
	if path == "" || o.Path == nil {
		return path
	}
	return o.Path(path)
}

// variables returns the names of all variables of the run, sorted.
func (r Run) variables() []string {
	names := map[string]bool{}
	for _, c := range r.Cells {
		for name := range c.Vars {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// checks returns the names of all checks of the run in the order in which they are first met; a name that a cell has
// twice is there twice.
func (r Run) checks() []string {
	var names []string
	seen := map[string]bool{}
	for _, c := range r.Cells {
		for _, name := range c.checkNames() {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// checkNames returns a name for each check of the cell, no two the same.
func (c Cell) checkNames() []string {
	names := make([]string, len(c.Checks))
	used := map[string]bool{}
	for i, check := range c.Checks {
		name := check.Name
		for n := 2; used[name]; n++ {
			name = fmt.Sprintf("%s (%d)", check.Name, n)
		}
		used[name] = true
		names[i] = name
	}
	return names
}

// failure returns why there is no answer, as one line; empty when there is one.
func (c Cell) failure() string {
	if f := c.Answer.Failure; f != nil {
		return strings.TrimPrefix(f.Code+": "+f.Message, ": ")
	}
	return ""
}

// rating returns a person's judgement as a word.
func rating(r history.Rating) string {
	return map[history.Rating]string{history.Good: "good", history.Bad: "bad"}[r]
}

// status returns what came of the cell of a suite's run; it is empty for an answer that no suite asked for.
func (c Cell) status() history.CellStatus {
	if c.Prompt == "" {
		return ""
	}
	return history.StatusOf(c.Answer.State, c.Checks)
}

// heading names the answer in one line: its model and its facts.
func (c Cell) heading() string {
	return oneLine(strings.Join(append([]string{c.modelName()}, c.about()...), " · "))
}

// timestamp writes a time for people.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// modelName names the model of an answer, after the label that a suite gives it.
func (c Cell) modelName() string {
	if name := suite.ProviderName(c.Provider); name != "" && name != c.Answer.Model {
		return name + " (" + c.Answer.Model + ")"
	}
	return c.Answer.Model
}

// about returns what is said of an answer beside its model: its verdict, where a suite asked for it, and its facts.
func (c Cell) about() []string {
	status := c.status()
	if status == "" {
		return c.facts()
	}
	verdict := string(status)
	if status.Verdict() == history.VerdictInconclusive {
		verdict = string(history.VerdictInconclusive) + ": " + verdict
	}
	if earlier := history.VerdictsOf(c.EarlierChecks); earlier != "" {
		verdict += " (judged before: " + earlier + ")"
	}
	return append([]string{verdict}, c.facts()...)
}

// facts returns what is said of an answer beside its model, such as "1.90 s", "63 words", "3/3 checks". Its note stands
// below it.
func (c Cell) facts() []string {
	words := -1
	if size, ok := c.size(); ok {
		words = size.Words
	}
	var out []string
	for _, f := range c.Turn.Facts(c.Answer, words).Without(history.FactNote) {
		out = append(out, oneLine(f.Text))
	}
	if text := suite.CountChecks(c.Checks).String(); text != "" {
		out = append(out, text)
	}
	return out
}

// group is the cells that answer one question, which are put side by side. Its fields are for templates.
type group struct {
	First Cell
	Cells []Cell
}

// Params returns the parameters of all answers; empty where they were not asked with the same ones.
func (g group) Params() string {
	text := paramsText(&g.First.Turn.Params)
	for _, c := range g.Cells {
		if paramsText(&c.Turn.Params) != text {
			return ""
		}
	}
	return text
}

// ParamsOf returns the parameters of an answer where those of the group are not all the same.
func (g group) ParamsOf(c Cell) string {
	if text := paramsText(&c.Turn.Params); text != g.Params() {
		return text
	}
	return ""
}

// groups returns the cells by what was asked, in order.
func (r Run) groups() []group {
	var out []group
	at := map[string]int{}
	for _, c := range r.Cells {
		key := c.question()
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, group{First: c})
		}
		out[i].Cells = append(out[i].Cells, c)
	}
	return out
}

// question tells questions apart: by what was asked, not by its number, which two models that were asked the same do
// not share.
func (c Cell) question() string {
	parts := []string{c.Description, c.Prompt, c.Turn.Prompt, c.Turn.System, c.Turn.Aspect}
	if s := c.Turn.Source; s != nil {
		parts = append(parts, fmt.Sprint(s.Answer), s.Path, s.URL)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Vars)) {
		parts = append(parts, name, c.Vars[name])
	}
	return fmt.Sprintf("%q", parts)
}

// title names the run for people.
func (r Run) title() string {
	title := cmp.Or(oneLine(r.Name), "confab")
	if r.ID != 0 {
		title += fmt.Sprintf(", run %d", r.ID)
	}
	return title
}

// oneLine returns s without line breaks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// isPartial reports whether the text of the answer is only what came of it.
func (c Cell) isPartial() bool {
	a := c.Answer
	return a.Kind == history.KindText && a.State != history.Done && a.Text != ""
}

// partialNote stands before a text of which only a part came, so that it does not read as whole; empty for others.
func (c Cell) partialNote() string {
	if !c.isPartial() {
		return ""
	}
	if c.Answer.State == history.Running {
		return "The answer is still being written; so far:"
	}
	return "The answer broke off (" + string(c.Answer.State) + "); only this came of it:"
}

// reasoning returns what the model wrote before its answer, where that is wanted.
func (o Options) reasoning(a history.Answer) string {
	if !o.HasReasoning {
		return ""
	}
	return a.Reasoning
}

// paramsText writes parameters as JSON; empty where none is set.
func paramsText(p *history.Params) string {
	if p == nil || p.IsZero() {
		return ""
	}
	b, err := json.Marshal(p)
	if err != nil { // as in [history.Params.Values]
		panic("export: parameters: " + err.Error())
	}
	return string(b)
}
