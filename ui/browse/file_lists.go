package browse

import (
	"cmp"
	_ "embed" // the example of a suite
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/localfile"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/part"
)

//go:embed example_suite.yaml
var exampleSuite string

func (b *Browser) files() Config {
	c := b.folders(localfile.PictureFiles, func(path string) action.Action {
		return action.Sequence{compose(history.Source{Path: path}), action.Focus{Pane: action.PanePrompt}}
	})
	c.Name, c.Title, c.Verb = action.ListFiles, "Files", "take"
	c.Empty = "No pictures or folders here. Type a path, such as ~/pictures/."
	c.Preview = b.preview(previewer.file)
	return c
}

// suiteFolderSetting names the stored folder of the suite opened last, in which the next one is looked for.
const suiteFolderSetting = "suite_folder"

func (b *Browser) suites() Config {
	c := b.folders(localfile.SuiteFiles, func(path string) action.Action {
		return action.Sequence{action.OpenSuite{Path: path},
			action.SaveSetting{Name: suiteFolderSetting, Value: filepath.Dir(path)}}
	})
	c.Name, c.Title, c.Verb = action.ListSuites, "Suites", "open"
	c.Empty = "No suites (.yaml) or folders here. Type a path, such as ~/suites/." +
		b.env.Keys.Phrase(keys.Browser, keys.Create, " %s shows how to write one.")
	c.Labels = map[keys.Command]string{keys.Create: "how to write one"}
	c.Keys = map[keys.Command]action.Action{
		keys.Create: action.ShowText{Title: "Example of a suite", Text: exampleSuite}}
	c.SkipFolders = true
	c.Preview = b.preview(previewer.suite)
	return c
}

// folders returns a list of files of a kind, one folder at a time.
func (b *Browser) folders(kind localfile.FileKind, enter func(path string) action.Action) Config {
	return Config{
		Texts: Texts{Placeholder: "name, or a path ending in /"},
		Content: Content{Files: true, Search: b.search(func(dir string, now time.Time) SearchResult {
			folder, err := b.listFolder(dir, kind)
			result := searchResult(folder.Entries, len(folder.Entries), err, func(e localfile.Entry) Item {
				item := Item{Key: e.Path, File: graphics.File{Path: e.Path}, Title: e.Name,
					Facts: format.Day(e.Modified, now)}
				if e.IsDir {
					item.Title, item.IsFolder = e.Name+"/", true
					return item
				}
				item.Columns = []string{format.Size(e.Size)}
				item.Enter = enter(e.Path)
				if kind == localfile.SuiteFiles {
					item.Keys = map[keys.Command]action.Action{keys.Edit: action.EditSuite{Path: e.Path}}
				}
				return item
			})
			result.Folder = folder.Path
			return result
		})},
	}
}

// listFolder lists a folder; without a name that of the suite opened last, as long as it is there.
func (b *Browser) listFolder(dir string, kind localfile.FileKind) (localfile.Folder, error) {
	paths := b.env.Service.Paths()
	if dir == "" && kind == localfile.SuiteFiles {
		last, _ := b.env.Service.Setting(b.env.Ctx, suiteFolderSetting)
		if folder, err := paths.List(b.env.Ctx, last, kind); last != "" && err == nil {
			return folder, nil
		}
	}
	return paths.List(b.env.Ctx, dir, kind)
}

// EditSuite lists the parts of a suite's file, to change them.
func (b *Browser) EditSuite(a action.EditSuite) (action.Action, tea.Cmd) {
	return b.showList(Config{
		Name: action.ListSuite,
		Texts: Texts{Title: filepath.Base(a.Path), Verb: "change", Placeholder: "prompt, test, value or check",
			Empty: "All parts of this suite are in other files."},
		Content: Content{SearchesOnce: true, Search: b.search(func(string, time.Time) SearchResult {
			parts, err := b.env.Service.SuiteParts(b.env.Ctx, a.Path)
			return searchResult(parts, len(parts), err, func(p suite.Part) Item {
				return Item{Key: fmt.Sprint(p.Line, p.Title), Title: p.Title,
					Note:   cmp.Or(strings.Join(strings.Fields(p.Text), " "), "none"),
					Detail: p.Text, Enter: b.askPart(action.SetSuitePart{Path: a.Path, Part: p, Text: p.Text})}
			})
		})},
		Reactions: Reactions{StaysOpen: true},
		Preview: func(item Item, w, _ int) func() Preview {
			return func() Preview { return Preview{Lines: termtext.Wrap(termtext.Clean(item.Detail), w)} }
		},
	}), nil
}

// askPart asks for another text of a part.
func (b *Browser) askPart(a action.SetSuitePart) action.Action {
	return action.AskText{Title: a.Part.Title, Label: fmt.Sprintf("Line %d of %s", a.Part.Line, filepath.Base(a.Path)),
		Value: a.Text, Many: true, Then: func(text string) action.Action { a.Text = text; return a }}
}

// SetSuitePart changes a part of a suite's file. A text with which the suite could not be read is asked for again.
func (b *Browser) SetSuitePart(a action.SetSuitePart) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		if err := b.env.Service.SetSuitePart(b.env.Ctx, a.Path, a.Part, a.Text); err != nil {
			return part.Do(action.Sequence{b.askPart(a), action.Fail{Err: err}})
		}
		return part.ChangeResult(nil, "Saved in "+filepath.Base(a.Path)+".")
	}
}
