package compare

import (
	"fmt"

	"confab/history"
	"confab/internal/termtext"
)

// crossed says of an answer that a check did not hold, also without colours.
const crossed = "✗"

// unjudged says of an answer that a check was skipped.
const unjudged = "?"

// verdict is what the checks of an answer came to. What is skipped was not judged
// and counts for neither.
type verdict struct {
	passed, failed, skipped int
	first                   string // the first that failed, with its reason
}

func verdictOf(checks []history.CheckResult) verdict {
	var v verdict
	for i, r := range checks {
		switch r.Verdict {
		case "passed":
			v.passed++
		case "failed":
			if v.failed++; v.failed == 1 {
				v.first = fmt.Sprintf("check %d failed: %s", i+1, termtext.Line(r.Name))
				if r.Reason != "" {
					v.first += ": " + termtext.Line(r.Reason)
				}
			}
		default:
			v.skipped++
		}
	}
	return v
}

// String says how many of all checks passed: "3/3", "2/3 ✗" when one failed, "2/3 ?" when none failed but one was
// skipped. It says nothing without a check, and "skipped" when none of them was judged.
func (v verdict) String() string {
	switch all := v.passed + v.failed + v.skipped; {
	case all == 0:
		return ""
	case v.skipped == all:
		return "skipped"
	case v.failed > 0:
		return fmt.Sprintf("%d/%d %s", v.passed, all, crossed)
	case v.skipped > 0:
		return fmt.Sprintf("%d/%d %s", v.passed, all, unjudged)
	default:
		return fmt.Sprintf("%d/%d", v.passed, all)
	}
}
