package browse

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// enter lists another folder.
func (l *List) enter(folder string) tea.Cmd {
	l.folder = folder
	l.filter.SetValue("")
	return l.search()
}

// parentFolder is the title of the entry that leads to the parent folder.
const parentFolder = ".."

// addParent puts the parent folder before what a folder holds.
func (l *List) addParent() {
	if !l.c.Files || l.folder == "" {
		return
	}
	parent := filepath.Dir(l.folder)
	if parent == l.folder || parent == "." {
		return
	}
	up := Item{Title: parentFolder, Key: parent, Facts: "folder above", IsFolder: true}
	l.all = append([]Item{up}, l.all...)
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
	if len(l.all) > 0 && l.all[0].Title == parentFolder {
		return l.enter(l.all[0].Key)
	}
	return nil
}
