package conversation

import (
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/keys"
)

// Welcome is what an empty session shows beside its keys; each may be empty.
type Welcome struct {
	Unfinished string // a sentence on what was left unfinished, and how to continue it
	NextSteps  string // a sentence on what to do next
	Examples   []Example
}

// Example is a prompt for people who have just arrived. Its key may be empty.
type Example struct{ Key, Title, Models string }

// welcomeLines is what an empty session shows, and the hints of its rows.
func (c *Pane) welcomeLines() (lines []string, rows map[int]keys.Hint) {
	s := c.styles
	lines = append(c.sentence(c.Welcome.Unfinished, s.Warning), "",
		" "+s.Strong.Render("Nothing sent yet.")+s.Text.Render(" Write a prompt or run an example:"), "")
	rows = map[int]keys.Hint{}
	for _, e := range c.Welcome.Examples {
		if e.Key != "" {
			rows[len(lines)] = keys.Hint{Key: e.Key, Text: e.Title}
		}
		line := "   " + s.Key.Render(termtext.Fit(e.Key, 6)) + s.Text.Render(e.Title)
		if c.w > 74 {
			line += s.Faint.Render("   " + e.Models)
		}
		lines = append(lines, line)
	}
	nextSteps := c.sentence(c.Welcome.NextSteps, s.Faint)
	if len(lines)+5+len(nextSteps) > c.h { // the footer has the keys, too
		return append(lines, nextSteps...), rows
	}
	lines = append(lines, "")
	for _, command := range []keys.Command{keys.ChooseModels, keys.Sessions, keys.Commands, keys.Help} {
		entry, ok := c.keys.Entry(keys.Everywhere, command)
		if !ok {
			continue
		}
		rows[len(lines)] = keys.Hint{Key: entry.Keys[0], Text: entry.Long}
		lines = append(lines, "   "+s.Key.Render(termtext.Fit(entry.Keys[0], 9))+s.Muted.Render(entry.Long))
	}
	return append(lines, nextSteps...), rows
}

// sentence is a blank line and a sentence; nothing for no sentence.
func (c *Pane) sentence(text string, style themes.Style) []string {
	if text == "" {
		return nil
	}
	lines := []string{""}
	for _, line := range termtext.Wrap(termtext.Line(text), c.w-2) {
		lines = append(lines, " "+style.Render(line))
	}
	return lines
}
