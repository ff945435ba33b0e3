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

// Run is a set of related answers: those of a suite's run, a session or a turn.
type Run struct {
	ID      int64 // zero without a suite
	Name    string
	Created time.Time
	Cells   []Cell
	Votes   string // on the answers, in a sentence; may be empty
	LeftOut int    // turns of a session that are left out, because they are on other branches
}

// Cell is one answer of a run with its question and the results of its checks. Cells with the same Number are samples
// of one question to one model.
type Cell struct {
	Number        int    // from 1; zero if answers are not numbered
	Provider      string // the suite's name of the model; empty without a suite
	Prompt        string // the suite's name of the prompt; empty without a suite
	Description   string // of the test; may be empty
	Vars          map[string]string
	Checks        []history.CheckResult
	EarlierChecks [][]history.CheckResult
	Votes         *history.Tally // of the votes that the user may see; nil without any
	Turn          history.Turn   // without its Answers
	Answer        history.Answer
	// IsUnsaved reports that the permanent history does not hold the answer. Ids that would name other entries there
	// are zero.
	IsUnsaved bool
}

// Options are the inputs of the writers besides the run.
type Options struct {
	// Picture returns the bytes of an answer's picture. If it is nil or fails, the file is named and not embedded.
	Picture func(ctx context.Context, a history.Answer) ([]byte, error)
	// Path returns the path to write for a stored path of a picture, such as a relative one; empty for none. If it is
	// nil, the stored path is written.
	Path func(path string) string
	// IsExactCSV leaves CSV cells unchanged that spreadsheet programs evaluate as formulas.
	IsExactCSV bool
	// HasReasoning includes the reasoning of models.
	HasReasoning bool
}

func (o Options) path(path string) string {
	if path == "" || o.Path == nil {
		return path
	}
	return o.Path(path)
}

// variables returns the sorted names of all variables of the run.
func (r Run) variables() []string {
	names := map[string]bool{}
	for _, c := range r.Cells {
		for name := range c.Vars {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// checks returns the names of all checks of the run in order of appearance, as often as one cell has them.
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

// checkNames returns a unique name for each check of the cell.
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

// checkLabels returns the name of each check for people.
func (c Cell) checkLabels() (labels []string) {
	for _, check := range c.Checks {
		labels = append(labels, suite.CheckLabel(check))
	}
	return labels
}

// failure returns on one line why there is no answer; empty if there is one.
func (c Cell) failure() string {
	if f := c.Answer.Failure; f != nil {
		return strings.TrimPrefix(f.Code+": "+f.Message, ": ")
	}
	return ""
}

// rating returns a person's rating as a word.
func rating(r history.Rating) string {
	return map[history.Rating]string{history.Good: "good", history.Bad: "bad"}[r]
}

// status returns the status of a cell of a suite's run; empty without a suite.
func (c Cell) status() history.CellStatus {
	if c.Prompt == "" {
		return ""
	}
	return history.StatusOf(c.Answer.State, c.Answer.Ending(), c.Checks)
}

// heading returns the model and facts of the answer on one line.
func (c Cell) heading() string {
	return oneLine(strings.Join(append([]string{c.modelName()}, c.about()...), " · "))
}

// timestamp formats a time for people.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// modelName returns the model of an answer after its label in the suite.
func (c Cell) modelName() string {
	if name := suite.ProviderName(c.Provider); name != "" && name != c.Answer.Model {
		return name + " (" + c.Answer.Model + ")"
	}
	return c.Answer.Model
}

// about returns the verdict, if there is a suite, and the facts of an answer.
func (c Cell) about() []string {
	status := c.status()
	if status == "" {
		return c.facts()
	}
	verdict := status.String()
	if earlier := history.VerdictsOf(c.Answer.Ending(), c.EarlierChecks); earlier != "" {
		verdict += " (judged before: " + earlier + ")"
	}
	return append([]string{verdict}, c.facts()...)
}

// facts returns the facts of an answer such as "1.90 s", "63 words", "3/3 checks", without the note.
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

// group is the cells of one question, which are shown side by side. Templates use its fields.
type group struct {
	First Cell
	Cells []Cell
}

// Params returns the parameters of all answers; empty if they differ.
func (g group) Params() string {
	text := paramsText(g.First.Turn.Params)
	for _, c := range g.Cells {
		if paramsText(c.Turn.Params) != text {
			return ""
		}
	}
	return text
}

// ParamsOf returns the parameters of an answer if those of the group differ.
func (g group) ParamsOf(c Cell) string {
	if text := paramsText(c.Turn.Params); text != g.Params() {
		return text
	}
	return ""
}

// groups returns the cells by question, in order.
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

// question returns a key of the question's content. Numbers differ between models with the same question.
func (c Cell) question() string {
	parts := []string{c.Description, c.Prompt, c.Turn.Prompt, c.Turn.System, c.Turn.Aspect}
	if s := c.Turn.Source; s != nil {
		parts = append(parts, fmt.Sprint(s.Answer), s.Path, s.URL)
	}
	for _, f := range c.Turn.Files {
		parts = append(parts, f.Name, f.SHA256)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Vars)) {
		parts = append(parts, name, c.Vars[name])
	}
	return fmt.Sprintf("%q", parts)
}

// title returns the name of the run for people.
func (r Run) title() string {
	title := cmp.Or(oneLine(r.Name), "confab")
	if r.ID != 0 {
		title += fmt.Sprintf(", run %d", r.ID)
	}
	return title
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// isPartial reports whether the text of the answer is incomplete.
func (c Cell) isPartial() bool {
	a := c.Answer
	return a.Kind == history.KindText && a.State != history.Done && a.Text != ""
}

// partialNote returns a note to show before an incomplete text; empty for others.
func (c Cell) partialNote() string {
	if !c.isPartial() {
		return ""
	}
	if c.Answer.State == history.Running {
		return "The answer is still being written; so far:"
	}
	return "The answer broke off (" + c.Answer.State.Word() + "); only this came of it:"
}

// reasoning returns the model's reasoning if it is included.
func (o Options) reasoning(a history.Answer) string {
	if !o.HasReasoning {
		return ""
	}
	return a.Reasoning
}

// paramsText returns parameters as JSON; empty if none is set.
func paramsText(p history.Params) string {
	if p.IsZero() {
		return ""
	}
	b, err := json.Marshal(p)
	if err != nil { // what was decoded from JSON can be encoded
		panic("export: parameters: " + err.Error())
	}
	return string(b)
}
