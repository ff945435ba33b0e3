package dialog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

const (
	systemMinLines = 5 // of the editor of the system prompt
	systemMaxLines = 19
	systemWidth    = 100
	systemPersonas = 6  // that are listed below the editor
	noteWidth      = 40 // of what a persona keeps
)

// SystemPrompt is what the editor of the system prompt begins with.
type SystemPrompt struct {
	InUse, Draft string
	Session      string // title of the session, "" for a new one
	Personas     []history.Persona
}

// NewSystem returns the editor of the system prompt. What is typed is a draft from the first change on.
func NewSystem(p SystemPrompt, m keys.Map, s *themes.Styles) action.Dialog {
	f := newAreaForm("System prompt", p.InUse, m)
	f.lines, f.maxLines, f.maxWidth = systemMinLines, systemMaxLines, systemWidth
	area := f.rows[0].area
	area.Placeholder = "You are a patient teacher. Answer in two sentences."
	if p.Draft != "" { // undoing that gives the text in use
		area.SetText(p.Draft)
	}
	f.summary = func(w, height int) []string {
		text := p.about()
		switch area.Text() {
		case p.InUse:
		case p.Draft:
			text = "Draft, not in use." + m.Phrase(keys.Text, keys.UndoEdit, " %s shows the one in use.")
		default:
			text = "Not in use yet, and kept as a draft" + m.Phrase(keys.Prompt, keys.Send, ": %s uses it") + "."
		}
		return f.aboveText(text, w, height)
	}
	f.listBelow = func(w, height int) []string { return p.personaLines(f.Styles, w, height) }
	f.accept = func() action.Action {
		text := area.Text()
		return action.Compose{System: &text}
	}
	f.typed = func() action.Action { return action.DraftSystem{Text: area.Text()} }
	f.own = map[keys.Command]func() action.Action{
		keys.Close: func() action.Action {
			if area.Text() == p.InUse {
				return action.CloseDialog{}
			}
			text := "Saved as a draft, not in use" +
				m.Phrase(keys.Everywhere, keys.Personas, ": %s opens it again") + "."
			return action.Sequence{action.CloseDialog{}, action.Notify{Severity: action.Info, Text: text}}
		},
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

// about says what the system prompt is for.
func (p SystemPrompt) about() string {
	session := "of this new session"
	if p.Session != "" {
		session = "of “" + ansi.Truncate(termtext.Line(p.Session), 40, "…") + "”"
	}
	return "Sent before each prompt " + session + ": how the models should answer."
}

// personaLines lists personas with the beginnings of their texts in at most height lines of w cells.
func (p SystemPrompt) personaLines(s *themes.Styles, w, height int) []string {
	const heading, widest = 2, 24
	n := min(len(p.Personas), systemPersonas, height-heading)
	if n < 1 {
		return nil
	}
	title := "Personas"
	if n < len(p.Personas) {
		title += fmt.Sprintf("  %d of %d", n, len(p.Personas))
	}
	lines := []string{"", s.Muted.On(title)}
	column := 0
	for _, persona := range p.Personas[:n] {
		column = max(column, min(termtext.Width(termtext.Line(persona.Name)), widest))
	}
	for _, persona := range p.Personas[:n] {
		name := termtext.Fit(termtext.Line(persona.Name), column)
		text := ansi.Truncate(format.FirstLine(persona.Text), max(w-column-2, 0), "…")
		lines = append(lines, s.Text.On(name)+"  "+s.Faint.On(text))
	}
	return lines
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
		if name.note = "confab --persona NAME begins with it"; typed() != "" {
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
