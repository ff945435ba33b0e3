package compose

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

// maxVariants is as many as there are letters for them.
const maxVariants = 26

// variant is the editors of a variant of the prompt, with what can be undone in them.
type variant struct{ text, system editor }

// variantState holds the variants of the prompt, of which the current one is in the panes.
type variantState struct {
	variants  []*variant // one at least
	current   int
	removed   *variant // that undoing brings back
	removedAt int
}

// Variants returns the texts of all variants.
func (c *Composer) Variants() []service.Variant { return c.readVariants((*editor).Text) }

func (c *Composer) readVariants(read func(*editor) string) []service.Variant {
	all := make([]service.Variant, len(c.variants))
	for i, v := range c.variants {
		all[i] = service.Variant{Text: read(&v.text), System: read(&v.system)}
	}
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
	return !slices.ContainsFunc(c.variants, func(v *variant) bool { return !v.text.IsEmpty() })
}

// show replaces all variants by others, of which a single one leaves the system prompt as it is.
func (c *Composer) show(content []service.Variant, current int) {
	shown := c.variants[c.current]
	c.removed, c.variants, c.current = nil, make([]*variant, len(content)), current
	shown.text.SetText(content[current].Text)
	if len(content) > 1 {
		shown.system.SetText(content[current].System)
	}
	for i, v := range content {
		if c.variants[i] = shown; i != current {
			c.variants[i] = c.newVariant(v, shown)
		}
	}
	c.counted = c.Characters()
}

// newVariant returns the editors of a variant. What is deleted in them can be put into those of another.
func (c *Composer) newVariant(v service.Variant, other *variant) *variant {
	made := &variant{newEditor(c.Keys, promptPlaceholder), newEditor(c.Keys, systemPlaceholder)}
	made.text.area.ShareRegister(&other.text.area)
	made.system.area.ShareRegister(&other.text.area)
	made.text.Reset(v.Text)
	made.system.Reset(v.System)
	return made
}

// enter puts a variant into the panes.
func (c *Composer) enter(current int) action.Action {
	text, system := c.editor, c.System.editor
	c.use(current)
	c.System.SetSize(system.w, system.h)
	c.layout()
	c.counted = c.Characters()
	focus := tea.Batch(c.SetFocused(text.area.Focused()), c.System.SetFocused(system.area.Focused()))
	return action.WithCmd(action.Sequence{action.Relayout{}, action.DraftChanged{}}, focus)
}

// use makes a variant the current one.
func (c *Composer) use(current int) {
	v := c.variants[current]
	c.current, c.editor, c.System.editor = current, &v.text, &v.system
	c.Commands = withText{c.own, textCommands.For(c.editor, c.Keys)}
	c.System.Commands = withText{c.System.own, textCommands.For(c.System.editor, c.Keys)}
	c.SetStyles(c.Styles())
	c.System.SetStyles(c.Styles())
}

// stepVariant shows the next variant, or the one before.
func stepVariant(by int) func(*Composer) action.Action {
	return func(c *Composer) action.Action { return c.enter((c.current + by + len(c.variants)) % len(c.variants)) }
}

// addVariant adds a copy of the current variant and shows it.
func (c *Composer) addVariant() action.Action {
	if len(c.variants) == maxVariants {
		return action.Notify{Severity: action.Warn, Text: "All 26 variants are in use."}
	}
	copied := service.Variant{Text: c.Text(), System: c.System.Text()}
	c.removed, c.variants = nil, append(c.variants, c.newVariant(copied, c.variants[0]))
	return c.enter(len(c.variants) - 1)
}

// removeVariant removes the current variant until undo brings it back; its text is one of the earlier prompts.
func (c *Composer) removeVariant() action.Action {
	c.keepUnsent([]service.Variant{{Text: c.Text()}})
	c.removed, c.removedAt = c.variants[c.current], c.current
	c.variants = slices.Delete(c.variants, c.current, c.current+1)
	undo := c.Keys.Phrase(keys.Text, keys.UndoEdit, " %s restores it.")
	return action.Sequence{c.enter(min(c.current, len(c.variants)-1)), action.Notify{Severity: action.Info,
		Text:  "Variant " + variantName(c.removedAt) + " removed." + undo,
		While: func() bool { return c.removed != nil }}}
}

// restoreVariant brings back the variant that was removed last.
func (c *Composer) restoreVariant() action.Action {
	c.dropUnsent([]service.Variant{{Text: c.removed.text.Text()}})
	c.variants, c.removed = slices.Insert(c.variants, c.removedAt, c.removed), nil
	return c.enter(c.removedAt)
}

func variantName(i int) string { return string(rune('A' + i)) }

// tabs draws the names of the variants, the current one in brackets; nothing for a single one.
func (c *Composer) tabs(s *themes.Styles, style themes.Style) widget.Piece {
	if !c.hasVariants() {
		return widget.Piece{}
	}
	text := ""
	for i := range c.variants {
		if i == c.current {
			text += style.On("[" + variantName(i) + "]")
		} else {
			text += s.Muted.On(" " + variantName(i) + " ")
		}
	}
	return widget.Piece{Text: text + style.On(" "), Command: keys.NextVariant}
}

// SystemTitle is the title of the system prompt, with the variant that it belongs to where there are several.
func (c *Composer) SystemTitle() string {
	if !c.hasVariants() {
		return "System prompt"
	}
	return "System prompt of " + variantName(c.current)
}
