package conversation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
	"confab/ui/keys"
	"confab/ui/part"
)

// youLines is the line above a prompt.
func (c *Pane) youLines(t history.Turn, height int) []string {
	facts := []string{t.Created.Local().Format("15:04")}
	if format.Elapsed(t.Created, c.now()) > 20*time.Hour {
		facts[0] = t.Created.Local().Format("2 Jan 15:04")
	}
	if len(t.Siblings) > 0 {
		facts = append([]string{"‹ " + strings.TrimPrefix(t.BranchText(), "branch ") + " ›"}, facts...)
	}
	if values := t.ValuesText(); values != "" {
		facts = append(facts, ansi.Truncate(termtext.Line(values), max(c.w/2, 1), "…"))
	}
	if models := t.Models(); len(models) > 1 {
		facts = append(facts, format.Count(len(models), "model"))
	}
	if t.Samples > 1 {
		facts = append(facts, format.Count(t.Samples, "sample"))
	}
	if t.Aspect != "" {
		facts = append(facts, t.Aspect)
	}
	if t.Source != nil {
		verb := "with "
		if slices.ContainsFunc(t.Answers, func(a history.Answer) bool { return a.Kind == history.KindEdit }) {
			verb = "edits "
		}
		facts = append(facts, verb+termtext.Line(t.Source.Name()))
	}
	for _, f := range t.Files {
		facts = append(facts, "@"+termtext.Line(f.Name)+" "+format.Size(f.Bytes))
	}
	if n := t.RememberedTurns(); n > 0 {
		facts = append(facts, "remembers "+format.Count(n, "turn"))
	}
	if params := service.ParamsText(t.Params); params != "" {
		facts = append(facts, termtext.Line(params))
	}
	if t.System != "" {
		facts = append(facts, "system: "+termtext.Line(t.System))
	}
	out := make([]string, height)
	out[height-1] = c.personLine(c.styles.You.Render("▌ you") + "  " +
		c.styles.Muted.Render(ansi.Truncate(strings.Join(facts, "   "), max(c.w-9, 1), "…")))
	return out
}

// waitingLines is the height of a prompt that waits.
const waitingLines = 3

// waitingLines are the lines of a prompt that is sent once the answers above it have ended.
func (c *Pane) waitingLines(n int) []string {
	waiting := c.turns.Waiting()
	if n >= len(waiting) {
		return nil
	}
	facts := "queued until the answers above end" + c.keys.Phrase(keys.Prompt, keys.EarlierPrompt, "   %s edits it")
	text := ansi.Truncate(termtext.Line(format.FirstLine(waiting[n])), max(c.w-4, 1), "…")
	return []string{"", c.personLine(c.styles.You.Render("▌ you") + "  " + c.styles.Muted.Render(facts)),
		c.personLine("  " + c.styles.Muted.Render(text))}
}

// headLine is the line above an answer; style is that of its model.
func (c *Pane) headLine(t history.Turn, a history.Answer, selected ref, style themes.Style) string {
	tail := ""
	if len(t.Answers) > 1 {
		at := slices.IndexFunc(t.Answers, func(x history.Answer) bool { return x.ID == a.ID })
		tail = c.styles.Faint.Render(fmt.Sprintf("%d of %d", at+1, len(t.Answers)))
	}
	width := c.answerWidth() - 1
	const leastLeft = 24 // cells of the name and what is said of the answer
	if c.focused && selected == (ref{t.ID, a.ID}) {
		for _, h := range c.answerHints(a) {
			hint := "  " + c.styles.Key.Render(h.Key) + " " + c.styles.KeyText.Render(h.Text)
			if termtext.Width(tail)+termtext.Width(hint)+leastLeft > width {
				break
			}
			tail += hint
		}
	}
	name := style.Inherit(c.styles.Strong).Render(part.StateMark(a.State) + " " + termtext.Line(a.Model))
	left := " " + name + c.judgement(a) + "  "
	gap := " "
	if len(t.Answers) > 1 {
		gap = "  " // the keys of a single answer bring one of their own
	}
	if used := termtext.Width(tail); used+leastLeft <= width {
		width -= used + len(gap)
		tail = gap + tail
	} else {
		tail = ""
	}
	return termtext.Fit(left+c.stateText(t, a, width-termtext.Width(left)), width) + tail
}

// judgement is the sample of an answer and the marks of a person's judgement.
func (c *Pane) judgement(a history.Answer) string {
	out := ""
	if a.Sample > 1 {
		out += c.styles.Muted.Render(fmt.Sprintf(" #%d", a.Sample))
	}
	return out + part.Judgement(c.styles, a)
}

// spinner has one figure a second: it moves with the seconds, not by itself.
var spinner = [...]string{"⠋", "⠙", "⠸", "⠴", "⠦", "⠇"}

// stateText says where an answer stands, in w cells as far as that is possible.
func (c *Pane) stateText(t history.Turn, a history.Answer, w int) string {
	s := c.styles
	switch a.State {
	case history.Queued:
		return s.Muted.Render("queued")
	case history.Running:
		return c.runningText(a, w)
	case history.Failed:
		code := ""
		if a.Failure != nil {
			code = factGap + a.Failure.Code
		}
		return s.Danger.Render("failed"+code) + s.Muted.Render(fitMore("failed"+code, took(a), w))
	case history.Cancelled:
		return s.Warning.Render("stopped") + s.Muted.Render(fitMore("stopped", took(a), w))
	case history.Interrupted:
		return s.Warning.Render("interrupted") + s.Muted.Render("   confab ended before it answered")
	}
	if facts := c.doneFacts(t, a); a.Failure == nil {
		return s.Muted.Render(fitFacts(facts, w))
	} else {
		return s.Muted.Render(fitFacts(facts.Only(history.FactTime), w)) +
			s.Danger.Render("   not saved: "+termtext.Line(a.Failure.Message))
	}
}

// fitMore returns what more there is to say after a text, in w cells with that; "" where it does not fit.
func fitMore(text, more string, w int) string {
	if termtext.Width(text)+termtext.Width(more) > w {
		return ""
	}
	return more
}

func took(a history.Answer) string {
	if a.Elapsed <= 0 {
		return ""
	}
	return "   after " + format.Seconds(a.Elapsed)
}

// answerHints are the keys worth showing on the focused answer.
func (c *Pane) answerHints(a history.Answer) []keys.Hint {
	switch {
	case !a.State.HasEnded():
		return c.keys.Hints(keys.Conversation, keys.StopAnswer)
	case service.CanContinue(a):
		return c.keys.Hints(keys.Conversation, keys.Continue, keys.Again)
	case a.State != history.Done:
		return c.keys.Hints(keys.Conversation, keys.Again)
	case a.Picture != nil && a.Kind == history.KindEdit:
		return c.keys.Hints(keys.Conversation, keys.BeforeAfter, keys.UseAsSource, keys.EditChain, keys.OpenPicture)
	case a.Picture != nil:
		return c.keys.Hints(keys.Conversation, keys.OpenPicture, keys.UseAsSource, keys.Another)
	}
	return c.keys.Hints(keys.Conversation, keys.CopyAnswer, keys.Again)
}
