// Package compose makes and sends the next turn: the panes of the prompt, the system prompt and the models, drafts, and
// the detection of pastes.
package compose

import (
	"hash/maphash"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/turns"
)

// Options extends [part.Env] with what a composer needs.
type Options struct {
	part.Env
	Turns                *turns.Turns
	Given                history.Setup // models, system prompt, parameters that were asked for with the first session
	HasKeys              func() bool   // the prompt gets the keys
	IsConversationHidden func() bool
	IsEmbedded           bool // the service runs in this process: nothing leaves the machine
	Remembers            bool // earlier turns go with prompts at first
}

// Composer is the pane of the prompt. With the panes of the system prompt and the models it composes the next turn.
type Composer struct {
	part.Commands
	own part.Commands // without those of its text
	Options
	*editor // of the current variant
	Models  *Models
	System  *System
	Pastes  *PasteDetector
	variantState
	earlierPrompts
	draftState
	memory memory
	sendState
	w, h int

	settings service.Draft  // without texts and models
	stored   *history.Setup // what the open session keeps of them; nil where that is not known
	files    []history.File // that the text may name
	fileName string         // what the list of files was given after the @ before the cursor
	counted  int            // shown number of characters
	personas []history.Persona
	last     unfinished
	edited   string // text that the external editor got

	hasChosenModels bool // a person did, for the session that begins here

	IsSaving        bool // the store takes turns and drafts
	OffersExamples  bool // in an empty session
	KnowsShiftEnter bool // the terminal distinguishes shift+enter from enter
}

// New returns an empty composer.
func New(o Options) *Composer {
	c := &Composer{Options: o,
		settings: service.Draft{Samples: 1, HasContext: o.Remembers}, Models: newModels(o), System: newSystem(o),
		IsSaving: true, OffersExamples: true, hasChosenModels: len(o.Given.Models) > 0}
	c.own = promptCommands.For(c, o.Keys)
	first := &variant{newEditor(o.Keys, promptPlaceholder), newEditor(o.Keys, systemPlaceholder)}
	first.system.area.ShareRegister(&first.text.area)
	c.variants = []*variant{first}
	c.use(0)
	c.Pastes = &PasteDetector{composer: c}
	c.memory.seed = maphash.MakeSeed()
	return c
}

// Mark marks models, and shows the settings for their kinds.
func (c *Composer) Mark(slugs []string) {
	c.Models.SetMarked(slugs)
	c.layout()
}

// MarkByHand marks models that a person chose for this screen.
func (c *Composer) MarkByHand(slugs []string) {
	c.Mark(slugs)
	c.Models.isByHand = true
}

// HasChoices reports whether a person chose a name for the session that begins here, or what its turn is sent with.
func (c *Composer) HasChoices() bool {
	s := c.settings
	return c.Session().Name != "" || c.hasChosenModels || c.SystemText() != "" || s.Source != nil || !s.Params.IsZero()
}

// hasVisionModel reports whether a marked text model takes pictures.
func (c *Composer) hasVisionModel() bool {
	return slices.ContainsFunc(c.Models.Marked(), func(slug string) bool {
		info, ok := c.Models.Info(slug)
		return ok && info.Offers.TakesImages
	})
}

// Settings returns the settings of the next turn, a draft without texts and models.
func (c *Composer) Settings() service.Draft { return c.settings }

func (c *Composer) setSettings(draft service.Draft) {
	c.settings = draft
	c.settings.Text, c.settings.System, c.settings.Models = "", "", nil
	c.settings.Files, c.settings.Waiting, c.settings.Variants, c.settings.Current = nil, nil, nil, 0
	c.settings.Samples = max(draft.Samples, 1)
	c.layout()
}

// MarkModels marks models and stores the marks for later screens. The source of an edit does not go to other models.
func (c *Composer) MarkModels(a action.Mark) (action.Action, tea.Cmd) {
	edited := c.Models.Kinds()[history.KindEdit] > 0
	c.MarkByHand(a.Models)
	if edited && len(a.Models) > 0 && c.Models.Kinds()[history.KindEdit] == 0 {
		s := c.settings
		s.Source = nil
		c.setSettings(s)
	}
	c.hasChosenModels = true
	keep := action.SaveSetting{Name: "models", Value: strings.Join(a.Models, " ")}
	return action.Sequence{action.Relayout{}, keep}, c.NoteChange()
}

type (
	modelsMsg   []service.ModelInfo
	personasMsg []history.Persona
)

// ReadModels reads the catalogue with the models' figures from the history.
func (c *Composer) ReadModels() tea.Cmd {
	return part.Ask(c, func() (tea.Msg, error) {
		models, err := c.Service.Models(c.Ctx)
		return modelsMsg(models), err
	})
}

