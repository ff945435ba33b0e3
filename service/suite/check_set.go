package suite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"confab/history"
)

// The types of the checks that count others: the checks of an assert-set, and those of a test with a threshold.
const (
	setType       = "assert-set"
	thresholdType = "threshold"
)

// weight returns the share of a check in the score of its set.
func (s checkSpec) weight() float64 {
	if s.Weight != nil {
		return *s.Weight
	}
	return 1
}

// compileSet compiles the checks of an assert-set and the set itself, which follows them.
func compileSet(spec checkSpec) ([]Check, error) {
	if len(spec.parts) == 0 {
		return nil, errors.New("an assert-set needs checks under assert")
	}
	var out []Check
	for _, part := range spec.parts {
		c, err := newCheck(part)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return append(out, Check{checkSpec: spec, size: len(out)}), nil
}

// withThreshold adds a check that counts all others, if there is a threshold for their score.
func withThreshold(checks []Check, threshold *float64) []Check {
	if threshold == nil || len(checks) == 0 {
		return checks
	}
	spec := checkSpec{Type: thresholdType, Threshold: threshold}
	return append(checks, Check{checkSpec: spec, size: len(checks)})
}

// combine counts the results of a set's checks, and makes those advisory that decided until now. The score is the mean
// by weight; without a threshold, a failed check fails the set. A skipped check could still score 0 or 1.
func combine(set Check, checks []Check, results []history.CheckResult, scores []float64) (
	history.CheckResult, float64) {
	var sum, open, weights float64
	failed, skipped, reason := false, false, ""
	for i := range results {
		r := &results[i]
		if r.Advisory != "" {
			continue
		}
		w := checks[i].weight()
		sum, weights = sum+w*scores[i], weights+w
		switch r.Verdict {
		case history.CheckSkipped:
			skipped, open = true, open+w
		case history.CheckFailed:
			failed, reason = true, ": "+CheckLabel(*r)
		}
		r.Verdict, r.Advisory = "", r.Verdict
	}
	if weights > 0 {
		sum, open = sum/weights, open/weights
	}
	result := history.CheckResult{Name: set.String(), Metric: set.metric, Verdict: history.CheckPassed, Score: sum}
	result.Reason = fmt.Sprintf("the score is %.2f", sum)
	if set.Threshold != nil {
		failed = sum+open < *set.Threshold
		result.Reason += " of " + formatNumber(*set.Threshold)
	} else {
		result.Reason += reason
	}
	switch {
	case failed:
		result.Verdict = history.CheckFailed
	case skipped:
		result.Verdict = history.CheckSkipped
		result.Reason += ", and a check was skipped"
	}
	return result, sum
}

// compileChecks compiles the checks of the tests, and those of the defaults once.
func (s *Suite) compileChecks() error {
	defaults, err := s.Default.compile("", "")
	if err != nil {
		return err
	}
	for i := range s.Tests {
		t := &s.Tests[i]
		own, err := t.compile(s.Default.notJudged, s.Default.grader)
		if err != nil {
			return err
		}
		switch {
		case t.skipsDefaults:
		case t.notJudged != "":
			t.checks = skipped(defaults, t.notJudged)
		default:
			t.checks = defaults[:len(defaults):len(defaults)]
		}
		t.checks = withThreshold(append(t.checks, own...), cmp.Or(t.threshold, s.Default.threshold))
	}
	return nil
}

// compile returns the compiled checks of a test or the defaults alone.
func (t Test) compile(notJudged, grader string) ([]Check, error) {
	var out []Check
	for _, spec := range t.written {
		spec = spec.withGrader(cmp.Or(t.grader, grader))
		compile := func(spec checkSpec) ([]Check, error) {
			c, err := newCheck(spec)
			return []Check{c}, err
		}
		if spec.Type == setType {
			compile = compileSet
		}
		checks, err := compile(spec)
		if err != nil {
			return nil, inFile(t.file, errorAt(spec.line, "%s", err))
		}
		if reason := cmp.Or(t.notJudged, notJudged); reason != "" {
			checks = skipped(checks, reason)
		}
		out = append(out, checks...)
	}
	return out, nil
}

// withGrader names the grader of a check, and of the checks of a set, that name none.
func (s checkSpec) withGrader(grader string) checkSpec {
	s.grader, s.parts = cmp.Or(s.grader, grader), slices.Clone(s.parts)
	for i, part := range s.parts {
		s.parts[i] = part.withGrader(s.grader)
	}
	return s
}

// skipped returns the checks as skipped for a reason.
func skipped(checks []Check, reason string) []Check {
	out := make([]Check, len(checks))
	for i, c := range checks {
		out[i] = c.skipped(reason)
	}
	return out
}
