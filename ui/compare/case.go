package compare

import (
	"fmt"
	"slices"

	"confab/history"
	"confab/service"
	"confab/ui/action"
)

// Case is what is compared: the answers of some models to one prompt.
type Case struct {
	Turns         []int64 // one of a conversation; of a run one for each call
	Only          []int64 // the answers of these turns that are shown; nil for all
	IsPair        bool    // two answers whose difference was asked for
	HasOtherTurns bool    // the conversation has turns that are not shown
	Name          string  // "refund-tone  run 12  3/30"; empty in a conversation
	// Branch is the name of each turn among its siblings, where branches are compared.
	Branch map[int64]string

	// Of a table:
	Columns []string                        // names of its models, in its order
	Named   map[Asked]string                // names among Columns
	Checks  map[int64][]history.CheckResult // by answer
	Run     int64                           // 0 in a conversation
	Table   int64                           // the first of the turns in a table of turns
	Row     int                             // of the table
}

// Asked is a model that was asked in a turn.
type Asked struct {
	Turn  int64
	Model string
}

// isSame reports whether two cases show the same prompt of the same turn.
func (content Case) isSame(other Case) bool {
	if content.Name != other.Name || content.Table != other.Table || len(content.Turns) == 0 || len(other.Turns) == 0 {
		return content.Name != "" && content.Name == other.Name && content.Table == other.Table
	}
	return content.Name != "" || content.Turns[0] == other.Turns[0]
}

// prompt returns what was asked: of branches, their template where they differ by its values, else what the focused
// answer answers.
func (v *View) prompt() string {
	if len(v.content.Turns) == 0 {
		return ""
	}
	id := v.content.Turns[0]
	if x := v.current(); x != nil && len(v.content.Branch) > 0 {
		id = x.turn().ID
	}
	t, _ := v.turns.Turn(id)
	for i, id := range v.content.Turns {
		if o, _ := v.turns.Turn(id); len(v.content.Branch) == 0 || len(o.Vars) == 0 || o.Template != t.Template {
			break
		} else if i == len(v.content.Turns)-1 {
			return t.Template
		}
	}
	return t.Prompt
}

// samples returns all answers in the order of the columns, and a queued one for each column without an answer.
func (v *View) samples() []sample {
	var all []sample
	content := v.content
	for _, id := range content.Turns {
		t, _ := v.turns.Turn(id)
		for _, a := range t.Answers {
			if content.Only == nil || slices.Contains(content.Only, a.ID) {
				all = append(all, sample{turns: v.turns, turnID: id, id: a.ID, checks: content.Checks[a.ID]})
			}
		}
	}
	if len(content.Columns) == 0 {
		return all
	}
	var out []sample
	for _, name := range content.Columns {
		before := len(out)
		for _, s := range all {
			if content.Named[Asked{s.turnID, s.answer().Model}] == name {
				out = append(out, s)
			}
		}
		if len(out) == before {
			out = append(out, sample{turns: v.turns, column: name})
		}
	}
	return out
}

// cellName returns the name of the cell of a sample. Samples of a text share a cell. Every picture has its own cell, so
// that pictures of one model can be compared, unless it was requested again after a failure.
func (content Case) cellName(s sample, cells []*cell) string {
	a := s.answer()
	name := a.Model
	if column := content.Named[Asked{s.turnID, a.Model}]; column != "" {
		name = column
	}
	if branch := content.Branch[s.turnID]; branch != "" {
		name += " · " + branch
	}
	if !isPictureKind(a.Kind) {
		return name
	}
	unique := name
	for n := 2; ; n++ {
		i := slices.IndexFunc(cells, func(c *cell) bool { return c.name == unique })
		if i < 0 || cells[i].hadFailedBefore(a) {
			return unique
		}
		unique = fmt.Sprintf("%s #%d", name, n)
	}
}

func isPictureKind(k history.ModelKind) bool { return k == history.KindImage || k == history.KindEdit }

func (v *View) stopAll() action.Action {
	var running []int64
	for _, x := range v.cells {
		for _, s := range x.samples {
			if a := s.answer(); a.ID != 0 && !a.State.HasEnded() {
				running = append(running, a.ID)
			}
		}
	}
	if len(running) == 0 {
		return notifyInfo("No answer is running.")
	}
	return action.Stop{Answers: running}
}

// resumeFailed requests failed and interrupted answers again.
func (v *View) resumeFailed() action.Action {
	var turns []int64
	for _, id := range v.content.Turns {
		if t, _ := v.turns.Turn(id); len(service.MissingAnswers(t)) > 0 {
			turns = append(turns, id)
		}
	}
	if len(turns) == 0 {
		return notifyInfo("No failed answer to ask again.")
	}
	return action.Resume{Turns: turns}
}

// toggleBest marks the focused answer as the best, or removes the mark. In the row of a table, where each call is a
// turn, the answers of the other turns lose the mark.
func (v *View) toggleBest() action.Action {
	x := v.current()
	if !x.isDone() {
		return notifyInfo("Only a finished answer can be the best; this one is " + x.answer().State.Word() + ".")
	}
	toggle := action.ToggleBest{Answer: x.answer().ID}
	for _, o := range v.cells {
		for _, s := range o.samples {
			if a := s.answer(); a.IsWinner && s.turnID != x.turn().ID && len(v.content.Branch) == 0 {
				toggle.Others = append(toggle.Others, a.ID)
			}
		}
	}
	return toggle
}
