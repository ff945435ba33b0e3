package browse

import (
	"slices"
	"time"

	"confab/history"
	"confab/ui/action"
	"confab/ui/keys"
)

// withTeam makes a list the tab of one's own or of the team's entries, where the history has other users; own and team
// are the two lists.
func (b *Browser) withTeam(list action.List, title string, own, team action.List, c Config) Config {
	if !b.env.CanShare() {
		return c
	}
	current := 1
	if list == own {
		current = 0
		c.Hints = append(slices.Clone(c.Hints), keys.Share)
	}
	return withTabs(c, title, b.env.Keys, current,
		[]tabOf{{"yours", action.ShowList{List: own}}, {"team", action.ShowList{List: team}}})
}

// sharedText says that an entry is shared, or by whom.
func sharedText(isShared bool, owner string) string {
	switch {
	case owner != "":
		return "of " + owner
	case isShared:
		return "shared"
	}
	return ""
}

// teamSessions is the list of the sessions that others share.
func (b *Browser) teamSessions() Config {
	open := b.env.Session().ID
	return b.withTeam(action.ListTeam, "Sessions", action.ListSessions, action.ListTeam, Config{
		Name: action.ListTeam, Verb: "open",
		Empty:       "Nobody else shares a session.",
		Placeholder: "text, or model: kind: state: rated: before: after:", HasQuery: true,
		Hints:   []keys.Command{keys.Choose, keys.Close, keys.Fork, keys.Export, keys.PreviewDown},
		Preview: b.preview(previewer.session), PreviewHeight: textPreviewHeight,
		Search: b.search(func(query string, now time.Time) SearchResult {
			hits, err := b.env.Service.TeamSessions(b.env.Ctx, query, listLimit)
			return searchResult(hits, len(hits), err,
				func(h history.SessionHit) Item { return sessionItem(h, now, open) })
		}),
	})
}

// teamRuns is the list of the runs that others share.
func (b *Browser) teamRuns() Config {
	return b.withTeam(action.ListTeamRuns, "Runs", action.ListRuns, action.ListTeamRuns, Config{
		Name: action.ListTeamRuns, Verb: "open",
		Empty:       "Nobody else shares a run.",
		Placeholder: "name of a suite, or its number",
		Hints:       []keys.Command{keys.Choose, keys.Close},
		Preview:     b.preview(previewer.run), PreviewHeight: textPreviewHeight,
		Search: b.search(func(query string, now time.Time) SearchResult {
			all, err := b.env.Service.TeamRuns(b.env.Ctx, listLimit)
			all = slices.DeleteFunc(all, func(r history.Run) bool { return !runMatches(r, query) })
			return searchResult(all, len(all), err, func(r history.Run) Item { return runItem(r, 0, 0, now) })
		}),
	})
}
