package browse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/keys"
)

// recentCommands is how many commands the palette shows first because they were chosen last.
const recentCommands = 5

// commands is the palette: what can be done now, the commands chosen last first.
func (b *Browser) commands() Config {
	items := slices.DeleteFunc(PaletteItems(b.env.Keys), func(i Item) bool {
		run := i.Enter.(action.RunCommand)
		return !b.env.Offers(run.Scope, run.Command)
	})
	for _, command := range slices.Backward(b.recent) { // so that the newest is put first at last
		i := slices.IndexFunc(items, func(i Item) bool { return i.Key == command })
		if i < 0 {
			continue
		}
		item := items[i]
		item.Facts = paletteFacts("chosen lately", strings.TrimSpace(item.Facts[groupWidth:]))
		items = slices.Insert(slices.Delete(items, i, i+1), 0, item)
	}
	return Config{
		Name: action.ListCommands,
		Texts: Texts{Title: "Commands", Empty: "There are no commands.", Verb: "run",
			Placeholder: "what to do"},
		Size:    Size{Compact: true, Width: 84},
		Content: Content{Items: items},
		Reactions: Reactions{OnChoose: func(i Item) action.Action {
			return action.Sequence{action.CloseDialog{}, action.NoteCommand{Command: i.Key}, i.Enter}
		}},
	}
}

// The cells of a command's group, with the blanks after it, and of its key.
const (
	groupWidth = 16
	keyWidth   = 9
)

// paletteFacts returns the group and the key of a command in columns.
func paletteFacts(group, key string) string {
	return termtext.Fit(group, groupWidth) + fmt.Sprintf("%*s", keyWidth, key)
}

// PaletteItems returns an item for every command that the list of commands can have, by groups, with its key.
func PaletteItems(m keys.Map) []Item {
	entries := slices.DeleteFunc(m.All(), func(e keys.Entry) bool { return e.Title == "" })
	slices.SortStableFunc(entries, func(a, b keys.Entry) int { return cmp.Compare(a.Group, b.Group) })
	items := make([]Item, len(entries))
	for i, e := range entries {
		items[i] = Item{Title: e.Title, Key: string(e.Command), Detail: e.Long,
			Facts: paletteFacts(e.Group.String(), m.Key(e.Scope, e.Command)),
			Enter: action.RunCommand{Scope: e.Scope, Command: e.Command}}
	}
	return items
}

// NoteCommand remembers a command that was chosen, for this screen and later ones.
func (b *Browser) NoteCommand(a action.NoteCommand) (action.Action, tea.Cmd) {
	recent := slices.DeleteFunc(slices.Clone(b.recent), func(c string) bool { return c == a.Command })
	recent = append([]string{a.Command}, recent...)
	b.recent = recent[:min(len(recent), recentCommands)]
	return action.SaveSetting{Name: "commands", Value: strings.Join(b.recent, " ")}, nil
}

// SetRecentCommands sets the commands that were chosen in earlier screens, as [action.SaveSetting] has stored them.
func (b *Browser) SetRecentCommands(stored string) { b.recent = strings.Fields(stored) }
