package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/keys"
)

// A paste that a terminal sends without brackets is keys, much faster than
// anyone types, and its line breaks are enter. Nobody wants each of its lines
// sent: an enter that comes with other keys waits for a moment, and is a line
// break when text follows.
const (
	burstGap = 40 * time.Millisecond  // between keys of a paste, drawing included; enter is hardly ever typed that fast
	lineGap  = 500 * time.Millisecond // after lines that were pasted: a slow line stops for as long
	holdFor  = 60 * time.Millisecond  // an enter that no key has followed yet
)

// An editor looks at all of its text for every key: letters that come faster
// than any can be typed are put in together.
const (
	tightGap  = 20 * time.Millisecond // between letters of a paste, drawing included
	tightKeys = 8                     // in a row, before letters are gathered
	gatherFor = 15 * time.Millisecond // less than a frame over a line
)

// pastedBytes is how much text in one key is a paste; no character has so many bytes.
const pastedBytes = 64

// pasteDetector makes a paste of keys that come faster than anyone types.
type pasteDetector struct {
	root  *Model
	last  time.Time        // when the newest key was dealt with
	held  *tea.KeyPressMsg // an enter that waits for what follows
	seq   int              // of the newest that was held
	lines int              // line breaks that were made of enters
	tight int              // letters in a row
	text  []byte           // gathered letters
	due   bool             // they are put in soon
}

// heldMsg ends the wait of an enter, unless something followed it.
type heldMsg struct{ seq int }

// routePress takes a key from the terminal.
func (p *pasteDetector) routePress(msg tea.KeyPressMsg) (action.Action, tea.Cmd) {
	b := p
	if isPasted(msg) {
		return p.routeUnbracketedPaste(msg.Text)
	}
	if p.gather(msg) {
		b.last = p.root.o.Now()
		return nil, p.gathered()
	}
	gap, sends := p.root.o.Now().Sub(b.last), p.wouldSend(msg)
	fast := gap < burstGap || sends && b.lines > 0 && gap < lineGap
	if !fast {
		b.lines = 0
	}
	if fast && sends && b.held == nil {
		return nil, p.holdEnter(msg)
	}
	cmd := p.putIn()
	var wish action.Action
	if held := b.held; held != nil {
		b.held = nil
		if msg.Text != "" || sends {
			cmd = tea.Batch(cmd, p.breakLine())
		} else {
			var then tea.Cmd
			wish, then = p.root.routeKey(*held)
			cmd = tea.Batch(cmd, then)
		}
	}
	defer func() { b.last = p.root.o.Now() }()
	if fast && sends {
		return wish, tea.Batch(cmd, p.holdEnter(msg))
	}
	more, then := p.root.routeKey(msg)
	return action.Several{wish, more}, tea.Batch(cmd, then)
}

// isPasted tells whether a key is text that the terminal sent at once, too much to have been typed.
func isPasted(msg tea.KeyPressMsg) bool {
	return msg.Code == tea.KeyExtended && (len(msg.Text) >= pastedBytes || strings.ContainsAny(msg.Text, "\r\n\t"))
}

// routeUnbracketedPaste routes text as a paste, and remembers its lines for an enter that follows.
func (p *pasteDetector) routeUnbracketedPaste(text string) (action.Action, tea.Cmd) {
	b := p
	cmd := p.putIn()
	if b.held != nil {
		b.held = nil
		cmd = tea.Batch(cmd, p.breakLine())
	}
	b.lines += strings.Count(text, "\n") + strings.Count(text, "\r")
	wish, then := p.root.routeText(tea.PasteMsg{Content: text})
	b.last = p.root.o.Now()
	return wish, tea.Batch(cmd, then)
}

// holdEnter keeps an enter for a moment.
func (p *pasteDetector) holdEnter(msg tea.KeyPressMsg) tea.Cmd {
	b := p
	b.held, b.last = &msg, p.root.o.Now()
	b.seq++
	seq := b.seq
	return tea.Tick(holdFor, func(time.Time) tea.Msg { return heldMsg{seq} })
}

// gather keeps a letter of a paste for later, and the line break before it.
func (p *pasteDetector) gather(msg tea.KeyPressMsg) bool {
	b := p
	typed := len(msg.Text) > 0 && p.root.dialogs.Len() == 0 && p.root.focus == action.PanePrompt &&
		(len(b.text) > 0 || !p.root.prompt.Empty())
	if p.root.o.Now().Sub(b.last) >= tightGap || !typed && !p.wouldSend(msg) {
		b.tight = 0
		return false
	}
	if b.tight++; b.tight <= tightKeys || !typed {
		return false
	}
	if b.held != nil {
		b.held = nil
		b.lines++
		b.text = append(b.text, '\n')
	}
	b.text = append(b.text, msg.Text...)
	return true
}

// gathered has what was gathered put in soon.
func (p *pasteDetector) gathered() tea.Cmd {
	if b := p; b.due {
		return nil
	}
	p.due = true
	return tea.Tick(gatherFor, func(time.Time) tea.Msg { return heldMsg{} })
}

// putIn puts what was gathered into the prompt.
func (p *pasteDetector) putIn() tea.Cmd {
	b := p
	b.due = false
	if len(b.text) == 0 {
		return nil
	}
	text := string(b.text)
	b.text = b.text[:0]
	cmd := p.insertText(text)
	b.last = p.root.o.Now() // what came meanwhile has waited for this
	return cmd
}

// afterHold sends what an enter ended; the last line break of a paste of several
// lines sends nothing.
func (p *pasteDetector) afterHold(msg heldMsg) (action.Action, tea.Cmd) {
	cmd := p.putIn()
	if msg.seq == 0 {
		return nil, cmd
	}
	held := p.held
	if held == nil || msg.seq != p.seq {
		return nil, cmd
	}
	p.held = nil
	if p.lines > 0 && p.wouldSend(*held) {
		return nil, tea.Batch(cmd, p.breakLine(),
			p.root.notify(action.Info,
				"The lines that were pasted are one prompt"+p.root.keys.Phrase(keys.Prompt, keys.Send, "; %s sends it")+"."))
	}
	wish, then := p.root.routeKey(*held)
	return wish, tea.Batch(cmd, then)
}

// wouldSend tells whether a key would send what is in the prompt.
func (p *pasteDetector) wouldSend(msg tea.KeyPressMsg) bool {
	return p.root.dialogs.Len() == 0 && p.root.focus == action.PanePrompt && !p.root.prompt.Empty() &&
		p.root.lookUp(msg).Command == keys.Send
}

func (p *pasteDetector) breakLine() tea.Cmd {
	p.lines++
	return p.insertText("\n")
}

// insertText puts text into the prompt.
func (p *pasteDetector) insertText(text string) tea.Cmd {
	a, _ := p.root.prompt.Update(tea.PasteMsg{Content: text})
	if notice, ok := a.(action.Notify); ok {
		return tea.Batch(p.root.drafts.noteChange(), p.root.notify(notice.Severity, notice.Text))
	}
	return p.root.drafts.noteChange()
}
