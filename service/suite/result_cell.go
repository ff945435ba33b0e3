package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
)

// resultCell is a cell of the table of one run: the samples of one prompt and one model.
type resultCell struct {
	Stats
	cells []history.Cell // by repetition; shared with the table
}

// worstSign returns the sign of the worst status.
func (s *resultCell) worstSign() string {
	for _, v := range problemStatuses() {
		if s.Count(v) > 0 {
			return statusSign(v)
		}
	}
	return SignPassed
}

func (s *resultCell) Text(w int, state CellState) string {
	switch {
	case s.Cells == 0:
		return signNone
	case s.Cells == 1 && s.Running+s.Missing == 0:
		return firstFitting(w, s.sampleTexts(w)...)
	case s.Cells > 1 && s.Ended() > 0:
		return firstFitting(w, s.samplesTexts(w)...)
	}
	word := "stopped"
	switch {
	case s.Running > 0:
		word = "running"
	case s.Missing > 0 && state.IsLive:
		word = "wait"
	case s.Missing > 0:
		word = "missing"
	}
	count, took := "", strings.ReplaceAll(s.runningTime(state.Now), " ", "")
	if s.Cells > 1 {
		count = fmt.Sprintf(" ×%d", s.Cells)
	}
	if took != "" {
		return firstFitting(w, "running "+took+count, "running "+took, "run "+took)
	}
	return firstFitting(w, word+count, word)
}

// runningTime returns the elapsed time of the first running sample; "" if unknown.
func (s *resultCell) runningTime(now time.Time) string {
	since := now
	for _, c := range s.cells {
		if c.State == history.Running && !c.Started.IsZero() && c.Started.Before(since) {
			since = c.Started
		}
	}
	if since.Equal(now) {
		return ""
	}
	return format.WholeSeconds(since, now)
}

// sampleTexts returns the texts for a single sample that has ended, the longest first.
func (s *resultCell) sampleTexts(w int) []string {
	c := s.cells[0]
	sign, took := s.worstSign(), shortTime(c.Elapsed)
	if all := s.Checks.All(); all > 0 {
		sign = fmt.Sprintf("%s %d/%d", sign, s.Checks.Passed, all)
	}
	if c.Ending != history.EndsWhole {
		sign += " " + string(c.Ending)
	}
	switch {
	case c.State == history.Failed:
		text := signError + " " + codeWords(c.FailureCode)
		return []string{text + " " + took, text}
	case c.State != history.Done:
		return []string{string(c.State)}
	case c.IsCached && sign == signUnchecked:
		return []string{signReused + " reused (" + took + ")", signReused + " (" + took + ")", signReused}
	case c.IsCached:
		reused := sign + " " + signReused
		return []string{reused + " reused (" + took + ")", reused + " (" + took + ")", reused, sign}
	}
	return append(failedCheck(w, sign, c), sign+" "+took, sign)
}

// failedCheck returns texts with the name of the failed check, the longest first; none if no check failed.
func failedCheck(w int, sign string, c history.Cell) []string {
	i := slices.IndexFunc(c.Checks, func(r history.CheckResult) bool { return r.Verdict == Failed })
	if i < 0 {
		return nil
	}
	name := OneLine(c.Checks[i].Name)
	texts := []string{sign + " " + name + " " + shortTime(c.Elapsed), sign + " " + name}
	const minName = 5 // cells
	if rest := w - ansi.StringWidth(SignFailed+" "); rest >= minName {
		texts = append(texts, SignFailed+" "+ansi.Truncate(name, rest, "…"))
	}
	return texts
}

// samplesTexts returns the texts for several samples of which one has ended, the longest first.
func (s *resultCell) samplesTexts(w int) []string {
	short := fmt.Sprintf("%s %d/%d", s.worstSign(), s.Passed, s.Ended())
	if endings := s.endings(); endings != "" {
		short += " " + endings
	}
	for _, c := range s.cells {
		if texts := failedCheck(w, short, c); s.Running == 0 && texts != nil {
			return append(texts, short)
		}
	}
	base := fmt.Sprintf("%s ×%d", short, s.Cells)
	switch {
	case s.Running > 0:
		return []string{base + " running", base, short}
	case len(s.Times) > 1:
		took := base + " " + shortTime(s.Time().Median)
		return []string{took + " " + timeRange(s.Time()), took, base, short}
	case len(s.Times) == 1:
		return []string{base + " " + shortTime(s.Times[0]), base, short}
	case s.Reused > 0:
		return []string{base + " " + signReused + " reused", base + " " + signReused, base, short}
	}
	return []string{base, short}
}

