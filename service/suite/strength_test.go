package suite_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"confab/service/suite"
)

func winChance(logOdds float64) float64 { return 1 / (1 + math.Exp(-logOdds)) }

// randomDuels casts votes between random contestants of known log-odds. Those that are equal tie half of the time.
func randomDuels(r *rand.Rand, logOdds []float64, votes int) (duels []suite.Duel) {
	for range votes {
		a := r.IntN(len(logOdds))
		b := (a + 1 + r.IntN(len(logOdds)-1)) % len(logOdds)
		d := suite.Duel{A: a, B: b}
		switch lead := logOdds[a] - logOdds[b]; {
		case lead == 0 && r.IntN(2) == 0:
			d.Won = 0.5
		case r.Float64() < winChance(lead):
			d.Won = 1
		}
		duels = append(duels, d)
	}
	return duels
}

// trueShare returns the share of pairs with the others that a contestant of known log-odds wins.
func trueShare(logOdds []float64, i int) (share float64) {
	for j := range logOdds {
		if j != i {
			share += winChance(logOdds[i]-logOdds[j]) / float64(len(logOdds)-1)
		}
	}
	return share
}

// TestStrengthsAreFound counts how often intervals hold the known share, and how often chance makes a winner.
func TestStrengthsAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 3))
	const runs = 400
	for _, logOdds := range [][]float64{{0, 0}, {2, 0}, {1, 0, -1}, {1.5, 0.5, 0, -0.5, -1.5}, {0, 0, 0, 0}} {
		for _, votes := range []int{3, 20, 300} {
			held, ahead := 0, 0
			for range runs {
				for i, s := range suite.Strengths(len(logOdds), randomDuels(r, logOdds, votes)) {
					if share := trueShare(logOdds, i); s.Low <= share && share <= s.High {
						held++
					}
					if s.IsAhead {
						ahead++
						if votes == 300 && logOdds[i] < slices.Max(logOdds) {
							t.Errorf("%v: contestant %d is ahead", logOdds, i)
						}
					}
				}
			}
			if share := float64(held) / float64(runs*len(logOdds)); share < 0.93 {
				t.Errorf("%v, %d votes: intervals hold the share in %.2f of cases", logOdds, votes, share)
			}
			if share := float64(ahead) / runs; logOdds[0] == 0 && share > 0.08 {
				t.Errorf("%v, %d votes: equal ones have a winner in %.2f of cases", logOdds, votes, share)
			} else if votes == 3 && ahead > 0 || votes == 300 && logOdds[0] >= 1 && share < 0.8 {
				t.Errorf("%v, %d votes: there is a winner in %.2f of cases", logOdds, votes, share)
			}
		}
	}
}

// TestStrengthsOfExactCounts gives each pair of three contestants the wins that are expected of their log-odds.
func TestStrengthsOfExactCounts(t *testing.T) {
	logOdds := []float64{math.Log(4), math.Log(2), 0} // 4:2, 4:1 and 2:1
	var duels []suite.Duel
	for _, x := range []struct{ a, b, wins, losses int }{{0, 1, 4000, 2000}, {0, 2, 4000, 1000}, {1, 2, 2000, 1000}} {
		duels = append(duels, slices.Repeat([]suite.Duel{{A: x.a, B: x.b, Won: 1}}, x.wins)...)
		duels = append(duels, slices.Repeat([]suite.Duel{{A: x.b, B: x.a, Won: 1}}, x.losses)...)
	}
	for i, s := range suite.Strengths(3, duels) {
		if want := trueShare(logOdds, i); math.Abs(s.Share-want) > 0.001 || s.High-s.Low > 0.03 {
			t.Errorf("contestant %d has %+v, want a share of %.3f", i, s, want)
		}
		if s.IsAhead != (i == 0) {
			t.Errorf("contestant %d is ahead: %v", i, s.IsAhead)
		}
	}
}

func TestStrengthsAtTheirLimits(t *testing.T) {
	if s := suite.Strengths(0, nil); len(s) != 0 {
		t.Errorf("nobody: %+v", s)
	}
	if s := suite.Strengths(1, nil); s[0] != (suite.Strength{Share: 0.5, High: 1}) {
		t.Errorf("one without votes: %+v", s)
	}
	one := suite.Strengths(2, []suite.Duel{{A: 0, B: 1, Won: 1}})
	if one[0].Low > 0.2 || one[0].High < 0.9 || one[0].IsAhead || one[0].Share < 0.6 || one[0].Share > 0.9 {
		t.Errorf("one vote: %+v", one)
	}
	all := suite.Strengths(2, slices.Repeat([]suite.Duel{{A: 0, B: 1, Won: 1}}, 10_000))
	if all[0].Share <= 0.99 || all[0].High >= 1 || all[1].Low <= 0 || !all[0].IsAhead {
		t.Errorf("all of 10,000: %+v", all)
	}
}

// TestStrengthsAreFair checks properties of random votes: names do not matter, turning all votes round turns shares
// round, a further win never lowers a share, and intervals hold their shares.
func TestStrengthsAreFair(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	isNear := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	for range 200 {
		n := 2 + r.IntN(6)
		duels := randomDuels(r, make([]float64, n), 1+r.IntN(40))
		strengths, renamed, order := suite.Strengths(n, duels), slices.Clone(duels), r.Perm(n)
		turned := slices.Clone(duels)
		for i, d := range duels {
			turned[i].Won = 1 - d.Won
			renamed[i].A, renamed[i].B = order[d.A], order[d.B]
			if r.IntN(2) == 0 {
				renamed[i] = suite.Duel{A: order[d.B], B: order[d.A], Won: 1 - d.Won}
			}
		}
		won := duels[0]
		won.Won = 1
		lost, other := suite.Strengths(n, turned), suite.Strengths(n, renamed)
		further := suite.Strengths(n, append(duels, won))
		for i, s := range strengths {
			if s.Share <= 0 || s.Share >= 1 || s.Low > s.Share || s.High < s.Share {
				t.Fatalf("%v gives %+v", duels, s)
			}
			if x := other[order[i]]; !isNear(x.Share, s.Share) || !isNear(x.Low, s.Low) || x.IsAhead != s.IsAhead {
				t.Fatalf("%v: %+v is %+v under another name", duels, s, x)
			}
			if x := lost[i]; !isNear(x.Share, 1-s.Share) || !isNear(x.Low, 1-s.High) {
				t.Fatalf("%v: %+v is %+v with all votes turned round", duels, s, x)
			}
		}
		if further[won.A].Share < strengths[won.A].Share-1e-9 {
			t.Fatalf("%v: %+v falls to %+v by a win", duels, strengths[won.A], further[won.A])
		}
	}
}
