package conversation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/flow"
	"confab/ui/keys"
)

const factGap = " · "

// fitFacts joins the facts that fit into w cells; one of them always stays.
func fitFacts(facts history.Facts, w int) string {
	for {
		last := 0
		for i, f := range facts {
			if f.Rank >= facts[last].Rank {
				last = i
			}
		}
		if text := termtext.Line(facts.Join(factGap)); termtext.Width(text) <= w || len(facts) < 2 {
			return text
		}
		facts = slices.Delete(slices.Clone(facts), last, last+1)
	}
}

// doneFacts are the facts of an answer that has ended as done, but for those that stand elsewhere: its words where the
// tokens are known, what its head marks, and what its parts say.
func (c *Pane) doneFacts(t history.Turn, a history.Answer) history.Facts {
	v, words := c.view(a.ID), -1
	hasWords := v.body.Len() > 0 || a.Kind == history.KindText && !hasText(a)
	if a.Picture == nil && a.Usage.String() == "" && hasWords {
		words = v.body.words
	}
	facts := t.Facts(a, words).Without(history.FactSample, history.FactEnding, history.FactShape, history.FactFile,
		history.FactNonce, history.FactSource, history.FactJudgement, history.FactServiceNote, history.FactNote)
	if a.IsSimulated() && a.Picture == nil { // the text says so
		facts = facts.Without(history.FactEngine)
	}
	if v.isUnformatted {
		facts = append(facts, history.Fact{Text: "unformatted"})
	}
	if v.showsSource { // first, since it says what picture this is
		facts = append(history.Facts{{Text: "before"}}, facts...)
	}
	return facts
}

// Sums returns the tokens and costs of the session; empty where they are not known, or not all turns are here.
func (c *Pane) Sums() string {
	if c.turns.HasOlder() || c.turns.HasNewer() {
		return ""
	}
	tokens, costs := 0, map[string]float64{}
	for _, t := range c.turns.Window() {
		for _, a := range t.Answers {
			tokens += a.Usage.InputTokens + a.Usage.OutputTokens
			costs[a.Cost.Currency] += a.Cost.Amount
		}
	}
	if tokens == 0 {
		return ""
	}
	texts := []string{format.Number(tokens) + " tokens"}
	for _, currency := range slices.Sorted(maps.Keys(costs)) {
		if currency != "" {
			texts = append(texts, format.Money(costs[currency], currency))
		}
	}
	return strings.Join(texts, factGap)
}

// WritingRate returns how many tokens or words of a text come in a second while it is written, "" if that is unknown.
func WritingRate(a history.Answer, words int, now time.Time) string {
	count, unit := words, "word"
	if a.Usage.OutputTokens > 0 {
		count, unit = a.Usage.OutputTokens, "token"
	}
	writing := format.Elapsed(a.Started, now) - a.FirstToken - a.Thinking
	if a.State != history.Running || count == 0 || writing < time.Second {
		return ""
	}
	return format.Rate(float64(count)/writing.Seconds(), unit)
}

// Words returns the number of words that have come of the one answer that is read.
func (c *Pane) Words() int { return c.view(c.only).body.words }

// RunningTime says for how many seconds an answer runs, after a sign that moves with them unless motion is reduced.
func (c *Pane) RunningTime(a history.Answer) string {
	seconds := int(format.Elapsed(a.Started, c.now()).Seconds())
	sign := spinner[seconds%len(spinner)] + " "
	if c.ReducesMotion {
		sign = c.styles.Sign("", "running ")
	}
	return fmt.Sprintf("%s%d s", sign, seconds)
}

