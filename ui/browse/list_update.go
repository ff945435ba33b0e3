package browse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/widget"
)

// Update implements [action.Dialog].
func (l *List) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case foundMsg:
		return l.show(msg)
	case previewedMsg:
		if msg.tag == l.tag {
			_, h := l.layout.previewInner()
			l.preview, l.picture = overlay.Pager{}, msg.Picture
			l.preview.Set(msg.Lines, h)
		}
	case restedMsg:
		return nil, l.rested(msg)
	case picturesReadMsg, drawnMsg, graphics.PreviewMsg:
		return l.updateGrid(msg)
	case graphics.SentMsg:
		l.needPreview = l.needPreview || l.picture != nil && l.picture.Path == msg.Path
	case RefreshMsg:
		return nil, l.refresh()
	case tea.PasteMsg:
		if l.filter.Update(msg) {
			return l.filtered()
		}
	case keys.Press:
		return l.key(msg)
	case tea.MouseClickMsg:
		return l.click(msg)
	case tea.MouseWheelMsg:
		if by := keys.Wheel(msg); l.layout.isInPreview(msg.X, msg.Y) {
			l.preview.Scroll(by)
		} else if l.moveRows(cmp.Compare(by, 0)) {
			return l.moved()
		}
	}
	return nil, nil
}

func (l *List) rested(msg restedMsg) tea.Cmd {
	switch {
	case msg.tag != l.tag:
	case l.grid != nil:
		l.grid.moving = false
	default:
		return l.requestPreview()
	}
	return nil
}

func (l *List) refresh() tea.Cmd {
	if l.c.Search == nil {
		return nil
	}
	if l.grid != nil && l.grid.deleting {
		l.grid.marks, l.grid.deleting = nil, false
	}
	return l.search()
}

func (l *List) key(msg keys.Press) (action.Action, tea.Cmd) {
	l.isEnterPending = false
	command := msg.Command
	if msg.Scope != l.Scope() && msg.Scope != keys.Form || command.NeedsEmptyFilter() && l.filter.Value() != "" {
		command = ""
	}
	page := l.rows
	if l.grid == nil {
		page = max(l.rows-1, 1)
	}
	if moved, ok := l.move(command, page); moved {
		return l.moved()
	} else if ok {
		return nil, nil
	}
	if a, cmd, ok := l.handleCommand(command); ok {
		return a, cmd
	}
	a, isText := l.commonKey(msg)
	switch {
	case a != nil:
		return a, nil
	case l.c.Files && msg.Code == tea.KeyBackspace && l.filter.Value() == "":
		if len(l.all) > 0 && l.all[0].Title == parentFolder {
			return nil, l.enter(l.all[0].Key)
		}
	case command != "" || !isText:
		return l.unused(command, msg), nil
	case l.filter.Update(msg):
		return l.filtered()
	}
	return nil, nil
}

// handleCommand does a command of the list or of the item under the cursor. ok is false where there is none for it.
func (l *List) handleCommand(command keys.Command) (a action.Action, cmd tea.Cmd, ok bool) {
	switch command {
	case "":
		return nil, nil, false
	case keys.Choose:
		a, cmd = l.choose()
		return a, cmd, true
	case keys.Close:
		return l.leave(nil), nil, true
	case keys.NextField:
		return l.openTab(l.c.Tab + 1), nil, true
	case keys.PreviousField:
		return l.openTab(l.c.Tab + len(l.c.Tabs) - 1), nil, true
	case keys.PreviewDown, keys.PreviewUp:
		if !l.layout.hasPreview() {
			return action.Unused{Why: "There is no preview beside this list at this size."}, nil, true
		}
		l.preview.ScrollHalf(command == keys.PreviewDown)
		return nil, nil, true
	}
	if l.grid != nil {
		if by := map[keys.Command]int{keys.LargerPictures: 1, keys.SmallerPictures: -1}[command]; by != 0 {
			return l.resize(by), nil, true
		}
		if a, cmd, ok = l.handleMarkCommand(command); ok {
			return a, cmd, true
		}
	}
	a = l.itemAction(command)
	if remove, ok := a.(action.DeletePictures); ok {
		a = l.confirmDelete(remove)
	}
	return a, nil, a != nil
}

