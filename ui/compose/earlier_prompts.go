package compose

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/ui/part"
)

// setPrompt replaces the text of the prompt and ends recalling.
func (c *Composer) setPrompt(text string) {
	c.back, c.setAside = 0, ""
	c.editor.SetText(text)
	c.counted = c.Characters()
}

// Replace replaces the text of the prompt and keeps the old one among the earlier prompts.
func (c *Composer) Replace(text string) {
	if old := c.Text(); old != text && c.back == 0 {
		c.keepUnsent(old)
	} else if c.back > 0 {
		c.keepUnsent(c.setAside)
	}
	c.setPrompt(text)
}

// keepUnsent keeps a text that the history does not have as the newest earlier prompt.
func (c *Composer) keepUnsent(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	c.dropUnsent(text)
	if c.back > 0 {
		c.back++ // the earlier prompt that is shown is one further away now
	}
	c.unsent = slices.Insert(c.unsent, 0, text)
}

// dropUnsent drops a text that the history has now.
func (c *Composer) dropUnsent(text string) {
	at := slices.Index(c.unsent, text)
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

// recalledMsg brings the n-th newest prompt of the history.
type recalledMsg struct {
	back  int
	text  string
	found bool
}

// readEarlier reads the n-th newest prompt of all sessions, 1 being the newest.
func (c *Composer) readEarlier(back int) tea.Cmd {
	return func() tea.Msg {
		msg := recalledMsg{back: back}
		if hits, err := c.Service.Prompts(c.Ctx, "", back); err == nil && len(hits) >= back {
			msg.text, msg.found = hits[back-1].Prompt, true
		}
		return part.Result{To: c, Msg: msg}
	}
}

// showRecalled shows a prompt of the history if it is the next or the previous one.
func (c *Composer) showRecalled(msg recalledMsg) {
	back := msg.back + len(c.unsent)
	if msg.found && (back == c.back+1 || back == c.back-1) {
		c.showEarlier(back, msg.text)
	}
}

func (c *Composer) showEarlier(back int, text string) {
	if c.back == 0 {
		c.setAside = c.Text()
	}
	c.back = back
	c.editor.SetText(text)
}
