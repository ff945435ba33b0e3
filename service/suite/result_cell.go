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
	text := firstFitting(w, s.texts(state)...)
	const gap, minWords = "  ", 12 // cells
	if rest := w - cellWidth(text+gap); state.HasWords && rest >= minWords {
		if words := ansi.Truncate(s.words(), rest, "…"); words != "" {
			text += gap + words
		}
	}
	return text
}

// words returns the beginning of the first answer that has one, without the signs of Markdown.
func (s *resultCell) words() string {
	for _, c := range s.cells {
		if c.Words != "" {
			words := strings.Fields(strings.NewReplacer("**", "", "__", "", "`", "", "|", " ").Replace(c.Words))
			isRule := func(word string) bool { return strings.Trim(word, "#>-:=*_~") == "" }
			return OneLine(strings.Join(slices.DeleteFunc(words, isRule), " "))
		}
	}
	return ""
}

// texts returns the texts for the state of the cell, the longest first.
func (s *resultCell) texts(state CellState) []string {
	switch {
	case s.Cells == 0:
		return []string{signNone}
	case s.Cells == 1 && s.Running+s.Missing == 0:
		return s.sampleTexts(state)
	case s.Cells > 1 && s.Ended() > 0:
		return s.samplesTexts(state)
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
	count := ""
	if s.Cells > 1 {
		count = fmt.Sprintf(" ×%d", s.Cells)
	}
	if took := s.runningTime(state.Now); took != "" {
		return []string{"running " + took + count, "running " + took, "run " + took}
	}
	return []string{word + count, word}
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

// marks returns the worst sign with a count, endings other than requested and the mark of a winner. A table of turns
// without checks shows neither sign nor count.
func (s *resultCell) marks(count, endings string) string {
	sign := joinNonEmpty(" ", s.worstSign(), count)
	if s.Checks.All() == 0 && s.cells[0].Provider == "" {
		sign = ""
	}
	if s.Wins > 0 {
		endings = joinNonEmpty(" ", endings, signWinner)
	}
	return joinNonEmpty(" ", sign, endings)
}

// sampleTexts returns the texts for a single sample that has ended, the longest first.
func (s *resultCell) sampleTexts(state CellState) []string {
	c := s.cells[0]
	count, counted := "", "" // of one check, or if all passed, the sign says all
	if s.Checks.All() > max(s.Checks.Passed, 1) {
		count = fmt.Sprintf("%d/%d", s.Checks.Passed, s.Checks.All())
		counted = s.marks(count+" checks", string(c.Ending))
	}
	took, marks := format.Seconds(c.Elapsed), s.marks(count, string(c.Ending))
	switch {
	case c.State == history.Failed:
		text := codeWords(c.FailureCode)
		return []string{SignError + " " + took + " " + text, SignError + " " + text}
	case c.State != history.Done:
		return []string{c.State.Word()}
	case c.IsCached:
		marks, took = strings.TrimPrefix(marks, SignUnchecked), signReused+" reused ("+took+")"
		return []string{joinNonEmpty(" ", marks, took), joinNonEmpty(" ", marks, signReused), cmp.Or(marks, signReused)}
	}
	texts := failedCheck(s.marks("", string(c.Ending)), c, state)
	if counted != "" {
		texts = append(texts, counted+" "+took, counted)
	}
	return append(texts, joinNonEmpty(" ", marks, took), cmp.Or(marks, took))
}

// failedCheck returns texts with the name of the failed check and the number of further ones, the longest first; none
// if no check failed, or there is no space for names.
func failedCheck(marks string, c history.Cell, state CellState) []string {
	i := slices.IndexFunc(c.Checks, func(r history.CheckResult) bool { return r.Verdict == history.CheckFailed })
	if i < 0 || state.IsNarrow {
		return nil
	}
	name := FailureLabel(c.Checks[i])
	if n := CountChecks(c.Checks).Failed; n > 1 {
		name += fmt.Sprintf(" +%d", n-1)
	}
	return []string{marks + " " + format.Seconds(c.Elapsed) + " " + name, marks + " " + name}
}

// samplesTexts returns the texts for several samples of which one has ended, the longest first.
func (s *resultCell) samplesTexts(state CellState) []string {
	short := s.marks(fmt.Sprintf("%d/%d", s.Passed, s.Ended()), s.endings())
	for _, c := range s.cells {
		if texts := failedCheck(short, c, state); s.Running == 0 && texts != nil {
			return append(texts, short)
		}
	}
	base, took := joinNonEmpty(" ", short, fmt.Sprintf("×%d", s.Cells)), ""
	switch {
	case s.Running > 0:
		took = "running"
	case len(s.Times) > 0:
		took = format.Seconds(s.Time().Median)
	case s.Reused > 0:
		took = signReused
	}
	texts := []string{joinNonEmpty(" ", base, took), base, cmp.Or(short, base)}
	if s.Running == 0 && len(s.Times) > 1 {
		texts = append([]string{texts[0] + " " + timeRange(s.Time())}, texts...)
	}
	return texts
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

// Head returns how many bytes of a text of the cell the mark and the reason take, without the answer's words.
func (s *resultCell) Head(w int, state CellState) int {
	state.HasWords = false
	return len(s.Text(w, state))
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
	return joinNonEmpty("; ", parts...)
}

// sampleFacts describes the only sample of the cell.
func (s *resultCell) sampleFacts(c history.Cell, state CellState) string {
	took, checks := format.Seconds(c.Elapsed), format.Count(s.Checks.All(), "check")
	if c.IsCached {
		took = signReused + " an old answer, which took " + took
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
		return SignSkipped + " the answer is " + string(status) + ", and nothing checked it, " + took
	case status.IsIncomplete() && s.Checks.Skipped == 0:
		return fmt.Sprintf("%s the answer is %s, which proves nothing, though %s passed, %s", SignSkipped,
			string(status), checks, took)
	case status == history.CellUnchecked:
		return SignUnchecked + " answered, and nothing checked it, " + took
	case status == history.CellPassed:
		return fmt.Sprintf("%s %s passed, %s", SignPassed, checks, took)
	}
	text := fmt.Sprintf("%s %s; %d of %s passed", s.worstSign(), cellProblem(c), s.Checks.Passed, checks)
	if s.Checks.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", s.Checks.Skipped)
	}
	return text + ", " + took
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
