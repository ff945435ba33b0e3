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
	Turns []history.Turn // one of a conversation; of a run one for each call
	// HasOtherTurns is set where the conversation has turns that are not shown.
	HasOtherTurns bool
	Name          string                          // "refund-tone  run 12  3/30"; empty in a conversation
	Columns       []string                        // of a run: the names of its models, in its order
	Named         map[int64]string                // of a run: by turn, its name among Columns
	Checks        map[int64][]history.CheckResult // of a run: by answer
	Concurrency   int                             // of a run: its concurrency; 0 where it is not known
	Run           int64                           // 0 in a conversation
	Row           int                             // of the table of the run
}

// isSame tells whether two cases are about the same prompt of the same turn.
func (content Case) isSame(other Case) bool {
	if content.Name != other.Name || len(content.Turns) == 0 || len(other.Turns) == 0 {
		return content.Name != "" && content.Name == other.Name
	}
	return content.Name != "" || content.Turns[0].ID == other.Turns[0].ID
}

func (content Case) prompt() string {
	if len(content.Turns) == 0 {
		return ""
	}
	return content.Turns[0].Prompt
}

// samples returns all answers in the order of the columns, and a queued one for each column that was not asked for yet.
func (content Case) samples() []sample {
	var all []sample
	for _, t := range content.Turns {
		for _, a := range t.Answers {
			all = append(all, sample{turn: t, answer: a, checks: content.Checks[a.ID]})
		}
	}
	if len(content.Columns) == 0 {
		return all
	}
	var out []sample
	for _, name := range content.Columns {
		before := len(out)
		for _, s := range all {
			if content.Named[s.turn.ID] == name {
				out = append(out, s)
			}
		}
		if len(out) == before {
			out = append(out, sample{answer: history.Answer{Model: name, State: history.Queued}})
		}
	}
	return out
}

// cellName returns the name of the cell of a sample. Every picture is a cell of its own, so that pictures of one model
// can be compared, but for one that was asked for because another failed; further samples of a text share its cell.
func (content Case) cellName(s sample, cells []*cell) string {
	name := s.answer.Model
	if column := content.Named[s.turn.ID]; column != "" {
		name = column
	}
	if !isPictureKind(s.answer.Kind) {
		return name
	}
	unique := name
	for n := 2; ; n++ {
		i := slices.IndexFunc(cells, func(c *cell) bool { return c.name == unique })
		if i < 0 || cells[i].hadFailedBefore(s.answer) {
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
			if a := s.answer; a.ID != 0 && !a.State.HasEnded() {
				running = append(running, a.ID)
			}
		}
	}
	if len(running) == 0 {
		return notifyInfo("None of these answers is running.")
	}
	return action.Stop{Answers: running}
}

// resumeFailed asks again for what failed or was interrupted, in every turn that misses answers.
func (v *View) resumeFailed() action.Action {
	var turns []int64
	for _, t := range v.content.Turns {
		if len(service.MissingAnswers(t)) > 0 {
			turns = append(turns, t.ID)
		}
	}
	if len(turns) == 0 {
		return notifyInfo("None of these answers is missing: what failed was answered since, or nothing failed.")
	}
	return action.Resume{Turns: turns}
}

// markWinner marks the focused answer as the winner, or removes the mark. The store keeps one winner a turn; in a run,
// where each call is a turn of its own, the marks of the other turns are removed here.
func (v *View) markWinner() action.Action {
	x := v.current()
	if !x.isDone() {
		return notifyInfo("Only an answer can win; this one is " + x.stateText(v.env.Now()) + ".")
	}
	judge := func(a history.Answer, isWinner bool) action.Action {
		return action.Judge{Answer: a.ID, Rating: a.Rating, Winner: isWinner, Note: a.Note}
	}
	var out action.Sequence
	for _, o := range v.cells {
		for _, s := range o.samples {
			if s.answer.IsWinner && s.turn.ID != x.turn().ID {
				out = append(out, judge(s.answer, false))
			}
		}
	}
	return append(out, judge(x.answer(), !x.answer().IsWinner))
}
