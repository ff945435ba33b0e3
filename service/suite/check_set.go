package suite

import (
	"errors"
	"fmt"

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
			failed, reason = true, ": "+r.Name+" failed"
		}
		r.Verdict, r.Advisory = "", r.Verdict
	}
	if weights > 0 {
		sum, open = sum/weights, open/weights
	}
	result := history.CheckResult{Name: set.String(), Verdict: history.CheckPassed, Score: sum}
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
