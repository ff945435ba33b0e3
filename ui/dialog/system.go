package dialog

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

const (
	systemLines = 19 // of the editor of the system prompt
	systemWidth = 100
	noteWidth   = 40 // of what a persona keeps
)

// NewSystem returns the editor of the system prompt. What is typed is a draft from the first change on.
func NewSystem(inUse, draft string, m keys.Map, s *themes.Styles) action.Dialog {
	f := newAreaForm("System prompt", inUse, m)
	f.lines, f.maxWidth = systemLines, systemWidth
	area := f.rows[0].area
	if draft != "" { // undoing that gives the text in use
		area.SetText(draft)
	}
	f.summary = func(int, int) []string {
		text := "Sent before each prompt."
		switch area.Text() {
		case inUse:
		case draft:
			text = "Draft, not in use." + m.Phrase(keys.Text, keys.UndoEdit, " %s shows the one in use.")
		default:
			text = "Kept as a draft, not in use yet."
		}
		return []string{f.Styles.Muted.On(text)}
	}
	f.accept = func() action.Action {
		text := area.Text()
		return action.Compose{System: &text}
	}
	f.typed = func() action.Action { return action.DraftSystem{Text: area.Text()} }
	f.own = map[keys.Command]func() action.Action{
		keys.KeepAs: func() action.Action { return action.KeepPersona{Text: area.Text()} },
		keys.ListKept: func() action.Action {
			return action.Sequence{action.CloseDialog{}, action.ShowList{List: action.ListPersonas}}
		},
	}
	f.hints = slices.Concat(m.HintAs(keys.Prompt, keys.Send, "use"), m.Hints(keys.Form, keys.KeepAs, keys.ListKept),
		m.HintAs(keys.Form, keys.Close, "close"), m.Hints(keys.Prompt, keys.NewLine))
	f.init("system prompt", m, s)
	return f
}

// Persona is what [NewPersona] offers to keep under a name, and the personas that there are.
type Persona struct {
	Text   string
	Models []string
	Params history.Params
	All    []history.Persona
}

// named returns the persona of a name in any case.
func (p Persona) named(name string) (history.Persona, bool) {
	i := slices.IndexFunc(p.All, func(other history.Persona) bool { return strings.EqualFold(other.Name, name) })
	if i < 0 {
		return history.Persona{}, false
	}
	return p.All[i], true
}

// NewPersona returns the form that keeps a system prompt under a name. A text that is a persona's has its name.
func NewPersona(p Persona, m keys.Map, s *themes.Styles) action.Dialog {
	var saved history.Persona
	if i := slices.IndexFunc(p.All, func(o history.Persona) bool { return o.Text == p.Text && o.Text != "" }); i >= 0 {
		saved = p.All[i]
	}
	note := func(text string) string { return ansi.Truncate(termtext.Line(text), noteWidth, "…") }
	name := &row{label: "Name", text: widget.NewField(m, widget.OneLine(saved.Name), "such as: strict editor")}
	models := &row{label: "With models", choices: []string{"no", "yes"}, note: note(strings.Join(p.Models, ", ")),
		hidden: len(p.Models) == 0}
	params := &row{label: "With parameters", choices: models.choices, note: note(service.ParamsText(p.Params)),
		hidden: p.Params.IsZero()}
	if len(saved.Models) > 0 {
		models.at = 1
	}
	params.at = 1
	title := "Save a persona"
	if p.Text != "" {
		title = "Save “" + ansi.Truncate(termtext.Line(p.Text), 30, "…") + "” as a persona"
	}
	f := &form{title: title, rows: []*row{name, models, params}}
	typed := func() string { return strings.TrimSpace(name.text.Value()) }
	f.changed = func() {
		if name.note = "use it with confab ask --persona NAME"; typed() != "" {
			if _, ok := p.named(typed()); ok {
				name.note = "replaces the persona of this name"
			}
		}
	}
	f.accept = func() action.Action {
		same, _ := p.named(typed())
		kept := history.Persona{ID: same.ID, Name: typed(), Text: p.Text}
		if !models.hidden && models.at == 1 {
			kept.Models = p.Models
		}
		if !params.hidden && params.at == 1 {
			kept.Params = p.Params
		}
		switch {
		case kept.Name == "":
			name.problem = "Must not be empty."
			return nil
		case service.PersonaContents(kept) == "":
			name.problem = "Nothing to save: the text is empty."
			return nil
		}
		return action.SavePersona{Persona: kept}
	}
	f.init("persona", m, s)
	return f
}
