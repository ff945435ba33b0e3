package compose

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/widget"
)

// Prompt is where the next prompt is written, with the settings of pictures.
type Prompt struct {
	keys   keys.Map
	styles *themes.Styles
	editor
	w, h int

	settings service.Draft // without texts and models
	kinds    map[history.ModelKind]int
	back     int // how far up the old prompts the text was recalled from; 0 is the draft
	draft    string
	unsent   []string // texts that were neither sent nor saved, the newest first; EarlierPrompt brings them back
	counted  int      // characters, as shown

	HasVisionModel  bool // a marked text model looks at pictures
	OffersExamples  bool // as in an empty session
	KnowsShiftEnter bool // the terminal tells shift+enter from enter
}

var _ interface {
	part.Pane
	part.HintShower
} = (*Prompt)(nil)

// NewPrompt returns an empty prompt.
func NewPrompt(m keys.Map, s *themes.Styles) *Prompt {
	p := &Prompt{keys: m, styles: s, editor: newEditor(m, "Write a prompt"), settings: service.Draft{Samples: 1}}
	p.SetStyles(s)
	return p
}

// SetText replaces the text and forgets what was recalled.
func (p *Prompt) SetText(text string) {
	p.back, p.draft = 0, ""
	p.editor.SetText(text)
	p.Count()
}

// Replace is [Prompt.SetText] that keeps the text it replaces among the earlier prompts.
func (p *Prompt) Replace(text string) {
	if old := p.Text(); old != text && p.back == 0 {
		p.KeepUnsent(old)
	} else if p.back > 0 {
		p.KeepUnsent(p.draft)
	}
	p.SetText(text)
}

// KeepUnsent keeps a text as the newest of the earlier prompts, though the history does not have it.
func (p *Prompt) KeepUnsent(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	p.DropUnsent(text)
	if p.back > 0 {
		p.back++ // the earlier prompt that is shown is one further away now
	}
	p.unsent = slices.Insert(p.unsent, 0, text)
}

// DropUnsent ends the keeping of a text, which the history has now.
func (p *Prompt) DropUnsent(text string) {
	at := slices.Index(p.unsent, text)
	if at < 0 {
		return
	}
	if p.back > at+1 {
		p.back--
	}
	p.unsent = slices.Delete(p.unsent, at, at+1)
}

// Settings returns the settings of the next turn: what a draft holds besides texts and models.
func (p *Prompt) Settings() service.Draft { return p.settings }

// SetSettings takes the settings of a draft.
func (p *Prompt) SetSettings(draft service.Draft) {
	p.settings = draft
	p.settings.Text, p.settings.System, p.settings.Models = "", "", nil
	p.settings.Samples = max(draft.Samples, 1)
	p.layout()
}

// SetKinds tells how many models of each kind are marked, which decides the
// settings that are shown.
func (p *Prompt) SetKinds(kinds map[history.ModelKind]int) { p.kinds = kinds; p.layout() }

// Recall goes to the n-th newest of the earlier prompts: those that were not sent come before those of the history.
func (p *Prompt) recall(back int) action.Action {
	if back > len(p.unsent) {
		return action.RecallPrompt{Back: back - len(p.unsent)}
	}
	p.showEarlier(back, p.unsent[back-1])
	return nil
}

// ShowRecalled shows a prompt of the history, or says that there is none so far back.
func (p *Prompt) ShowRecalled(back int, text string, found bool) {
	back += len(p.unsent)
	if !found || back != p.back+1 && back != p.back-1 {
		return
	}
	p.showEarlier(back, text)
}

func (p *Prompt) showEarlier(back int, text string) {
	if p.back == 0 {
		p.draft = p.Text()
	}
	p.back = back
	p.editor.SetText(text)
}

// Rows returns how many lines the pane wants at a width, at most limit.
func (p *Prompt) Rows(w, limit int) int {
	return min(p.editor.rows(w-2, limit)+p.optionRows(), limit)
}

func (p *Prompt) optionRows() int {
	return min(len(p.options()), 1)
}

// SetSize implements [part.Pane].
func (p *Prompt) SetSize(w, h int) { p.w, p.h = w, h; p.layout() }

func (p *Prompt) layout() { p.editor.SetSize(p.w, p.h-p.optionRows()) }

// SetStyles implements [part.Pane].
func (p *Prompt) SetStyles(s *themes.Styles) { p.styles = s; p.editor.SetStyles(s) }

// Scope implements [part.Pane].
func (p *Prompt) Scope() keys.Scope { return keys.Prompt }

// Hints implements [part.Pane].
func (p *Prompt) Hints() []keys.Hint {
	hints := p.keys.Hints(keys.Prompt, keys.Send, keys.NewLine)
	e, ok := p.keys.Entry(keys.Prompt, keys.NewLine)
	if ok && p.KnowsShiftEnter && slices.Contains(e.Keys, "shift+enter") {
		hints[len(hints)-1].Key = "shift+enter"
	}
	if p.kinds[history.KindImage]+p.kinds[history.KindEdit] > 0 {
		hints = append(hints, p.keys.Hints(keys.Prompt, keys.PictureOptions)...)
	}
	if p.kinds[history.KindEdit] > 0 {
		hints = append(hints, p.keys.Hints(keys.Prompt, keys.PickSource)...)
	}
	return hints
}

