package compose

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/ui/action"
	"confab/ui/part"
)

// earlierPrompts is the state of recalling. A prompt is all its variants.
type earlierPrompts struct {
	unsent   [][]service.Variant // that were neither sent nor saved, newest first
	back     int                 // position of the shown one; 0 for the user's
	setAside []service.Variant   // the user's while an earlier one is shown
}

// setPrompt replaces the prompt and ends recalling.
func (c *Composer) setPrompt(content []service.Variant, current int) {
	c.back, c.setAside = 0, nil
	c.show(content, current)
}

// replace replaces the prompt and keeps the old one among the earlier prompts. hasKept tells whether there was one.
func (c *Composer) replace(content []service.Variant) (hasKept bool) {
	old := c.content()
	if c.back > 0 {
		old = c.setAside
	}
	if hasKept = !isBlank(old) && !slices.Equal(old, content); hasKept {
		c.keepUnsent(old)
	}
	c.setPrompt(content, 0)
	return hasKept
}

// Clear empties the prompt and keeps its text among the earlier prompts.
func (c *Composer) Clear() { c.replace([]service.Variant{{}}) }

func isBlank(content []service.Variant) bool {
	return !slices.ContainsFunc(content, func(v service.Variant) bool { return !v.IsBlank() })
}

// findUnsent returns the position of a prompt that the history does not have, -1 for none.
func (c *Composer) findUnsent(content []service.Variant) int {
	return slices.IndexFunc(c.unsent, func(o []service.Variant) bool { return slices.Equal(o, content) })
}

// keepUnsent keeps a prompt that the history does not have as the newest earlier one.
func (c *Composer) keepUnsent(content []service.Variant) {
	if isBlank(content) {
		return
	}
	c.dropUnsent(content)
	if c.back > 0 {
		c.back++ // the earlier prompt that is shown is one further away now
	}
	c.unsent = slices.Insert(c.unsent, 0, content)
}

// dropUnsent drops a prompt that the history has now.
func (c *Composer) dropUnsent(content []service.Variant) {
	at := c.findUnsent(content)
	if at < 0 {
		return
	}
	if c.back > at+1 {
		c.back--
	}
	c.unsent = slices.Delete(c.unsent, at, at+1)
}

// recall shows the n-th newest earlier prompt; unsent ones are newer than those of the history.
func (c *Composer) recall(back int) tea.Cmd {
	if n := len(c.unsent); back > n {
		return c.readEarlier(back - n)
	}
	c.showEarlier(back, c.unsent[back-1])
	return nil
}

// recalledMsg brings the n-th prompt of the history.
type recalledMsg struct {
	back  int
	hit   history.PromptHit
	found bool
}

// readEarlier reads the n-th prompt of the history: those of the open session come before those of others, each the
// newest first.
func (c *Composer) readEarlier(back int) tea.Cmd {
	session := c.Session().ID
	return func() tea.Msg {
		msg := recalledMsg{back: back}
		hits := c.promptsFrom(session, back)
		if msg.found = len(hits) >= back; msg.found {
			msg.hit = hits[back-1]
		}
		return part.Result{To: c, Msg: msg}
	}
}

// promptsFrom reads up to n prompts of a session and then those of others, without one that the session has as well.
func (c *Composer) promptsFrom(session int64, n int) (hits []history.PromptHit) {
	var err error
	if session != 0 {
		if hits, err = c.Service.Prompts(c.Ctx, session, "", n); err != nil || len(hits) >= n {
			return hits
		}
	}
	all, err := c.Service.Prompts(c.Ctx, 0, "", n)
	if err != nil {
		return hits
	}
	own := hits
	for _, h := range all {
		if !slices.ContainsFunc(own, func(o history.PromptHit) bool { return o.Prompt == h.Prompt }) {
			hits = append(hits, h)
		}
	}
	return hits
}

// showRecalled shows a prompt of the history if it is the next or the previous one. It names the session of one that
// was sent in another than the open one.
func (c *Composer) showRecalled(msg recalledMsg) action.Action {
	back := msg.back + len(c.unsent)
	if !msg.found || back != c.back+1 && back != c.back-1 {
		return nil
	}
	c.showEarlier(back, []service.Variant{{Text: msg.hit.Prompt}})
	if open := c.Session().ID; open == 0 || msg.hit.Session == open {
		return nil
	}
	return action.Notify{Severity: action.Info,
		Text: "Prompt of another session: " + cmp.Or(msg.hit.SessionName, "unnamed session") + "."}
}

func (c *Composer) showEarlier(back int, content []service.Variant) {
	if c.back == 0 {
		c.setAside = c.content()
	}
	c.back = back
	c.show(content, 0)
}
