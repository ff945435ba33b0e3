package compose

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/editing"
	"confab/ui/keys"
	"confab/ui/part"
)

// Commands returns the commands of the prompt, of the models and of text fields.
func Commands() []keys.Entry {
	return slices.Concat(promptCommands.Entries(), modelCommands.Entries(), textCommands.Entries(),
		editing.ViCommands())
}

var promptCommands = part.Table[*Composer]{Scope: keys.Prompt, Bindings: []part.Binding[*Composer]{
	{Command: keys.Send, Section: "send", Keys: "enter", Short: "send", Rank: part.Ranked[*Composer](1),
		Long: "Send to the marked models",
		Do:   func(c *Composer) action.Action { return action.WithCmd(c.Send(action.Send{})) }},
	{Command: "send_alone", Keys: "alt+n", Short: "send now",
		Long:  "Send now, without earlier turns",
		Group: keys.GroupPrompt, Title: "Send without memory",
		Rank: part.RankIf(2, func(c *Composer) bool { return c.settings.HasContext && c.Turns.Running() > 0 }),
		Do:   func(c *Composer) action.Action { return action.WithCmd(c.Send(action.Send{Alone: true})) }},
	{Command: keys.NewLine, Keys: "ctrl+j shift+enter alt+enter", Short: "new line", Long: "New line",
		Rank: part.Ranked[*Composer](2), Do: func(c *Composer) action.Action { return c.insert("\n") }},
	{Command: keys.QuitWhenEmpty, Keys: "ctrl+d", Short: "quit", Long: "Quit, on an empty prompt",
		Action: action.RunCommand{Scope: keys.Everywhere, Command: keys.Quit}},
	{Command: keys.CommandsEmpty, Keys: "/", WhenEmpty: true, Short: "commands",
		Long:   "Open the commands, on an empty prompt",
		Action: action.ShowList{List: action.ListCommands}},
	{Command: keys.PickFile, Section: "write", Keys: "@", WhenEmpty: true, Short: "file",
		Long:  "At the start of a word: attach a file",
		Group: keys.GroupPrompt, Title: "Attach a file", Words: "upload", Do: (*Composer).pickFile},
	{Command: "paste", Keys: "ctrl+v", Short: "paste",
		Long:  "Paste text or a picture from the clipboard",
		Group: keys.GroupPrompt, Title: "Paste text or a picture", Action: action.Paste{}},
	{Command: keys.EarlierPrompt, Keys: "up", Short: "earlier prompt",
		Long: "Earlier prompt, or the queued one, on the first line",
		Do:   (*Composer).takeBackOrRecall},
	{Command: keys.LaterPrompt, Keys: "down", Short: "later prompt",
		Long: "Later prompt, then the draft, on the last line", Do: (*Composer).later},
	{Command: "add_variant", Section: "variants and values", Keys: "alt+t", Short: "variant",
		Long:  "Add a variant of the prompt, sent together with it",
		Group: keys.GroupPrompt, Title: "Add a variant of the prompt", Do: (*Composer).addVariant,
		Rank: part.RankIf(5, func(c *Composer) bool {
			return !c.IsEmpty() && !c.hasVariants() && c.Turns.Running() == 0
		})},
	{Command: keys.NextVariant, Keys: "alt+j ctrl+pgdown", Short: "next variant", Long: "Next variant",
		Do: stepVariant(1), Refuses: (*Composer).lacksVariants, Rank: part.RankIf(3, (*Composer).hasVariants)},
	{Command: "previous_variant", Keys: "alt+q ctrl+pgup", Short: "previous variant", Long: "Previous variant",
		Do: stepVariant(-1), Refuses: (*Composer).lacksVariants},
	{Command: "remove_variant", Keys: "alt+x", Short: "remove variant",
		Long:  "Remove the variant; undo restores it",
		Group: keys.GroupPrompt, Title: "Remove the variant of the prompt", Do: (*Composer).removeVariant,
		Refuses: (*Composer).lacksVariants, Rank: part.RankIf(6, (*Composer).hasVariants)},
	{Command: keys.PictureOptions, Section: "settings", Keys: "alt+a", Short: "ratio, nonce",
		Long:  "Aspect ratio, nonce and samples for pictures",
		Group: keys.GroupPrompt, Title: "Picture options", Words: "aspect", Do: (*Composer).askPictureOptions,
		Rank: part.RankIf(3, func(c *Composer) bool {
			return c.marks(history.KindImage) || c.marks(history.KindEdit)
		})},
	{Command: "make_picture", Keys: "alt+6", Short: "picture", Long: "Write what an image model draws",
		Group: keys.GroupPictures, Title: "Make a picture", Words: "image draw", Do: (*Composer).startPicture,
		Offered: func(c *Composer) bool { return len(c.Models.Of(history.KindImage)) > 0 }},
	{Command: keys.Parameters, Keys: "alt+p", Short: "parameters",
		Long:  "Temperature, seed, length and other parameters",
		Group: keys.GroupPrompt, Title: "Temperature and parameters", Words: "settings",
		Do: func(c *Composer) action.Action {
			set := service.Axes{Params: c.settings.ParamValues}.JoinParams(c.settings.Params)
			return action.ShowDialog{Dialog: dialog.NewParams(set, c.Keys, c.Styles())}
		}},
	{Command: keys.PickSource, Keys: "alt+e", Short: "source", Long: "Choose a picture to edit",
		Group: keys.GroupPrompt, Title: "Edit a picture", Action: action.PickSource{},
		Rank: part.RankIf(4, func(c *Composer) bool { return c.marks(history.KindEdit) })},
	{Command: "insert_variable", Keys: "alt+k", Short: "variable",
		Long:  "Insert {{topic}}, sent once for each of its values",
		Group: keys.GroupPrompt, Title: "Insert a variable", Do: (*Composer).insertVariable},
	{Command: "show_sent", Keys: "alt+i", Short: "preview",
		Long:  "Show what will be sent to the first marked model",
		Group: keys.GroupPrompt, Title: "Show what will be sent",
		Offered: func(c *Composer) bool { return !c.IsEmpty() },
		Do:      func(c *Composer) action.Action { return action.WithCmd(c.showSent()) }},
	{Command: keys.Rename, Keys: "alt+r", Acts: true, Short: "rename", Long: "Rename the session",
		Group: keys.GroupSession, Title: "Rename the session", Words: "name title",
		Refuses: (*Composer).lacksOwnSession,
		Do: func(c *Composer) action.Action {
			return action.AskSessionName(c.Session().ID, c.Session().Name)
		}},
	{Command: keys.Example1, Keys: "f6 alt+7", Short: "example 1",
		Long: "In an empty session: run example 1", Do: runExample(0)},
	{Command: keys.Example2, Keys: "f7 alt+8", Short: "example 2",
		Long: "In an empty session: run example 2", Do: runExample(1)},
	{Command: keys.Example3, Keys: "f8 alt+9", Short: "example 3",
		Long: "In an empty session: run example 3", Do: runExample(2)},
}}

