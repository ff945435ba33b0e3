package editing

import (
	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/keys"
)

// Field is a text field: it holds the text, lays it out and draws it.
type Field interface {
	Content() Text
	SetContent(t Text)
	// Raw returns the text with the position of the cursor in it, in bytes.
	Raw() (text string, at int)
	// Cells returns the cells of a text.
	Cells(text string) []string
	// Type types a text at the cursor.
	Type(text string)
	IsLine() bool // it holds one line
	// Pass does a command that goes by the layout of the text: a line or a page up or down.
	Pass(command keys.Command)
}

// Register holds what was deleted or copied last.
type Register struct {
	text    string
	isLines bool // whole lines, which vi puts before or after others
}

// Editor edits a text field. It keeps what can be undone, and the mode of vi.
type Editor struct {
	keys     keys.Map
	register *Register
	history  history
	nested   int    // calls of Change in each other
	wasCut   bool   // the newest key deleted into the register: the next such one adds to it
	vi       *modal // nil without vi
}

// Result is what a key did.
type Result struct {
	Refusal string // why it did nothing, "" where that is plain to see
	Copied  string // for the clipboard
}

// Action returns what the screen is asked to do after a key, nil for nothing.
func (r Result) Action() action.Action {
	switch {
	case r.Refusal != "":
		return action.Unused{Why: r.Refusal}
	case r.Copied != "":
		return action.Copy{Text: r.Copied, What: "the marked text"}
	}
	return nil
}

// NewEditor returns an editor with the keys of a map.
func NewEditor(m keys.Map) *Editor {
	e := &Editor{keys: m, register: &Register{}}
	if m.HasVi() {
		e.vi = &modal{mode: ModeInsert, column: -1}
	}
	return e
}

// ShareRegister lets another editor put what this one has deleted, and the other way round.
func (e *Editor) ShareRegister(with *Editor) { e.register = with.register }

func snapshotOf(f Field) snapshot {
	text, at := f.Raw()
	return snapshot{text, at}
}

// Change makes what happens to the text one step of the history.
func (e *Editor) Change(f Field, change func()) { e.step(f, kindAny, change) }

// ChangeMore makes what happens to the text a part of the newest step.
func (e *Editor) ChangeMore(f Field, change func()) { e.step(f, kindPasted, change) }

func (e *Editor) step(f Field, k kind, change func()) {
	if e.nested > 0 {
		change()
		return
	}
	before := snapshotOf(f)
	e.nested++
	change()
	e.nested--
	e.history.record(before, snapshotOf(f), k)
}

// CanUndo reports whether there is something to undo.
func (e *Editor) CanUndo() bool { return len(e.history.done) > 0 }

// CanRedo reports whether something was undone that can be redone.
func (e *Editor) CanRedo() bool { return len(e.history.undone) > 0 }

// Forget forgets what can be undone.
func (e *Editor) Forget() { e.history = history{} }

// Press does a key.
func (e *Editor) Press(f Field, msg tea.KeyPressMsg) Result {
	if e.vi != nil {
		if r, ok := e.pressModal(f, msg); ok {
			return r
		}
	}
	switch command := e.Command(msg); {
	case command != "":
		return e.Run(f, command)
	case msg.Text != "":
		e.wasCut = false
		k := kindTyping
		if e.vi != nil {
			k = kindInsertMode
		}
		e.step(f, k, func() { f.Type(msg.Text) })
		return Result{}
	}
	return Result{}
}

// Command returns the command of a key in text fields, "" for none.
func (e *Editor) Command(msg tea.KeyPressMsg) keys.Command {
	return e.keys.Find(msg, keys.LookupsIn(keys.Text)).Command
}

// CopySelection copies the selected text, if any, and ends the selection.
func (e *Editor) CopySelection(f Field) Result {
	t := f.Content()
	if !t.HasSelection() {
		return Result{}
	}
	result := e.Run(f, keys.CopySelection)
	f.SetContent(t.unselected())
	return result
}

// Edits reports whether a key types, edits or moves in a field.
func (e *Editor) Edits(msg tea.KeyPressMsg) bool {
	return msg.Text != "" || e.Command(msg) != ""
}

func (e *Editor) restore(f Field, from func(string) (snapshot, bool), refusal string) Result {
	text, _ := f.Raw()
	s, ok := from(text)
	if !ok {
		return Result{Refusal: refusal}
	}
	f.SetContent(NewText(f.Cells(s.text), s.at, s.at, s.at))
	return Result{}
}

