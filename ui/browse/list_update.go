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
func (l *List) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case foundMsg:
		return l.show(msg)
	case previewedMsg:
		if msg.gen == l.previewGen {
			l.showPreview(msg.Preview)
		}
	case previewDueMsg:
		if msg.tag == l.tag {
			return nil, l.requestPreview()
		}
	case graphics.SentMsg:
		l.needPreview = l.needPreview || l.picture != nil && l.picture.Path == msg.Path
	case RefreshMsg:
		if l.c.Search != nil {
			return nil, l.search()
		}
	case tea.PasteMsg:
		if l.filter.Update(msg) {
			return l.filtered()
		}
	case keys.Press:
		return l.key(msg)
	case tea.MouseClickMsg:
		return l.click(msg)
	case tea.MouseWheelMsg:
		return l.wheel(msg)
	}
	return nil, nil
}

func (l *List) showPreview(p Preview) {
	_, h := l.layout.previewInner()
	l.preview, l.picture = overlay.Pager{}, p.Picture
	l.preview.Set(p.Lines, h)
}

func (l *List) key(msg keys.Press) (action.Action, tea.Cmd) {
	l.pending = false
	command := msg.Command
	if msg.Scope != keys.Browser {
		command = ""
	}
	if moved, ok := l.move(command, max(l.rows-1, 1)); ok {
		if moved {
			return l.moved()
		}
		return nil, nil
	}
	switch command {
	case keys.Choose:
		return l.choose()
	case keys.Close:
		return l.leave(), nil
	case keys.PreviewDown, keys.PreviewUp:
		if !l.layout.hasPreview() {
			return action.Unused{Why: "There is no preview beside this list at this size."}, nil
		}
		l.preview.ScrollHalf(command == keys.PreviewDown)
		return nil, nil
	}
	if a := l.itemAction(command); a != nil {
		return a, nil
	}
	a, isText := l.commonKey(msg, l.leave())
	switch {
	case a != nil:
		return a, nil
	case l.c.Files && msg.Code == tea.KeyBackspace && l.filter.Value() == "":
		return nil, l.enterParent()
	case command != "" || !isText:
		return l.unused(command, msg), nil
	case l.filter.Update(msg):
		return l.filtered()
	}
	return nil, nil
}

// unused says why a key does nothing here.
func (l *List) unused(command keys.Command, msg keys.Press) action.Action {
	e, ok := l.Keys.Entry(keys.Browser, command)
	if !ok {
		return overlay.Unused(msg)
	}
	why := fmt.Sprintf("%s (%s) is not for this list.", msg, e.Short)
	if !l.selected() {
		why = fmt.Sprintf("%s (%s): nothing is selected.", msg, e.Short)
	}
	return action.Unused{Key: msg.String(), Why: why}
}

// itemAction returns what a command does with the item under the cursor, or with the list.
func (l *List) itemAction(command keys.Command) action.Action {
	if command == "" {
		return nil
	}
	if item, ok := l.Selected(); ok && item.Keys[command] != nil {
		return item.Keys[command]
	}
	return l.c.Keys[command]
}

// filtered follows a change of the filter.
func (l *List) filtered() (action.Action, tea.Cmd) {
	if folder, ok := l.typedFolder(); ok {
		return nil, l.enter(folder)
	}
	if !l.narrows() {
		return nil, l.search()
	}
	l.narrow()
	l.moveTo(0)
	return l.moved()
}

// typedFolder takes a filter that ends in a slash as the name of a folder.
func (l *List) typedFolder() (string, bool) {
	typed := l.filter.Value()
	if !l.c.Files || !strings.HasSuffix(typed, "/") {
		return "", false
	}
	if strings.HasPrefix(typed, "/") || strings.HasPrefix(typed, "~") || l.folder == "" {
		return typed, true
	}
	return strings.TrimSuffix(l.folder, "/") + "/" + typed, true
}

// enterParent lists the parent folder, where there is one.
func (l *List) enterParent() tea.Cmd {
	if len(l.all) == 0 || l.all[0].Title != parentFolder {
		return nil
	}
	return l.enter(l.all[0].Key)
}

// click moves the cursor; a click on the item under the cursor chooses it.
func (l *List) click(msg tea.MouseClickMsg) (action.Action, tea.Cmd) {
	l.pending = false
	i, ok := l.itemAt(msg.X, msg.Y)
	switch {
	case !ok || msg.Button != tea.MouseLeft:
		return nil, nil
	case l.moveTo(i):
		return l.moved()
	}
	return l.choose()
}

func (l *List) wheel(msg tea.MouseWheelMsg) (action.Action, tea.Cmd) {
	by := wheelStep(msg)
	if l.layout.inPreview(msg.X, msg.Y) {
		l.preview.Scroll(3 * by)
		return nil, nil
	}
	if l.moveRows(by) {
		return l.moved()
	}
	return nil, nil
}

// wheelStep returns by how many rows the wheel moves: 1, -1, or 0 for sideways.
func wheelStep(msg tea.MouseWheelMsg) int {
	switch msg.Button {
	case tea.MouseWheelDown:
		return 1
	case tea.MouseWheelUp:
		return -1
	}
	return 0
}
