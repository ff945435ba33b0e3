package browse

import (
	"cmp"
	_ "embed" // the example of a suite
	"fmt"
	"path/filepath"
	"slices"
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

// runs returns the list of the user's own runs, or of those that others share. While a run is chosen to be compared,
// it lists the runs to compare it with.
func (b *Browser) runs(isTeam bool) Config {
	c := Config{
		Name: action.ListRuns,
		Texts: Texts{Title: "Runs", Verb: "open", Placeholder: "suite name or run number",
			Empty: "No runs yet. A suite is a YAML file with prompts, values, models and checks." +
				b.env.Keys.Phrase(keys.Browser, keys.RunSuite, " %s opens one.")},
		Preview: b.preview(previewer.run),
	}
	c.Keys = map[keys.Command]action.Action{keys.RunSuite: action.ShowList{List: action.ListSuites}}
	find := func() ([]history.Run, error) { return b.env.Service.Runner().List(b.env.Ctx, "", listLimit) }
	compared, _ := b.env.Runs()
	switch {
	case isTeam:
		c.Name, c.Empty, c.Keys = action.ListTeamRuns, "Nobody has shared a run with you.", nil
		find = func() ([]history.Run, error) { return b.env.Service.TeamRuns(b.env.Ctx, listLimit) }
		compared = 0
	case compared != 0:
		c.Title, c.Verb = fmt.Sprintf("Compare run %d with which run?", compared), "compare"
		c.Empty = "No other run to compare with."
	}
	if compared == 0 {
		c = b.withTeam(c, isTeam, action.ListRuns, action.ListTeamRuns)
	}
	c.Search = func(query string) func() SearchResult {
		_, live := b.env.Runs() // here: what is returned runs in a command
		return b.search(func(query string, now time.Time) SearchResult {
			all, err := find()
			every := slices.Clone(all)
			if i := slices.IndexFunc(all, func(r history.Run) bool { return r.ID == compared }); i >= 0 {
				suite := all[i].Path
				isOther := func(r history.Run) bool { return r.Path != suite }
				same := slices.DeleteFunc(slices.Clone(all), isOther)
				all = append(same, slices.DeleteFunc(all, func(r history.Run) bool { return !isOther(r) })...)
			}
			all = slices.DeleteFunc(all, func(r history.Run) bool { return r.ID == compared || !runMatches(r, query) })
			return searchResult(all, len(all), err, func(r history.Run) Item {
				return runItem(r, every, compared, live, now)
			})
		})(query)
	}
	return c
}

// runTrend compares a run with the one before of its suite, of runs from the newest on: "▲ 2 more" passed, or
// "▼ 2 fewer"; empty where one of them is not complete.
func runTrend(r history.Run, all []history.Run) string {
	isComplete := func(r history.Run) bool { return r.Passed+r.Failed+r.Inconclusive == r.Planned }
	for _, before := range all {
		if before.ID >= r.ID || before.Path != r.Path || before.Owner != r.Owner {
			continue
		}
		switch more := r.Passed - before.Passed; {
		case !isComplete(r) || !isComplete(before) || before.Planned != r.Planned:
		case more > 0:
			return fmt.Sprintf("▲ %d more", more)
		case more < 0:
			return fmt.Sprintf("▼ %d fewer", -more)
		}
		return ""
	}
	return ""
}

// runItem returns the item of a run, of all that were found. Unless compared is 0, enter compares the run with that
// one; live is the running run.
func runItem(r history.Run, all []history.Run, compared, live int64, now time.Time) Item {
	count := func(n int, what string) string { return part.TextIf(n > 0, fmt.Sprint(n, " ", what)) }
	done, failed := fmt.Sprintf("%d of %d done", r.Done, r.Planned), 0
	if r.Failed > 0 {
		failed = 4
	}
	if r.Passed+r.Failed+r.Inconclusive == r.Planned {
		done = fmt.Sprintf("%d of %d passed", r.Passed, r.Planned)
	}
	state := r.Owner
	switch {
	case live == r.ID:
		state = "running"
	case r.IsShared && r.Owner == "":
		state = "shared"
	}
	item := Item{ID: r.ID, Title: fmt.Sprintf("%s · run %d", r.Suite, r.ID), Note: r.Note,
		Enter: action.ShowRun{Run: r.ID}, Failed: failed, Columns: []string{state, runTrend(r, all), done,
			count(r.Failed, "failed"), count(r.Unchecked, "unchecked"),
			count(r.Inconclusive-r.Unchecked, "inconclusive")},
		Extra: 2,
		Facts: strings.TrimPrefix(format.Day(r.Started, now), "today ")}
	if r.Owner == "" {
		item.Keys = map[keys.Command]action.Action{keys.Share: action.ShareRun{Run: r.ID, Stop: r.IsShared}}
	}
	if compared != 0 {
		item.Enter = action.CompareRuns{A: min(r.ID, compared), B: max(r.ID, compared)}
	} else if r.Owner == "" && len(all) > 1 {
		item.Keys[keys.CompareRuns] = action.Sequence{action.CloseDialog{}, action.CompareRuns{A: r.ID}}
	}
	return item
}

// runMatches reports whether a run has all words of a query.
func runMatches(r history.Run, query string) bool {
	text := strings.ToLower(fmt.Sprint(r.ID, " ", r.Suite, " ", r.Note, " ", r.Path, " ", r.Owner))
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