// runningText says for how long an answer runs and what has come of it.
func (c *Pane) runningText(a history.Answer, w int) string {
	s := c.styles
	if text := service.RetryText(a, c.now()); text != "" {
		style := s.Warning
		if service.LacksConnection(a) {
			style = s.Danger
		}
		if termtext.Width(text) > w {
			text = strings.Replace(text, "trying again", "again", 1)
		}
		return style.Render(text) + s.Muted.Render(fitMore(text, fmt.Sprintf("   attempt %d", a.Progress.Attempt+1), w))
	}
	text := c.RunningTime(a)
	var facts history.Facts
	if words := c.view(a.ID).body.words; words > 0 {
		facts = append(facts, history.Fact{Text: format.Count(words, "word")})
		if rate := WritingRate(a, words, c.now()); rate != "" {
			facts = append(facts, history.Fact{Text: rate})
		}
	}
	if usual := c.typical(a.Model); usual > 0 && !a.Progress.Streams {
		facts = append(facts, history.Fact{Text: "usually " + format.Seconds(usual), Rank: 1})
	}
	if a.Progress.Received > 0 && !a.Progress.Streams {
		facts = append(facts, history.Fact{Text: format.Size(a.Progress.Received) + " so far"})
	}
	more := fitFacts(facts, w-termtext.Width(text)-2)
	if more != "" {
		more = factGap + more
	}
	return s.Info.Render(text) + s.Muted.Render(more)
}

// endingText says why a text stops before its end; empty for one that does not.
func (c *Pane) endingText(a history.Answer) string {
	after := ""
	if v := c.view(a.ID); v.body.Len() > 0 {
		after = " after " + format.Count(v.body.words, "word")
	}
	switch {
	case a.State == history.Failed:
		return "broke off" + after
	case a.State == history.Cancelled:
		return "stopped" + after
	case a.State == history.Interrupted:
		return "broke off" + after + ": confab ended"
	case a.Ending() == history.EndsCut:
		return a.EndingText() + after
	}
	return a.EndingText()
}

// thinkingText says how long a model thought, or that it does.
func (c *Pane) thinkingText(a history.Answer) string {
	if a.State == history.Running && a.Text == "" {
		return fmt.Sprintf("thinking… %d s", max(int((format.Elapsed(a.Started, c.now())-a.FirstToken).Seconds()), 0))
	}
	facts := []string{"thought"}
	if a.Thinking > 0 {
		facts[0] += " for " + format.Seconds(a.Thinking)
	}
	if n := a.Usage.ReasoningTokens; n > 0 {
		facts = append(facts, format.Number(n)+" tokens")
	}
	return strings.Join(facts, factGap)
}

// liveLines draws a part of one line that is made anew whenever the screen is.
func (c *Pane) liveLines(p flow.Part, a history.Answer, selected ref) []string {
	s := c.styles
	line := s.Faint.Render("…")
	hints := c.partHints(p.Key, a)
	switch p.Key.Role {
	case roleEnding:
		line = s.Warning.Render("▪ " + c.endingText(a))
	case roleReasoning:
		sign := "▸ "
		if c.view(a.ID).showsReasoning {
			sign = "▾ "
		}
		line = s.Faint.Render(sign + c.thinkingText(a))
	}
	if c.focused && selected == (ref{p.Key.Turn, p.Key.Answer}) {
		for _, h := range hints {
			hint := "   " + s.Key.Render(h.Key) + " " + s.KeyText.Render(h.Text)
			if termtext.Width(line+hint) < c.answerWidth() {
				line += hint
			}
		}
	}
	lines := make([]string, p.Height)
	lines[p.Height-1] = termtext.Fit(" "+line, c.answerWidth())
	return lines
}

// partHints are the keys that stand beside the head of an answer, or in the line of a reasoning or an ending.
func (c *Pane) partHints(key flow.Key, a history.Answer) []keys.Hint {
	switch {
	case key.Role == roleHead:
		return c.answerHints(a)
	case key.Role == roleEnding && service.CanContinue(a):
		return c.keys.Hints(keys.Conversation, keys.Continue, keys.Again)
	case key.Role == roleEnding:
		return c.keys.Hints(keys.Conversation, keys.Again)
	case key.Role == roleReasoning && key.Index == indexFold:
		return c.keys.Hints(keys.Conversation, keys.ShowReasoning)
	}
	return nil
}
