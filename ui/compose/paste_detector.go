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

// An editor looks at all of its text for every key: letters that come faster than any can be typed are put in together.
const (
	letterGap     = 20 * time.Millisecond // between letters of a paste, drawing included
	letterCount   = 8                     // in a row, before letters are gathered
	gatherTime    = 15 * time.Millisecond // less than a frame over a line
	minPasteBytes = 64                    // of text in one key that is a paste; no character has so many bytes
)

// PasteDetector finds pastes in keys that come faster than anyone types.
type PasteDetector struct {
	Env
	isFocused   func() bool      // the prompt gets the keys
	last        time.Time        // when the newest key was handled
	held        *tea.KeyPressMsg // an enter that waits for what follows
	holds       int              // enters that were held
	lines       int              // line breaks that were made of enters
	letters     int              // letters in a row
	text        []byte           // gathered letters
	isGathering bool             // they are put in soon
}

type (
	// holdEndMsg ends the wait of an enter, unless something followed it.
	holdEndMsg struct{ hold int }
	// gatherEndMsg puts in what was gathered.
	gatherEndMsg struct{}
)

// Routing is what the root does with a key: it routes messages, one after the other, after an action.
type Routing struct {
	Action action.Action
	Msgs   []tea.Msg // of [tea.KeyPressMsg] and [tea.PasteMsg]
	Cmd    tea.Cmd
}

// KeyHandled notes that what [PasteDetector.Press] returned was routed.
func (p *PasteDetector) KeyHandled() { p.last = p.Now() }

// Press takes a key from the terminal and returns what is to be routed for it.
func (p *PasteDetector) Press(msg tea.KeyPressMsg) Routing {
	if isPaste(msg) {
		p.lines += strings.Count(msg.Text, "\n") + strings.Count(msg.Text, "\r")
		return Routing{Action: p.insert(p.gatheredText() + p.heldBreak()),
			Msgs: []tea.Msg{tea.PasteMsg{Content: msg.Text}}}
	}
	if p.gathers(msg) {
		if p.isGathering {
			return Routing{}
		}
		p.isGathering = true
		return Routing{Cmd: p.after(gatherTime, gatherEndMsg{})}
	}
	gap, sends := p.Now().Sub(p.last), p.wouldSend(msg)
	isFast := gap < pasteGap || sends && p.lines > 0 && gap < lineGap
	if !isFast {
		p.lines = 0
	}
	if isFast && sends && p.held == nil {
		return Routing{Cmd: p.hold(msg)}
	}
	var r Routing
	text := p.gatheredText()
	switch held := p.held; {
	case held == nil:
	case msg.Text != "" || sends:
		text += p.heldBreak()
	default:
		p.held = nil
		r.Msgs = append(r.Msgs, *held)
	}
	r.Action = p.insert(text)
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
	return p.after(holdTime, holdEndMsg{p.holds})
}

func (p *PasteDetector) after(delay time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(delay, func(time.Time) tea.Msg { return part.Result{To: p, Msg: msg} })
}

// heldBreak returns the line break that a held enter turned out to be, "" where none is held.
func (p *PasteDetector) heldBreak() string {
	if p.held == nil {
		return ""
	}
	p.held = nil
	p.lines++
	return "\n"
}

// gathers keeps a letter of a paste for later, and the line break before it.
func (p *PasteDetector) gathers(msg tea.KeyPressMsg) bool {
	isTyped := msg.Text != "" && p.isFocused() && (len(p.text) > 0 || !p.Prompt.IsEmpty())
	if p.Now().Sub(p.last) >= letterGap || !isTyped && !p.wouldSend(msg) {
		p.letters = 0
		return false
	}
	if p.letters++; p.letters <= letterCount || !isTyped {
		return false
	}
	p.text = append(append(p.text, p.heldBreak()...), msg.Text...)
	return true
}

// gatheredText returns the letters that were gathered, and forgets them.
func (p *PasteDetector) gatheredText() string {
	text := string(p.text)
	p.text, p.isGathering = p.text[:0], false
	return text
}

// PutIn puts the letters that were gathered into the prompt.
func (p *PasteDetector) PutIn() action.Action { return p.insert(p.gatheredText()) }

// Update implements [part.Receiver]. A held enter that nothing followed sends; the last line break of a paste of
// several lines does not.
func (p *PasteDetector) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	text := p.gatheredText()
	if end, ok := msg.(holdEndMsg); ok && p.held != nil && end.hold == p.holds {
		if p.lines == 0 || !p.wouldSend(*p.held) {
			held := *p.held
			p.held = nil
			return action.Sequence{p.insert(text), action.RouteKey{Key: held}}, nil
		}
		return action.Sequence{p.insert(text + p.heldBreak()), action.Notify{Severity: action.Info,
			Text: "The lines that were pasted are one prompt" +
				p.Keys.Phrase(keys.Prompt, keys.Send, "; %s sends it") + "."}}, nil
	}
	return p.insert(text), nil
}

// wouldSend tells whether a key would send what is in the prompt.
func (p *PasteDetector) wouldSend(msg tea.KeyPressMsg) bool {
	return p.isFocused() && !p.Prompt.IsEmpty() &&
		p.Keys.Find(msg, keys.LookupsIn(keys.Prompt)).Command == keys.Send
}

// insert puts text into the prompt.
func (p *PasteDetector) insert(text string) action.Action {
	if text == "" {
		return nil
	}
	notice, _ := p.Prompt.Update(tea.PasteMsg{Content: text})
	p.last = p.Now() // what came meanwhile has waited for this
	return action.Sequence{action.DraftChanged{}, notice}
}
