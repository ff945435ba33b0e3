package browse

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
)

// Update implements [action.Dialog].
func (b *Browser) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case FoundMsg:
		return b.take(msg)
	case PreviewedMsg:
		if msg.List == b.c.List && msg.Gen == b.preview {
			b.lines, b.picture, b.shift = msg.Lines, msg.Picture, 0
		}
	case graphics.SentMsg:
		if b.picture != nil && b.picture.Path == msg.Path {
			return b.Repreview(), nil
		}
	case RefreshMsg:
		if msg.List == b.c.List && !b.c.Static {
			return b.search(), nil
		}
	case previewDueMsg:
		if msg.of == b && msg.tag == b.tag {
			return b.Repreview(), nil
		}
	case tea.PasteMsg:
		if b.filter.Update(msg) {
			return b.filtered()
		}
	case keys.Press:
		return b.key(msg)
	case tea.MouseClickMsg:
		return b.click(msg)
	case tea.MouseWheelMsg:
		return b.wheel(msg)
	}
	return nil, nil
}

func (b *Browser) key(msg keys.Press) (action.Action, tea.Cmd) {
	b.pending = false
	command := msg.Command
	if msg.Scope != keys.Browser {
		command = ""
	}
	if a, cmd, ok := b.navigate(command); ok {
		return a, cmd
	}
	if a := b.keyAction(command); a != nil {
		return a, nil
	}
	if a := b.switchTo(msg); a != nil {
		return a, nil
	}
	if a := b.CommonKey(msg); a != nil {
		if _, closes := a.(action.CloseDialog); closes {
			a = b.leave()
		}
		return a, nil
	}
	if b.c.files() && msg.Code == tea.KeyBackspace && b.filter.Value() == "" {
		return b.parent(), nil
	}
	if command != "" || !b.filter.Edits(msg) {
		return b.unused(command, msg), nil
	}
	if b.filter.Update(msg) {
		return b.filtered()
	}
	return nil, nil
}

// unused says why a key does nothing here.
func (b *Browser) unused(command keys.Command, msg keys.Press) action.Action {
	e, ok := b.Keys.Entry(keys.Browser, command)
	if !ok {
		return overlay.Unused(msg)
	}
	why := fmt.Sprintf("%s (%s) is not for this list.", msg, e.Short)
	if _, any := b.Selected(); !any {
		why = fmt.Sprintf("%s (%s): nothing is selected.", msg, e.Short)
	}
	return action.Unused{Key: msg.String(), Why: why}
}

// navigate carries out what every list can do.
func (b *Browser) navigate(command keys.Command) (a action.Action, cmd tea.Cmd, ok bool) {
	page := max(b.place.visible()-1, 1)
	_, previewH := b.place.previewInner()
	switch command {
	case keys.Choose:
		a, cmd = b.choose()
	case keys.Close:
		a = b.leave()
	case keys.ListDown:
		a, cmd = b.move(b.at + 1)
	case keys.ListUp:
		a, cmd = b.move(b.at - 1)
	case keys.ListPgDown:
		a, cmd = b.move(b.at + page)
	case keys.ListPgUp:
		a, cmd = b.move(b.at - page)
	case keys.ListTop:
		a, cmd = b.move(0)
	case keys.ListEnd:
		a, cmd = b.move(len(b.items) - 1)
	case keys.PreviewDown, keys.PreviewUp:
		switch {
		case !b.place.hasPreview():
			a = action.Unused{Why: "There is no preview beside this list at this size."}
		case command == keys.PreviewDown:
			b.scroll(max(previewH/2, 1))
		default:
			b.scroll(-max(previewH/2, 1))
		}
	default:
		return nil, nil, false
	}
	return a, cmd, true
}

// keyAction returns what the command does with the item under the cursor, or
// with the list.
func (b *Browser) keyAction(command keys.Command) action.Action {
	if command == "" {
		return nil
	}
	if item, ok := b.Selected(); ok && item.Keys[command] != nil {
		return item.Keys[command]
	}
	return b.c.Keys[command]
}

// switchTo goes to another list, or closes this one by the key that opened it.
func (b *Browser) switchTo(msg keys.Press) action.Action {
	list, ok := listOf(msg)
	switch {
	case !ok:
		return nil
	case list == b.c.List:
		return b.leave()
	}
	run := action.RunCommand{Scope: keys.Everywhere, Command: msg.Command}
	if several, ok := b.leave().(action.Several); ok {
		return append(several, run)
	}
	return overlay.CloseThen(run)
}

// listOf returns the list that a key opens, also from another one; "" for the models, which are none.
func listOf(msg keys.Press) (list action.List, ok bool) {
	if msg.Scope != keys.Everywhere {
		return "", false
	}
	list, ok = map[keys.Command]action.List{
		keys.Commands: action.ListCommands, keys.Personas: action.ListPersonas,
		keys.Sessions: action.ListSessions, keys.OldPrompts: action.ListPrompts,
		keys.Pictures: action.ListPictures, keys.Themes: action.ListThemes,
		keys.ChooseModels: "",
	}[msg.Command]
	return list, ok
}

// filtered follows a change of the filter.
func (b *Browser) filtered() (action.Action, tea.Cmd) {
	if folder, ok := b.typedFolder(); ok {
		return b.enter(folder), nil
	}
	if !b.local() {
		return b.search(), nil
	}
	b.narrow()
	b.at, b.first = 0, 0
	return b.moved()
}

// typedFolder takes a filter that ends in a slash as the name of a folder.
func (b *Browser) typedFolder() (string, bool) {
	typed := b.filter.Value()
	if !b.c.files() || !strings.HasSuffix(typed, "/") {
		return "", false
	}
	if strings.HasPrefix(typed, "/") || strings.HasPrefix(typed, "~") || b.folder == "" {
		return typed, true
	}
	return strings.TrimSuffix(b.folder, "/") + "/" + typed, true
}

// parent lists the folder above, where there is one.
func (b *Browser) parent() action.Action {
	if len(b.all) == 0 || b.all[0].Title != above {
		return nil
	}
	return b.enter(b.all[0].Key)
}

func (b *Browser) scroll(by int) {
	_, h := b.place.previewInner()
	b.shift = max(min(b.shift+by, len(b.lines)-h), 0)
}

// click moves the cursor; a click on the item under the cursor chooses it.
func (b *Browser) click(msg tea.MouseClickMsg) (action.Action, tea.Cmd) {
	b.pending = false
	i, ok := b.itemAt(msg.X, msg.Y)
	if !ok || msg.Button != tea.MouseLeft {
		return nil, nil
	}
	if i == b.at {
		return b.choose()
	}
	return b.move(i)
}

func (b *Browser) wheel(msg tea.MouseWheelMsg) (action.Action, tea.Cmd) {
	by := 0
	switch msg.Button {
	case tea.MouseWheelDown:
		by = 1
	case tea.MouseWheelUp:
		by = -1
	default:
		return nil, nil
	}
	if b.place.inPreview(msg.X, msg.Y) {
		b.scroll(3 * by)
		return nil, nil
	}
	return b.move(b.at + by)
}
