package compose

import (
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/ui/action"
	"confab/ui/part"
)

// Options is what a composer is made with, besides what all parts have. The functions tell what holds now.
type Options struct {
	part.Env
	Turns                func() []history.Turn           // those that the conversation shows, oldest first
	Asked                func() iter.Seq[history.Answer] // that are asked for now, with the others of their turns
	IsSaving             func() bool                     // the store takes drafts
	HasKeys              func() bool                     // the prompt gets the keys
	IsConversationHidden func() bool
	IsEmbedded           bool // the service runs in this process: nothing leaves the machine
}

// Composer is the pane of the prompt, and composes the next turn with the panes of the system prompt and the models.
type Composer struct {
	part.Commands
	Options
	editor
	Models *Models
	System *System
	Pastes *PasteDetector
	draftState
	sendState
	w, h int

	settings service.Draft // without texts and models
	back     int           // how far up the earlier prompts the text was recalled from; 0 is the text of the person
	setAside string        // that text, while an earlier prompt is shown
	unsent   []string      // texts that were neither sent nor saved, the newest first
	counted  int           // characters, as shown
	personas []history.Persona
	last     unfinished
	edited   string // the text that the editor of the person has

	OffersExamples  bool // as in an empty session
	KnowsShiftEnter bool // the terminal tells shift+enter from enter
}

// New returns a composer without a text.
func New(o Options) *Composer {
	c := &Composer{Options: o, editor: newEditor(o.Keys, "Write a prompt"), settings: service.Draft{Samples: 1},
		Models: newModels(o), System: newSystem(o), OffersExamples: true}
	c.Commands = promptCommands.For(c, o.Keys)
	c.Pastes = &PasteDetector{composer: c}
	c.SetStyles(o.Styles())
	return c
}

// Mark marks models, and shows the settings for their kinds.
func (c *Composer) Mark(slugs []string) {
	c.Models.SetMarked(slugs)
	c.layout()
}

// hasVisionModel tells whether a marked text model looks at pictures.
func (c *Composer) hasVisionModel() bool {
	return slices.ContainsFunc(c.Models.Marked(), func(slug string) bool {
		info, ok := c.Models.Info(slug)
		return ok && info.Offers.TakesImages
	})
}

// Settings returns the settings of the next turn: what a draft holds besides texts and models.
func (c *Composer) Settings() service.Draft { return c.settings }

// setSettings takes the settings of a draft.
func (c *Composer) setSettings(draft service.Draft) {
	c.settings = draft
	c.settings.Text, c.settings.System, c.settings.Models = "", "", nil
	c.settings.Samples = max(draft.Samples, 1)
	c.layout()
}

// MarkModels marks models for the next turn and keeps them for later screens.
func (c *Composer) MarkModels(a action.Mark) (action.Action, tea.Cmd) {
	c.Mark(a.Models)
	keep := action.SaveSetting{Name: "models", Value: strings.Join(a.Models, " ")}
	return action.Sequence{action.Relayout{}, keep}, c.NoteChange()
}

type (
	modelsMsg   []service.ModelInfo
	personasMsg []history.Persona
)

// ReadModels reads the catalogue, with what the history knows of the models.
func (c *Composer) ReadModels() tea.Cmd {
	return part.Ask(c, func() (tea.Msg, error) {
		models, err := c.Service.Models(c.Ctx)
		return modelsMsg(models), err
	})
}

// Compose puts texts and settings into the panes.
func (c *Composer) Compose(a action.Compose) (action.Action, tea.Cmd) {
	if a.Text != nil {
		c.Replace(*a.Text)
	}
	if a.System != nil {
		c.System.SetText(*a.System)
	}
	if a.Models != nil {
		c.Mark(a.Models)
	}
	s := c.settings
	if a.Aspect != nil {
		s.Aspect = *a.Aspect
	}
	if a.Nonce != nil {
		s.Nonce = *a.Nonce
	}
	if a.Source != nil {
		s.Source = a.Source
		edit := c.Models.Of(history.KindEdit)
		if c.Models.Kinds()[history.KindEdit] == 0 && !c.hasVisionModel() && len(edit) > 0 {
			c.Mark(edit[:1])
		}
	}
	if a.Params != nil {
		s.Params = *a.Params
	}
	if a.Samples != nil {
		s.Samples = *a.Samples
	}
	c.setSettings(s)
	return action.Relayout{}, c.NoteChange()
}

// Open shows what the newest turn of an opened session was sent with, and loads the draft of the session.
func (c *Composer) Open(session int64, turns []history.Turn) tea.Cmd {
	c.clearPrompt()
	c.System.SetText("")
	c.forgetDraft()
	if n := len(turns); n > 0 {
		c.System.SetText(turns[n-1].System)
		c.Mark(turns[n-1].Models())
	}
	c.OffersExamples = len(turns) == 0
	return c.loadDraft(session)
}

// StartNew saves the draft of the session that is left, and loads that of the new session.
func (c *Composer) StartNew() tea.Cmd {
	save := c.SaveDraft()
	c.newSession++ // a prompt that is being recorded makes the session that is left
	c.clearPrompt()
	c.OffersExamples = true
	c.forgetDraft()
	return tea.Sequence(save, c.loadDraft(0))
}

// clearPrompt empties the prompt pane for another session. The text is the draft of the session that is left; where
// drafts are not saved it is kept among the earlier prompts.
func (c *Composer) clearPrompt() {
	if c.IsSaving() {
		c.setPrompt("")
	} else {
		c.Replace("")
	}
}

// showSent shows the exact text that would be sent to the first marked model.
func (c *Composer) showSent() (action.Action, tea.Cmd) {
	p, ok := c.composed()
	if !ok || len(p.Models) == 0 {
		return action.Notify{Severity: action.Warn, Text: "Write a prompt and mark a model first."}, nil
	}
	return nil, part.Then(func() (action.Action, error) {
		sent, err := c.Service.PreviewPrompt(c.Ctx, p, p.Models[0])
		return action.ShowText{Title: "Sent to " + p.Models[0], Text: sentText(sent)}, err
	})
}

// sentText shows what would be sent with the messages before it.
func sentText(sent service.SentPrompt) string {
	var b strings.Builder
	if text := sent.OmittedText(); text != "" && len(sent.Messages) > 0 {
		b.WriteString("[" + text + "]\n\n")
	}
	for _, m := range sent.Messages {
		b.WriteString("## " + string(m.Role) + "\n\n" + m.Content + "\n\n")
	}
	if len(sent.Messages) > 0 {
		b.WriteString("## user\n\n")
	}
	return b.String() + sent.Prompt
}

// ToggleContext switches whether the earlier turns of the session go with the prompt.
func (c *Composer) ToggleContext() (action.Action, tea.Cmd) {
	s := c.settings
	s.HasContext = !s.HasContext
	c.setSettings(s)
	text := "Context is off: each prompt stands alone."
	if s.HasContext {
		text = "Context is on: the session's earlier turns go with the prompt."
	}
	return action.Notify{Severity: action.Info, Text: text}, c.NoteChange()
}
