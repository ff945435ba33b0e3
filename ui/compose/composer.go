package compose

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/widget"
)

// Composer is everything that the next turn is composed with.
type Composer struct {
	Env
	Pastes *PasteDetector
	draftState
	sendState
	last                 unfinished
	isConversationHidden func() bool
	personas             []history.Persona // those that are saved
	edited               string            // the text that the editor has
}

// NewComposer returns a composer for an embedded service or another one. The function hidesConversation tells whether
// the conversation is not on screen, getsKeys whether the prompt gets the keys.
func NewComposer(e Env, isEmbedded bool, hidesConversation, getsKeys func() bool) *Composer {
	return &Composer{Env: e, Pastes: &PasteDetector{Env: e, isFocused: getsKeys},
		isConversationHidden: hidesConversation, sendState: sendState{isEmbedded: isEmbedded}}
}

// Fill sends the prompt with the values of its variables.
func (c *Composer) Fill(a action.Fill) (action.Action, tea.Cmd) {
	c.values = a.Values
	return c.Send(action.Send{Filled: true})
}

// MarkModels marks models for the next turn and keeps them for later screens.
func (c *Composer) MarkModels(a action.Mark) (action.Action, tea.Cmd) {
	c.Mark(a.Models)
	keep := action.SaveSetting{Name: "models", Value: strings.Join(a.Models, " ")}
	return action.Sequence{action.Relayout{}, keep}, c.NoteChange()
}

// ParamsForm returns the form for the parameters of text models.
func (c *Composer) ParamsForm() action.Dialog {
	return dialog.NewParams(c.Prompt.Settings().Params, c.Keys, c.Styles())
}

// PictureForm returns the form for aspect ratio, nonce and samples.
func (c *Composer) PictureForm() action.Dialog {
	s := c.Prompt.Settings()
	return dialog.NewPictureOptions(s.Aspect, s.Nonce, s.Samples, c.Keys, c.Styles())
}

type (
	modelsMsg   []service.ModelInfo
	personasMsg []history.Persona
	recalledMsg struct {
		back  int
		text  string
		found bool
	}
)

// Update implements [part.Receiver].
func (c *Composer) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case modelsMsg:
		c.Models.SetModels(msg)
		c.Prompt.HasVisionModel = c.hasVisionModel()
		c.Prompt.SetKinds(c.Models.Kinds())
		return action.Relayout{}, nil
	case personasMsg:
		c.personas = msg
	case recalledMsg:
		c.Prompt.ShowRecalled(msg.back, msg.text, msg.found)
		return action.Relayout{}, nil
	case saveTickMsg:
		c.Prompt.Count()
		return nil, c.SaveDraft()
	case unsavedMsg:
		if msg.session == c.Session().ID {
			return nil, c.NoteChange()
		}
	case draftMsg:
		return c.restoreDraft(msg), nil
	case unfinished:
		return c.offerResume(msg), nil
	case planMsg:
		return c.afterPlan(msg), nil
	case sentMsg:
		return c.afterSent(msg)
	}
	return nil, nil
}

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
		c.Prompt.Replace(*a.Text)
	}
	if a.System != nil {
		c.System.SetText(*a.System)
	}
	if a.Models != nil {
		c.Mark(a.Models)
	}
	s := c.Prompt.Settings()
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
	c.Prompt.SetSettings(s)
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
	c.Prompt.OffersExamples = len(turns) == 0
	return c.loadDraft(session)
}

// StartNew saves the draft of the session that is left, and loads that of the new session.
func (c *Composer) StartNew() tea.Cmd {
	save := c.SaveDraft()
	c.newSession++ // a prompt that is being recorded makes the session that is left
	c.clearPrompt()
	c.Prompt.OffersExamples = true
	c.forgetDraft()
	return tea.Sequence(save, c.loadDraft(0))
}

// clearPrompt empties the prompt pane for another session. The text is the draft of the session that is left; where
// drafts are not saved it is kept among the earlier prompts.
func (c *Composer) clearPrompt() {
	if c.IsSaving() {
		c.Prompt.SetText("")
	} else {
		c.Prompt.Replace("")
	}
}

