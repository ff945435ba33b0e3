package compose

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// A paste that a terminal sends without brackets is keys, much faster than anyone types, and its line breaks are enter.
// Nobody wants each of its lines sent: an enter that comes with other keys waits for a moment, and is a line break when
// text follows.
const (
	pasteGap = 40 * time.Millisecond  // between keys of a paste, drawing included; enter is hardly ever typed that fast
	lineGap  = 500 * time.Millisecond // after lines that were pasted: a slow line stops for as long
	holdTime = 60 * time.Millisecond  // an enter that no key has followed yet
)

// minPasteBytes is how much text in one key is a paste; no character has so many bytes. Package terminput makes one key
// of letters that come faster than they can be handled.
const minPasteBytes = 64

// PasteDetector finds pastes in keys that come faster than anyone types.
type PasteDetector struct {
	composer *Composer
	last     time.Time        // when the newest key was handled
	held     *tea.KeyPressMsg // an enter that waits for what follows
	holds    int              // enters that were held
	lines    int              // line breaks that were made of enters
}

// holdEndMsg ends the wait of an enter, unless something followed it.
type holdEndMsg struct{ hold int }

// Routing is what the root does with a key: it routes messages, one after the other, after an action.
type Routing struct {
	Action action.Action
	Msgs   []tea.Msg // of [tea.KeyPressMsg] and [tea.PasteMsg]
	Cmd    tea.Cmd
}

// KeyHandled notes that what [PasteDetector.Press] returned was routed.
func (p *PasteDetector) KeyHandled() { p.last = p.composer.Now() }

// Press takes a key from the terminal and returns what is to be routed for it.
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
		r.Msgs = append(r.Msgs, msg)
	}
	return r
}

// isPaste tells whether a key is text that the terminal sent at once, too much to have been typed.
func isPaste(msg tea.KeyPressMsg) bool {
	return msg.Code == tea.KeyExtended && (len(msg.Text) >= minPasteBytes || strings.ContainsAny(msg.Text, "\r\n\t"))
}

// hold keeps an enter for a moment.
func (p *PasteDetector) hold(msg tea.KeyPressMsg) tea.Cmd {
	p.held = &msg
	p.holds++
	end := part.Result{To: p, Msg: holdEndMsg{p.holds}}
	return tea.Tick(holdTime, func(time.Time) tea.Msg { return end })
}

// Update implements [part.Receiver]. A held enter that nothing followed sends; the last line break of a paste of
// several lines does not.
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

// wouldSend tells whether a key would send what is in the prompt.
func (p *PasteDetector) wouldSend(msg tea.KeyPressMsg) bool {
	return p.composer.HasKeys() && !p.composer.IsEmpty() &&
		p.composer.Keys.Find(msg, keys.LookupsIn(keys.Prompt)).Command == keys.Send
}

// insertHeldBreak puts the line break that a held enter turned out to be into the prompt.
func (p *PasteDetector) insertHeldBreak() action.Action {
	if p.held == nil {
		return nil
	}
	p.held = nil
	p.lines++
	notice, _ := p.composer.editor.update(tea.PasteMsg{Content: "\n"})
	p.last = p.composer.Now() // what came meanwhile has waited for this
	return action.Sequence{action.DraftChanged{}, notice}
}
