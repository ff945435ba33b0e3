package suiterun

import (
	"fmt"

	"confab/internal/format"
)

// Agreement is how far voters agree beyond what chance would give: Cohen's kappa of two, Fleiss' kappa of more.
type Agreement struct {
	Voters, Pairs int     // pairs of answers on which all of them voted
	Kappa         float64 // 1 for full agreement, 0 for that of chance
	IsDefined     bool    // false without pairs, and where all votes are the same
}

// Measure names the measure.
func (a Agreement) Measure() string {
	if a.Voters > 2 {
		return "Fleiss' kappa"
	}
	return "Cohen's kappa"
}

// String says the agreement in a sentence.
func (a Agreement) String() string {
	switch {
	case a.Pairs == 0:
		return "Agreement: unknown, as there is no pair that all of them voted on blind."
	case !a.IsDefined:
		return fmt.Sprintf("Agreement: all blind votes on %s are the same.", format.Count(a.Pairs, "pair"))
	}
	return fmt.Sprintf("Agreement: %s %.2f over the blind votes on %s (1 is full agreement, 0 that of chance).",
		a.Measure(), a.Kappa, format.Count(a.Pairs, "pair"))
}

// agreementOf returns the agreement of voters, whose ratings of each item are in the same order.
func agreementOf[T comparable](items [][]T) Agreement {
	if len(items) == 0 || len(items[0]) < 2 {
		return Agreement{}
	}
	voters := len(items[0])
	a := Agreement{Voters: voters, Pairs: len(items)}
	byVoter, all := make([]map[T]float64, voters), map[T]float64{} // shares of the categories
	for i := range byVoter {
		byVoter[i] = map[T]float64{}
	}
	agreeing := 0 // pairs of voters, each in both orders
	for _, ratings := range items {
		counts := map[T]int{}
		for i, category := range ratings {
			counts[category]++
			byVoter[i][category] += 1 / float64(len(items))
			all[category] += 1 / float64(len(items)*voters)
		}
		for _, n := range counts {
			agreeing += n * (n - 1)
		}
	}
	observed, expected := float64(agreeing)/float64(len(items)*voters*(voters-1)), 0.0
	for category, share := range all {
		if voters == 2 {
			expected += byVoter[0][category] * byVoter[1][category]
		} else {
			expected += share * share
		}
	}
	if len(all) > 1 { // else only chance is left: everybody says the same of everything
		a.Kappa, a.IsDefined = (observed-expected)/(1-expected), true
	}
	return a
}
