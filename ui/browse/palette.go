package browse

import (
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

// paletteCommand is a command of the palette with its name.
type paletteCommand struct {
	scope   keys.Scope
	command keys.Command
	name    string
}

// paletteGroup is the commands about one subject.
type paletteGroup struct {
	name     string
	commands []paletteCommand
}

// paletteGroups returns the commands of the palette. Movements are left out: they are of no use from a list.
func paletteGroups() []paletteGroup {
	return []paletteGroup{
		{"session", []paletteCommand{
			{keys.Everywhere, keys.NewSession, "New session"},
			{keys.Everywhere, keys.Sessions, "Sessions"},
			{keys.Everywhere, keys.LastSession, "Continue the last session"},
			{keys.Everywhere, keys.Share, "Share with the team, or stop sharing"},
			{keys.Everywhere, keys.OldPrompts, "Earlier prompts"},
			{keys.Conversation, keys.Find, "Find in the conversation"},
			{keys.Everywhere, keys.Undo, "Undo the newest deletion"},
		}},
		{"prompt", []paletteCommand{
			{keys.Everywhere, keys.ChooseModels, "Choose models"},
			{keys.Models, keys.MarkAllText, "Mark all text models"},
			{keys.Models, keys.MarkNone, "Unmark all models"},
			{keys.Everywhere, keys.Personas, "System prompts"},
			{keys.Everywhere, keys.ToggleContext, "Send earlier turns too"},
			{keys.Prompt, keys.PictureOptions, "Ratio, variant of pictures"},
			{keys.Prompt, keys.Parameters, "Temperature and parameters"},
			{keys.Prompt, keys.PickSource, "Edit a picture"},
			{keys.Prompt, keys.InsertVariable, "Variable: several values"},
			{keys.Prompt, keys.ShowSent, "What is sent"},
			{keys.Everywhere, keys.ExternalEditor, "Edit in your editor"},
			{keys.Everywhere, keys.SendFresh, "Send the newest prompt again"},
		}},
		{"answer", []paletteCommand{
			{keys.Conversation, keys.CopyAnswer, "Copy the answer"},
			{keys.Conversation, keys.CopyTurn, "Copy the turn as markdown"},
			{keys.Conversation, keys.CopyCode, "Copy a code block"},
			{keys.Conversation, keys.Again, "Run the answer again"},
			{keys.Conversation, keys.ResumeFailed, "Run all failed again"},
			{keys.Conversation, keys.StopAll, "Stop all answers"},
			{keys.Conversation, keys.EditPrompt, "Edit the prompt"},
			{keys.Conversation, keys.AddNote, "Write a note"},
			{keys.Conversation, keys.Inspect, "Request and response"},
			{keys.Conversation, keys.Write, "Write to a file"},
			{keys.Conversation, keys.Delete, "Delete the answer"},
		}},
		{"compare", []paletteCommand{
			{keys.Everywhere, keys.SideBySide, "Side by side or stacked"},
			{keys.Conversation, keys.CompareAnswers, "Compare the answers"},
			{keys.Compare, keys.Difference, "Difference of two answers"},
			{keys.Compare, keys.Layouts, "Another layout"},
			{keys.Compare, keys.SyncScroll, "Scroll together"},
			{keys.Compare, keys.BlindVote, "Blind vote"},
			{keys.Compare, keys.ShowWins, "Wins per model"},
		}},
		{"pictures", []paletteCommand{
			{keys.Everywhere, keys.Pictures, "All pictures"},
			{keys.Conversation, keys.ViewLarge, "Show the picture large"},
			{keys.Conversation, keys.UseAsSource, "Edit the picture, or use the text"},
			{keys.Conversation, keys.EditChain, "Chain of edits"},
		}},
		{"runs", []paletteCommand{
			{keys.Everywhere, keys.RunSuite, "Run a suite"},
			{keys.Everywhere, keys.ShowRuns, "Runs of suites"},
		}},
		{"screen", []paletteCommand{
			{keys.Everywhere, keys.ZoomPane, "Zoom the pane"},
			{keys.Everywhere, keys.Themes, "Themes"},
			{keys.Everywhere, keys.ToggleMouse, "Mouse for confab or the terminal"},
			{keys.Everywhere, keys.Redraw, "Redraw the screen"},
			{keys.Everywhere, keys.TakeEngines, "Take engines of this machine"},
			{keys.Everywhere, keys.SaveAgain, "Save again"},
			{keys.Everywhere, keys.Help, "Help"},
			{keys.Everywhere, keys.Quit, "Quit"},
		}},
	}
}

// commands is the palette: what can be done now, the commands chosen last first.
func (b *Browser) commands() Config {
	items := slices.DeleteFunc(Commands(b.env.Keys), func(i Item) bool {
		run := i.Enter.(action.RunCommand)
		return !b.env.Applies(run.Scope, run.Command)
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
		Name: action.ListCommands, Title: "Commands", Empty: "There are no commands.", Verb: "run",
		Placeholder: "what to do", Hints: []keys.Command{keys.Choose, keys.Close},
		Compact: true, Width: 84, Items: items,
		OnChoose: func(i Item) action.Action {
			return action.Sequence{action.CloseDialog{}, action.NoteCommand{Command: i.Key}, i.Enter}
		},
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

// Commands returns an item for every command of the palette, with its group and key.
func Commands(m keys.Map) []Item {
	entries := map[paletteCommand]keys.Entry{}
	for _, e := range m.All() {
		entries[paletteCommand{scope: e.Scope, command: e.Command}] = e
	}
	var items []Item
	for _, group := range paletteGroups() {
		for _, c := range group.commands {
			e := entries[paletteCommand{scope: c.scope, command: c.command}]
			key := ""
			if len(e.Keys) > 0 {
				key = e.Keys[0]
			}
			items = append(items, Item{
				Title: c.name, Key: string(c.command), Detail: e.Long,
				Facts: paletteFacts(group.name, key),
				Enter: action.RunCommand{Scope: c.scope, Command: c.command},
			})
		}
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
