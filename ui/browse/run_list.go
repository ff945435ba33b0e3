package browse

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

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
