package browse

import (
	"path"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/keys"
)

// PickFile lists the files of the current folder that can go with a prompt.
func (b *Browser) PickFile() (action.Action, tea.Cmd) {
	return b.showList(fileList(b.search(func(string, time.Time) SearchResult {
		found, err := b.env.Service.Paths().Walk(b.env.Ctx)
		items := make([]Item, len(found))
		for i, f := range found {
			items[i] = Item{Key: f.Path, Title: f.Name, Facts: format.Size(f.Size),
				Enter: action.Sequence{action.Attach{Name: f.Name}, action.Focus{Pane: action.PanePrompt}}}
		}
		return SearchResult{Items: items, Total: len(items), Err: err}
	}))), nil
}

// fileList returns the list of files that can go with a prompt. A text that matches none is a path or an address.
func fileList(search func(string) func() SearchResult) Config {
	c := Config{Name: "attach", Content: Content{Search: search, SearchesOnce: true, Completes: true},
		Texts: Texts{Title: "Files", Verb: "attach", Placeholder: "part of a path, or a path or address",
			Empty: "No file matches. Enter uses what you typed as a path, pattern or address."}}
	c.OnFilter = func(filter string) action.Action { return action.TypeFileName{Text: filter} }
	c.OnText = func(name string) (action.Action, string) {
		if name == "" {
			return nil, ""
		}
		return action.Sequence{action.Attach{Name: name}, action.Focus{Pane: action.PanePrompt}}, ""
	}
	return c
}

// The sizes of a list beside the word that it completes, in cells with the border.
const (
	completionWidth  = 84
	leastCompletion  = 32
	completionHeight = 12
)

// isBesideWord reports whether the list is drawn beside the word in the prompt that it completes. A screen reader reads
// a dialog without the panes, so that it has a filter of its own there.
func (l *List) isBesideWord() bool { return l.c.Completes && !l.Styles.ScreenReader }

// layOutCompletion lays out the list beside a word. It is never higher than the larger part of the screen above or
// below the word.
func (l *List) layOutCompletion(w, h int) boxes {
	longest, facts := 0, 0
	for _, i := range l.all {
		longest, facts = max(longest, termtext.Width(i.Title)), max(facts, termtext.Width(i.Facts))
	}
	b := boxes{pitch: 1, listW: min(max(longest+facts+len(columnGap)+7, leastCompletion), completionWidth, w)}
	rows := l.n
	if l.n == 0 || l.problem != "" {
		l.listW = b.listW
		rows = len(l.message(false))
	}
	b.listH = min(rows+2, completionHeight, max((h-3)/2, 3))
	return b
}

// endsWord reports whether a filter that matches nothing is text of the prompt rather than the name of a file.
func (l *List) endsWord(filter string) bool {
	isElsewhere := strings.HasPrefix(filter, "/") || strings.HasPrefix(filter, "~") || strings.Contains(filter, "://")
	return l.isBesideWord() && (strings.HasPrefix(filter, " ") || strings.HasSuffix(filter, " ") && !isElsewhere &&
		l.gen == l.found && len(match(l.all, filter)) == 0)
}

// namedWhole returns the file whose whole name was typed and ended with a blank, unless a longer name begins with it.
func (l *List) namedWhole(filter string) (Item, bool) {
	name, ended := strings.CutSuffix(filter, " ")
	isLonger := func(i Item) bool { return strings.HasPrefix(i.Title, filter) }
	if !ended || !l.isBesideWord() || l.gen != l.found || slices.ContainsFunc(l.all, isLonger) {
		return Item{}, false
	}
	i := slices.IndexFunc(l.all, func(i Item) bool { return i.Title == path.Clean(name) })
	if i < 0 {
		return Item{}, false
	}
	return l.all[i], true
}

// noFile says that a word which looks like the name of a file is none; nil for other words.
func noFile(filter string) action.Action {
	if word := strings.TrimSpace(filter); strings.ContainsAny(word, "./") && !strings.Contains(word, " ") {
		return action.Notify{Severity: action.Warn,
			Text: "@" + termtext.Line(word) + " stays text: this folder has no such file."}
	}
	return nil
}

// completionKey does what keys mean beside the word that a list completes: nil for those that mean the same elsewhere.
func (l *List) completionKey(msg keys.Press) action.Action {
	switch {
	case !l.isBesideWord():
		return nil
	case msg.Command == keys.NextField:
		return action.WithCmd(l.choose())
	case msg.Command == "" && msg.Code == tea.KeyBackspace && l.filter.Value() == "":
		return action.Sequence{action.CloseDialog{}, action.TypeFileName{RemovesSign: true}}
	}
	return nil
}
