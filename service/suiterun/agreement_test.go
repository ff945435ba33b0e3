package suiterun

import (
	"fmt"
	"testing"
)

// TestCohen compares with published examples: tables of how often the first rater said the row and the second one the
// column.
func TestCohen(t *testing.T) {
	for name, example := range map[string]struct {
		table [][]int
		want  string
	}{
		"Cohen 1960, table 1":           {[][]int{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}}, "0.492"},
		"50 grant proposals, yes or no": {[][]int{{20, 5}, {10, 15}}, "0.400"},
		"same agreement, other shares":  {[][]int{{25, 35}, {5, 35}}, "0.259"},
		"less than chance":              {[][]int{{0, 5}, {5, 0}}, "-1.000"},
	} {
		var items [][]int
		for i, row := range example.table {
			for j, n := range row {
				for range n {
					items = append(items, []int{i, j})
				}
			}
		}
		if a := agreementOf(items); fmt.Sprintf("%.3f", a.Kappa) != example.want || a.Measure() != "Cohen's kappa" {
			t.Errorf("%s: %+v, want %s", name, a, example.want)
		}
	}
}

// TestFleiss compares with the example that is commonly given with Fleiss 1971: 14 raters put ten subjects into five
// categories; a row has how many chose each.
func TestFleiss(t *testing.T) {
	var items [][]int
	for _, counts := range [][]int{{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
		{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}} {
		var ratings []int
		for category, n := range counts {
			for range n {
				ratings = append(ratings, category)
			}
		}
		items = append(items, ratings)
	}
	if a := agreementOf(items); fmt.Sprintf("%.3f", a.Kappa) != "0.210" || a.Measure() != "Fleiss' kappa" {
		t.Errorf("got %+v, want 0.210", a)
	}
}

func TestAgreementIsNotAlwaysDefined(t *testing.T) {
	for want, items := range map[string][][]string{
		"Agreement: unknown, as there is no pair that all of them voted on.": nil,
		"Agreement: all votes on 2 pairs are the same.":                      {{"a", "a", "a"}, {"a", "a", "a"}},
		"Agreement: Cohen's kappa 1.00 over 2 pairs (1 is full agreement, 0 that of chance).": {{"a", "a"},
			{"b", "b"}},
	} {
		if got := agreementOf(items).String(); got != want {
			t.Errorf("%s", got)
		}
	}
}
