package compose

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

// maxVariants is as many as there are letters for them.
const maxVariants = 26

// variant is the editors of a variant of the prompt, with what can be undone in them.
type variant struct{ text, system editor }

// variantState holds the variants of the prompt. The current one is in the panes, its place in the list is not used.
type variantState struct {
	variants  []variant // one at least
	current   int
	removed   *variant // that undoing brings back
	removedAt int
}

// Variants returns the texts of all variants.
func (c *Composer) Variants() []service.Variant {
	all := make([]service.Variant, len(c.variants))
	for i, v := range c.variants {
		if i != c.current {
			all[i] = service.Variant{Text: v.text.Text(), System: v.system.Text()}
		}
	}
	all[c.current] = service.Variant{Text: c.Text(), System: c.System.Text()}
	return all
}

// content returns what the pane of the prompt holds. The system prompt of a single variant is not part of it.
func (c *Composer) content() []service.Variant {
	if !c.hasVariants() {
		return []service.Variant{{Text: c.Text()}}
	}
	return c.Variants()
}

func (c *Composer) hasVariants() bool { return len(c.variants) > 1 }

// IsEmpty reports whether no variant has a text.
func (c *Composer) IsEmpty() bool {
	for i := range c.variants {
		if i != c.current && !c.variants[i].text.IsEmpty() {
			return false
		}
	}
	return c.editor.IsEmpty()
}

// show replaces all variants by others, of which a single one leaves the system prompt as it is.
func (c *Composer) show(content []service.Variant, current int) {
	c.removed = nil
	c.editor.SetText(content[current].Text)
	if c.variants, c.current = make([]variant, len(content)), current; len(content) == 1 {
		return
	}
	c.System.SetText(content[current].System)
	for i, v := range content {
		if i != current {
			c.variants[i] = c.newVariant(v)
		}
	}
}

func (c *Composer) newVariant(v service.Variant) variant {
	made := variant{newEditor(c.Keys, promptPlaceholder), newEditor(c.Keys, systemPlaceholder)}
	made.text.area.ShareRegister(&c.editor.area)
	made.system.area.ShareRegister(&c.editor.area)
	made.text.Reset(v.Text)
	made.system.Reset(v.System)
	return made
}

// enter puts a variant of the list into the panes, in the place of the one that was there.
func (c *Composer) enter(next int) tea.Cmd {
	text, system := c.editor, c.System.editor
	c.current = next
	c.editor, c.System.editor = c.variants[next].text, c.variants[next].system
	c.System.SetSize(system.w, system.h)
	c.SetStyles(c.Styles())
	c.System.SetStyles(c.Styles())
	c.layout()
	c.counted = c.Characters()
	return tea.Batch(c.SetFocused(text.area.Focused()), c.System.SetFocused(system.area.Focused()))
}

// stepVariant shows the next variant, or the one before.
func stepVariant(by int) func(*Composer) action.Action {
	return func(c *Composer) action.Action {
		n := len(c.variants)
		c.variants[c.current] = variant{c.editor, c.System.editor}
		return c.changedVariant(c.enter((c.current + by + n) % n))
	}
}

// addVariant adds a copy of the current variant and shows it.
func (c *Composer) addVariant() action.Action {
	if len(c.variants) == maxVariants {
		return action.Notify{Severity: action.Warn, Text: "There are variants A to Z; no more are sent together."}
	}
	c.removed = nil
	c.variants[c.current] = variant{c.editor, c.System.editor}
	c.variants = append(c.variants, c.newVariant(service.Variant{Text: c.Text(), System: c.System.Text()}))
	return c.changedVariant(c.enter(len(c.variants) - 1))
}

// removeVariant removes the current variant until undo brings it back; its text is one of the earlier prompts.
func (c *Composer) removeVariant() action.Action {
	c.keepUnsent([]service.Variant{{Text: c.Text()}})
	c.removed, c.removedAt = &variant{c.editor, c.System.editor}, c.current
	c.variants = slices.Delete(c.variants, c.current, c.current+1)
	shown := c.changedVariant(c.enter(min(c.current, len(c.variants)-1)))
	undo := c.Keys.Phrase(keys.Text, keys.UndoEdit, " %s brings it back.")
	return action.Sequence{shown, action.Notify{Severity: action.Info,
		Text:  "Variant " + variantName(c.removedAt) + " is removed." + undo,
		While: func() bool { return c.removed != nil }}}
}

// restoreVariant brings back the variant that was removed last.
func (c *Composer) restoreVariant() action.Action {
	c.variants[c.current] = variant{c.editor, c.System.editor}
	c.variants = slices.Insert(c.variants, c.removedAt, *c.removed)
	c.dropUnsent([]service.Variant{{Text: c.removed.text.Text()}})
	c.removed = nil
	return c.changedVariant(c.enter(c.removedAt))
}

func (c *Composer) changedVariant(cmd tea.Cmd) action.Action {
	return action.WithCmd(action.Sequence{action.Relayout{}, action.DraftChanged{}}, cmd)
}

func variantName(i int) string { return string(rune('A' + i)) }

// tabs draws the names of the variants, the current one in brackets; nothing for a single one.
func (c *Composer) tabs() widget.Piece {
	if !c.hasVariants() {
		return widget.Piece{}
	}
	var b strings.Builder
	for i := range c.variants {
		name := " " + variantName(i) + " "
		if i == c.current {
			name = "[" + variantName(i) + "]"
		}
		b.WriteString(name)
	}
	return widget.Piece{Text: b.String(), Command: keys.NextVariant}
}

// SystemTitle is the title of the system prompt, with the variant that it belongs to where there are several.
func (c *Composer) SystemTitle() string {
	if !c.hasVariants() {
		return "System prompt"
	}
	return "System prompt of " + variantName(c.current)
}