// commonKey handles a key press for which the list has no command of its own. isText tells that the key edits the
// filter or moves in it.
func (l *List) commonKey(msg keys.Press) (a action.Action, isText bool) {
	if list, ok := listOf(msg); ok {
		if list == l.c.Name { // the key that opened it closes it
			return l.leave(nil), false
		}
		return l.leave(action.RunCommand{Scope: keys.Everywhere, Command: msg.Command}), false
	}
	a = l.CommonKey(msg)
	if _, closes := a.(action.CloseDialog); closes {
		return l.leave(nil), false
	}
	return a, a == nil && l.filter.Edits(msg)
}

// leave closes the list without a choice; then may be nil.
func (l *List) leave(then action.Action) action.Action {
	return action.Join(action.CloseDialog{}, l.c.OnLeave, then)
}

// listOf returns the list that a key opens, also from another one; "" for the models, which are no list.
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

// unused says why a key does nothing here.
func (l *List) unused(command keys.Command, msg keys.Press) action.Action {
	e, ok := l.Keys.Entry(l.Scope(), command)
	if !ok {
		return overlay.UnusedKey(msg)
	}
	why := fmt.Sprintf("%s (%s) is not for this list.", msg, e.Short)
	if !l.canChoose() {
		why = fmt.Sprintf("%s (%s): nothing is selected.", msg, e.Short)
	}
	return action.Unused{Key: msg.String(), Why: why}
}

// itemAction returns what a command does with the item under the cursor, or with the list.
func (l *List) itemAction(command keys.Command) action.Action {
	item, _ := l.Selected()
	if a := item.Keys[command]; a != nil {
		return a
	}
	return l.c.Keys[command]
}

// canChoose tells whether there is something that enter chooses.
func (l *List) canChoose() bool {
	if l.grid != nil {
		_, ok := l.At(l.at)
		return ok
	}
	return l.isInRange() || l.takesText()
}

// takesText tells that the list has no items: what is typed is chosen.
func (l *List) takesText() bool { return l.c.Search == nil && l.c.OnText != nil }

// choose does what enter does.
func (l *List) choose() (action.Action, tea.Cmd) {
	item, ok := l.Selected()
	if l.isEnterPending = l.gen != l.found || l.grid != nil && l.grid.reading && item.Enter == nil; l.isEnterPending {
		return nil, nil // the items shown are not those of the filter
	}
	enter := item.Enter
	switch typed := l.filter.Value(); {
	case item.IsFolder:
		return nil, l.enter(item.Key)
	case ok && l.c.OnChoose != nil:
		enter = l.c.OnChoose(item)
	case !ok && l.c.OnText != nil && (typed != "" || l.takesText()):
		if enter, l.problem = l.c.OnText(typed); l.problem != "" {
			return nil, nil
		}
	}
	if enter == nil {
		return action.Unused{Why: "There is nothing to choose in this list."}, nil
	}
	return overlay.CloseThen(enter), nil
}

func (l *List) filtered() (action.Action, tea.Cmd) {
	if folder, ok := l.typedFolder(); ok {
		return nil, l.enter(folder)
	}
	if !l.narrows() {
		return nil, l.search()
	}
	if l.takesText() {
		l.problem = ""
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

// openTab replaces the list by one of its tabs; they are counted around.
func (l *List) openTab(tab int) action.Action {
	return action.Sequence{action.CloseDialog{}, l.c.Tabs[tab%len(l.c.Tabs)].Open}
}

// click moves the cursor; a click on the item under the cursor chooses it, or shows it large.
func (l *List) click(msg tea.MouseClickMsg) (action.Action, tea.Cmd) {
	l.isEnterPending = false
	i, ok := l.itemAt(msg.X, msg.Y)
	title, _ := l.title()
	word := strings.Trim(widget.WordAt(ansi.Strip(title), msg.X-widget.TitleColumn), "‹›")
	tab := slices.IndexFunc(l.c.Tabs, func(t Tab) bool { return t.Name == word })
	switch {
	case msg.Y == 0 && tab >= 0:
		return l.openTab(tab), nil
	case !ok || msg.Button != tea.MouseLeft:
		return nil, nil
	case l.moveTo(i):
		return l.moved()
	case l.grid != nil:
		return l.itemAction(keys.ViewLarge), nil
	}
	return l.choose()
}