// Hints implements [part.Pane].
func (c *Composer) Hints() []keys.Hint {
	hints := c.Commands.Hints()
	switch hasSend := len(c.Keys.Hints(keys.Prompt, keys.Send)) > 0; {
	case hasSend && c.settings.Beside != 0:
		hints[0].Text = "send as branch"
		hints = slices.Insert(hints, 1, c.Keys.HintAs(keys.Everywhere, keys.Back, "no branch")...)
	case hasSend && c.settings.HasContext && c.Session().ID != 0 &&
		len(c.Turns.Pending(c.Session().ID)) > 0:
		hints[0].Text = "queue"
	}
	e, ok := c.Keys.Entry(keys.Prompt, keys.NewLine)
	for i, h := range hints {
		if ok && h.Key == e.Keys[0] && c.KnowsShiftEnter && slices.Contains(e.Keys, "shift+enter") {
			hints[i].Key = "shift+enter"
		}
	}
	return hints
}

// lacksVariants says why there is no variant to switch to or to remove.
func (c *Composer) lacksVariants() string {
	if c.hasVariants() {
		return ""
	}
	return "Only one variant" + c.Keys.Phrase(keys.Prompt, "add_variant", "; %s adds another") + "."
}

// lacksOwnSession says why the open session cannot be renamed.
func (c *Composer) lacksOwnSession() string {
	switch s := c.Session(); {
	case s.ID == 0:
		return "Nothing to rename yet: the session is empty."
	case s.Owner != "":
		return "This session is shared by " + s.Owner + ", who can rename it."
	}
	return ""
}

// marks reports whether a model of a kind is marked.
func (c *Composer) marks(kind history.ModelKind) bool { return c.Models.Kinds()[kind] > 0 }

// insert inserts a text like a paste.
func (c *Composer) insert(text string) action.Action {
	return action.WithCmd(c.editor.update(tea.PasteMsg{Content: text}))
}

// pickFile writes the sign before the name of a file, and offers the files.
func (c *Composer) pickFile() action.Action {
	sign := "@"
	if c.editor.isBehindWord() {
		sign = " @"
	}
	c.fileName = ""
	return action.Join(c.insert(sign), action.Sequence{action.DraftChanged{}, action.Focus{Pane: action.PanePrompt},
		action.PickFile{}})
}

// later shows a later prompt, or the user's text after the newest one.
func (c *Composer) later() action.Action {
	if c.back != 1 {
		return action.WithCmd(nil, c.recall(c.back-1))
	}
	c.setPrompt(c.setAside, 0)
	return nil
}

func (c *Composer) askPictureOptions() action.Action {
	s := c.settings
	return action.ShowDialog{Dialog: dialog.NewPictureOptions(s.Aspect, s.Nonce, s.Samples, c.Keys, c.Styles())}
}

func (c *Composer) insertVariable() action.Action {
	text := "{{topic}}"
	if c.editor.isBehindWord() {
		text = " " + text
	}
	return action.Join(c.insert(text), action.Notify{Severity: action.Info,
		Text: "Sending asks for {{topic}}; a | b | c sends each value."})
}

func runExample(n int) func(*Composer) action.Action {
	return func(*Composer) action.Action {
		return action.Sequence{action.Focus{Pane: action.PanePrompt}, Examples()[n].Compose, action.Send{}}
	}
}