// Characters returns the length of the text as people count it.
func (p *Prompt) Characters() int { return utf8.RuneCountInString(p.editor.area.Text()) }

// Count counts the characters to be shown.
func (p *Prompt) Count() { p.counted = p.Characters() }

// Counted returns the characters when they were counted last.
func (p *Prompt) Counted() int { return p.counted }

// Update implements [part.Pane].
func (p *Prompt) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case keys.Press:
		if command := msg.Command; p.applies(command) {
			return p.HandleCommand(command)
		}
		if !p.editor.edits(msg) {
			return p.unused(msg), nil
		}
	case tea.PasteMsg:
		if p.takesPictures() && picturePath(msg.Content) != "" {
			return action.PastePicture{Text: msg.Content}, nil
		}
	case pastedTextMsg:
		return p.editor.update(tea.PasteMsg{Content: string(msg)})
	case tea.MouseWheelMsg:
		return nil, nil
	case tea.MouseMsg:
		return p.editor.mouse(msg), nil
	}
	return p.editor.update(msg)
}

// unused says why a key that is no text does nothing here.
func (p *Prompt) unused(msg keys.Press) action.Action {
	switch msg.Command {
	case keys.Example1, keys.Example2, keys.Example3:
		return action.Unused{Why: "Examples need an empty session and an empty prompt."}
	}
	return action.Unused{Key: msg.String()}
}

// applies tells whether a command is meant now, or its key is text or moves
// the cursor.
func (p *Prompt) applies(command keys.Command) bool {
	switch command {
	case "", keys.NewLine:
		return false
	case keys.QuitWhenEmpty, keys.CommandsEmpty:
		return p.IsEmpty()
	case keys.EarlierPrompt:
		return p.editor.isAtFirstLine()
	case keys.LaterPrompt:
		return p.editor.isAtLastLine() && p.back > 0
	case keys.Example1, keys.Example2, keys.Example3:
		return p.OffersExamples && p.IsEmpty()
	}
	return true
}

// HandleCommand implements [part.Pane].
func (p *Prompt) HandleCommand(command keys.Command) (action.Action, tea.Cmd) {
	switch command {
	case keys.Send:
		return action.Send{}, nil
	case keys.NewLine:
		return p.editor.update(tea.PasteMsg{Content: "\n"})
	case keys.QuitWhenEmpty:
		return action.RunCommand{Scope: keys.Everywhere, Command: keys.Quit}, nil
	case keys.CommandsEmpty:
		return action.ShowList{List: action.ListCommands}, nil
	case keys.EarlierPrompt:
		return p.recall(p.back + 1), nil
	case keys.LaterPrompt:
		if p.back == 1 {
			p.back = 0
			p.editor.SetText(p.draft)
			return nil, nil
		}
		return p.recall(p.back - 1), nil
	case keys.PictureOptions:
		return action.PictureOptions{}, nil
	case keys.Parameters:
		return action.Parameters{}, nil
	case keys.ShowSent:
		return action.ShowSent{}, nil
	case keys.InsertVariable:
		text := "{{topic}}"
		if p.editor.isBehindWord() {
			text = " " + text
		}
		changed, cmd := p.editor.update(tea.PasteMsg{Content: text})
		return action.Join(changed, action.Notify{Severity: action.Info,
			Text: "Sending asks for {{topic}}: a | b | c sends the prompt once for each."}), cmd
	case keys.PickSource:
		return action.PickSource{}, nil
	case keys.Example1, keys.Example2, keys.Example3:
		examples := Examples()
		at := slices.IndexFunc(examples, func(e Example) bool { return e.Command == command })
		return action.Sequence{action.Focus{Pane: action.PanePrompt}, examples[at].Compose, action.Send{}}, nil
	}
	return nil, nil
}

// View implements [part.Pane].
func (p *Prompt) View() []string {
	lines := p.editor.View()
	if options := p.options(); len(options) > 0 {
		lines = append(lines, " "+p.styles.Muted.Render(termtext.Fit(options.String(), p.w-2))+" ")
	}
	return widget.FillLines(lines, p.w, p.h)
}

// Example is a prompt for people who have just arrived.
type Example struct {
	Command keys.Command // of its key
	Title   string
	Shows   string // what one sees when it runs, in few words
	Compose action.Compose
}

// Examples returns the three examples: a text, a comparison, a picture.
func Examples() []Example {
	text := func(s string) *string { return &s }
	return []Example{
		{keys.Example1, "How does a black hole form?", "one model writes", action.Compose{
			Text: text("How does a black hole form?"), Models: []string{"alpha3.1-8b"}}},
		{keys.Example2, "Explain a CRDT to a baker. Use one analogy.", "four, side by side", action.Compose{
			Text:   text("Explain a CRDT to a baker. Use one analogy."),
			Models: []string{"alpha3.1-8b", "oss-20b", "gamma-4-7b-flash", "phi-2"}}},
		{keys.Example3, "A lighthouse at dusk, calm sea, oil painting", "a picture, 16:9", action.Compose{
			Text: text("A lighthouse at dusk, calm sea, oil painting"), Models: []string{"sim-image"},
			Aspect: text("16:9"), Nonce: &history.Nonce{Mode: history.NonceNone}}},
	}
}
