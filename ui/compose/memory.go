package compose

import (
	"hash/maphash"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/part"
)

// memory is what the models remember of the open session.
type memory struct {
	counted    []service.Memory // by text model
	of         memoryKey        // what they were counted for
	bytes      int              // of the prompt then
	isCounting bool
	seed       maphash.Seed
}

// memoryKey names all that changes what is remembered, but the size of the prompt.
type memoryKey struct {
	session history.Session
	beside  int64
	models  string
	turns   uint64
	files   int64
}

// memoryMsg brings what was counted.
type memoryMsg memory

// remembers reports whether earlier turns may go with the prompt.
func (c *Composer) remembers() bool {
	s := c.Session()
	return c.settings.HasContext && s.ID != 0 && s.Owner == "" && c.Models.Kinds()[history.KindText] > 0
}

// CountMemory counts what the models remember, where that may have changed.
func (c *Composer) CountMemory() tea.Cmd {
	if c.memory.isCounting || !c.remembers() || c.isMemoryKnown() {
		return nil
	}
	c.memory.isCounting = true
	counted := memory{of: c.memoryKey(), bytes: c.promptBytes(), seed: c.memory.seed}
	p, _ := c.composed()
	return func() tea.Msg {
		counted.counted, _ = c.Service.Memories(c.Ctx, p) // sending reports the error
		return part.Result{To: c, Msg: memoryMsg(counted)}
	}
}

// isMemoryKnown reports whether what was counted last is what would be sent.
func (c *Composer) isMemoryKnown() bool {
	more := c.promptBytes() - c.memory.bytes
	return c.memory.of == c.memoryKey() &&
		!slices.ContainsFunc(c.memory.counted, func(m service.Memory) bool { return !m.HoldsFor(more) })
}

func (c *Composer) memoryKey() memoryKey {
	k := memoryKey{session: c.Session(), beside: c.settings.Beside, models: strings.Join(c.Models.Marked(), " ")}
	var h maphash.Hash
	h.SetSeed(c.memory.seed)
	for _, t := range c.Turns.Window() {
		maphash.WriteComparable(&h, t.ID)
		for i := range t.Answers {
			if a := &t.Answers[i]; a.State.HasEnded() {
				maphash.WriteComparable(&h, [2]int64{a.ID, int64(a.Version)})
			}
		}
	}
	k.turns = h.Sum64()
	for _, f := range c.attached() {
		k.files += f.Bytes + int64(len(f.Name))
	}
	return k
}

// promptBytes returns the size of the prompt and the system prompt.
func (c *Composer) promptBytes() int {
	size := len(c.area.Text()) + len(c.System.Text())
	for _, chip := range c.chips {
		size += len(chip.text) - len(chip.label)
	}
	return size
}

// comingTurns returns how many more turns may be remembered when the next prompt is sent: those whose answers have not
// ended, and those whose prompts wait.
func (c *Composer) comingTurns() (coming int) {
	next := service.Prompt{Session: c.Session().ID, Beside: c.settings.Beside}
	for _, t := range c.unended(next) {
		for _, m := range c.Models.Marked() {
			if _, isCounted := service.ContextAnswer(t, m); !isCounted {
				coming++
				break
			}
		}
	}
	for _, b := range c.queue {
		if next.Beside == 0 && b.prompts[0].Session == next.Session {
			coming++
		}
	}
	return coming
}

// memoryText says how many earlier turns go with the prompt, empty for none: what of it fits in a width.
func (c *Composer) memoryText(width int) string {
	if !c.remembers() || len(c.memory.counted) == 0 || !c.isMemoryKnown() {
		return ""
	}
	least, most := c.memory.counted[0], c.memory.counted[0]
	window := most.ContextTokens
	for _, m := range c.memory.counted[1:] {
		least.Turns, most.Turns = min(least.Turns, m.Turns), max(most.Turns, m.Turns)
		least.Tokens, most.Tokens = min(least.Tokens, m.Tokens), max(most.Tokens, m.Tokens)
		most.OmittedTurns = max(most.OmittedTurns, m.OmittedTurns)
		most.Pictures = max(most.Pictures, m.Pictures)
		if m.ContextTokens != window {
			window = 0
		}
	}
	if coming := c.comingTurns(); coming > 0 {
		return "remembers up to " + format.Count(most.Turns+coming, "turn")
	}
	if most.Turns+most.OmittedTurns == 0 {
		return ""
	}
	turns, tokens := format.Count(most.Turns, "turn"), "~"+format.ShortTokens(most.Tokens)
	switch {
	case least.Turns != most.Turns:
		turns = format.Number(least.Turns) + " to " + turns
	case most.OmittedTurns > 0:
		turns = format.Number(most.Turns) + " of " + format.Count(most.Turns+most.OmittedTurns, "turn")
	}
	if most.Pictures > 0 {
		turns += " and " + format.Count(most.Pictures, "picture")
	}
	if least.Tokens != most.Tokens {
		tokens = "up to " + tokens
	}
	if window > 0 {
		tokens += " of " + format.ShortTokens(window)
	}
	for _, text := range []string{"remembers " + turns + ", " + tokens + " tokens", "remembers " + turns} {
		if termtext.Width(text) <= width {
			return text
		}
	}
	return ""
}
