package suite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/termtext"
)

// The verdicts of a check, as they are stored, shown and exported.
const (
	Skipped = "skipped" // not judged
	Passed  = "passed"
	Failed  = "failed"
)

// Spec is a check as a suite writes it.
type CheckSpec struct {
	Type      string   // with its not-
	Value     any      // nil, bool, string, json.Number, []any or map[string]any; strings may hold {{variables}}
	Threshold *float64 // nil when not written
	IsOwn     bool     // written under x-checks
	// NotJudged is why the check is not judged although its type is known, such
	// as an option that changes what it means; empty otherwise.
	NotJudged string
}

// Check is a [Spec] made ready. The zero value is skipped.
type Check struct {
	spec  CheckSpec
	rule  checkRule
	judge judgeFunc // nil when it is skipped
	skip  string    // why it is not judged
}

// waiting is why a check is skipped whose variables [Check.Expand] has not replaced.
const waitsForValues = "its variables have no values yet"

// judgeFunc tells whether what a check claims holds.
type judgeFunc func(ctx context.Context, f AnswerInput, peer PeerFinder) checkOutcome

// checkOutcome is a judge's answer. The reason words what was found, whether it holds or
// not; skip is why the answer cannot be judged.
type checkOutcome struct {
	holds  bool
	reason string
	skip   string
}

// answerKind says which answers a check is about.
type answerKind int

const (
	onText answerKind = iota
	onPicture
	onAny
)

// Peer finds the answer another model gave in the same place, for same-as. The
// name is as the check has it: a provider's id, label or slug. It may be nil.
type PeerFinder func(name string) (AnswerInput, bool)

// New returns the check, or the reason why it cannot be one: its type is unknown, or its value is missing, of a wrong
// kind or does not compile. A type that only promptfoo judges is no error: the check is skipped. A value with variables
// is compiled by [Check.Expand].
func newCheck(spec CheckSpec) (Check, error) {
	c := Check{spec: spec}
	name := strings.TrimPrefix(spec.Type, "not-")
	r, known := ruleOf(name)
	switch {
	case name == "":
		return c, errors.New("a check needs a type")
	case !known && isForeignCheckType(name):
		return c.Skip("confab does not judge " + name), nil
	case !known:
		return c, unknownType(spec.Type)
	case r.isOwn && !spec.IsOwn:
		return c, fmt.Errorf("%s is a check of confab's own: write it under x-checks", spec.Type)
	case spec.NotJudged != "":
		return c.Skip(spec.NotJudged), nil
	}
	if t := spec.Threshold; t != nil && (math.IsNaN(*t) || math.IsInf(*t, 0)) {
		return c, fmt.Errorf("%s needs a finite number as its threshold", spec.Type)
	}
	c.rule = r
	if len(c.variables()) > 0 {
		return c.Skip(waitsForValues), nil
	}
	return c.Skip(waitsForValues).Expand(nil) // doubled braces are single ones in what is compared
}

// unknownType returns the error about a type that neither confab nor promptfoo has, with the nearest one.
func unknownType(written string) error {
	asserts, own := checkTypeNames()
	name, not := strings.CutPrefix(written, "not-")
	near := termtext.NearestName(name, slices.Concat(asserts, own, foreignCheckTypes()))
	switch {
	case near == "":
		return fmt.Errorf("there is no check %s", quoted(written))
	case not:
		near = "not-" + near
	}
	return fmt.Errorf("there is no check %s; did you mean %s?", quoted(written), near)
}

func (c Check) compiled() (Check, error) {
	j, err := c.rule.compile(c.spec)
	if err != nil {
		return c, fmt.Errorf("%s %w", strings.TrimPrefix(c.spec.Type, "not-"), err)
	}
	c.judge, c.skip = j, ""
	return c, nil
}

// Spec returns the check as it was written, with variables expanded by [Check.Expand].
func (c Check) Spec() CheckSpec { return c.spec }

// variables returns the names of the variables in the value, each once.
func (c Check) variables() []string {
	var texts []string
	_, _ = mapTexts(c.spec.Value, func(s string) (any, error) {
		texts = append(texts, s)
		return s, nil
	})
	return Variables(texts...)
}

