package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/widget"
)

// The gaps between the segments of a title, and of a line of its own.
const (
	titleGap = "  "
	lineGap  = "   "
)

func piece(text string, style themes.Style) widget.Piece { return widget.Piece{Text: style.On(text)} }

// fitTitle returns number, name and marks of a cell with the first facts that fit w cells, or the last with a shorter
// name.
func (v *View) fitTitle(x *cell, w int, plain themes.Style, facts ...widget.Pieces) widget.Pieces {
	style := v.modelStyle(x, plain)
	if x.answer().State == history.Failed {
		style = v.styles.Danger
	}
	line := func(nameWidth int, facts widget.Pieces) widget.Pieces {
		name := v.sourceLabel(x)
		if !v.isNamedInStrip(x) {
			name += v.numbered(x.number, v.shortName(x.name, nameWidth))
		}
		head := append(widget.Pieces{piece(name, style)}, v.marks(x, style)...).Join(style.On(" "))
		if facts = facts.Join(titleGap); len(facts) == 0 || len(head) == 0 {
			return append(head, facts...)
		}
		return append(append(head, widget.Piece{Text: titleGap}), facts...)
	}
	width := ansi.StringWidth(termtext.Line(x.name))
	var last widget.Pieces
	for _, f := range facts {
		if last = line(width, f); last.Width() <= w {
			return last
		}
	}
	over := last.Width() - w
	return line(max(width-over, 4), facts[len(facts)-1])
}

// isNamedInStrip reports whether the strip has the whole name of a cell, which is in the only box.
func (v *View) isNamedInStrip(x *cell) bool {
	return v.layout.hasStrip && len(v.layout.boxes) == 1 && !v.styles.ScreenReader &&
		strings.Contains(ansi.Strip(v.stripLine()), v.numbered(x.number, termtext.Line(x.name)))
}

// numbered returns the name of a cell with its number, except in a preview.
func (v *View) numbered(number int, name string) string {
	if v.isPreview {
		return name
	}
	return fmt.Sprintf("%d %s", number, name)
}

func (v *View) colorModels() {
	slugs := make([]string, len(v.cells))
	for i, x := range v.cells {
		slugs[i] = x.model
	}
	v.models = v.styles.ModelStyles(slugs)
}

func (v *View) modelStyle(x *cell, style themes.Style) themes.Style {
	return v.models[x.number-1].Inherit(style)
}

// shortName cuts the name of a cell to w cells so that it differs from others.
func (v *View) shortName(name string, w int) string {
	names := make([]string, len(v.cells))
	for i, x := range v.cells {
		names[i] = termtext.Line(x.name)
	}
	return termtext.CutName(termtext.Line(name), max(w, 1), names)
}

// title is the title of a cell: number, model, marks, time, words, checks, samples. To fit, it omits the range of
// times and the rate of writing, then the words, the sample and the end of the name.
func (v *View) title(x *cell, w int, focused bool) widget.Pieces {
	plain := v.styles.Title
	switch {
	case focused:
		plain = v.styles.TitleFocused
	case x == v.current() && len(v.listed) > 1 && !v.isPreview: // which keys are for once the view has the focus
		plain = v.styles.Strong
	}
	if x.isDone() && x.answer().Picture != nil {
		return v.pictureTitle(x, w, plain)
	}
	fact := v.styles.Muted
	checks, checkStyle := "", fact
	long, short, words := x.stateText(v.env.Now()), x.stateText(v.env.Now()), ""
	if x.isDone() {
		c := summarizeChecks(x.checks())
		checks = c.String()
		if count, sign, _ := strings.Cut(checks, " "); v.isPreview && strings.Contains(count, "/") {
			checks = joinTexts(" ", count, format.Plural(c.All(), "check", "checks"), sign)
		}
		if c.Failed > 0 {
			checkStyle = v.styles.Danger
		}
		ending := string(x.answer().Ending())
		long, short = joinTexts(" ", x.longTime(v.env.Now()), ending), joinTexts(" ", x.shortTime(), ending)
		if v.previewsRow() { // the cell above has the time, and the checks stand below the text
			long, short = ending, ending
			if c.Failed == 0 {
				checks = ""
			}
		}
	}
	rate := ""
	if n := v.wordCount(x); n >= 0 {
		words, rate = format.Count(n, "word"), conversation.WritingRate(x.answer(), n, v.env.Now())
	}
	facts := func(state, words, sample string) widget.Pieces {
		return widget.Pieces{piece(state, v.stateStyle(x, fact)), piece(words, fact), piece(checks, checkStyle),
			{Text: fact.On(sample), Command: keys.NextSample}}
	}
	sample := x.sampleMark()
	return v.fitTitle(x, w, plain, facts(long, joinTexts(" · ", words, rate), sample), facts(short, words, sample),
		facts(short, "", sample), facts(short, "", ""))
}

