package suite

import (
	"math"
	"slices"
)

// Strength is the strength of a contestant by the Bradley-Terry model: the share of pairs with the others of its group
// that it is expected to win, where a tie is half a win, with the interval that holds the true share in 95 of 100 cases.
type Strength struct {
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// Group numbers those that votes compare, directly or through others, from 1.
	Group int `json:"group"`
	// IsAhead reports that it is the strongest of its group, and each lead over another one is larger than chance
	// explains in 95 of 100 cases.
	IsAhead bool `json:"is_ahead"`
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
func Strengths(n int, duels []Duel) []Strength {
	out := make([]Strength, n)
	for number, members := range groupsOf(n, duels) {
		at := make(map[int]int, len(members))
		for i, c := range members {
			at[c] = i
		}
		g := newDuelGroup(len(members))
		for _, d := range duels {
			if a, ok := at[d.A]; ok {
				g.add(a, at[d.B], d.Won)
			}
		}
		g.fit()
		for i, c := range members {
			out[c] = g.strength(i)
			out[c].Group = number + 1
		}
	}
	return out
}

// groupsOf divides n contestants into those that duels connect, the largest group first.
func groupsOf(n int, duels []Duel) [][]int {
	first := make([]int, n) // of the group of each
	for i := range first {
		first[i] = i
	}
	root := func(i int) int {
		for first[i] != i {
			first[i] = first[first[i]]
			i = first[i]
		}
		return i
	}
	for _, d := range duels {
		a, b := root(d.A), root(d.B)
		first[max(a, b)] = min(a, b)
	}
	members := make([][]int, n)
	for i := range n {
		members[root(i)] = append(members[root(i)], i)
	}
	members = slices.DeleteFunc(members, func(m []int) bool { return len(m) == 0 })
	slices.SortStableFunc(members, func(a, b []int) int { return len(b) - len(a) })
	return members
}

// duelGroup fits the model to the contestants of a group.
type duelGroup struct {
	pairs    [][]float64 // between two
	wins     []float64   // of each
	logOdds  []float64   // against an average contestant
	variance [][]float64 // of the log-odds, with their covariances
}

func newDuelGroup(n int) *duelGroup {
	g := &duelGroup{pairs: make([][]float64, n), wins: make([]float64, n), logOdds: make([]float64, n)}
	for i := range g.pairs {
		g.pairs[i] = make([]float64, n)
	}
	return g
}

func (g *duelGroup) add(a, b int, won float64) {
	g.pairs[a][b]++
	g.pairs[b][a]++
	g.wins[a] += won
	g.wins[b] += 1 - won
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// chance returns the probability that i wins against j, and its derivative by the difference of their log-odds.
func (g *duelGroup) chance(i, j int) (p, slope float64) {
	p = logistic(g.logOdds[i] - g.logOdds[j])
	return p, p * (1 - p)
}

// fit finds the maximum with Newton's method, in steps of at most 1, and the inverse of the information there.
func (g *duelGroup) fit() {
	n := len(g.wins)
	for range 100 {
		gradient, information := make([]float64, n), make([][]float64, n)
		for i := range n {
			p := logistic(g.logOdds[i])
			gradient[i] = g.wins[i] + priorPairs*(0.5-p)
			information[i] = make([]float64, n)
			information[i][i] = priorPairs * p * (1 - p)
			for j, pairs := range g.pairs[i] {
				p, slope := g.chance(i, j)
				gradient[i] -= pairs * p
				information[i][i] += pairs * slope
				information[i][j] -= pairs * slope
			}
		}
		g.variance = inverse(information)
		step, longest := make([]float64, n), 0.0
		for i := range n {
			for j, v := range g.variance[i] {
				step[i] += v * gradient[j]
			}
			longest = max(longest, math.Abs(step[i]))
		}
		for i := range n {
			g.logOdds[i] += step[i] / max(longest, 1)
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
func (g *duelGroup) strength(i int) Strength {
	n := len(g.wins)
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
		p, slope := g.chance(i, j)
		s.Share += p / others
		gradient[i] += slope / others
		gradient[j] = -slope / others
		lead := g.logOdds[i] - g.logOdds[j]
		s.IsAhead = s.IsAhead && lead > z95*math.Sqrt(g.variance[i][i]+g.variance[j][j]-2*g.variance[i][j])
	}
	variance := 0.0
	for j := range n {
		for k := range n {
			variance += gradient[j] * g.variance[j][k] * gradient[k]
		}
	}
	around := z95 * math.Sqrt(max(variance, 0)) / (s.Share * (1 - s.Share))
	center := math.Log(s.Share / (1 - s.Share))
	s.Low, s.High = logistic(center-around), logistic(center+around)
	return s
}
