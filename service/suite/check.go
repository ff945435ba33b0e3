package suite

import (
	"context"
	"fmt"
	"strings"
	"time"

	"confab/history"
)

// The verdicts of a check, as they are stored, shown and exported.
const (
	Skipped = "skipped" // not judged
	Passed  = "passed"
	Failed  = "failed"
)

// checkSpec is a check as a suite writes it.
type checkSpec struct {
	Type      string   // with its not-
	Value     any      // nil, bool, string, json.Number, []any or map[string]any; strings may hold {{variables}}
	Threshold *float64 // finite and not negative; nil when not written
	isOwn     bool     // written under x-checks
	skip      string   // why it is not judged although its type is known, such as an option that changes its meaning
	line      int
}

// name returns the type without its not-.
func (s checkSpec) name() string { return strings.TrimPrefix(s.Type, "not-") }

// Check is a check made ready to judge answers by. A check that is skipped, such as the zero value, has no judge.
type Check struct {
	checkSpec
	kinds answerKinds
	judge judgeFunc
}

// waitsForValues is why a check is skipped whose variables [Check.expand] has not replaced.
const waitsForValues = "its variables have no values yet"

// judgeFunc reports whether what a check claims holds.
type judgeFunc func(ctx context.Context, a AnswerInput, peer PeerFinder) checkOutcome

// checkOutcome is what a judge found. The reason describes it, whether the claim holds or not.
type checkOutcome struct {
	holds  bool
	reason string
	skip   string // why the answer cannot be judged
}

// answerKinds are the answers that a check is about.
type answerKinds int

const (
	onTexts answerKinds = iota
	onPictures
	onAllKinds
)

// PeerFinder finds the answer that another model gave in the same place, for same-as. The name is a provider's id,
// label or slug. It may be nil.
type PeerFinder func(name string) (AnswerInput, bool)

// newCheck returns the check of a spec, or why there is none: its type is unknown, or its value is missing, of a wrong
// kind or does not compile. A type that only promptfoo judges makes a skipped check. A value with variables is compiled
// by [Check.expand].
func newCheck(spec checkSpec) (Check, error) {
	c := Check{checkSpec: spec}
	t, isKnown := checkTypeOf(spec.name())
	switch {
	case !isKnown && isForeignCheckType(spec.name()):
		return c.skipped("confab does not judge " + spec.name()), nil
	case !isKnown:
		return c, unknownCheckType(spec.Type)
	case t.isOwn && !spec.isOwn:
		return c, fmt.Errorf("%s is a check of confab's own: write it under x-checks", spec.Type)
	case spec.skip != "":
		return c, nil
	}
	c.kinds, c.skip = t.kinds, waitsForValues
	if hasVariables(spec.Value) {
		return c, nil
	}
	return c.expand(nil) // doubled braces are single ones in what is compared
}

// expand returns the check with the variables of its value replaced. A check that is ready, or skipped for another
// reason, is returned as it is. The error is a [MissingVariablesError] or says what is wrong with the expanded value.
func (c Check) expand(values map[string]string) (expanded Check, err error) {
	if c.skip != waitsForValues {
		return c, nil
	}
	c.Value, err = mapTexts(c.Value, func(s string) (any, error) { return Expand(s, values) })
	if err != nil {
		return c, err
	}
	t, _ := checkTypeOf(c.name())
	if c.judge, err = t.compile(c.checkSpec); err != nil {
		return c, fmt.Errorf("%s %w", c.name(), err)
	}
	c.skip = ""
	return c, nil
}

// skipped returns the check as one that is not judged.
func (c Check) skipped(reason string) Check {
	c.judge, c.skip = nil, reason
	return c
}

// String returns the type, the beginning of the value, and the threshold.
func (c Check) String() string {
	s := c.Type
	if c.Value != nil {
		s += " " + shortValue(c.Value)
	}
	if c.Threshold != nil {
		s += fmt.Sprintf(" (%s)", formatNumber(*c.Threshold))
	}
	return s
}

// Judge returns a result for each check. Its reason is one clause in lower case without a full stop. Once ctx has ended
// the other checks are skipped. What would pass is skipped where the answer is in doubt.
func Judge(ctx context.Context, checks []Check, a AnswerInput, peer PeerFinder) []history.CheckResult {
	results := make([]history.CheckResult, len(checks))
	for i, c := range checks {
		verdict, reason := c.verdict(ctx, a, peer)
		results[i] = history.CheckResult{Name: c.String(), Verdict: verdict, Reason: reason}
	}
	return results
}

func (c Check) verdict(ctx context.Context, a AnswerInput, peer PeerFinder) (verdict, reason string) {
	switch {
	case c.judge == nil && c.skip == "":
		return Skipped, "there is nothing to judge"
	case c.judge == nil:
		return Skipped, c.skip
	case a.Missing != "":
		return Skipped, a.Missing
	case c.kinds == onTexts && a.Kind != history.KindText:
		return Skipped, "the answer is a picture"
	case c.kinds == onPictures && (a.Kind == history.KindText || a.Picture == nil):
		return Skipped, "the answer is no picture"
	case ctx.Err() != nil:
		return Skipped, "stopped before it was judged"
	}
	o := c.judge(ctx, a, peer)
	isNegated := c.name() != c.Type
	switch {
	case o.skip != "":
		return Skipped, o.skip
	case o.holds == isNegated:
		return Failed, o.reason
	case a.Doubt != "":
		return Skipped, a.Doubt + ", so that it proves nothing: " + o.reason
	}
	return Passed, o.reason
}

// AnswerInput is what checks look at in an answer.
type AnswerInput struct {
	Kind       history.ModelKind
	Text       string
	Picture    *history.Picture // of the kinds image and edit
	Elapsed    time.Duration
	FirstToken time.Duration // the time to the first part of a text; 0 when unknown
	Cost       history.Cost
	IsCached   bool   // reused: its time is an old one
	Aspect     string // the ratio asked for, "16:9"; empty when none was
	Source     string // sha256 of the picture an edit started from; empty when unknown
	Missing    string // why there is no answer to judge; empty when there is one
	Doubt      string // why the answer is not what was asked for, such as one that was cut; empty when it is
}

// InputOf returns what checks look at in an answer to a prompt with an aspect ratio.
func InputOf(a history.Answer, aspect string) AnswerInput {
	in := AnswerInput{Kind: a.Kind, Text: a.Text, Picture: a.Picture, Elapsed: a.Elapsed, FirstToken: a.FirstToken,
		Cost: a.Cost, IsCached: a.IsCached, Aspect: aspect}
	if a.State != history.Done {
		in.Missing = "the answer is " + string(a.State)
	}
	if a.Ending() != history.EndsWhole {
		in.Doubt = a.EndingText()
	}
	return in
}
