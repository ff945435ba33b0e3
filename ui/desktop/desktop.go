// Package desktop reaches the machine and the terminal of the person: clipboards, the
// external editor, programs that show files, files that answers are written to, and alerts.
package desktop

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/part"
)

// Machine is the machine the person sits at, as far as confab reaches it.
type Machine interface {
	// Copy puts text on the local clipboard; terminal tells whether the terminal should be asked too, by OSC 52. Where
	// says for people what was done.
	Copy(ctx context.Context, text string) (where string, terminal bool, err error)
	// Paste returns the text of the local clipboard, or the picture if there is no text.
	Paste(ctx context.Context) (text string, picture []byte, err error)
	// Open shows a file or link with the desktop's own program, or says in hint what to do instead.
	Open(ctx context.Context, target string) (hint string, err error)
	// Editor returns a function that runs the person's editor on text and returns what it became; with an error too
	// where the editor failed after it wrote. It returns the path of a file that is kept for an editor which ended at
	// once and may go on in a window of its own.
	Editor(ctx context.Context, text string) (func(in io.Reader, out io.Writer) (became, kept string, err error), error)
	// Saved returns what such a file holds now.
	Saved(path string) (string, error)
	// Fetch returns a line for a shell of that machine which gets files from the machine confab runs on; ok is false
	// where both are the same.
	Fetch(paths ...string) (line string, ok bool)
}

// Integration handles the actions that concern the person's machine.
type Integration struct {
	env        part.Env
	machine    Machine
	alerts     string // "auto", "bell" or "off"
	graphics   *graphics.Terminal
	host       terminalHost
	width      int // of the screen, in cells
	isAway     bool
	failedAway bool // something failed that the person was not here to see
	lastKey    time.Time
	edits      int // how often an editor was started
}

// New returns the integration. Alerts are "auto", "bell" or "off".
func New(env part.Env, machine Machine, alerts string, g *graphics.Terminal) *Integration {
	return &Integration{env: env, machine: machine, alerts: alerts, graphics: g}
}

// copiedMsg reports what the local clipboard got; the terminal's is next.
type copiedMsg struct {
	copied   action.Copy
	where    string
	terminal bool
}

// Update takes what the terminal tells of itself, and the results of its own commands.
func (d *Integration) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		d.width = msg.Width
	case tea.EnvMsg:
		return nil, d.host.ask(msg)
	case uv.SecondaryDeviceAttributesEvent:
		d.host.handleAttributes(msg)
	case tea.FocusMsg:
		d.isAway, d.failedAway, d.host.reportsFocus = false, false, true
	case tea.BlurMsg:
		d.isAway, d.host.reportsFocus = true, true
	case tea.KeyPressMsg:
		d.lastKey, d.failedAway = d.env.Now(), false
	case copiedMsg:
		return d.afterCopy(msg)
	case editorMsg:
		return nil, tea.Exec(msg.command, func(err error) tea.Msg {
			return part.Result{To: d, Msg: editedMsg{msg.command, err}}
		})
	case editedMsg:
		return d.afterEditor(msg)
	case savedMsg:
		return d.takeSaved(msg)
	}
	return nil, nil
}

// IsAway tells whether the window of the terminal has lost the focus.
func (d *Integration) IsAway() bool { return d.isAway }

// HasUnseenFailure tells whether something failed while the person was elsewhere.
func (d *Integration) HasUnseenFailure() bool { return d.failedAway }

// Paste puts what the clipboard of the person's machine holds into the prompt.
func (d *Integration) Paste() (action.Action, tea.Cmd) {
	return nil, part.Then(func() (action.Action, error) {
		text, picture, err := d.machine.Paste(d.env.Ctx)
		switch {
		case len(picture) > 0:
			return action.AttachPicture{Picture: picture}, err
		case text == "" && err == nil:
			return action.Notify{Severity: action.Info, Text: "The clipboard is empty."}, nil
		}
		return action.PasteText{Text: text}, err
	})
}

// Copy puts text on the clipboards there are, and says which: OSC 52 is never acknowledged, so "copied" would be a
// guess.
func (d *Integration) Copy(a action.Copy) (action.Action, tea.Cmd) {
	if a.IsPath {
		a.Text = d.env.Service.Paths().Name(a.Text)
	}
	return nil, part.Ask(d, func() (tea.Msg, error) {
		where, terminal, err := d.machine.Copy(d.env.Ctx, a.Text)
		return copiedMsg{copied: a, where: where, terminal: terminal}, err
	})
}

func (d *Integration) afterCopy(msg copiedMsg) (action.Action, tea.Cmd) {
	text, offer := format.Capitalize(msg.copied.What)+": "+msg.where+".", ""
	h := d.env.Keys.Hints(keys.Conversation, keys.Write)
	switch {
	case !d.host.isRemote || !strings.Contains(msg.where, "sent"): // it is where it is, or in a file already
	case d.host.isTmuxLocal:
		offer = " In tmux, this needs set-clipboard on."
	case len(h) > 0:
		offer = " " + h[0].Key + " in the conversation writes a file."
	}
	if ansi.StringWidth(text+offer) > d.noticeWidth() {
		text = format.Capitalize(msg.where) + "."
	}
	if ansi.StringWidth(text+offer) > d.noticeWidth() {
		offer = ""
	}
	note := action.Notify{Severity: action.Good, Text: text + offer}
	if n := termtext.CountHidden(msg.copied.Text); n > 0 {
		holds := " It holds " + format.Count(n, "invisible or control character") + "."
		if ansi.StringWidth(text+holds) > d.noticeWidth() {
			text = "Copied."
		}
		note = action.Notify{Severity: action.Warn, Text: text + holds}
	}
	if msg.terminal {
		return note, tea.Raw(d.host.clipboard(msg.copied.Text))
	}
	return note, nil
}

