package check

import (
	"time"

	"confab/history"
)

// Facts are what is known of an answer that is judged.
type Facts struct {
	Kind    history.Kind
	Text    string
	Picture *history.Picture // of the kinds image and edit
	Elapsed time.Duration
	Cached  bool   // reused: its time is an old one
	Aspect  string // the ratio asked for, "16:9"; empty when none was
	Source  string // sha256 of the picture an edit started from; empty when unknown
	Missing string // why there is no answer to judge; empty when there is one
}

// FactsOf returns the facts of an answer of a turn.
func FactsOf(t history.Turn, a history.Answer) Facts {
	f := Facts{
		Kind: a.Kind, Text: a.Text, Picture: a.Picture, Elapsed: a.Elapsed,
		Cached: a.Cached, Aspect: t.Aspect,
	}
	if a.State != history.Done {
		f.Missing = "the answer is " + string(a.State)
	}
	return f
}
