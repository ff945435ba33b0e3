package browse

import (
	"cmp"
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
	case foundMsg[SearchResult]:
		return l.show(msg)
	case previewedMsg:
		if msg.tag == l.tag {
			_, h := l.sideInner()
			l.side, l.picture = overlay.Pager{}, msg.Picture
			l.side.Set(msg.Lines, h)
		}
	case restedMsg:
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
		if by := keys.Wheel(msg); l.isInSide(msg.X, msg.Y) {
			l.side.Scroll(by)
		} else if l.moveRows(cmp.Compare(by, 0)) {
			return l.moved()
		}
	}
	return nil, nil
}

func (l *List) key(msg keys.Press) (action.Action, tea.Cmd) {
	switch command := l.meant(msg); command {
	case "":
	case keys.NextField:
		return l.openTab(l.c.Tab + 1), nil
	case keys.PreviousField:
		return l.openTab(l.c.Tab + len(l.c.Tabs) - 1), nil
	default:
		if a := l.refused(msg); a != nil {
			return a, nil
		}
		return l.Run(command), nil
	}
	a, isText := l.commonKey(msg)
	switch {
	case a != nil:
		return a, nil
	case l.c.Files && msg.Code == tea.KeyBackspace && l.filter.Value() == "":
		return nil, l.enterParent()
	case !isText:
		return overlay.UnusedKey(msg), nil
	case l.filter.Update(msg):
		return l.filtered()
	}
	return nil, nil
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
func (l *List) canChoose() bool { return l.isInRange() || l.takesText() }

// takesText tells that the list has no items: what is typed is chosen.
func (l *List) takesText() bool { return l.c.Search == nil && l.c.OnText != nil }

// choose does what enter does. It waits where the items shown are not those of the filter.
func (l *List) choose() (action.Action, tea.Cmd) {
	if l.isEnterPending = l.gen != l.found; l.isEnterPending {
		return nil, nil
	}
	item, ok := l.Selected()
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
	return choose(enter), nil
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

// openTab replaces the list by one of its tabs; they are counted around.
func (l *List) openTab(tab int) action.Action {
	return action.Sequence{action.CloseDialog{}, l.c.Tabs[tab%len(l.c.Tabs)].Open}
}

// click moves the cursor; a click on the item under the cursor chooses it.
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
	}
	return l.choose()
}

// itemAt returns the item at a position of the view.
func (l *List) itemAt(x, y int) (int, bool) {
	row, isInside := l.rowAt(x, y, l.lines)
	return l.first + row, isInside && row < l.rows && l.first+row < l.n
}