// Expand returns the check with the variables of its value replaced. The error is a [MissingVariablesError] or says why
// the expanded value does not do. A check that waits for no values, as one that is skipped, is returned as it is.
func (c Check) Expand(values map[string]string) (expanded Check, err error) {
	if c.skip != waitsForValues {
		return c, nil
	}
	c.spec.Value, err = mapTexts(c.spec.Value,
		func(s string) (any, error) { return Expand(s, values) })
	if err != nil {
		return c, err
	}
	return c.compiled()
}

// Skip returns the check as one that is not judged, for the reason given.
func (c Check) Skip(reason string) Check {
	c.judge, c.skip = nil, reason
	return c
}

// String returns the check in short: its type and its value, cut.
func (c Check) String() string {
	s := c.spec.Type
	if c.spec.Value != nil {
		s += " " + shortValue(c.spec.Value)
	}
	if c.spec.Threshold != nil {
		s += fmt.Sprintf(" (%s)", formatNumber(*c.spec.Threshold))
	}
	return s
}

// Judge returns one result for each check, in order, with a reason that is one clause for people, in lower case and
// without a full stop. Once ctx has ended the rest is skipped. What would pass is skipped where the answer is in doubt.
func Judge(ctx context.Context, checks []Check, f AnswerInput, peer PeerFinder) []history.CheckResult {
	results := make([]history.CheckResult, len(checks))
	for i, c := range checks {
		results[i] = c.judged(ctx, f, peer)
	}
	return results
}

func (c Check) judged(ctx context.Context, f AnswerInput, peer PeerFinder) history.CheckResult {
	result := history.CheckResult{Name: c.String(), Verdict: Skipped}
	switch {
	case c.judge == nil && c.skip == "":
		result.Reason = "there is nothing to judge"
	case c.judge == nil:
		result.Reason = c.skip
	case f.Missing != "":
		result.Reason = f.Missing
	case c.rule.on == onText && f.Kind != history.KindText:
		result.Reason = "the answer is a picture"
	case c.rule.on == onPicture && (f.Kind == history.KindText || f.Picture == nil):
		result.Reason = "the answer is no picture"
	case ctx.Err() != nil:
		result.Reason = "stopped before it was judged"
	default:
		o := c.judge(ctx, f, peer)
		if o.skip != "" {
			result.Reason = o.skip
			break
		}
		result.Reason, result.Verdict = o.reason, Failed
		if isNegated := strings.HasPrefix(c.spec.Type, "not-"); o.holds == isNegated {
			break
		}
		if result.Verdict = Passed; f.Doubt != "" {
			result.Verdict, result.Reason = Skipped, f.Doubt+", so that it proves nothing: "+o.reason
		}
	}
	return result
}

// AnswerInput is what is known of an answer that is judged.
type AnswerInput struct {
	Kind    history.ModelKind
	Text    string
	Picture *history.Picture // of the kinds image and edit
	Elapsed time.Duration
	// FirstToken is the time to the first part of a text; 0 when unknown.
	FirstToken time.Duration
	Cost       history.Cost
	IsCached   bool   // reused: its time is an old one
	Aspect     string // the ratio asked for, "16:9"; empty when none was
	Source     string // sha256 of the picture an edit started from; empty when unknown
	Missing    string // why there is no answer to judge; empty when there is one
	Doubt      string // why the answer is not what was asked for, such as one that was cut; empty when it is
}

// InputOf returns what is known of an answer of a turn.
func answerInputOf(t history.Turn, a history.Answer) AnswerInput {
	f := AnswerInput{
		Kind: a.Kind, Text: a.Text, Picture: a.Picture, Elapsed: a.Elapsed,
		FirstToken: a.FirstToken, Cost: a.Cost, IsCached: a.IsCached, Aspect: t.Aspect,
	}
	if a.State != history.Done {
		f.Missing = "the answer is " + string(a.State)
	}
	if a.Ending() != history.EndsWhole {
		f.Doubt = a.EndingText()
	}
	return f
}
