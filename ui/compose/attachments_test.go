package compose_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
)

// FuzzAttachedNames attaches files of any name beside any text: each goes along as long as the prompt names it.
func FuzzAttachedNames(f *testing.F) {
	for _, s := range [][2]string{{"a.md", ""}, {"a b.md", "see @"}, {"ä\u202e\x1b[31m.go", "x"}, {"@", "@"},
		{strings.Repeat("long", 60), "text\n"}, {"a\nb", "(@"}, {"\xff.txt", ""}, {"⟦paste 1⟧", "@⟦"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if len(name) > 1000 || len(text) > 1000 || strings.TrimSpace(name) == "" {
			t.Skip()
		}
		p := newPrompt()
		p.Update(tea.PasteMsg{Content: text})
		file := history.File{Name: name, Kind: history.TextFile, Text: "content"}
		p.Attach(action.Attach{Files: []history.File{file}})
		if got := p.Draft().Files; len(got) != 1 || got[0] != file {
			t.Fatalf("%q in %q: attached %+v", name, p.Text(), got)
		}
		p.Attach(action.Attach{Files: []history.File{file}})
		if got := p.Draft().Files; len(got) != 1 {
			t.Errorf("attached twice: %+v", got)
		}
		empty := ""
		p.Compose(action.Compose{Text: &empty})
		if got := p.Draft().Files; len(got) != 0 {
			t.Errorf("an empty prompt has %+v", got)
		}
	})
}
