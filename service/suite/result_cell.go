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
	const gap, minWords, minReason = "  ", 12, 10 // cells
	text := firstFitting(w, s.texts(state)...)
	head, reason, more := s.failure(state)
	if space := w - cellWidth(head+gap+more); reason != "" && !strings.Contains(text, reason) && space >= minReason {
		text = head + gap + ansi.Truncate(reason, space, "…") + more
	}
	if rest := w - cellWidth(text+gap); state.HasWords && rest >= minWords {
		if words := ansi.Truncate(s.words(), rest, "…"); words != "" {
			text += gap + words
		}
	}
	return text
}

// words returns the beginning of the first answer that has one.
func (s *resultCell) words() string {
	for _, c := range s.cells {
		if words := cellWords(c); words != "" {
			return words
		}
	}
	return ""
}

// cellWords returns the beginning of an answer without the signs of Markdown.
func cellWords(c history.Cell) string {
	words := strings.Fields(strings.NewReplacer("**", "", "__", "", "`", "", "|", " ").Replace(c.Words))
	isRule := func(word string) bool { return strings.Trim(word, "#>-:=*_~") == "" }
	words = slices.DeleteFunc(words, isRule)
	for i, word := range words { // emphasis
		words[i] = strings.Trim(word, "*_")
	}
	return OneLine(strings.Join(words, " "))
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
	count := "" // if all passed, or one check was skipped, the sign says all
	if s.Checks.Failed > 0 || s.Checks.All() > max(s.Checks.Passed, 1) {
		count = fmt.Sprintf("%d/%d", s.Checks.Passed, s.Checks.All())
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
	mark := s.marks("", string(c.Ending))
	texts := s.failureTexts(state)
	if count != "" { // the count is the reason, and stands behind the time as the name of a check does
		texts = append(texts, joinNonEmpty(" ", mark, took, count, "checks"), joinNonEmpty(" ", mark, count, "checks"))
	}
	return append(texts, joinNonEmpty(" ", mark, took), cmp.Or(marks, took))
}

// failure returns what stands before the name of the first failed check, that name, and the number of further ones; all
// are empty if no check failed, or there is no space for names.
func (s *resultCell) failure(state CellState) (head, reason, more string) {
	isFailed := func(r history.CheckResult) bool { return r.Verdict == history.CheckFailed }
	for _, c := range s.cells {
		i := slices.IndexFunc(c.Checks, isFailed)
		if i < 0 || state.IsNarrow || c.State != history.Done || s.Running > 0 {
			continue
		}
		head = s.marks("", string(c.Ending))
		if s.Cells > 1 {
			head = s.marks(fmt.Sprintf("%d/%d", s.Passed, s.Ended()), s.endings())
		}
		reason = CheckLabel(c.Checks[i])
		if n := CountChecks(c.Checks).Failed; n > 1 {
			more = fmt.Sprintf(" +%d", n-1)
		}
		return joinNonEmpty(" ", head, s.time()), reason, more
	}
	return "", "", ""
}

// failureTexts returns the text with the failed check, if there is one.
func (s *resultCell) failureTexts(state CellState) []string {
	if head, reason, more := s.failure(state); reason != "" {
		return []string{head + "  " + reason + more}
	}
	return nil
}

// samplesTexts returns the texts for several samples of which one has ended, the longest first.
func (s *resultCell) samplesTexts(state CellState) []string {
	short := s.marks(fmt.Sprintf("%d/%d", s.Passed, s.Ended()), s.endings())
	if texts := s.failureTexts(state); texts != nil {
		return append(texts, short)
	}
	base, took := joinNonEmpty(" ", short, fmt.Sprintf("×%d", s.Cells)), ""
	switch {
	case s.Running > 0:
		took = "running"
	case len(s.Times) > 0:
		took = s.time()
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

// Parts colors the mark and the reason, but neither the time between them nor the words of the answer.
func (s *resultCell) Parts(w int, state CellState) []TextPart {
	text := s.Text(w, state)
	state.HasWords = false
	head := min(len(s.Text(w, state)), len(text))
	mark, rest, hasTime := strings.Cut(text[:head], s.time())
	if s.time() == "" || !hasTime {
		return []TextPart{{text[:head], s.Tone()}, {text[head:], TonePlain}}
	}
	return []TextPart{{mark, s.Tone()}, {s.time(), ToneMuted}, {rest, s.Tone()}, {text[head:], TonePlain}}
}

// time returns the time of the only sample, or the median of several; "" if it was not measured.
func (s *resultCell) time() string {
	if len(s.Times) == 0 {
		return ""
	}
	return format.Seconds(s.Time().Median)
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
