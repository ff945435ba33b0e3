package browse

import (
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
			if msg.target != l.previewed { // otherwise it stays scrolled
				l.side = overlay.Pager{}
			}
			l.previewed, l.picture = msg.target, msg.Picture
			l.side.Set(msg.Lines, h)
		}
	case restedMsg:
		if msg.tag == l.tag {
			return nil, l.requestPreview()
		}
	case graphics.SentMsg:
		l.needPreview = l.needPreview || l.picture != nil && l.picture.File == msg.File
	case RefreshMsg:
		if l.c.Search != nil {
			return nil, l.search()
		}
	case keys.Press:
		if a := l.completionKey(msg); a != nil {
			return a, nil
		}
		switch {
		case msg.Command == keys.NextField:
			return l.openTab(l.c.Tab + 1), nil
		case msg.Command == keys.PreviousField:
			return l.openTab(l.c.Tab + len(l.c.Tabs) - 1), nil
		case l.c.Files && msg.Command == "" && msg.Code == tea.KeyBackspace && l.filter.Value() == "":
			return nil, l.enterParent()
		}
	case tea.MouseClickMsg:
		if tab := l.tabAt(msg.X); msg.Y == 0 && tab >= 0 {
			return l.openTab(tab), nil
		}
		return l.click(msg)
	}
	return l.handleInput(msg)
}

// itemAction returns the action of a command on the item under the cursor, or on the list. In a list from which one is
// picked, an item can only be looked at.
func (l *List) itemAction(command keys.Command) action.Action {
	item, _ := l.Selected()
	looks := command == keys.OpenPicture || command == keys.ViewLarge
	if a := item.Keys[command]; a != nil && (looks || l.c.OnChoose == nil) {
		return a
	}
	return l.c.Keys[command]
}

func (l *List) canChoose() bool { return l.isInRange() || l.takesText() }

// takesText reports whether the list has no items, and enter chooses the text of the filter.
func (l *List) takesText() bool { return l.narrows() && !l.c.Files && l.c.OnText != nil }

// choose does the action of the item under the cursor, once the newest search was answered.
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
	if l.c.StaysOpen && enter != nil {
		return enter, nil
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
	typed := l.filter.Value()
	if item, ok := l.namedWhole(typed); ok {
		return choose(item.Enter), nil
	}
	if l.endsWord(typed) {
		return l.leave(action.Join(l.c.OnFilter(typed), noFile(typed))), nil
	}
	l.narrow()
	l.moveTo(0)
	if !l.isBesideWord() {
		return l.moved()
	}
	l.SetSize(l.w, l.h)
	return l.c.OnFilter(typed), nil
}

// openTab replaces the list by one of its tabs; the first follows the last.
func (l *List) openTab(tab int) action.Action {
	return action.Sequence{action.CloseDialog{}, l.c.Tabs[tab%len(l.c.Tabs)].Open}
}

// open chooses the item under the cursor.
func (l *List) open() (action.Action, tea.Cmd) { return l.choose() }

// tabAt returns the tab in the title at a column of the view, -1 for none.
func (l *List) tabAt(x int) int {
	title, _ := l.title()
	word := strings.Trim(widget.WordAt(ansi.Strip(title), x-widget.TitleColumn), "‹›")
	return slices.IndexFunc(l.c.Tabs, func(t Tab) bool { return t.Name == word })
}
