package suite

import (
	"context"
	"fmt"
	"strings"
	"time"

	"confab/history"
)

// The verdicts of a check, as stored, shown and exported.
const (
	Skipped = "skipped" // not judged
	Passed  = "passed"
	Failed  = "failed"
)

// checkSpec is a check as written in a suite.
type checkSpec struct {
	Type      string   // including not-
	Value     any      // nil, bool, string, json.Number, []any or map[string]any; strings may contain {{variables}}
	Threshold *float64 // finite and not negative; nil if absent
	isOwn     bool     // written under x-checks
	skip      string   // why a check of a known type is not judged, such as an unsupported option
	line      int
}

// name returns the type without not-.
func (s checkSpec) name() string { return strings.TrimPrefix(s.Type, "not-") }

// Check is a compiled check. A skipped check, such as the zero value, has no judge.
type Check struct {
	checkSpec
	kinds answerKinds
	judge judgeFunc
}

// waitsForValues is the reason for skipping a check before [Check.expand] replaces its variables.
const waitsForValues = "its variables have no values yet"

// judgeFunc reports whether the claim of a check holds.
type judgeFunc func(ctx context.Context, a AnswerInput, peer PeerFinder) checkOutcome

// checkOutcome is the result of a judge. The reason describes it in either case.
type checkOutcome struct {
	holds  bool
	reason string
	skip   string // why the answer cannot be judged
}

// answerKinds are the kinds of answers that a check applies to.
type answerKinds int

const (
	onTexts answerKinds = iota
	onPictures
	onAllKinds
)

// PeerFinder returns another model's answer to the same prompt for same-as. The name is a provider's id, label or
// slug. It may be nil.
type PeerFinder func(name string) (AnswerInput, bool)

// newCheck compiles a spec. It refuses an unknown type and a value that is missing, of a wrong type or does not
// compile. It skips types that only promptfoo judges. [Check.expand] compiles values with variables.
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
	return c.expand(nil) // replaces doubled braces
}

// expand returns the check with the variables of its value replaced. It returns a compiled check, or one skipped for
// another reason, unchanged. The error is a [MissingVariablesError] or describes the expanded value.
func (c Check) expand(values map[string]string) (expanded Check, err error) {
	if c.skip != waitsForValues {
		return c, nil
	}
	c.Value, err = mapTexts(c.Value, func(s string) (any, error) { return expandTemplate(s, values) })
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

// skipped returns the check as skipped for a reason.
func (c Check) skipped(reason string) Check {
	c.judge, c.skip = nil, reason
	return c
}

// String returns the type, the threshold and the beginning of the value.
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

// Judge returns a result for each check. Its reason is one clause in lower case without a full stop. It skips the
// remaining checks when ctx ends, and checks that would pass if the answer is in doubt.
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

// AnswerInput is the part of an answer that checks read.
type AnswerInput struct {
	Kind       history.ModelKind
	Text       string
	Picture    *history.Picture // of the kinds image and edit
	Elapsed    time.Duration
	FirstToken time.Duration // time to the first part of a text; 0 if unknown
	Cost       history.Cost
	IsCached   bool   // reused, so the time is of an earlier answer
	Aspect     string // the requested ratio, "16:9"; empty if none
	Source     string // sha256 of the source of an edit; empty if unknown
	Missing    string // why there is no answer; empty if there is one
	Doubt      string // why the answer is not as requested, such as a cut one; empty if it is
}

// InputOf returns the input of checks for an answer to a prompt with an aspect ratio.
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