// Run does a command of text fields.
func (e *Editor) Run(f Field, command keys.Command) Result {
	wasCut := e.wasCut
	e.wasCut = false
	before := f.Content()
	switch command {
	case keys.UndoEdit:
		return e.restore(f, e.history.undo, "Nothing to undo.")
	case keys.RedoEdit:
		return e.restore(f, e.history.redo, "Nothing to redo.")
	case keys.CopySelection, keys.CutSelection:
		return e.copySelection(f, before, command == keys.CutSelection)
	case keys.PutDeleted:
		if e.register.text == "" {
			return Result{Refusal: "Nothing deleted or copied yet."}
		}
		e.Change(f, func() { f.SetContent(before.put(f.Cells(e.register.text))) })
		return Result{}
	}
	if at, ok := before.motion(command); ok {
		f.SetContent(before.moved(at))
		return Result{}
	}
	if motion, ok := motionOfSelection()[command]; ok {
		if at, ok := before.motion(motion); ok {
			f.SetContent(before.selectedTo(at))
			return Result{}
		}
	}
	if command == keys.SelectAll {
		t := before.moved(len(before.Cells))
		t.From = 0
		f.SetContent(t)
		return Result{}
	}
	if from, to, ok := before.deletion(command); ok {
		e.delete(f, before, command, from, to, wasCut)
		return Result{}
	}
	f.Pass(command)
	return Result{}
}

// put returns the text with cells in place of the selection, or else at the cursor.
func (t Text) put(cells []string) Text {
	if t.HasSelection() {
		return t.replaced(t.From, t.To, cells)
	}
	return t.replaced(t.At, t.At, cells)
}

func (e *Editor) copySelection(f Field, t Text, isCut bool) Result {
	if !t.HasSelection() {
		return Result{Refusal: "Nothing selected."}
	}
	*e.register = Register{text: t.Selected()}
	if isCut {
		e.Change(f, func() { f.SetContent(t.Without()) })
	}
	return Result{Copied: e.register.text}
}

// delete deletes cells. What is more than a character goes into the register; keys that do so after each other add to
// it.
func (e *Editor) delete(f Field, t Text, command keys.Command, from, to int, wasCut bool) {
	k := kindDeleting
	if e.vi != nil && e.vi.mode == ModeInsert {
		k = kindInsertMode
	}
	if command != keys.DeleteLeft && command != keys.DeleteRight {
		k = kindAny
		e.wasCut = from < to
		removed := Text{Cells: t.Cells[from:to]}.String()
		switch {
		case removed == "":
		case wasCut && to == t.At && !t.HasSelection():
			*e.register = Register{text: removed + e.register.text}
		case wasCut && !t.HasSelection():
			*e.register = Register{text: e.register.text + removed}
		default:
			*e.register = Register{text: removed}
		}
	}
	e.step(f, k, func() { f.SetContent(t.replaced(from, to, nil)) })
}

// motionOfSelection returns the motions of the commands that select.
func motionOfSelection() map[keys.Command]keys.Command {
	return map[keys.Command]keys.Command{
		keys.SelectLeft: keys.CursorLeft, keys.SelectRight: keys.CursorRight,
		keys.SelectWordLeft: keys.CursorWordLeft, keys.SelectWordRight: keys.CursorWordRight,
		keys.SelectLineStart: keys.CursorLineStart, keys.SelectLineEnd: keys.CursorLineEnd,
		keys.SelectTextStart: keys.CursorTextStart, keys.SelectTextEnd: keys.CursorTextEnd,
	}
}

// motion returns where a command moves the cursor; ok is false for one that does not, or goes by the layout.
func (t Text) motion(command keys.Command) (at int, ok bool) {
	switch command {
	case keys.CursorLeft:
		return t.At - 1, true
	case keys.CursorRight:
		return t.At + 1, true
	case keys.CursorWordLeft:
		return t.wordLeft(), true
	case keys.CursorWordRight:
		return t.wordRight(), true
	case keys.CursorLineStart:
		return t.lineStart(t.At), true
	case keys.CursorLineEnd:
		return t.lineEnd(t.At), true
	case keys.CursorTextStart:
		return 0, true
	case keys.CursorTextEnd:
		return len(t.Cells), true
	}
	return 0, false
}

// deletion returns the cells that a command deletes: those that are selected, if any.
func (t Text) deletion(command keys.Command) (from, to int, ok bool) {
	from, to = t.At, t.At
	switch command {
	case keys.DeleteLeft:
		from--
	case keys.DeleteRight:
		to++
	case keys.DeleteBlankWord:
		from = t.blankWordLeft()
	case keys.DeleteWordLeft:
		from = t.wordLeft()
	case keys.DeleteWordRight:
		to = t.wordRight()
	case keys.DeleteToLineStart:
		if from = t.lineStart(t.At); from == t.At { // the line feed before it
			from--
		}
	case keys.DeleteToLineEnd:
		if to = t.lineEnd(t.At); to == t.At {
			to++
		}
	default:
		return 0, 0, false
	}
	if t.HasSelection() {
		return t.From, t.To, true
	}
	return max(from, 0), min(to, len(t.Cells)), true
}
