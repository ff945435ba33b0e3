package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/action"
	"confab/ui/keys"
)

// editedMsg brings back a text from the external editor.
type editedMsg struct {
	pane action.Pane
	text string
	err  error
}

// copy puts text on the clipboards there are, and says which: OSC 52 is never
// acknowledged, so "copied" would be a guess.
func (m *Model) copy(a action.Copy) tea.Cmd {
	ctx, desktop := m.ctx, m.o.Desktop
	return func() tea.Msg {
		where, terminal, err := desktop.Copy(ctx, a.Text)
		if err != nil {
			return doneMsg{err: err}
		}
		return copiedMsg{text: a.Text, what: a.What, where: where, terminal: terminal}
	}
}

// copiedMsg tells what the local clipboard got; the terminal's is next.
type copiedMsg struct {
	text, what, where string
	terminal          bool
}

func (m *Model) afterCopy(msg copiedMsg) tea.Cmd {
	text, offer := upperFirst(msg.what)+": "+msg.where+".", ""
	h := m.keys.Hints(keys.Conversation, keys.Write)
	switch {
	case !m.host.far || !strings.Contains(msg.where, "sent"): // it is where it is, or in a file already
	case m.host.outer:
		offer = " Your tmux passes it on with set-clipboard on."
	case len(h) > 0:
		offer = " " + h[0].Key + " in the conversation writes a file."
	}
	if ansi.StringWidth(text+offer) > m.room() {
		text = upperFirst(msg.where) + "."
	}
	if ansi.StringWidth(text+offer) > m.room() {
		offer = ""
	}
	note := m.notify(action.Good, text+offer)
	if msg.terminal {
		return tea.Batch(tea.Raw(m.host.clipboard(msg.text)), note)
	}
	return note
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// room is how many cells a notice has that is to be read whole.
func (m *Model) room() int { return m.w - 2 }

func (m *Model) openOutside(target string) tea.Cmd {
	ctx, desktop, room := m.ctx, m.o.Desktop, m.room()
	return func() tea.Msg {
		hint, err := desktop.Open(ctx, target)
		if what, line, ok := strings.Cut(hint, ": "); ok && err == nil && ansi.StringWidth(hint) > room {
			return showMsg{action.ShowText{Title: upperFirst(what), Text: line}}
		}
		return doneMsg{text: hint, err: err}
	}
}

// openEditor opens the person's editor on the focused text.
func (m *Model) openEditor() tea.Cmd {
	ctx, desktop := m.ctx, m.o.Desktop
	target, text := action.PanePrompt, m.prompt.Text()
	if m.focus == action.PaneSystem {
		target, text = action.PaneSystem, m.system.Text()
	}
	return func() tea.Msg {
		cmd, read, err := desktop.Editor(ctx, text)
		if err != nil {
			return doneMsg{err: err}
		}
		return execMsg{run: tea.ExecProcess(cmd, func(err error) tea.Msg {
			text, readErr := read()
			if err == nil {
				err = readErr
			}
			return editedMsg{pane: target, text: text, err: err}
		})}
	}
}

// execMsg brings a command that takes the terminal over for a while.
type execMsg struct{ run tea.Cmd }

func (m *Model) afterEditor(msg editedMsg) tea.Cmd {
	if msg.err != nil {
		return m.notify(action.Warn, "The editor did not end well ("+msg.err.Error()+"): the text is as it was.")
	}
	text := strings.TrimRight(msg.text, "\n")
	if msg.pane == action.PaneSystem {
		m.system.SetText(text)
	} else {
		m.prompt.SetText(text)
	}
	m.drafts.shown = m.prompt.Characters()
	m.relayout()
	return m.drafts.noteChange()
}

// alert tells a person whose window is elsewhere that a long run has ended.
func (m *Model) alert(text string) tea.Cmd {
	switch m.o.Notify {
	case "off":
		return nil
	case "bell":
		return tea.Raw("\a")
	}
	return tea.Raw(m.host.alert(m.graphics.Name(), "confab: "+termtext.Title(text)))
}

func (m *Model) write(w service.Write) tea.Cmd {
	ctx, svc, room := m.ctx, m.o.Service, m.room()
	return func() tea.Msg {
		paths, err := svc.Write(ctx, w)
		text := "Written: " + strings.Join(paths, ", ")
		if len(paths) > 1 {
			text = fmt.Sprintf("Written: %d files in %s", len(paths), filepath.Dir(paths[0]))
		}
		line := m.fetchLine(paths...)
		if line != "" && err == nil && ansi.StringWidth(text+"   fetch: "+line) > room {
			return showMsg{action.ShowText{Title: "Written; for a shell of your own machine", Text: line}}
		}
		if line != "" {
			text += "   fetch: " + line
		}
		return doneMsg{text: text, err: err}
	}
}

func (m *Model) curl(answer int64) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		text, err := svc.Curl(ctx, answer)
		if err != nil {
			return doneMsg{err: err}
		}
		return showMsg{action.Copy{Text: text, What: "the curl command, without the key"}}
	}
}

// inspect shows the exact request and response of an answer.
func (m *Model) inspect(answer int64) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		e, err := svc.Exchange(ctx, answer)
		if err != nil {
			return doneMsg{err: err}
		}
		return showMsg{action.ShowText{Title: "Request and response", Text: exchangeText(e), Answer: answer}}
	}
}

func exchangeText(e history.Exchange) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\nContent-Type: application/json\n\n%s\n\n", e.Method, e.URL, indentJSON(e.RequestBody))
	if e.Status == 0 {
		b.WriteString("no response\n")
	} else {
		fmt.Fprintf(&b, "%s %d\n", e.Proto, e.Status)
	}
	names := make([]string, 0, len(e.Header))
	for name := range e.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(e.Header[name], ", "))
	}
	if e.Head != "" {
		fmt.Fprintf(&b, "\n%s\n", indentJSON(e.Head))
		if e.Received > int64(len(e.Head)) {
			fmt.Fprintf(&b, "… the first %s of %s\n", format.Size(int64(len(e.Head))), format.Size(e.Received))
		}
	}
	b.WriteString("\n")
	engine, model, note := service.Told(e)
	for _, t := range [][2]string{{"answered by", engine}, {"which calls the model", model}, {"the service says", note}} {
		if t[1] != "" {
			fmt.Fprintf(&b, "%-30s %s\n", t[0], t[1])
		}
	}
	for _, t := range []struct {
		name string
		d    time.Duration
	}{{"waited for its turn", e.QueueWait}, {"connect", e.Connect}, {"first byte", e.FirstByte},
		{"request written to body read", e.Total}} {
		if t.d > 0 {
			fmt.Fprintf(&b, "%-30s %s\n", t.name, t.d.Round(time.Microsecond*100))
		}
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, "%-30s %d\n", "attempts", e.Attempts)
	}
	return b.String()
}

// indentJSON sets JSON so that people can read it; anything else stays as it is.
func indentJSON(s string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(s), "", "  ") != nil {
		return s
	}
	return out.String()
}

// showSent shows the exact text that would be sent to the first marked model.
func (m *Model) showSent() tea.Cmd {
	p, ok := m.sender.composed()
	if !ok || len(p.Models) == 0 {
		return m.notify(action.Warn, "Write a prompt and mark a model first.")
	}
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		text, err := svc.Sent(ctx, p, p.Models[0])
		if err != nil {
			return doneMsg{err: err}
		}
		return showMsg{action.ShowText{Title: "Sent to " + p.Models[0], Text: text}}
	}
}
