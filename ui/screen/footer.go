package screen

import (
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/widget"
)

// Footer holds the newest notice.
type Footer struct {
	env    part.Env
	shown  action.Notify
	number int // of the notices so far

	endsWithKey bool // the notice is about the newest key
	isNew       bool // since the last [Footer.EndOutdated]
	view        any  // at that time
}

// NewFooter returns a footer without a notice.
func NewFooter(env part.Env) *Footer { return &Footer{env: env} }

// Fail shows an error and reads the shown data again. It ignores the end of the screen's context.
func (f *Footer) Fail(a action.Fail) (action.Action, tea.Cmd) {
	if f.env.Ctx.Err() != nil && errors.Is(a.Err, f.env.Ctx.Err()) {
		return nil, nil
	}
	return action.Reread{}, f.Notify(action.Notify{Severity: action.Bad, Text: part.Sentence(a.Err)})
}

// Unused reports until the next key that a key does nothing here.
func (f *Footer) Unused(a action.Unused) tea.Cmd {
	cmd := f.Notify(action.Notify{Severity: action.Info, Text: f.unusedText(a)})
	f.endsWithKey = true
	return cmd
}

// endMsg ends the notice of that number; a later one stays.
type endMsg struct{ number int }

// Update implements [part.Receiver].
func (f *Footer) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if end, ok := msg.(endMsg); ok && end.number == f.number {
		f.shown = action.Notify{}
	}
	return nil, nil
}

// Notify shows a notice for its time, else for as long as it takes to read it.
func (f *Footer) Notify(a action.Notify) tea.Cmd {
	duration := a.For
	if duration == 0 {
		duration = 4*time.Second + time.Duration(len(a.Text))*40*time.Millisecond
		if a.Severity == action.Bad {
			duration *= 2
		}
	}
	f.shown, f.endsWithKey, f.isNew = a, false, true
	f.number++
	end := part.Result{To: f, Msg: endMsg{f.number}}
	return tea.Tick(duration, func(time.Time) tea.Msg { return end })
}

// EndOutdated ends a notice whose condition no longer holds. One without a condition that only informs or warns is
// about the view in which it was shown, and ends when the person changes that.
func (f *Footer) EndOutdated(view any, isFromPerson bool) {
	hasLeft := isFromPerson && !f.isNew && view != f.view
	f.view, f.isNew = view, false
	switch informs := f.shown.Severity == action.Info || f.shown.Severity == action.Warn; {
	case f.shown.While != nil && !f.shown.While(), f.shown.While == nil && informs && hasLeft:
		f.shown = action.Notify{}
	}
}

// EndWithKey ends a notice about the key before.
func (f *Footer) EndWithKey() {
	if f.endsWithKey {
		f.shown, f.endsWithKey = action.Notify{}, false
	}
}

// unusedText returns the notice that a key does nothing, and what to do instead.
func (f *Footer) unusedText(a action.Unused) string {
	if a.Why != "" {
		return a.Why
	}
	name := a.Key
	if press, ok := keys.Parse(a.Key); ok {
		everywhere := f.env.Keys.Find(press, keys.LookupsIn(keys.Everywhere))
		if e, ok := f.env.Keys.Entry(keys.Everywhere, everywhere.Command); ok {
			name += " (" + e.Short + ")"
		}
	}
	return termtext.Line(name) + " does nothing here" + f.env.Keys.Phrase(keys.Everywhere, keys.Help,
		"; %s shows the keys that do") + "."
}

// Progress counts the answers in progress.
type Progress struct {
	Ended, All int
	Hints      []keys.Hint // drawn after the count
	Shows      string      // key that shows the answers, pressed by a click
}

func (p Progress) text(s *themes.Styles, w int) string {
	return strings.TrimRight(fmt.Sprintf("%d of %d answered  ", p.Ended, p.All)+progressBar(s, w, p), " ")
}

// lastHints is how many hints are kept while others do not fit: help and quit.
const lastHints = 2

// Line draws the footer in w cells: the notice or the progress, then the last hints and before them as many as fit. A
// hint is never cut, and the last cell is blank.
func (f *Footer) Line(w int, p Progress, hints []keys.Hint) string {
	s := f.env.Styles()
	left := ""
	switch {
	case f.shown.Text != "":
		left = severityStyle(s, f.shown.Severity).Render(termtext.Line(f.shown.Text))
	case p.All > 0:
		left = p.text(s, w)
		for _, h := range p.Hints {
			left += "  " + s.Key.Render(h.Key) + s.KeyText.Render(" "+h.Text)
		}
	}
	draw := func(hints []keys.Hint) (line string) {
		for _, h := range hints {
			line += "  " + s.Key.Render(h.Key) + " " + s.KeyText.Render(h.Text)
		}
		return line
	}
	n := max(len(hints)-lastHints, 0)
	last := hints[n:]
	line := func() string { return strings.TrimPrefix(left+draw(hints[:n])+draw(last), "  ") }
	for n > 0 && termtext.Width(line()) >= w-1 {
		n--
	}
	for len(last) > 0 && termtext.Width(line()) >= w-1 { // a long notice: no hint is cut
		last = last[:len(last)-1]
	}
	return termtext.Fit(" "+line(), w)
}

// HintAt returns the hint at a column of the line that [Footer.Line] draws with the same arguments, or the word there,
// which a notice may use for a key. It ignores single letters.
func (f *Footer) HintAt(x, w int, p Progress, hints []keys.Hint) (hint keys.Hint, isWord, ok bool) {
	if f.shown.Text == "" && p.All > 0 && x <= termtext.Width(p.text(f.env.Styles(), w)) {
		return keys.Hint{Key: p.Shows}, false, p.Shows != ""
	}
	line := ansi.Strip(f.Line(w, p, hints))
	if hint, ok := keys.HintAt(line, x, append(p.Hints, hints...)); ok {
		return hint, false, true
	}
	name := strings.Trim(widget.WordAt(line, x), ".,;:()")
	return keys.Hint{Key: name}, true, len(name) > 1
}

func severityStyle(s *themes.Styles, severity action.Severity) themes.Style {
	switch severity {
	case action.Good:
		return s.Success
	case action.Warn:
		return s.Warning
	case action.Bad:
		return s.Danger
	}
	return s.Info
}

func progressBar(s *themes.Styles, w int, p Progress) string {
	cells := 18
	switch {
	case w < 70, p.Ended == 0: // an empty bar looks like a rule
		return ""
	case w < 100:
		cells = 9
	}
	full := cells * p.Ended / p.All
	return widget.Bar(s, s.Progress, full, cells)
}
