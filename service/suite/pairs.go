package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/format"
)

// Pairs counts pairs of judgements of the same question in two runs.
type Pairs struct {
	Better   int `json:"better"`
	Worse    int `json:"worse"`
	Same     int `json:"same"`
	Unjudged int `json:"unjudged"` // without a verdict in one of the runs or both

	unchecked            int // of the unjudged ones, those that nothing checked in one of the runs or both
	failsMore, failsLess int // of the same ones, those in which more checks fail, or fewer
}

// add adds the numbers of passed and of judged samples of a question in both runs.
func (p *Pairs) add(passedA, judgedA, passedB, judgedB int) {
	switch a, b := passedA*judgedB, passedB*judgedA; {
	case judgedA == 0 || judgedB == 0:
		p.Unjudged++
	case a < b:
		p.Better++
	case a > b:
		p.Worse++
	default:
		p.Same++
	}
}

// PValue returns the probability that the difference is chance.
func (p Pairs) PValue() float64 { return McNemar(p.Better, p.Worse) }

// Counts returns "1 now fails, 4 now pass, 19 as before, 6 unchecked", without zeros.
func (p Pairs) Counts() string {
	return cmp.Or(joinNonEmpty(", ", p.Changed(), p.ChangedChecks(), p.Others()), "none")
}

// Changed counts the verdicts that changed: "1 now fails, 4 now pass"; "" for none.
func (p Pairs) Changed() string { return joinNonEmpty(", ", p.NowFail(), p.NowPass()) }

// NowFail returns "1 now fails", "" for none.
func (p Pairs) NowFail() string {
	return joinCounts("", signCount{p.Worse, format.Plural(p.Worse, " now fails", " now fail")})
}

// NowPass returns "4 now pass", "" for none.
func (p Pairs) NowPass() string {
	return joinCounts("", signCount{p.Better, format.Plural(p.Better, " now passes", " now pass")})
}

// ChangedChecks counts the questions that fail in more checks, or in fewer: "1 fails more"; "" for none.
func (p Pairs) ChangedChecks() string { return joinNonEmpty(", ", p.FailMore(), p.FailLess()) }

// FailMore returns "1 fails more", "" for none.
func (p Pairs) FailMore() string {
	return joinCounts("", signCount{p.failsMore, format.Plural(p.failsMore, " fails more", " fail more")})
}

// FailLess returns "1 fails less", "" for none.
func (p Pairs) FailLess() string {
	return joinCounts("", signCount{p.failsLess, format.Plural(p.failsLess, " fails less", " fail less")})
}

// Others counts the verdicts that did not change: "19 as before, 6 unchecked"; "" for none.
func (p Pairs) Others() string {
	return joinCounts(", ", signCount{p.Same - p.failsMore - p.failsLess, " as before"},
		signCount{p.unchecked, " unchecked"}, signCount{p.Unjudged - p.unchecked, " inconclusive"})
}

// String returns "1 now fails, 4 now pass, 19 as before: could be chance (p = 0.38)".
func (p Pairs) String() string {
	if words, value := p.Chance(); words != "" {
		return p.Counts() + ": " + words + " (" + value + ")"
	}
	return p.Counts()
}

// Chance says how likely the verdicts that changed are chance: "could be chance" and "p = 0.38"; both are empty where
// none has changed.
func (p Pairs) Chance() (words, value string) {
	switch chance := p.PValue(); {
	case p.Better+p.Worse == 0:
		return "", ""
	case chance < 0.05:
		return "hardly chance", pText(chance)
	default:
		return "could be chance", pText(chance)
	}
}

// pText returns "p = 0.38", "p = 0.012" or "p < 0.001".
func pText(value float64) string {
	switch {
	case value < 0.001:
		return "p < 0.001"
	case value < 0.05:
		return fmt.Sprintf("p = %.2g", value)
	}
	return fmt.Sprintf("p = %.2f", value)
}

// CheckPairs are the pairs of a check in two runs.
type CheckPairs struct {
	Name string
	Pairs
	label string
}

// checkPairs returns the pairs of each check that has another verdict in one of the changes, in order of appearance.
// Checks of a type whose values differ from question to question count together.
func checkPairs(changes []Change) (all []CheckPairs) {
	uses := map[string]int{}
	for _, c := range changes {
		if c.A != nil && c.B != nil {
			for _, check := range c.B.Checks {
				uses[check.Name]++
			}
		}
	}
	index := map[string]int{}
	for _, c := range changes {
		if c.A == nil || c.B == nil {
			continue
		}
		before := slices.Clone(c.A.Checks)
		for _, now := range c.B.Checks {
			i := slices.IndexFunc(before, func(r history.CheckResult) bool { return r.Name == now.Name })
			if i < 0 {
				continue
			}
			name, label := now.Name, CheckLabel(now)
			if uses[name] == 1 {
				name, _, _ = strings.Cut(name, " ")
				label = cmp.Or(OneLine(now.Metric), name)
			}
			if _, ok := index[name]; !ok {
				index[name] = len(all)
				all = append(all, CheckPairs{Name: name, label: label})
			}
			a, b := CountChecks(before[i:i+1]), CountChecks([]history.CheckResult{now})
			all[index[name]].add(a.Passed, a.Passed+a.Failed, b.Passed, b.Passed+b.Failed)
			before = slices.Delete(before, i, i+1)
		}
	}
	return slices.DeleteFunc(all, func(p CheckPairs) bool { return p.Better+p.Worse == 0 })
}
