package compare

import (
	"fmt"

	"confab/service"
	"confab/ui/terminal"
)

// crossed says of an answer that a check did not hold, also without colours.
const crossed = "✗"

// verdict is what the checks of an answer came to. What is skipped was not judged
// and counts for neither.
type verdict struct {
	passed, failed, skipped int
	first                   string // the first that failed, with its reason
}

func verdictOf(checks []service.CheckResult) verdict {
	var v verdict
	for i, r := range checks {
		switch r.Verdict {
		case "passed":
			v.passed++
		case "failed":
			if v.failed++; v.failed == 1 {
				v.first = fmt.Sprintf("check %d failed: %s", i+1, terminal.Line(r.Name))
				if r.Reason != "" {
					v.first += ": " + terminal.Line(r.Reason)
				}
			}
		default:
			v.skipped++
		}
	}
	return v
}

// String says "3/3", or "2/3 ✗" when one failed; nothing without a check, and
// "skipped" when none of them was judged.
func (v verdict) String() string {
	switch judged := v.passed + v.failed; {
	case judged == 0 && v.skipped > 0:
		return "skipped"
	case judged == 0:
		return ""
	case v.failed > 0:
		return fmt.Sprintf("%d/%d %s", v.passed, judged, crossed)
	default:
		return fmt.Sprintf("%d/%d", v.passed, judged)
	}
}
