package conversation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/flow"
	"confab/ui/keys"
)

// fact is something to say of an answer. Where there is little room those of the highest ranks are left out.
type fact struct {
	text string
	rank int
}

const factGap = " · "

// fitFacts joins the facts that fit into w cells; one of them always stays.
func fitFacts(facts []fact, w int) string {
	facts = slices.DeleteFunc(slices.Clone(facts), func(f fact) bool { return f.text == "" })
	for {
		texts := make([]string, len(facts))
		last := 0
		for i, f := range facts {
			if texts[i] = f.text; f.rank >= facts[last].rank {
				last = i
			}
		}
		if text := strings.Join(texts, factGap); termtext.Width(text) <= w || len(facts) < 2 {
			return text
		}
		facts = slices.Delete(facts, last, last+1)
	}
}

// doneFacts are the facts of an answer that has ended as done.
func (c *Pane) doneFacts(a history.Answer) []fact {
	v := c.view(a.ID)
	took := fmt.Sprintf("%.2f s", a.Elapsed.Seconds())
	switch {
	case a.Cached:
		took = "(" + took + " cached)"
	case a.Elapsed >= 100*time.Second:
		took = format.Seconds(a.Elapsed)
	}
	by := termtext.Line(a.AnsweredBy())
	facts := []fact{{took, 0}}
	if a.IsSimulated() {
		facts, by = append(facts, fact{by, 1}), ""
	}
	tokens := TokensText(a)
	if tokens == "" && a.Picture == nil && (v.body.len() > 0 || a.Kind == history.KindText && !hasText(a)) {
		tokens = format.Count(v.body.words, "word")
	}
	facts = append(facts, fact{tokens, 2})
	for i, text := range SpeedTexts(a) {
		facts = append(facts, fact{text, 5 - i})
	}
	if a.Cost.Currency != "" {
		facts = append(facts, fact{format.Money(a.Cost.Amount, a.Cost.Currency), 3})
	}
	facts = append(facts, fact{by, 6})
	if len(a.Ignored) > 0 {
		facts = append(facts, fact{"without " + termtext.Line(strings.Join(a.Ignored, ", ")), 3})
	}
	if a.Masked {
		facts = append(facts, fact{"key masked", 3})
	}
	if v.isUnformatted {
		facts = append(facts, fact{"unformatted", 0})
	}
	if v.showsSource {
		facts = append(facts, fact{"before", 0})
	}
	return facts
}

// TokensText returns the tokens of an answer, such as "1,204 → 356 tokens"; empty when they are not known.
func TokensText(a history.Answer) string {
	u := a.Usage
	switch {
	case u.OutputTokens == 0:
		return ""
	case u.InputTokens == 0:
		return format.Number(u.OutputTokens) + " tokens"
	}
	return format.Number(u.InputTokens) + " → " + format.Number(u.OutputTokens) + " tokens"
}

// SpeedTexts returns how soon an answer began and how fast it was written, as far as that is known.
func SpeedTexts(a history.Answer) [2]string {
	var texts [2]string
	if a.FirstToken > 0 && !a.Cached && a.Kind == history.KindText {
		texts[0] = format.Seconds(a.FirstToken) + " to first"
	}
	if speed := a.TokensPerSecond(); speed > 0 && !a.Cached {
		texts[1] = fmt.Sprintf("%.0f/s", speed)
	}
	return texts
}

// addSums adds up the tokens and costs of all answers, as far as the whole session is here.
func (c *Pane) addSums() {
	tokens, costs := 0, map[string]float64{}
	for _, t := range c.turns {
		for _, a := range t.Answers {
			tokens += a.Usage.InputTokens + a.Usage.OutputTokens
			costs[a.Cost.Currency] += a.Cost.Amount
		}
	}
	c.sums = ""
	if tokens == 0 || c.hasOlder || c.hasNewer {
		return
	}
	texts := []string{format.Number(tokens) + " tokens"}
	for _, currency := range slices.Sorted(maps.Keys(costs)) {
		if currency != "" {
			texts = append(texts, format.Money(costs[currency], currency))
		}
	}
	c.sums = strings.Join(texts, factGap)
}

// Sums returns the tokens and costs of the session; empty where they are not known.
func (c *Pane) Sums() string { return c.sums }

// RunningFacts returns what is known of a text while it is written: its tokens or words so far, and how many a second.
func RunningFacts(a history.Answer, words int, now time.Time) string {
	count, text := words, format.Count(words, "word")
	if a.Usage.OutputTokens > 0 {
		count, text = a.Usage.OutputTokens, format.Count(a.Usage.OutputTokens, "token")
	}
	writing := now.Sub(a.Started) - a.FirstToken - a.Thinking
	if count == 0 {
		return ""
	}
	if writing >= time.Second {
		text += factGap + fmt.Sprintf("%.0f/s", float64(count)/writing.Seconds())
	}
	return text
}

// Words returns the number of words that have come of the one answer that is read.
func (c *Pane) Words() int { return c.view(c.only).body.words }

// runningText says for how long an answer runs and what has come of it.
func (c *Pane) runningText(a history.Answer, w int) string {
	s := c.styles
	if text := service.RetryText(a, c.now); text != "" {
		style := s.Warning
		if service.WithoutConnection(a) {
			style = s.Danger
		}
		return style.Render(text) + s.Muted.Render(fmt.Sprintf("   attempt %d", a.Progress.Attempt+1))
	}
	seconds := max(int(c.now.Sub(a.Started).Seconds()), 0)
	text := fmt.Sprintf("%s %d s", spinner[seconds%len(spinner)], seconds)
	if c.ReducesMotion {
		text = s.Sign("", "running ") + fmt.Sprintf("%d s", seconds)
	}
	facts := []fact{{RunningFacts(a, c.view(a.ID).body.words, c.now), 0}}
	if usual := c.typical(a.Model); usual > 0 && !a.Progress.Streams {
		facts = append(facts, fact{"usually " + format.Seconds(usual), 1})
	}
	if a.Progress.Received > 0 && !a.Progress.Streams {
		facts = append(facts, fact{format.Size(a.Progress.Received) + " so far", 0})
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
	if v := c.view(a.ID); v.body.len() > 0 {
		after = " after " + format.Count(v.body.words, "word")
	}
	switch {
	case a.State == history.Failed:
		return "broke off" + after
	case a.State == history.Cancelled:
		return "cancelled" + after
	case a.State == history.Interrupted:
		return "broke off" + after + ": confab ended"
	case a.State == history.Done && a.Finish == chat.FinishLength:
		return "cut at the limit of tokens" + after
	case a.State == history.Done && a.Finish == chat.FinishFilter:
		return "the engine left something out"
	}
	return ""
}

// thinkingText says how long a model thought, or that it does.
func (c *Pane) thinkingText(a history.Answer) string {
	if a.State == history.Running && a.Text == "" {
		return fmt.Sprintf("thinking… %d s", max(int((c.now.Sub(a.Started)-a.FirstToken).Seconds()), 0))
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
			if termtext.Width(line+hint) < c.w-c.railWidth() {
				line += hint
			}
		}
	}
	lines := make([]string, p.Height)
	lines[p.Height-1] = termtext.Fit(" "+line, c.w-c.railWidth())
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
