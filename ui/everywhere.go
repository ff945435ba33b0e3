package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/compare"
	"confab/ui/compose"
	"confab/ui/conversation"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/runs"
)

// Keys returns the commands of the screen with their keys as shipped.
func Keys() keys.Map {
	return keys.New(slices.Concat(everywhere.Entries(), conversation.Commands(), compare.Commands(), runs.Commands(),
		compose.Commands(), browse.Commands(), dialog.Commands()))
}

// everywhere is the commands that can be had whatever has the focus.
var everywhere = part.Table[*Model]{Scope: keys.Everywhere, Bindings: []part.Binding[*Model]{
	{Command: keys.Interrupt, Keys: "ctrl+c", Short: "stop", Do: (*Model).interrupt,
		Long: "Stop running answers, or copy the selection, or clear the draft, or, " +
			"pressed twice, quit"},
	{Command: keys.Back, Keys: "esc", Short: "back", Do: (*Model).goBack,
		Long: "Close the top layer, or stop running answers, or go to the prompt"},
	{Command: keys.NextPane, Keys: "tab", Short: "next pane", Long: "Focus the next pane",
		Do: func(m *Model) action.Action { return m.nextPane(1) }},
	{Command: "previous_pane", Keys: "shift+tab", Short: "previous pane", Long: "Focus the previous pane",
		Do: func(m *Model) action.Action { return m.nextPane(-1) }},
	{Command: "pane_1", Keys: "alt+1", Short: "to models", Long: "Focus the models",
		Action: action.Focus{Pane: action.PaneModels}},
	{Command: keys.Pane2, Keys: "alt+2", Short: "to conversation", Long: "Focus the conversation",
		Action: action.Focus{Pane: action.PaneConversation}},
	{Command: "pane_3", Keys: "alt+3", Short: "to system prompt", Long: "Focus the system prompt",
		Action: action.Focus{Pane: action.PaneSystem}},
	{Command: keys.Pane4, Keys: "alt+4", Short: "to prompt", Long: "Focus the prompt",
		Action: action.Focus{Pane: action.PanePrompt}},
	{Command: keys.Commands, Keys: "ctrl+p", Short: "commands", Long: "Commands that apply now, with their keys",
		Action: action.ShowList{List: action.ListCommands}},
	{Command: keys.Help, Keys: "f1", Short: "help", Long: "Help for the focused pane",
		Group: keys.GroupScreen, Title: "Help",
		Do: func(m *Model) action.Action { return action.ShowHelp{Scope: m.pane(m.focus).Scope()} }},
	{Command: keys.ChooseModels, Section: "open", Keys: "ctrl+l", Short: "models", Long: "Choose models",
		Group: keys.GroupPrompt, Title: "Choose models", Action: action.Focus{Pane: action.PaneModels}},
	{Command: keys.Personas, Keys: "ctrl+t", Short: "system prompt",
		Long:  "Write the system prompt, or choose a persona",
		Group: keys.GroupPrompt, Title: "System prompt",
		Do: func(m *Model) action.Action { return m.composer.EditSystem() }},
	{Command: keys.Sessions, Keys: "ctrl+s", Short: "sessions",
		Long: "Find, open, rename, fork, export, delete sessions", Group: keys.GroupSession,
		Title: "Sessions", Words: "history chats search find rated favourite",
		Action: action.ShowList{List: action.ListSessions}},
	{Command: "new_session", Keys: "ctrl+n", Short: "new session", Long: "Start a new session",
		Group: keys.GroupSession, Title: "New session", Words: "clear reset chat", Action: action.NewSession{}},
	{Command: keys.LastSession, Keys: "alt+l", Short: "last session", Long: "Continue the last session",
		Group: keys.GroupSession, Title: "Continue the last session",
		Offered: func(m *Model) bool { return m.Session().ID != 0 || m.start.Continue() != nil },
		Do:      func(m *Model) action.Action { return action.WithCmd(m.composer.OpenLast()) }},
	{Command: keys.OldPrompts, Keys: "ctrl+r", Short: "prompts", Long: "Find an earlier prompt",
		Group: keys.GroupSession, Title: "Earlier prompts", Action: action.ShowList{List: action.ListPrompts}},
	{Command: keys.Pictures, Keys: "ctrl+g", Short: "pictures", Words: "images", Long: "All pictures, newest first",
		Group: keys.GroupPictures, Title: "All pictures", Action: action.ShowList{List: action.ListPictures}},
	{Command: keys.ShowRuns, Keys: "f3", Short: "runs", Long: "Runs of suites: open, compare, continue",
		Group: keys.GroupRuns, Title: "Runs of suites",
		Do: func(m *Model) action.Action {
			m.table.EndComparing()
			return action.ShowList{List: action.ListRuns}
		}},
	{Command: keys.RunSuite, Keys: "f4", Short: "run a suite", Long: "Open a suite file and run it",
		Group: keys.GroupRuns, Title: "Run a suite", Action: action.ShowList{List: action.ListSuites}},
	{Command: keys.Share, Keys: "alt+h", Acts: true, Short: "share with team",
		Long:  "Share the session or run with the team, or stop; needs a database (docs/team.md)",
		Group: keys.GroupSession, Title: "Share with the team, or stop sharing", Do: (*Model).share,
		Offered: func(m *Model) bool { return m.CanShare() && (m.Session().ID != 0 || m.mode == modeTable) }},
	{Command: keys.TakeEngines, Keys: "f9", Short: "find servers",
		Long:  "Add local model servers to the configuration",
		Group: keys.GroupScreen, Title: "Find model servers on this machine", Action: action.FindEngines{}},
	{Command: "external_editor", Section: "prompts and answers",
		Keys: "ctrl+o", Short: "editor", Long: "Edit the text in $VISUAL or $EDITOR",
		Group: keys.GroupPrompt, Title: "Edit in your editor",
		Do: func(m *Model) action.Action { return m.composer.EditText(m.focus) }},
	{Command: "copy_newest", Keys: "alt+y", Short: "copy newest", Long: "Copy the newest answer",
		Do: func(m *Model) action.Action { return m.conversation.CopyNewest() }},
	{Command: keys.ToggleContext, Keys: "alt+c", Short: "memory",
		Long:  "Send earlier turns along, or not",
		Group: keys.GroupPrompt, Title: "Memory on or off",
		Do: func(m *Model) action.Action { return action.WithCmd(m.composer.ToggleContext()) }},
	{Command: "send_fresh", Keys: "f12", Short: "send again",
		Long:  "Send the last prompt again; pictures are new ones",
		Group: keys.GroupPrompt, Title: "Send the last prompt again", Action: action.Send{Fresh: true},
		Offered: func(m *Model) bool { return len(m.turns.Window()) > 0 }},
	{Command: keys.ToggleMouse, Section: "screen", Keys: "alt+m", Short: "mouse on or off",
		Long:  "Give the mouse to the terminal, or take it back",
		Group: keys.GroupScreen, Title: "Give the mouse to the terminal, or take it back",
		Do: func(m *Model) action.Action { return m.mouse.Toggle() }},
	{Command: keys.ZoomPane, Keys: "alt+z", Short: "zoom", Long: "Zoom the focused pane",
		Group: keys.GroupScreen, Title: "Zoom the pane", Do: (*Model).toggleZoom},
	{Command: keys.SideBySide, Keys: "alt+v", Short: "side by side",
		Long:  "Answers side by side or in the conversation",
		Group: keys.GroupCompare, Title: "Conversation or side by side", Do: (*Model).toggleSideBySide},
	{Command: keys.Suspend, Keys: "ctrl+z", Short: "suspend", Long: "Suspend; fg resumes",
		Action: action.TeaCmd{Cmd: tea.Suspend}},
	{Command: keys.Undo, Keys: "alt+u", Short: "undo", Long: "Undo the last deletion",
		Group: keys.GroupSession, Title: "Undo the last deletion", Action: action.Undo{},
		Offered: func(m *Model) bool { return m.sessions.CanUndo() }},
	{Command: keys.SaveAgain, Keys: "alt+s", Short: "save again",
		Long:  "Try again to save after an error",
		Group: keys.GroupScreen, Title: "Try again to save", Action: action.SaveAgain{},
		Offered: func(m *Model) bool { return !m.composer.IsSaving }},
	{Command: keys.Themes, Keys: "f2", Short: "themes", Long: "Choose a theme, with a preview", Group: keys.GroupScreen,
		Title: "Themes", Words: "dark light color colour", Action: action.ShowList{List: action.ListThemes}},
	{Command: keys.Redraw, Keys: "f5", Short: "redraw", Long: "Redraw the screen",
		Group: keys.GroupScreen, Title: "Redraw the screen",
		Do: func(m *Model) action.Action {
			return action.TeaCmd{Cmd: tea.Sequence(m.graphics.Forget(), tea.ClearScreen)}
		}},
	{Command: keys.Quit, Keys: "ctrl+q", Short: "quit", Long: "Quit confab",
		Group: keys.GroupScreen, Title: "Quit", Do: (*Model).leave},
}}
