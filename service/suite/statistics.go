package suite

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"confab/history"
)

// McNemar returns the probability that as unequal a division of better and worse pairs, or a more unequal one, is
// chance: the exact two-sided test of McNemar.
func McNemar(better, worse int) float64 {
	n, p := better+worse, 0.0
	logAll, _ := math.Lgamma(float64(n + 1))
	for k := range min(better, worse) + 1 {
		a, _ := math.Lgamma(float64(k + 1))
		b, _ := math.Lgamma(float64(n - k + 1))
		p += math.Exp(logAll - a - b - float64(n)*math.Ln2)
	}
	const precision = 1e12 // without the errors of logarithms
	return min(math.Round(2*p*precision)/precision, 1)
}

// Wilson returns the 95 % interval of a rate by Wilson's score. It is 0 to 1 if nothing was judged.
func Wilson(passed, judged int) (low, high float64) {
	if judged == 0 {
		return 0, 1
	}
	const z = 1.959964
	n, p := float64(judged), float64(passed)/float64(judged)
	center, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max((center-half)/(1+z*z/n), 0), min((center+half)/(1+z*z/n), 1)
}

// Rate returns "60% (39–78%)": the rate among judged answers with its 95 % interval; empty if none was judged.
func Rate(passed, judged int) string {
	if judged == 0 {
		return ""
	}
	low, high := Wilson(passed, judged)
	return fmt.Sprintf("%.0f%% (%.0f–%.0f%%)", 100*float64(passed)/float64(judged), 100*low, 100*high)
}

// kappa returns Cohen's kappa of two judgements of each item: 1 for full agreement, 0 for that of chance. It is
// undefined without items, and if all judgements are the same.
func kappa[T comparable](items [][2]T) (value float64, isDefined bool) {
	first, second, observed, expected := map[T]float64{}, map[T]float64{}, 0.0, 0.0
	part := 1 / float64(len(items))
	for _, said := range items {
		first[said[0]] += part
		second[said[1]] += part
		if said[0] == said[1] {
			observed += part
		}
	}
	for judgement, share := range first {
		expected += share * second[judgement]
	}
	all := maps.Clone(first)
	maps.Copy(all, second)
	if len(all) < 2 { // full agreement is expected by chance
		return 0, false
	}
	return (observed - expected) / (1 - expected), true
}

// Pairs counts pairs of judgements of the same question in two runs.
type Pairs struct {
	Better, Worse, Same int
	Unjudged            int // without a verdict in one of the runs or both
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

// plus returns the sum of two counts.
func (p Pairs) plus(q Pairs) Pairs {
	return Pairs{p.Better + q.Better, p.Worse + q.Worse, p.Same + q.Same, p.Unjudged + q.Unjudged}
}

// PValue returns the probability that the difference is chance.
func (p Pairs) PValue() float64 { return McNemar(p.Better, p.Worse) }

// String returns "4 better, 1 worse, 19 same: could be chance (p = 0.38)".
func (p Pairs) String() string {
	text := fmt.Sprintf("%d better, %d worse, %d same", p.Better, p.Worse, p.Same)
	if p.Unjudged > 0 {
		text += fmt.Sprintf(", %d inconclusive", p.Unjudged)
	}
	switch value := p.PValue(); {
	case p.Better+p.Worse == 0:
		return text
	case value < 0.05:
		return text + ": hardly chance (" + pText(value) + ")"
	default:
		return text + ": could be chance (" + pText(value) + ")"
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
			name := now.Name
			if uses[name] == 1 {
				name, _, _ = strings.Cut(name, " ")
			}
			if _, ok := index[name]; !ok {
				index[name] = len(all)
				all = append(all, CheckPairs{Name: name})
			}
			a, b := CountChecks(before[i:i+1]), CountChecks([]history.CheckResult{now})
			all[index[name]].add(a.Passed, a.Passed+a.Failed, b.Passed, b.Passed+b.Failed)
			before = slices.Delete(before, i, i+1)
		}
	}
	return slices.DeleteFunc(all, func(p CheckPairs) bool { return p.Better+p.Worse == 0 })
}

// flakyText returns "passes in 2 of 5 samples" for samples of a question that neither all passed nor all failed; else
// "".
func flakyText(s Stats) string {
	if s.Passed == 0 || s.Failed == 0 {
		return ""
	}
	return fmt.Sprintf("passes in %d of %d samples", s.Passed, s.Passed+s.Failed)
}