func (d *Integration) noticeWidth() int { return d.width - 2 }

func (d *Integration) Open(a action.Open) (action.Action, tea.Cmd) {
	width := d.noticeWidth()
	return nil, func() tea.Msg {
		target := a.Target
		if filepath.IsAbs(target) { // a picture may be in the bucket only
			var err error
			if target, err = d.env.Service.Files().Local(d.env.Ctx, target); err != nil {
				return part.Fail(err)
			}
		}
		hint, err := d.machine.Open(d.env.Ctx, target)
		if what, line, ok := strings.Cut(hint, ": "); ok && err == nil && ansi.StringWidth(hint) > width {
			return part.Do(action.ShowText{Title: format.Capitalize(what), Text: line})
		}
		return part.ChangeResult(err, hint)
	}
}

func (d *Integration) Write(a action.Write) (action.Action, tea.Cmd) {
	width := d.noticeWidth()
	return nil, func() tea.Msg {
		paths, err := d.env.Service.Exporter().Write(d.env.Ctx, a.What)
		if err != nil {
			a.Form.Failed, a.Form.Problem = &a.What, part.Sentence(err)
			return part.Do(a.Form)
		}
		name := d.env.Service.Paths().Name
		text := "Written: "
		switch len(paths) {
		case 0:
		case 1:
			text += name(paths[0])
		default:
			text += format.Count(len(paths), "file") + " in " + name(filepath.Dir(paths[0]))
		}
		line := d.FetchLine(paths...)
		if line != "" && ansi.StringWidth(text+"   fetch: "+line) > width {
			return part.Do(action.ShowText{Title: "Written; run this on your own machine", Text: line})
		}
		if line != "" {
			text += "   fetch: " + line
		}
		return part.ChangeResult(nil, text)
	}
}

func (d *Integration) Curl(a action.Curl) (action.Action, tea.Cmd) {
	return nil, part.Then(func() (action.Action, error) {
		text, err := d.env.Service.Curl(d.env.Ctx, a.Answer)
		return action.Copy{Text: text, What: "the curl command, without the key"}, err
	})
}

// Inspect shows the exact request and response of an answer.
func (d *Integration) Inspect(a action.Inspect) (action.Action, tea.Cmd) {
	return nil, part.Then(func() (action.Action, error) {
		e, isWhole, err := d.env.Service.Exchange(d.env.Ctx, a.Answer)
		if err != nil {
			return nil, err
		}
		answer, err := d.env.Service.Answer(d.env.Ctx, a.Answer)
		text := exchangeText(answer, e, isWhole)
		return action.ShowText{Title: "Request and response", Text: text, Answer: a.Answer}, err
	})
}

// FetchLine returns the line that fetches files to the person's machine, "" where none is needed.
func (d *Integration) FetchLine(paths ...string) string {
	if d.machine == nil || len(paths) == 0 {
		return ""
	}
	line, _ := d.machine.Fetch(paths...)
	return line
}

// Fetch shows the line that fetches files, and copies it.
func (d *Integration) Fetch(a action.FetchPictures) (action.Action, tea.Cmd) {
	if d.env.Service.Files().HasBucket() {
		return nil, part.Then(func() (action.Action, error) { return d.linkTo(a.Paths) })
	}
	line := d.FetchLine(a.Paths...)
	if line == "" {
		return action.Notify{Severity: action.Info, Text: "No need to fetch it: the file is on this machine."},
			nil
	}
	return action.Sequence{action.Copy{Text: line, What: "the scp command"},
		action.ShowText{Title: "Run this on your own machine", Text: line}}, nil
}

func (d *Integration) linkTo(paths []string) (action.Action, error) {
	var links []string
	for _, path := range paths {
		link, err := d.env.Service.Files().Link(d.env.Ctx, path)
		if err != nil {
			return nil, err
		}
		links = append(links, link)
	}
	text := strings.Join(links, "\n")
	return action.Sequence{action.Copy{Text: text, What: "the link to the picture"},
		action.ShowText{Title: "Public links, valid for a day", Text: text}}, nil
}

const (
	// alertAfter is how long something must have taken for its end to be told to who has left the window.
	alertAfter = 5 * time.Second
	// awayAfter is for how long nothing must have been typed, where the terminal does not tell of its focus, before a
	// person counts as gone.
	awayAfter = 20 * time.Second
)

// Alert tells a person whose window is elsewhere that something long has ended.
func (d *Integration) Alert(a action.Alert) (action.Action, tea.Cmd) {
	away := d.isAway || !d.host.reportsFocus && d.env.Now().Sub(d.lastKey) > awayAfter
	d.failedAway = away && a.Failed
	if !away || a.Took <= alertAfter {
		return nil, nil
	}
	switch d.alerts {
	case "off":
		return nil, nil
	case "bell":
		return nil, tea.Raw("\a")
	}
	return nil, tea.Raw(d.host.alert(d.graphics.Name(), "confab: "+termtext.Title(a.Text)))
}