// marks returns the rating, the pin, and that an answer is simulated beside real ones. A click removes a mark.
func (v *View) marks(x *cell, style themes.Style) widget.Pieces {
	rating := widget.Piece{Text: style.On(part.RatingSign(v.styles, x.answer())), Command: keys.RateGood}
	if x.answer().Rating == history.Bad {
		rating.Command = keys.RateBad
	}
	marks := widget.Pieces{rating}
	add := func(when bool, text string, command keys.Command) {
		if when {
			marks = append(marks, widget.Piece{Text: style.On(text), Command: command})
		}
	}
	add(x.answer().IsWinner, v.styles.Sign("★", "best"), keys.MarkWinner)
	add(x.name == v.pin, "pinned", keys.Pin)
	add(v.isSimulatedOnly(x), "simulated", "")
	return marks
}

// diffSigns draws the signs of removed and of added text.
func diffSigns(s *themes.Styles) (removed, added string) {
	removed, added = " − ", " + "
	if !s.HasTints() { // as the texts
		removed, added = "[-…-]", "{+…+}"
	}
	return s.Removed.On(removed) + s.Text.On(" "), s.Added.On(added) + s.Text.On(" ")
}

func joinTexts(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

// isSimulatedOnly reports whether an answer is simulated beside one that is not.
func (v *View) isSimulatedOnly(x *cell) bool {
	return x.isDone() && x.answer().IsSimulated() &&
		slices.ContainsFunc(v.cells, func(o *cell) bool { return o.isDone() && !o.answer().IsSimulated() })
}

func (v *View) stateStyle(x *cell, done themes.Style) themes.Style {
	switch a := x.answer(); {
	case a.State == history.Failed, a.State == history.Running && service.LacksConnection(a) &&
		service.RetryWait(a, v.env.Now()) > 0:
		return v.styles.Danger
	case a.State == history.Cancelled, a.State == history.Interrupted, service.RetryWait(a, v.env.Now()) > 0:
		return v.styles.Warning
	case a.State == history.Running:
		return v.styles.Info
	case a.State == history.Queued:
		return v.styles.Muted
	}
	return done
}

// Signs of answers.
const (
	checkFailedSign  = "✗"
	checkSkippedSign = "?"
	doubtSign        = "?" // cut, refused, filtered or empty
	cachedSign       = "c" // reused
)

// checkSummary counts the checks of an answer.
type checkSummary struct {
	suite.Checks
	firstFailed string // the first check that failed, with its reason
}

func summarizeChecks(checks []history.CheckResult) checkSummary {
	s := checkSummary{Checks: suite.CountChecks(checks)}
	isFailed := func(r history.CheckResult) bool { return r.Verdict == history.CheckFailed }
	if i := slices.IndexFunc(checks, isFailed); i >= 0 {
		s.firstFailed = fmt.Sprintf("check %d failed: %s", i+1, termtext.Line(checks[i].Name))
		if reason := checks[i].Reason; reason != "" {
			s.firstFailed += ": " + termtext.Line(reason)
		}
	}
	return s
}

// failedCheckText names the first failed check of an answer with its reason, "" for none.
func failedCheckText(x *cell) string {
	if text := summarizeChecks(x.checks()).firstFailed; text != "" {
		return checkFailedSign + " " + text
	}
	return ""
}

// String returns how many of all checks passed: "3/3", "2/3 ✗" when one failed, "2/3 ?" when none failed but one was
// skipped, "skipped" when none was judged, "" without checks.
func (s checkSummary) String() string {
	count := fmt.Sprintf("%d/%d", s.Passed, s.All())
	switch {
	case s.All() == 0:
		return ""
	case s.Skipped == s.All():
		return "skipped"
	case s.Failed > 0:
		return count + " " + checkFailedSign
	case s.Skipped > 0:
		return count + " " + checkSkippedSign
	}
	return count
}