// Recall reads the n-th newest prompt of all sessions.
func (c *Composer) Recall(a action.RecallPrompt) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		msg := recalledMsg{back: a.Back}
		hits, err := c.Service.Prompts(c.Ctx, "", a.Back)
		if err == nil && a.Back >= 1 && len(hits) >= a.Back {
			msg.text, msg.found = hits[a.Back-1].Prompt, true
		}
		return part.Result{To: c, Msg: msg}
	}
}

// ShowSent shows the exact text that would be sent to the first marked model.
func (c *Composer) ShowSent(action.ShowSent) (action.Action, tea.Cmd) {
	p, ok := c.Composed()
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
	s := c.Prompt.Settings()
	s.HasContext = !s.HasContext
	c.Prompt.SetSettings(s)
	text := "Context is off: each prompt stands alone."
	if s.HasContext {
		text = "Context is on: the session's earlier turns go with the prompt."
	}
	return action.Notify{Severity: action.Info, Text: text}, c.NoteChange()
}

// PromptTitle says where the prompt goes, for a screen of a width in cells. The models have their own colors, the rest
// has the style of a title.
func (c *Composer) PromptTitle(s *themes.Styles, hasFocus bool, width int) widget.Pieces {
	style := s.Title
	if hasFocus {
		style = s.TitleFocused
	}
	if owner := c.Session().Owner; owner != "" {
		text := "read only: " + termtext.Line(owner) + " shares this session"
		if width < 70 {
			text = "read only, of " + termtext.Line(owner)
		}
		return widget.Pieces{{Text: style.On("Prompt  " + text)}}
	}
	marked := c.Models.Marked()
	models := style.On("→ ") + widget.ModelDots(s, marked)
	switch {
	case len(marked) == 0:
		models = style.On(" no model marked")
	case !strings.Contains(models, "●"): // they are a number already
	case len(marked) > 5 && width < 70: // the system prompt is named in the same line
		models = style.On("→ " + format.Count(len(marked), "model"))
	case len(marked) > 1:
		models += style.On("  " + format.Count(len(marked), "model"))
	}
	title := widget.Pieces{{Text: style.On("Prompt ")}, {Text: models, Command: keys.ChooseModels}}
	if c.Prompt.Settings().HasContext {
		title = append(title, widget.Piece{Text: style.On("   ")},
			widget.Piece{Text: style.On(c.contextText(width)), Command: keys.ToggleContext})
	}
	return title
}

// contextText says how many earlier turns go with the prompt, and whose answer of the newest one the conversation goes
// on with.
func (c *Composer) contextText(width int) string {
	turns, by := 0, ""
	for _, t := range c.Turns() {
		names := map[string]bool{}
		for _, slug := range c.Models.Marked() {
			if a, ok := service.ContextAnswer(t, slug); ok {
				by, names[a.Model] = a.Model, true
			}
		}
		if len(names) > 0 {
			turns++
		}
		if len(names) > 1 {
			by = "each model"
		}
	}
	text := "context: " + format.Count(turns, "turn")
	if turns > 0 && width >= 100 {
		text += ", answers of " + termtext.Line(by)
	}
	return text
}

// SystemName names the system prompt in at most 24 cells: its persona, else how it begins.
func (c *Composer) SystemName() string {
	if c.System.IsEmpty() {
		return "none"
	}
	return ansi.Truncate(termtext.Line(cmp.Or(c.persona(), c.System.Text())), 24, "…")
}

// SystemNote names the models that take no system prompt, else the persona in the system prompt.
func (c *Composer) SystemNote() string {
	var without []string
	for _, slug := range c.Models.Marked() {
		if info, ok := c.Models.Info(slug); ok && (info.Kind != "text" || !info.TakesSystem) {
			without = append(without, termtext.Line(slug))
		}
	}
	if len(without) > 0 && !c.System.IsEmpty() {
		return "not sent to " + strings.Join(without, ", ")
	}
	return termtext.Line(c.persona())
}
