package suite

import (
	"cmp"
	"fmt"
	"strings"

	"confab/history"
	"confab/internal/format"
)

// facts describes the cell in a few sentences.
func (s *resultCell) facts(state CellState) string {
	switch s.Cells {
	case 0:
		return "not asked of this model"
	case 1:
		text := s.sampleFacts(s.cells[0], state)
		if earlier := s.cells[0].EarlierVerdicts(); earlier != "" {
			text += "; judged before: " + earlier
		}
		return text
	}
	missing := "missing"
	if state.IsLive {
		missing = "waiting"
	}
	text := format.Count(s.Cells, "sample") + ": " + joinCounts(", ", signCount{s.Passed, " passed"},
		signCount{s.Failed, " failed"}, signCount{s.Incomplete, " incomplete"}, signCount{s.Skipped, " skipped"},
		signCount{s.Unchecked, " unchecked"}, signCount{s.Errors, " with an error"}, signCount{s.Running, " running"},
		signCount{s.Stopped, " stopped"}, signCount{s.Missing, " " + missing})
	if s.Ended() > 0 {
		text = s.worstSign() + " " + text
	}
	if flakyText(s.Stats) != "" {
		text += ": flaky"
	}
	parts := []string{text, s.endings()}
	if t := s.Time(); t.N > 0 {
		parts = append(parts, fmt.Sprintf("median %s, %s to %s, n=%d", format.Seconds(t.Median), format.Seconds(t.Min),
			format.Seconds(t.Max), t.N))
	}
	problem := ""
	for i, c := range s.cells {
		if earlier := c.EarlierVerdicts(); earlier != "" {
			parts = append(parts, fmt.Sprintf("sample %d judged before: %s", i+1, earlier))
		}
		if found := cellProblem(c); found != "" && problem == "" {
			problem = fmt.Sprintf("sample %d: %s", i+1, found)
		}
	}
	parts = append(parts, problem)
	return joinNonEmpty("; ", parts...)
}

// sampleFacts describes the only sample of the cell.
func (s *resultCell) sampleFacts(c history.Cell, state CellState) string {
	took, checks := format.Seconds(c.Elapsed), format.Count(s.Checks.All(), "check")
	ending := ", " + took // of a sentence
	if c.IsCached {
		took = signReused + " an old answer, which took " + took
		ending = ", " + took
	} else if state.HasWords && !(state.IsNarrow && s.Failed > 0) {
		ending = "" // the cell has it
	}
	switch status := c.Status(); {
	case c.State == history.Failed:
		return fmt.Sprintf("%s %s after %s: %s", SignError, codeWords(c.FailureCode), took, failureText(c.FailureCode))
	case c.State == history.Cancelled:
		return "stopped before it had ended"
	case c.State == history.Interrupted:
		return "interrupted: confab ended before the answer came"
	case s.Running > 0:
		if took := s.runningTime(state.Now); took != "" {
			return "running for " + took
		}
		return "running"
	case s.Missing > 0 && state.IsLive:
		return "waiting for its turn"
	case s.Missing > 0:
		return "missing: it was not asked for yet"
	case !c.IsJudged && c.Provider == "" && c.Ending != history.EndsWhole:
		return "answered, " + took + "; the answer is " + string(c.Ending)
	case !c.IsJudged && c.Provider == "":
		return "answered, " + took
	case !c.IsJudged:
		return "answered, " + took + "; its checks were not judged yet"
	case status.IsIncomplete() && s.Checks.All() == 0:
		return SignSkipped + " the answer is " + string(status) + ", and nothing checked it" + ending
	case status.IsIncomplete() && s.Checks.Skipped == 0:
		return fmt.Sprintf("%s the answer is %s, which proves nothing, though %s passed%s", SignSkipped,
			string(status), checks, ending)
	case status == history.CellUnchecked:
		return SignUnchecked + " answered, and nothing checked it" + ending
	case status == history.CellPassed && ending == "" && s.Checks.All() == 1:
		return "" // the cell says all
	case status == history.CellPassed:
		return fmt.Sprintf("%s %s passed%s", SignPassed, checks, ending)
	}
	text := s.worstSign() + " " + cellProblem(c)
	if s.Checks.All() > 1 {
		text += fmt.Sprintf("; %d of %s passed", s.Checks.Passed, checks)
	}
	if s.Checks.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", s.Checks.Skipped)
	}
	return text + ending
}

// cellProblem returns the first problem of a sample with its reason: an error, a failed check or a skipped one; ""
// for none.
func cellProblem(c history.Cell) string {
	if c.State == history.Failed {
		return codeWords(c.FailureCode) + ": " + failureText(c.FailureCode)
	}
	for _, verdict := range []string{history.CheckFailed, history.CheckSkipped} {
		for _, r := range c.Checks {
			if r.Verdict != verdict || c.State != history.Done {
				continue
			}
			if verdict == history.CheckFailed {
				return FailureText(r)
			}
			text := CheckLabel(r) + " " + verdict
			if reason := checkReason(r); reason != "" {
				text += ": " + reason
			}
			return text
		}
	}
	return ""
}

func codeWords(code string) string { return strings.ReplaceAll(OneLine(code), "_", " ") }

// failureText explains the code of an error. A run's table does not store the sentence of the answer.
func failureText(code string) string {
	texts := map[string]string{
		"timeout":           "the answer did not come in time",
		"rate_limited":      "the service had too many requests",
		"quota":             "the quota was used up",
		"unauthorized":      "the service refused the key",
		"unknown_model":     "the service does not know the model",
		"bad_request":       "the service refused the request",
		"service":           "the service failed",
		"network":           "the service could not be reached",
		"bad_response":      "the service sent something that is not an answer",
		"too_large":         "the answer was too large",
		"bad_image":         "what came is not a picture",
		"image_unreachable": "the service could not fetch the picture",
		"config":            "the configuration does not allow the call",
		"store":             "the answer could not be stored",
		"disk":              "the picture could not be saved",
	}
	return cmp.Or(texts[code], "the call failed")
}
