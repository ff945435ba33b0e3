package compose

import (
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// Some terminals send a paste as keys, with enter for its line breaks. So that no line of it is sent, an enter that
// comes fast after other keys is held for a moment, and becomes a line break when text follows.
const (
	pasteGap = 40 * time.Millisecond  // longest time between two keys of a paste, drawing included
	lineGap  = 500 * time.Millisecond // longest time between two lines of a paste on a slow connection
	holdTime = 60 * time.Millisecond  // time for which an enter is held
)

// minPasteBytes is the length of a key's text from which it is a paste: package terminput makes one key of letters that
// come too fast.
const minPasteBytes = 64

// PasteDetector finds pastes in keys that come faster than anyone types.
type PasteDetector struct {
	composer *Composer
	last     time.Time        // when the newest key was handled
	held     *tea.KeyPressMsg // enter
	holds    int              // number of held enters
	lines    int              // line breaks made of enters
}

// holdEndMsg ends holding an enter.
type holdEndMsg struct{ hold int }

// Routing tells the root to handle an action and then messages.
type Routing struct {
	Action action.Action
	Msgs   []tea.Msg // [tea.KeyPressMsg] and [tea.PasteMsg]
	Cmd    tea.Cmd
}

// KeyHandled notes the time after the root has routed a key.
func (p *PasteDetector) KeyHandled() { p.last = p.composer.Now() }

// Press returns the routing of a key from the terminal.
func (p *PasteDetector) Press(msg tea.KeyPressMsg) Routing {
	if isPaste(msg) {
		p.lines += strings.Count(msg.Text, "\n") + strings.Count(msg.Text, "\r")
		return Routing{Action: p.insertHeldBreak(), Msgs: []tea.Msg{tea.PasteMsg{Content: msg.Text}}}
	}
	gap, sends := p.composer.Now().Sub(p.last), p.wouldSend(msg)
	isFast := gap < pasteGap || sends && p.lines > 0 && gap < lineGap
	if !isFast {
		p.lines = 0
	}
	var r Routing
	if held := p.held; held != nil && msg.Text == "" && !sends {
		p.held = nil
		r.Msgs = append(r.Msgs, *held)
	}
	r.Action = p.insertHeldBreak()
	if isFast && sends {
		r.Cmd = p.hold(msg)
	} else {
		r.Msgs = append(r.Msgs, letters(msg)...)
	}
	return r
}

// letters returns a key for each letter of a key press. Package terminput joins letters that come while the program is
// busy, and each of them is a command where no text is written.
func letters(msg tea.KeyPressMsg) (all []tea.Msg) {
	if msg.Code != tea.KeyExtended {
		return []tea.Msg{msg}
	}
	for letter := graphemes.FromString(msg.Text); letter.Next(); {
		press := tea.KeyPressMsg{Code: tea.KeyExtended, Text: letter.Value()}
		if r, n := utf8.DecodeRuneInString(press.Text); n == len(press.Text) {
			press.Code = r
		}
		all = append(all, press)
	}
	return all
}

// isPaste reports whether a key has more text than can be typed.
func isPaste(msg tea.KeyPressMsg) bool {
	return msg.Code == tea.KeyExtended && (len(msg.Text) >= minPasteBytes || strings.ContainsAny(msg.Text, "\r\n\t"))
}

func (p *PasteDetector) hold(msg tea.KeyPressMsg) tea.Cmd {
	p.held = &msg
	p.holds++
	end := part.Result{To: p, Msg: holdEndMsg{p.holds}}
	return tea.Tick(holdTime, func(time.Time) tea.Msg { return end })
}

// Update implements [part.Receiver]. It sends the prompt if nothing follows a held enter, but not after pasted lines.
func (p *PasteDetector) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if end, ok := msg.(holdEndMsg); !ok || p.held == nil || end.hold != p.holds {
		return nil, nil
	}
	if p.lines == 0 || !p.wouldSend(*p.held) {
		held := *p.held
		p.held = nil
		return action.RouteKey{Key: held}, nil
	}
	return action.Sequence{p.insertHeldBreak(), action.Notify{Severity: action.Info,
		Text: "The lines that were pasted are one prompt" +
			p.composer.Keys.Phrase(keys.Prompt, keys.Send, "; %s sends it") + "."}}, nil
}

// wouldSend reports whether a key would send the prompt.
func (p *PasteDetector) wouldSend(msg tea.KeyPressMsg) bool {
	return p.composer.HasKeys() && !p.composer.IsEmpty() &&
		p.composer.Keys.Find(msg, keys.LookupsIn(keys.Prompt)).Command == keys.Send
}

// insertHeldBreak inserts a line break for a held enter.
func (p *PasteDetector) insertHeldBreak() action.Action {
	if p.held == nil {
		return nil
	}
	p.held = nil
	p.lines++
	notice, _ := p.composer.editor.update(tea.PasteMsg{Content: "\n"})
	p.last = p.composer.Now() // keys that came meanwhile have waited
	return action.Sequence{action.DraftChanged{}, notice}
}
