package compose

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/editing"
	"confab/ui/keys"
	"confab/ui/widget"
)

// State implements [action.Layer].
func (c *Composer) State() action.LayerState {
	return action.LayerState{Lookups: keys.LookupsIn(c.Scope()), HintAt: c.hintAt,
		CopySelection: c.copySelection, TakesKey: c.area.Takes}
}

// Rows returns the lines that the pane needs at a width, at most limit.
func (c *Composer) Rows(w, limit int) int {
	return min(c.editor.rows(w-2, limit)+c.optionRows(), limit)
}

func (c *Composer) optionRows() int { return min(len(c.options()), 1) }

// SetSize implements [part.Pane].
func (c *Composer) SetSize(w, h int) { c.w, c.h = w, h; c.layout() }

func (c *Composer) layout() {
	c.editor.area.Placeholder = promptPlaceholder
	switch kinds := c.Models.Kinds(); {
	case c.settings.Source != nil && kinds[history.KindEdit] > 0:
		c.editor.area.Placeholder = editPlaceholder
	case kinds[history.KindImage] > 0 && kinds[history.KindText] == 0:
		c.editor.area.Placeholder = imagePlaceholder
	}
	c.editor.SetSize(c.w, c.h-c.optionRows())
}

// Characters counts the characters of the text.
func (c *Composer) Characters() int { return utf8.RuneCountInString(c.editor.area.Text()) }

// Counted returns the newest count of characters.
func (c *Composer) Counted() int { return c.counted }

// Update implements [part.Pane].
func (c *Composer) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case keys.Press:
		c.fileName = "" // the list of files is closed
		if c.removed != nil && (msg.Scope == keys.Vi || c.edits(msg)) {
			if msg.Command == keys.ViUndo || c.area.Command(msg.KeyPressMsg) == keys.UndoEdit {
				return c.restoreVariant(), nil
			}
			c.removed = nil
		}
		if msg.Scope == keys.Vi {
			return c.viPress(msg)
		}
		if c.applies(msg.Command) {
			return c.own.Run(msg.Command), nil
		}
		if !c.edits(msg) {
			return c.unused(msg), nil
		}
		return c.editor.update(msg)
	case tea.PasteMsg:
		c.fileName = ""
		if msg.Content == "" { // terminals send this for a clipboard without text
			return action.Paste{}, nil
		}
		if path := picturePath(msg.Content); path != "" && c.takesPictures() {
			return nil, c.takePicture(path, msg.Content)
		}
		return c.editor.update(msg)
	case pastedTextMsg:
		changed, cmd := c.editor.update(tea.PasteMsg{Content: string(msg)})
		return action.Join(action.DraftChanged{}, changed), cmd
	case tea.MouseWheelMsg:
		return nil, nil
	case tea.MouseMsg:
		return c.mouse(msg), nil
	case modelsMsg:
		c.Models.SetModels(msg)
		return action.Relayout{}, nil
	case personasMsg:
		c.personas = msg
	case recalledMsg:
		return action.Join(c.showRecalled(msg), action.Relayout{}), nil
	case saveTickMsg:
		c.counted = c.Characters()
		return nil, c.SaveDraft()
	case memoryMsg:
		c.memory = memory(msg)
	case unsavedMsg:
		if msg.session == c.Session().ID {
			c.stored = nil
			return nil, c.NoteChange()
		}
	case attachedMsg:
		return c.attach(msg)
	case draftMsg:
		return c.restoreDraft(msg), nil
	case unfinished:
		return c.offerResume(msg), nil
	case planMsg:
		return c.afterPlan(msg), nil
	case sentMsg:
		return c.afterSent(msg)
	default:
		return c.editor.update(msg)
	}
	return nil, nil
}

// viPress does a key of vi's mode: up and down at the ends of the text show other prompts.
func (c *Composer) viPress(msg keys.Press) (action.Action, tea.Cmd) {
	isAlone := c.area.Mode() == editing.ModeNormal && !c.area.IsPending()
	switch {
	case msg.Command == keys.ViUp && isAlone && c.area.Line() == 0:
		return c.Run(keys.EarlierPrompt), nil
	case msg.Command == keys.ViDown && isAlone && c.area.Line() == c.area.LineCount()-1 && c.back > 0:
		return c.Run(keys.LaterPrompt), nil
	}
	return c.editor.update(msg)
}

func (c *Composer) unused(msg keys.Press) action.Action {
	switch msg.Command {
	case keys.Example1, keys.Example2, keys.Example3:
		return action.Unused{Why: "Examples need an empty session and an empty prompt."}
	}
	found := c.Keys.Find(msg.KeyPressMsg, keys.LookupsIn(keys.Conversation))
	if e, ok := c.Keys.Entry(keys.Conversation, found.Command); ok {
		return action.Unused{Why: msg.String() + " (" + e.Short + ") works in the conversation" +
			c.Keys.Phrase(keys.Everywhere, keys.Pane2, ": %s goes there") + "."}
	}
	return action.Unused{Key: msg.String()}
}

// applies reports whether a key runs its command now, or else is text or moves the cursor.
func (c *Composer) applies(command keys.Command) bool {
	switch command {
	case "", keys.NewLine:
		return false
	case keys.QuitWhenEmpty, keys.CommandsEmpty:
		return c.IsEmpty()
	case keys.PickFile:
		return !c.editor.isBehindWord() && !c.editor.area.HasSelection()
	case keys.EarlierPrompt:
		return c.editor.isAtFirstLine()
	case keys.LaterPrompt:
		return c.editor.isAtLastLine() && c.back > 0
	case keys.Example1, keys.Example2, keys.Example3:
		return c.OffersExamples && c.IsEmpty()
	}
	return true
}

// View implements [part.Pane].
func (c *Composer) View() []string {
	lines := c.editor.View()
	if options := c.options(); len(options) > 0 {
		lines = append(lines, " "+c.Styles().Muted.Render(termtext.Fit(options.String(), c.w-2))+" ")
	}
	return widget.FillLines(lines, c.w, c.h)
}
