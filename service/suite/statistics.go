package suite

import (
	"fmt"
	"maps"
	"math"
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

// wilson returns the 95 % interval of a rate by wilson's score. It is 0 to 1 if nothing was judged.
func wilson(passed, judged int) (low, high float64) {
	if judged == 0 {
		return 0, 1
	}
	const z = 1.959964
	n, p := float64(judged), float64(passed)/float64(judged)
	center, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max((center-half)/(1+z*z/n), 0), min((center+half)/(1+z*z/n), 1)
}

// Rate returns "60 % (39–78 %)": the rate among judged answers with its 95 % interval; empty if none was judged.
func Rate(passed, judged int) string {
	if judged == 0 {
		return ""
	}
	low, high := wilson(passed, judged)
	return rateText(float64(passed)/float64(judged), low, high)
}

// rateText returns "78 % (61–90 %)": a share with its interval.
func rateText(share, low, high float64) string {
	return fmt.Sprintf("%.0f %% (%.0f–%.0f %%)", 100*share, 100*low, 100*high)
}

// kappa returns Cohen's kappa of two judgements of each item: 1 for full agreement, 0 for that of chance. It is
// undefined without items, and if all judgements are the same.
func kappa[T comparable](items [][2]T) (value float64, isDefined bool) {
	first, second, observed, expected := map[T]float64{}, map[T]float64{}, 0.0, 0.0
	part := 1 / float64(len(items))
	for _, pair := range items {
		first[pair[0]] += part
		second[pair[1]] += part
		if pair[0] == pair[1] {
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

// Strength is the strength of a contestant by the Bradley-Terry model: the share of pairs with the others that it is
// expected to win, where a tie is half a win, with the interval that holds the true share in 95 of 100 cases.
type Strength struct {
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// IsAhead reports that each lead over another one is larger than chance explains in 95 of 100 cases.
	IsAhead bool `json:"is_ahead"`
}

// String returns "78 % (61–90 %)".
func (s Strength) String() string {
	return rateText(s.Share, s.Low, s.High)
}

// Duel is a vote between two contestants, by their numbers. Won is 1 for A, 0 for B and 0.5 for a tie.
type Duel struct {
	A, B int
	Won  float64
}

// priorPairs is the number of pairs with an average contestant, won and lost by halves, that each contestant starts
// with, so that one that won or lost all its pairs has a strength.
const priorPairs = 1

const z95 = 1.96 // standard deviations of a 95 % interval

// Strengths returns the strengths of n contestants: the maximum of the likelihood of the duels with a small prior.
// Duels have to connect all of them: otherwise nothing compares them but the prior.
func Strengths(n int, duels []Duel) []Strength {
	f := strengthFit{pairs: make([][]float64, n), wins: make([]float64, n), logOdds: make([]float64, n)}
	for i := range f.pairs {
		f.pairs[i] = make([]float64, n)
	}
	for _, d := range duels {
		f.pairs[d.A][d.B]++
		f.pairs[d.B][d.A]++
		f.wins[d.A] += d.Won
		f.wins[d.B] += 1 - d.Won
	}
	f.fit()
	out := make([]Strength, n)
	for i := range out {
		out[i] = f.strength(i)
	}
	return out
}

// strengthFit fits the model.
type strengthFit struct {
	pairs    [][]float64 // between two
	wins     []float64   // of each
	logOdds  []float64   // against an average contestant
	variance [][]float64 // of the log-odds, with their covariances
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// chance returns the probability that i wins against j, and its derivative by the difference of their log-odds.
func (f *strengthFit) chance(i, j int) (p, slope float64) {
	p = logistic(f.logOdds[i] - f.logOdds[j])
	return p, p * (1 - p)
}

// fit finds the maximum with Newton's method, in steps of at most 1, and the inverse of the information there.
func (f *strengthFit) fit() {
	n := len(f.wins)
	for range 100 {
		gradient, information := make([]float64, n), make([][]float64, n)
		for i := range n {
			p := logistic(f.logOdds[i])
			gradient[i] = f.wins[i] + priorPairs*(0.5-p)
			information[i] = make([]float64, n)
			information[i][i] = priorPairs * p * (1 - p)
			for j, pairs := range f.pairs[i] {
				p, slope := f.chance(i, j)
				gradient[i] -= pairs * p
				information[i][i] += pairs * slope
				information[i][j] -= pairs * slope
			}
		}
		f.variance = inverse(information)
		step, longest := make([]float64, n), 0.0
		for i := range n {
			for j, v := range f.variance[i] {
				step[i] += v * gradient[j]
			}
			longest = max(longest, math.Abs(step[i]))
		}
		for i := range n {
			f.logOdds[i] += step[i] / max(longest, 1)
		}
		if longest < 1e-9 {
			return
		}
	}
}

// inverse inverts a symmetric, positive definite matrix, which it changes, by elimination.
func inverse(m [][]float64) [][]float64 {
	out := make([][]float64, len(m))
	for i := range m {
		out[i] = make([]float64, len(m))
		out[i][i] = 1
	}
	for i := range m {
		pivot := m[i][i]
		for k := range m {
			m[i][k] /= pivot
			out[i][k] /= pivot
		}
		for j := range m {
			factor := m[j][i]
			if j == i || factor == 0 {
				continue
			}
			for k := range m {
				m[j][k] -= factor * m[i][k]
				out[j][k] -= factor * out[i][k]
			}
		}
	}
	return out
}

// strength returns the mean chance of a contestant against the others. Its interval is symmetric in log-odds.
func (f *strengthFit) strength(i int) Strength {
	n := len(f.wins)
	others, s := float64(n-1), Strength{Share: 0.5, High: 1, IsAhead: n > 1}
	if n == 1 {
		return s
	}
	s.Share = 0
	gradient := make([]float64, n)
	for j := range n {
		if j == i {
			continue
		}
		p, slope := f.chance(i, j)
		s.Share += p / others
		gradient[i] += slope / others
		gradient[j] = -slope / others
		lead := f.logOdds[i] - f.logOdds[j]
		s.IsAhead = s.IsAhead && lead > z95*math.Sqrt(f.variance[i][i]+f.variance[j][j]-2*f.variance[i][j])
	}
	variance := 0.0
	for j := range n {
		for k := range n {
			variance += gradient[j] * f.variance[j][k] * gradient[k]
		}
	}
	around := z95 * math.Sqrt(max(variance, 0)) / (s.Share * (1 - s.Share))
	center := math.Log(s.Share / (1 - s.Share))
	s.Low, s.High = logistic(center-around), logistic(center+around)
	return s
}
