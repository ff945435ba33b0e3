package conversation

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

// SidePane is the pane to the right of the conversation on a very wide screen. It shows an answer that belongs to the
// focused one, and never has the focus.
type SidePane struct {
	*Pane        // reads the answer
	conversation *Pane
	shown        shownAnswer
	title        string
	bottom       string
	about        string // said where there is nothing to read, in lines
}

// shownAnswer identifies a state of an answer.
type shownAnswer struct {
	turn, answer int64
	version      int
	state        history.State
	note         string
}

// NewSidePane returns an empty side pane of a conversation.
func NewSidePane(c *Pane) *SidePane {
	return &SidePane{Pane: c.NewReader(), conversation: c, about: aboutRelated}
}

// SetSize implements [part.Pane]; the pane draws its border itself.
func (p *SidePane) SetSize(w, h int) { p.Pane.SetSize(max(w-2, 0), max(h-2, 0)) }

// Hints implements [part.Pane].
func (p *SidePane) Hints() []keys.Hint { return p.keys.Hints(keys.Conversation, keys.CompareAnswers) }

// State implements [part.Pane]: no key and no click gets here.
func (p *SidePane) State() action.LayerState {
	all := p.Pane.Pictures()
	for i := range all {
		all[i] = all[i].Moved(image.Pt(1, 1))
	}
	return action.LayerState{Pictures: all}
}

// aboutRelated says what the pane shows once an answer is focused.
const aboutRelated = "Shows what belongs to the focused answer: another answer of its turn, " +
	"its picture, or the model's earlier answer."

// Work shows what belongs to the focused answer of the conversation, and draws it: its picture as large as it fits
// (where the conversation shows cells), an answer of its turn that is not on the screen, what the same model answered
// before, or else facts about the answer.
func (p *SidePane) Work() (action.Action, tea.Cmd) {
	c := p.conversation
	p.title, p.bottom, p.about = "More", "", aboutRelated
	t, a, ok := c.Focused()
	if ok {
		focused, of := a, t
		if t, a, ok = p.related(c.turns.Window(), t, a, p.hintsOf(c)); !ok {
			p.title, p.about = "About  "+termtext.Line(focused.Model), answerFacts(of, focused)
		}
	}
	var shown shownAnswer
	if ok {
		shown = shownAnswer{t.ID, a.ID, a.Version, a.State, a.Note}
		p.about = "This answer is " + a.State.Word() + "."
	}
	if shown != p.shown {
		p.shown = shown
		p.ReadOnly(shown.turn, shown.answer)
	}
	return p.Pane.Work()
}

// hintsOf returns the keys of the pane that work while a conversation has the focus.
func (p *SidePane) hintsOf(c *Pane) []keys.Hint {
	if !c.focused {
		return nil
	}
	return p.Hints()
}

// related returns the answer that belongs to an answer, with its turn, and sets the title for it.
func (p *SidePane) related(turns []history.Turn, t history.Turn, a history.Answer,
	hints []keys.Hint) (history.Turn, history.Answer, bool) {
	switch {
	case p.imageIDs == nil && a.Picture != nil && a.State == history.Done:
		p.title = "Picture  " + termtext.Line(a.Model)
		return t, a, true
	case len(t.Answers) > 1:
		at := slices.IndexFunc(t.Answers, func(x history.Answer) bool { return x.ID == a.ID })
		for i := range t.Answers {
			next := (at + 1 + i) % len(t.Answers)
			if other := t.Answers[next]; next != at && !p.conversation.isSeen(other.ID) {
				p.title = "Another answer  " + termtext.Line(other.Model)
				p.bottom = p.styles.Faint.On(fmt.Sprintf("%d of %d", next+1, len(t.Answers)))
				if len(hints) > 0 {
					p.bottom += "  " + widget.HintLine(p.styles, hints)
				}
				return t, other, true
			}
		}
	}
	for i := slices.IndexFunc(turns, func(x history.Turn) bool { return x.ID == t.ID }) - 1; i >= 0; i-- {
		for _, before := range turns[i].Answers {
			if before.Model == a.Model && before.State == history.Done {
				p.title = "Earlier answer  " + termtext.Line(before.Model)
				p.bottom = termtext.Line(format.FirstLine(turns[i].Prompt))
				return turns[i], before, true
			}
		}
	}
	return history.Turn{}, history.Answer{}, false
}

// answerFacts says what is known of an answer besides its text, in lines.
func answerFacts(t history.Turn, a history.Answer) string {
	facts := [][2]string{{"asked", t.Created.Local().Format("2 Jan 2006 15:04")}, {"model", a.Model}}
	for _, f := range t.Facts(a, -1) {
		facts = append(facts, [2]string{string(f.Name), f.Explained()})
	}
	facts = append(facts, [2]string{"parameters", service.ParamsText(t.Params)},
		[2]string{"system", cmp.Or(format.FirstLine(t.System), "no system prompt")})
	var out strings.Builder
	for _, fact := range facts {
		if fact[1] != "" {
			fmt.Fprintf(&out, "%-17s%s\n", fact[0], termtext.Line(fact[1]))
		}
	}
	return out.String()
}

// View implements [part.Pane].
func (p *SidePane) View() []string {
	lines := p.Pane.View()
	if _, _, total := p.Lines(); p.shown.answer == 0 || total == 0 {
		lines = nil
		for _, line := range termtext.Wrap(p.about, max(p.w-2, 1)) {
			lines = append(lines, " "+p.styles.Faint.On(line))
		}
	}
	box := widget.Box{W: p.w + 2, H: p.h + 2, Title: p.title, Bottom: p.bottom, Styles: p.styles}
	return widget.BoxLines(box, lines)
}
