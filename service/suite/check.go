package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/javascript"
)

// checkSpec is a check as written in a suite.
type checkSpec struct {
	Type      string            // including not-
	Value     any               // as decoded from JSON; texts may contain {{variables}}
	Threshold *float64          // finite and not negative; nil if absent
	Weight    *float64          // share in the score of a set or threshold; nil means 1
	metric    string            // the suite's own name of the check; may contain {{variables}}
	grader    string            // the model that judges, as written; empty for the configured one
	parts     []checkSpec       // of an assert-set
	values    map[string]string // of the variables, set by [Check.expand]
	isOwn     bool              // written under x-checks
	skip      string            // why a check of a known type is not judged, such as an unsupported option
	line      int
}

// name returns the type without not-.
func (s checkSpec) name() string { return strings.TrimPrefix(s.Type, "not-") }

// Check is a compiled check. A skipped check, such as the zero value, has no judge.
type Check struct {
	checkSpec
	kind  checkType
	judge judgeFunc
	size  int // of a set: number of checks before it that it counts; 0 for any other check
}

// waitsForValues is the reason for skipping a check before [Check.expand] replaces its variables.
const waitsForValues = "its variables have no values yet"

// judgeFunc reports whether the claim of a check holds.
type judgeFunc func(ctx context.Context, a AnswerInput, peer PeerFinder) checkOutcome

// checkOutcome is the result of a judge. The reason describes it in either case.
type checkOutcome struct {
	holds    bool
	reason   string
	skip     string // why the answer cannot be judged
	isBroken bool   // the check failed to run: it fails, also with not-
	grade    *history.Grade
	score    *float64 // nil means 1 for a check that passes and 0 for one that fails
}

// answerKinds are the kinds of answers that a check applies to.
type answerKinds int

const (
	onTexts   answerKinds = iota
	onEndings             // texts, cut and refused ones as well
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
	case spec.Type == setType:
		return c, errors.New("an assert-set cannot be part of another")
	case !isKnown && isForeignCheckType(spec.name()):
		return c.skipped("confab does not judge " + spec.name()), nil
	case !isKnown:
		return c, unknownCheckType(spec.Type)
	case t.isOwn && !spec.isOwn:
		return c, fmt.Errorf("%s is a check of confab's own: write it under x-checks", spec.Type)
	case spec.skip != "":
		return c, nil
	}
	c.kind, c.skip = t, waitsForValues
	if hasVariables(spec.Value) || hasVariables(spec.metric) || t.readsValues {
		return c, nil
	}
	return c.expand(nil) // replaces doubled braces
}

// expand returns the check with the variables of its value and metric replaced, and a set with those of its metric. It
// returns a compiled check, or one skipped for another reason, unchanged. The error is a [MissingVariablesError] or
// describes the expanded value.
func (c Check) expand(values map[string]string) (expanded Check, err error) {
	metric, metricErr := expandTemplate(c.metric, values)
	if isSet := c.size > 0; metricErr == nil && (isSet || c.skip == waitsForValues) {
		c.metric = metric // it decides nothing: where a variable is missing, it stays as written
	}
	if c.skip != waitsForValues {
		return c, nil
	}
	c.Value, err = mapTexts(c.Value, func(s string) (any, error) { return expandTemplate(s, values) })
	if err != nil {
		return c, err
	}
	c.values = values
	if c.judge, err = c.kind.compile(c.checkSpec); err != nil {
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
	results, scores := make([]history.CheckResult, len(checks)), make([]float64, len(checks))
	for _, needsModel := range []bool{false, true} { // a model costs, so its checks are the last
		for i, c := range checks {
			if c.size == 0 && c.kind.needsModel == needsModel {
				results[i], scores[i] = c.result(ctx, a, peer)
			}
		}
	}
	for i, c := range checks {
		if c.size > 0 {
			results[i], scores[i] = combine(c, checks[i-c.size:i], results[i-c.size:i], scores[i-c.size:i])
		}
	}
	if !slices.ContainsFunc(results, func(r history.CheckResult) bool { return r.Advisory == "" }) {
		for i := range results {
			results[i].Verdict, results[i].Advisory, results[i].Reason = history.CheckSkipped, "", "its weight is 0"
		}
	}
	return results
}

// result judges a check that is no set.
func (c Check) result(ctx context.Context, a AnswerInput, peer PeerFinder) (history.CheckResult, float64) {
	o := c.outcome(ctx, a, peer)
	r := history.CheckResult{Name: c.String(), Metric: c.metric, Verdict: history.CheckFailed,
		Reason: cmp.Or(o.skip, o.reason), Grade: o.grade}
	score := 0.0
	switch {
	case o.skip != "":
		r.Verdict = history.CheckSkipped
	case o.holds:
		r.Verdict, score = history.CheckPassed, 1
	}
	if o.score != nil {
		score, r.Score = *o.score, *o.score
	}
	if c.weight() == 0 && r.Verdict != history.CheckSkipped {
		r.Verdict, r.Advisory = "", r.Verdict
	}
	return r, score
}

// outcome judges an answer, and negates the claim of a check with not-.
func (c Check) outcome(ctx context.Context, a AnswerInput, peer PeerFinder) checkOutcome {
	skip := ""
	switch {
	case c.judge == nil:
		skip = cmp.Or(c.skip, "there is nothing to judge")
	case a.Missing != "":
		skip = a.Missing
	case c.kind.answers < onPictures && a.Kind != history.KindText:
		skip = "the answer is a picture"
	case c.kind.answers == onPictures && (a.Kind == history.KindText || a.Picture == nil):
		skip = "the answer is no picture"
	case ctx.Err() != nil:
		skip = "stopped before it was judged"
	}
	if skip != "" {
		return checkOutcome{skip: skip}
	}
	o := c.judge(ctx, a, peer)
	o.holds = o.holds != (c.name() != c.Type) && !o.isBroken
	if o.skip == "" && o.holds && a.Doubt != "" && c.kind.answers != onEndings {
		o.skip = a.Doubt + ", so that it proves nothing: " + o.reason
	}
	return o
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
	Prompt     string // as sent
	Scripts    javascript.Interpreter
	Finish     chat.FinishReason
	Grade      GradeFunc // nil without a grader
	Doubt      string    // why the answer is not as requested, such as a cut one; empty if it is
}

// InputOf returns the input of checks for an answer to a prompt with an aspect ratio.
func InputOf(a history.Answer, aspect string) AnswerInput {
	in := AnswerInput{Kind: a.Kind, Text: a.Text, Picture: a.Picture, Elapsed: a.Elapsed, FirstToken: a.FirstToken,
		Cost: a.Cost, IsCached: a.IsCached, Aspect: aspect, Finish: a.Finish}
	if a.State != history.Done {
		in.Missing = "the answer is " + a.State.Word()
	}
	if a.Ending() != history.EndsWhole {
		in.Doubt = a.EndingText()
	}
	return in
}