// Compose puts texts and settings into the panes.
func (c *Composer) Compose(a action.Compose) (action.Action, tea.Cmd) {
	var kept action.Action
	if a.Text != nil && a.Variants == nil {
		a.Variants = []service.Variant{{Text: *a.Text}}
	}
	if a.Variants != nil && c.replace(a.Variants) {
		kept = action.Notify{Severity: action.Info,
			Text: "Moved your text to the earlier prompts" +
				c.Keys.Phrase(keys.Prompt, keys.EarlierPrompt, "; %s shows it") + "."}
	}
	if a.System != nil {
		c.System.SetText(*a.System)
	}
	if a.Models != nil {
		c.Mark(a.Models)
	}
	s := c.settings
	if s.NewSystem == c.System.Text() {
		s.NewSystem = ""
	}
	set(&s.Aspect, a.Aspect)
	set(&s.Nonce, a.Nonce)
	set(&s.Beside, a.Beside)
	set(&s.Samples, a.Samples)
	if a.Source != nil {
		s.Source = a.Source
		edit := c.Models.Of(history.KindEdit)
		switch {
		case *a.Source == history.Source{}:
			s.Source = nil
		case c.Models.Kinds()[history.KindEdit] == 0 && !c.hasVisionModel() && len(edit) > 0:
			c.Mark(edit[:1])
		}
	}
	if a.Params != nil {
		s.Params, s.ParamValues = *a.Params, a.ParamValues
	}
	c.setSettings(s)
	var attached action.Action
	if len(a.Files) > 0 {
		c.editor.area.MoveToEnd()
		attached, _ = c.attach(attachedMsg{a.Files, true})
	}
	return action.Join(action.Join(kept, attached), action.Relayout{}), c.NoteChange()
}

// FollowEdit makes the only result of an edit the source of the next one, unless another was chosen meanwhile.
func (c *Composer) FollowEdit(turn int64) tea.Cmd {
	t, _ := c.Turns.Turn(turn)
	var results []history.Source
	for _, a := range t.Answers {
		if a.Kind == history.KindEdit && a.Picture != nil {
			results = append(results, history.Source{Answer: a.ID, Path: a.Picture.Path})
		}
	}
	if s := c.settings.Source; len(results) != 1 || s == nil || t.Source == nil || *s != *t.Source {
		return nil
	}
	_, cmd := c.Compose(action.Compose{Source: &results[0]})
	return cmd
}

func set[T any](to, value *T) {
	if value != nil {
		*to = *value
	}
}

// FollowLast lets the next turn follow the last one of its session. It reports whether it was to be a branch.
func (c *Composer) FollowLast() bool {
	s := c.settings
	wasBranch := s.Beside != 0
	s.Beside = 0
	c.setSettings(s)
	return wasBranch
}

// Open shows what a session keeps for its next turn, and loads its draft.
func (c *Composer) Open(s history.Session, setup *history.Setup) tea.Cmd {
	c.clearPrompt()
	c.editor.area.Forget()
	c.FollowLast()
	c.forgetDraft()
	c.applySetup(setup)
	c.OffersExamples = s.Turns == 0
	return c.loadDraft(s.ID)
}

// StartNew saves the draft of the session that is left, and loads that of the new session.
func (c *Composer) StartNew() tea.Cmd {
	save := c.SaveDraft()
	c.newSession++ // a prompt in the queue still belongs to the session before
	c.FollowLast()
	c.clearPrompt()
	c.editor.area.Forget()
	c.OffersExamples = true
	c.stored = nil
	c.forgetDraft()
	return tea.Sequence(save, c.loadDraft(0))
}

// clearPrompt empties the prompt for another session, which has no source picture: a text model would get it. A text
// that is not saved as a draft becomes an earlier prompt.
func (c *Composer) clearPrompt() {
	c.settings.NewSystem, c.settings.Source, c.hasChosenModels = "", nil, false
	if c.IsSaving {
		c.setPrompt([]service.Variant{{}}, 0)
	} else {
		c.Clear()
	}
}

// showSent shows the text that would be sent to the first marked model.
func (c *Composer) showSent() (action.Action, tea.Cmd) {
	p, ok := c.composed()
	switch {
	case len(p.Models) == 0:
		return action.Notify{Severity: action.Warn, Text: "Mark a model first."}, nil
	case !ok:
		return action.Notify{Severity: action.Warn, Text: "Write a prompt first."}, nil
	}
	return nil, part.Then(func() (action.Action, error) {
		sent, err := c.Service.PreviewPrompt(c.Ctx, p, p.Models[0])
		return action.ShowText{Title: "Sent to " + p.Models[0], Text: sentText(sent)}, err
	})
}

func sentText(sent service.SentPrompt) string {
	var parts []string
	if sent.System != "" {
		parts = append(parts, "## system", sent.System)
	}
	if text := sent.OmittedText(); text != "" && len(sent.Messages) > 0 {
		parts = append(parts, "["+text+"]")
	}
	for _, m := range sent.Messages {
		parts = append(parts, "## "+string(m.Role), m.Content)
	}
	if len(parts) > 0 {
		parts = append(parts, "## user")
	}
	parts = append(parts, sent.Prompt)
	if len(sent.Pictures) > 0 {
		parts = append(parts, "## pictures", strings.Join(sent.Pictures, "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// ToggleContext switches sending the earlier turns of the session with the prompt.
func (c *Composer) ToggleContext() (action.Action, tea.Cmd) {
	s := c.settings
	s.HasContext = !s.HasContext
	c.setSettings(s)
	text := "Memory off: each prompt is sent alone."
	if s.HasContext {
		text = "Memory on: earlier turns are sent with the prompt."
	}
	return action.Notify{Severity: action.Info, Text: text}, c.NoteChange()
}
