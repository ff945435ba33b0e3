package compare

import (
	"confab/history"
)

// Case is what is compared: what some models answered to one prompt.
type Case struct {
	Turns   []history.Turn                  // of a conversation one; of a run one for each call
	Name    string                          // where it belongs, "refund-tone  run 12  3/30"; empty in a conversation
	Columns []string                        // of a run: the names of its models, in its order
	Named   map[int64]string                // of a run: by turn, which of Columns it is
	Checks  map[int64][]history.CheckResult // of a run: by answer
	AtOnce  int                             // of a run: how many calls were made side by side; 0 where it is not known
}

// same tells whether two cases are about the same prompt of the same turn.
func (of Case) same(other Case) bool {
	if of.Name != other.Name || len(of.Turns) == 0 || len(other.Turns) == 0 {
		return of.Name != "" && of.Name == other.Name
	}
	return of.Name != "" || of.Turns[0].ID == other.Turns[0].ID
}

// first is the turn whose prompt is shown.
func (of Case) first() history.Turn {
	if len(of.Turns) == 0 {
		return history.Turn{}
	}
	return of.Turns[0]
}

// samples returns all answers in the order of the columns, and a queued one for
// each column that was not asked for yet.
func (of Case) samples() []sample {
	var all []sample
	for _, t := range of.Turns {
		for _, a := range t.Answers {
			all = append(all, sample{turn: t, answer: a, checks: of.Checks[a.ID]})
		}
	}
	if len(of.Columns) == 0 {
		return all
	}
	var out []sample
	for _, name := range of.Columns {
		before := len(out)
		for _, s := range all {
			if of.Named[s.turn.ID] == name {
				out = append(out, s)
			}
		}
		if len(out) == before {
			out = append(out, sample{answer: history.Answer{Model: name, State: history.Queued}})
		}
	}
	return out
}

// column names the cell of a sample.
func (of Case) column(s sample) string {
	if name := of.Named[s.turn.ID]; name != "" {
		return name
	}
	return s.answer.Model
}
