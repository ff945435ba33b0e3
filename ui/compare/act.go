package compare

import (
	"confab/history"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/keys"
)

// performCase carries out the commands that concern all answers of the case. Those
// of a run belong to turns of their own. ok is false for any other command.
func (c *Compare) performCase(command keys.Command) (wish action.Action, ok bool) {
	switch command {
	case keys.Stack:
		if c.of.Name != "" {
			return action.Notify{Severity: action.Info,
				Text: "The answers of a run stand in turns of their own: there is no conversation of them."}, true
		}
		return action.Stack{}, true
	case keys.StopAll:
		return c.stopAll(), true
	case keys.ResumeFailed:
		return c.resume(), true
	case keys.MarkWinner:
		return c.markWinner(), true
	case keys.StopAnswer:
		if x := c.current(); x.answer().State.Ended() {
			return action.Notify{Severity: action.Info, Text: "This answer has ended."}, true
		}
	}
	return nil, false
}

// describeView says what a command of [Compare.performView] has changed: not every layout and width shows it.
func (c *Compare) describeView(command keys.Command) action.Action {
	text := ""
	switch command {
	case keys.SyncScroll:
		text = "Side by side, answers scroll together " + [...]string{"by share of their length", "by lines",
			"not at all"}[c.sync] + "."
	case keys.SortAnswers:
		text = "The answers are in the order of " + [...]string{"their numbers", "their times", "their words",
			"their likeness to the pinned one"}[c.by] + "."
	case keys.ShowAnswers:
		text = "Shown: " + c.show.String() + "."
	default:
		return nil
	}
	return action.Notify{Severity: action.Info, Text: text}
}

// stopAll stops what runs of the case.
func (c *Compare) stopAll() action.Action {
	var running []int64
	for _, x := range c.cells {
		for _, s := range x.samples {
			if a := s.answer; a.ID != 0 && !a.State.Ended() {
				running = append(running, a.ID)
			}
		}
	}
	if len(running) == 0 {
		return action.Notify{Severity: action.Info, Text: "None of these answers is running."}
	}
	return action.Stop{Answers: running}
}

// resume asks again for what failed or was interrupted, of every turn in which
// that is not made up for by another sample yet.
func (c *Compare) resume() action.Action {
	var turns []int64
	for _, t := range c.of.Turns {
		if misses(t) {
			turns = append(turns, t.ID)
		}
	}
	if len(turns) == 0 {
		return action.Notify{Severity: action.Info,
			Text: "None of these answers is missing: what failed was answered since, or nothing failed."}
	}
	return action.Resume{Turns: turns}
}

// misses tells whether a model of a turn gave, or is to give, fewer answers than
// it was asked for because some failed.
func misses(t history.Turn) bool {
	good, failed := map[string]int{}, map[string]bool{}
	for _, a := range t.Answers {
		switch a.State {
		case history.Failed, history.Interrupted:
			failed[a.Model] = true
		case history.Done, history.Queued, history.Running:
			good[a.Model]++
		}
	}
	for model := range failed {
		if good[model] < max(t.Samples, 1) {
			return true
		}
	}
	return false
}

// markWinner marks the focused answer as the winner, or takes the mark back. A turn
// has one winner by itself; in a run, where each call is a turn of its own, the
// marks of the other turns are taken back.
func (c *Compare) markWinner() action.Action {
	x := c.current()
	if !x.asked() {
		return action.Notify{Severity: action.Info, Text: termtext.Line(x.name) + " was not asked for an answer to this yet."}
	}
	if !x.done() {
		return action.Notify{Severity: action.Info, Text: "Only an answer can win; this one is " + x.state(c.now) + "."}
	}
	judge := func(a history.Answer, winner bool) action.Action {
		return action.Judge{Answer: a.ID, Rating: a.Rating, Winner: winner, Note: a.Note}
	}
	won := x.answer()
	var out action.Several
	for _, o := range c.cells {
		for _, s := range o.samples {
			if a := s.answer; a.Winner && s.turn.ID != x.turn().ID {
				out = append(out, judge(a, false))
			}
		}
	}
	return append(out, judge(won, !won.Winner))
}
