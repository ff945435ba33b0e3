package browse_test

import (
	"reflect"
	"testing"
	"time"

	"confab/history"
	"confab/ui/browse"
)

// TestRunsOfASuiteAreToldApart reads the rows of three runs of one suite.
func TestRunsOfASuiteAreToldApart(t *testing.T) {
	now := time.Date(2026, 11, 27, 22, 30, 0, 0, time.UTC)
	run := func(id int64, passed, failed, inconclusive, unchecked int) history.Run {
		return history.Run{ID: id, Suite: "refund", Path: "/refund.yaml", Planned: 24, Done: 24, Passed: passed,
			Failed: failed, Inconclusive: inconclusive, Unchecked: unchecked, Started: now}
	}
	all := []history.Run{run(3, 4, 18, 2, 0), run(2, 6, 12, 6, 5), run(1, 4, 18, 2, 2)}
	for i, want := range [][]string{
		{"refund · run 3", "22:30", "", "▼ 2 fewer", "4 of 24 passed", "18 failed", "", "2 inconclusive"},
		{"refund · run 2", "22:30", "", "▲ 2 more", "6 of 24 passed", "12 failed", "5 unchecked", "1 inconclusive"},
		{"refund · run 1", "22:30", "", "", "4 of 24 passed", "18 failed", "2 unchecked", ""},
	} {
		item := browse.RunItem(all[i], all, now)
		if got := append([]string{item.Title, item.Facts}, item.Columns...); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