// endings counts the samples that are not as requested: "2 cut 1 empty".
func (s *resultCell) endings() string {
	var counts []signCount
	for _, ending := range []history.Ending{history.EndsCut, history.EndsFiltered, history.EndsRefused,
		history.EndsEmpty} {
		n := 0
		for _, c := range s.cells {
			if c.Ending == ending {
				n++
			}
		}
		counts = append(counts, signCount{n, " " + string(ending)})
	}
	return joinCounts(" ", counts...)
}

func (s *resultCell) Tone() Tone {
	switch {
	case s.Failed > 0:
		return ToneBad
	case s.Errors+s.Skipped+s.Incomplete > 0:
		return ToneWarning
	case s.Running > 0:
		return ToneRunning
	case s.Passed > 0 && s.Missing+s.Stopped+s.Unchecked+s.Reused == 0:
		return ToneGood
	case s.Answered() > 0:
		return TonePlain
	}
	return ToneFaint
}

func (s *resultCell) NeedsAttention() bool { return s.Failed+s.Errors > 0 }

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
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "; ")
}

// sampleFacts describes the only sample of the cell.
func (s *resultCell) sampleFacts(c history.Cell, state CellState) string {
	took, checks := format.Seconds(c.Elapsed), format.Count(s.Checks.All(), "check")
	if c.IsCached {
		took = signReused + " an old answer, which took " + took
	}
	switch status := c.Status(); {
	case c.State == history.Failed:
		return fmt.Sprintf("%s %s after %s: %s", signError, codeWords(c.FailureCode), took, failureText(c.FailureCode))
	case c.State == history.Cancelled:
		return "cancelled before it had ended"
	case c.State == history.Interrupted:
		return "interrupted: confab ended before the answer came"
	case s.Running > 0:
		return strings.TrimSuffix("running for "+s.runningTime(state.Now), " for ")
	case s.Missing > 0 && state.IsLive:
		return "waiting for its turn"
	case s.Missing > 0:
		return "missing: it was not asked for yet"
	case !c.IsJudged:
		return "answered, " + took + "; its checks were not judged yet"
	case status.IsIncomplete() && s.Checks.All() == 0:
		return SignSkipped + " the answer is " + string(status) + ", and nothing checked it, " + took
	case status.IsIncomplete() && s.Checks.Skipped == 0:
		return fmt.Sprintf("%s the answer is %s, which proves nothing, though %s passed, %s", SignSkipped,
			string(status), checks, took)
	case status == history.CellUnchecked:
		return signUnchecked + " answered, and nothing checked it, " + took
	case status == history.CellPassed:
		return fmt.Sprintf("%s %s passed, %s", SignPassed, checks, took)
	}
	text := fmt.Sprintf("%s %d of %s passed", s.worstSign(), s.Checks.Passed, checks)
	if s.Checks.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", s.Checks.Skipped)
	}
	return text + ", " + took + "; " + cellProblem(c)
}

// cellProblem returns the first problem of a sample with its reason: an error, a failed check or a skipped one; ""
// for none.
func cellProblem(c history.Cell) string {
	if c.State == history.Failed {
		return codeWords(c.FailureCode) + ": " + failureText(c.FailureCode)
	}
	for _, verdict := range []string{Failed, Skipped} {
		for i, r := range c.Checks {
			if r.Verdict != verdict || c.State != history.Done {
				continue
			}
			text := fmt.Sprintf("check %d, %s, %s", i+1, OneLine(r.Name), verdict)
			if r.Reason != "" {
				text += ": " + OneLine(r.Reason)
			}
			return text
		}
	}
	return ""
}

// timeRange formats the shortest and the longest time: "(1.8–4.0)".
func timeRange(s format.Summary) string {
	return fmt.Sprintf("(%.1f–%.1f)", s.Min.Seconds(), s.Max.Seconds())
}

// isFresh reports whether the run measured the time of a sample.
func isFresh(c *history.Cell) bool { return c != nil && c.State == history.Done && !c.IsCached }

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
