package history

import "slices"

// Event tells that an answer of a turn is now as given. It carries the whole
// answer, so that applying the same event twice, or a late one, does no harm.
type Event struct {
	Turn   int64
	Answer Answer
}

// Apply returns the turn after the event. It is pure: the turn passed in keeps
// its answers. Events of other turns and stale ones (a version not newer than
// the one held) change nothing; an answer not seen before is a new sample and
// stands after the last one of its model.
func Apply(t Turn, e Event) Turn {
	if e.Turn != t.ID {
		return t
	}
	at := slices.IndexFunc(t.Answers, func(a Answer) bool { return a.ID == e.Answer.ID })
	if at >= 0 {
		if e.Answer.Version <= t.Answers[at].Version {
			return t
		}
		t.Answers = slices.Clone(t.Answers)
		t.Answers[at] = e.Answer
		return t
	}
	t.Answers = slices.Insert(slices.Clone(t.Answers), placeOf(t.Answers, e.Answer.Model), e.Answer)
	return t
}

// placeOf returns where a further sample of a model belongs among the answers
// of a turn: after the last one of the model, or at the end.
func placeOf(answers []Answer, model string) int {
	for at := len(answers); at > 0; at-- {
		if answers[at-1].Model == model {
			return at
		}
	}
	return len(answers)
}
