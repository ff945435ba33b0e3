package desktop

import (
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/action"
	"confab/ui/part"
)

type (
	// editorMsg brings the person's editor, which takes over the terminal.
	editorMsg struct{ command *editorCommand }
	// editedMsg tells that the editor has ended.
	editedMsg struct {
		command *editorCommand
		err     error
	}
	// savedMsg brings what the file of an editor that goes on in a window holds.
	savedMsg struct {
		command *editorCommand
		text    string
	}
)

// editorCommand runs the person's editor on the text of a pane, while the program has let go of the terminal.
type editorCommand struct {
	number int // counts the editors that were started
	pane   action.Pane
	run    func(in io.Reader, out io.Writer) (became, kept string, err error)
	in     io.Reader
	out    io.Writer
	before string // the text that the editor got
	text   string // what it became
	kept   string // the path of the file that the editor may still write, "" for none
}

// SetStdin implements [tea.ExecCommand].
func (c *editorCommand) SetStdin(r io.Reader) { c.in = r }

// SetStdout implements [tea.ExecCommand].
func (c *editorCommand) SetStdout(w io.Writer) { c.out = w }

// SetStderr implements [tea.ExecCommand]. The editor gets the terminal for that too: standard error goes to the log
// while the screen is on.
func (c *editorCommand) SetStderr(io.Writer) {}

// Run implements [tea.ExecCommand].
func (c *editorCommand) Run() (err error) {
	c.text, c.kept, err = c.run(c.in, c.out)
	return err
}

// taken returns the text as the prompt takes it: without the line feed that editors put at the end.
func (c *editorCommand) taken() string {
	if strings.HasSuffix(c.before, "\n") {
		return c.text
	}
	return strings.TrimSuffix(c.text, "\n")
}

// Edit opens the person's editor.
func (d *Integration) Edit(a action.Edit) (action.Action, tea.Cmd) {
	d.edits++
	number := d.edits
	return nil, part.Ask(d, func() (tea.Msg, error) {
		run, err := d.machine.Editor(d.env.Ctx, a.Text)
		return editorMsg{&editorCommand{number: number, pane: a.Pane, run: run, before: a.Text}}, err
	})
}

// afterEditor takes what an editor has written, also when it failed then.
func (d *Integration) afterEditor(msg editedMsg) (action.Action, tea.Cmd) {
	c := msg.command
	take := action.SetText{Pane: c.pane, Text: c.taken()}
	switch {
	case msg.err != nil && c.text == "":
		return action.Notify{Severity: action.Warn,
			Text: "The editor failed (" + msg.err.Error() + "): the text is unchanged."}, nil
	case msg.err != nil:
		return action.Sequence{take, action.Notify{Severity: action.Warn,
			Text: "The editor failed (" + msg.err.Error() + "): its text is used."}}, nil
	case c.kept == "":
		return take, nil
	}
	text := "The editor returned at once; what you save in it is used. Set it to wait, as with code --wait."
	if more := text + " The file is " + c.kept; ansi.StringWidth(more) <= d.noticeWidth() {
		text = more
	}
	return action.Notify{Severity: action.Warn, Text: text}, d.awaitSave(c)
}

// saveInterval is the time between two looks at the file of an editor that goes on in a window.
const saveInterval = time.Second

// awaitSave looks at the file of an editor once, after a while.
func (d *Integration) awaitSave(c *editorCommand) tea.Cmd {
	return tea.Tick(saveInterval, func(time.Time) tea.Msg {
		text, err := d.machine.Saved(c.kept)
		if err != nil {
			return nil // somebody has removed it
		}
		return part.Result{To: d, Msg: savedMsg{c, text}}
	})
}

// takeSaved takes what the editor has saved since, until another editor is opened.
func (d *Integration) takeSaved(msg savedMsg) (action.Action, tea.Cmd) {
	c := msg.command
	if c.number != d.edits {
		return nil, nil
	}
	if msg.text == c.text || msg.text == "" { // nothing yet, or it is being written
		return nil, d.awaitSave(c)
	}
	c.text = msg.text
	return action.TakeEdited{Pane: c.pane, Text: c.taken(), File: c.kept}, d.awaitSave(c)
}
