package ui_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/testflags"
	"confab/service"
	"confab/service/api"
	"confab/ui"
	"confab/ui/keys"
)

// everyKeyRebound returns a map in which no command has its default key, and no key is the default of any other.
func everyKeyRebound(t *testing.T) keys.Map {
	t.Helper()
	bases := strings.Split("abcdefghijklmnopqrstuvwxyz0123456789", "")
	for i := range 24 {
		bases = append(bases, fmt.Sprintf("f%d", i+1))
	}
	other := map[string][]string{}
	used := map[keys.Scope]int{}
	for _, e := range ui.Keys().All() {
		modifier := "hyper+"
		switch e.Scope {
		case keys.Everywhere:
			modifier = "super+"
		case keys.Text:
			modifier = "meta+"
		}
		other[commandName(e.Scope, e.Command)] = []string{modifier + bases[used[e.Scope]]}
		used[e.Scope]++
	}
	m, err := ui.Keys().Rebind(other)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// commandName is the name of a command in the configuration.
func commandName(scope keys.Scope, command keys.Command) string {
	return strings.ReplaceAll(string(scope), " ", "_") + "." + string(command)
}

// perform presses the keys of commands, given as "scope.command". What begins with ' is typed instead.
func (s *screen) perform(m keys.Map, commands ...string) {
	s.t.Helper()
	for _, c := range commands {
		if text, ok := strings.CutPrefix(c, "'"); ok {
			s.typed(text)
			continue
		}
		scope, command, _ := strings.Cut(c, ".")
		press, ok := keys.Parse(m.Key(keys.Scope(strings.ReplaceAll(scope, "_", " ")), keys.Command(command)))
		if !ok {
			s.t.Fatalf("%s has no key", c)
		}
		s.program.Send(press)
		s.settle()
	}
}

// everyLayer is each thing that can be on top, with the commands that open it and the scope of its keys.
func everyLayer() []struct {
	name  string
	open  string
	scope keys.Scope
} {
	return []struct {
		name  string
		open  string
		scope keys.Scope
	}{
		{"prompt", "everywhere.pane_4", keys.Prompt},
		{"prompt with text", "everywhere.pane_4 'words", keys.Prompt},
		{"system prompt", "everywhere.pane_3", keys.System},
		{"models", "everywhere.pane_1", keys.Models},
		{"filter of the models", "everywhere.pane_1 'oss", keys.Models},
		{"conversation", "everywhere.pane_2", keys.Conversation},
		{"picture in the conversation", "everywhere.pane_2 conversation.previous_turn", keys.Conversation},
		{"search", "everywhere.pane_2 conversation.find 'answer", keys.Form},
		{"zoom", "everywhere.pane_2 everywhere.zoom_pane", keys.Conversation},
		{"columns", "everywhere.pane_2 conversation.compare", keys.Compare},
		{"grid", "everywhere.pane_2 conversation.compare compare.layouts", keys.Compare},
		{"strip", "everywhere.pane_2 conversation.compare compare.layouts compare.layouts", keys.Compare},
		{"list", "everywhere.pane_2 conversation.compare compare.layouts compare.layouts compare.layouts",
			keys.Compare},
		{"one answer", "everywhere.pane_2 conversation.compare compare.zoom_answer", keys.Compare},
		{"difference", "everywhere.pane_2 conversation.compare compare.difference", keys.Compare},
		{"wins", "everywhere.pane_2 conversation.compare compare.wins", keys.Compare},
		{"search in answers", "everywhere.pane_2 conversation.compare compare.find 'answer", keys.Form},
		{"blind vote", "everywhere.pane_2 conversation.compare compare.blind_vote", keys.Voting},
		{"sessions", "everywhere.sessions", keys.Browser},
		{"no session", "everywhere.sessions 'zzzz", keys.Browser},
		{"prompts", "everywhere.old_prompts", keys.Browser},
		{"editor of the system prompt", "everywhere.system_prompts", keys.Form},
		{"personas", "everywhere.system_prompts forms.list_kept", keys.Browser},
		{"persona", "everywhere.system_prompts 'words forms.keep_as", keys.Form},
		{"themes", "everywhere.themes", keys.Browser},
		{"commands", "everywhere.commands", keys.Browser},
		{"runs", "everywhere.runs", keys.Browser},
		{"suites", "everywhere.run_suite", keys.Browser},
		{"pictures", "everywhere.pictures", keys.Gallery},
		{"no picture", "everywhere.pictures 'zzzz", keys.Gallery},
		{"one picture", "everywhere.pictures pictures.view_large", keys.PictureViewer},
		{"chain of edits", "everywhere.pictures pictures.edit_chain", keys.Browser},
		{"export of pictures", "everywhere.pictures pictures.export", keys.Form},
		{"picture options", "everywhere.pane_4 prompt.picture_options", keys.Form},
		{"source", "everywhere.pane_4 prompt.pick_source", keys.Browser},
		{"write", "everywhere.pane_2 conversation.write", keys.Form},
		{"note", "everywhere.pane_2 conversation.note", keys.Form},
		{"rename", "everywhere.sessions lists.rename", keys.Form},
		{"request", "everywhere.pane_2 conversation.inspect", keys.TextViewer},
		{"preview", "everywhere.pane_4 'words prompt.show_sent", keys.TextViewer},
		{"help", "everywhere.help", keys.TextViewer},
		{"variables", "everywhere.pane_4 'of_{{number}} prompt.send", keys.Form},
		{"confirmation",
			"everywhere.pane_4 'of_{{number}} prompt.send '" + strings.ReplaceAll(numbers(40), " ",
				"_") + " forms.accept", keys.Form},
	}
}

// filledByCommands opens a screen with a picture and a turn of four answers, whatever the keys are.
func filledByCommands(t *testing.T, m keys.Map, w, h int) *screen {
	t.Helper()
	s := open(t, w, h, func(o *ui.Options, _ *service.Options) { o.Keys = m },
		withAnswers(func(r api.Request) (api.Response, time.Duration, error) {
			resp, takes, err := answerAll(r)
			if resp.Text != "" {
				resp.Text = "An answer.\n\nOf " + r.Model.Slug + ".\n"
			}
			return resp, takes, err
		}))
	s.perform(m, "prompt.example_3")
	s.pass(7 * time.Second)
	s.perform(m, "'four", "everywhere.pane_1", "models.top", "models.mark_all_text", "models.mark_none", "models.top",
		"models.mark_model", "models.down",
		"models.down", "models.mark_model", "models.down", "models.mark_model", "models.down", "models.mark_model",
		"everywhere.pane_4", "prompt.send")
	s.pass(3 * time.Second)
	return s
}

// mayDoNothing are commands that may do nothing: of a search with one match, in a row of a form that has nothing to
// choose, and those that move, at an end. So may the answers to a question that is not asked.
func mayDoNothing() []keys.Command {
	return []keys.Command{keys.EarlierPrompt, keys.LaterPrompt, keys.NextField, keys.PreviousField, keys.NextChoice,
		keys.PreviousChoice, keys.FindNext, keys.FindPrevious, keys.Yes, keys.No,
		keys.Down, keys.Up, keys.PageDown, keys.PageUp, keys.HalfDown, keys.HalfUp, keys.Top, keys.Bottom,
		keys.NextAnswer, keys.PreviousAnswer, keys.NextTurn, keys.PreviousTurn, "window_left", "window_right",
		keys.ListDown, keys.ListUp, keys.ListPageDown, keys.ListPageUp, keys.ListTop, keys.ListEnd,
		keys.PreviewDown, keys.PreviewUp, "picture_left", "picture_right"}
}

// namedKey finds key names in texts, as hints, notices, titles and placeholders give them.
var namedKey = []*regexp.Regexp{
	regexp.MustCompile(
		`(?m)(?:^|[\s("])((?:ctrl|alt|shift)\+[^\s,;:.)]+|f[1-9][0-2]?|enter|esc|tab|pgup|pgdown|backspace)(?:[\s,.;:)"]|$)`,
	),
	regexp.MustCompile(
		`(?m)(?:^|[;:.] |   ?|· |━ |─ )(up|down|left|right|space|home|end|[b-zC-HJ-Z?/*+=\[\]{}<>-]) [a-z]+`,
	),
}

// lacksDefaultKeys fails the test when the screen names a key that nothing is bound to.
func (s *screen) lacksDefaultKeys(after string) {
	s.t.Helper()
	// a dialog's tab, the marks of infos and of same answers
	text := strings.NewReplacer("next tab", "", "i info", "", "= same", "").Replace(s.text())
	for _, re := range namedKey {
		for _, found := range re.FindAllStringSubmatch(text, -1) {
			s.t.Errorf("after %s the screen names %q (%q), which is bound to nothing:\n%s", after, found[1], found[0],
				text)
		}
	}
}

// TestEveryKeyAnswers rebinds every command and presses its key in every layer: the screen changes or says why not, and
// no default key is named anywhere.
func TestEveryKeyAnswers(t *testing.T) {
	m := everyKeyRebound(t)
	for i, l := range everyLayer() {
		if !testflags.IsLong() && i%8 != 0 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := filledByCommands(t, m, 80, 24)
				for _, e := range m.Entries(l.scope) {
					if e.Command == keys.QuitWhenEmpty || slices.Contains(mayDoNothing(), e.Command) {
						continue
					}
					s.reopen(m, l.open)
					s.lacksDefaultKeys("opening")
					before, did := s.drawn(), s.desktopCalls()
					s.perform(m, commandName(e.Scope, e.Command))
					if s.drawn() == before && s.desktopCalls() == did {
						t.Errorf("%s does nothing and says nothing:\n%s", e.Command, s.text())
					}
					s.lacksDefaultKeys(string(e.Command))
				}
			})
		})
	}
}

// reopen closes every layer and opens one by its commands.
func (s *screen) reopen(m keys.Map, commands string) {
	s.t.Helper()
	s.pass(8 * time.Second)
	back, _ := keys.Parse(m.Key(keys.Everywhere, keys.Back))
	for range 5 {
		s.program.Send(back)
	}
	if s.perform(m, "everywhere.pane_4"); !strings.Contains(s.text(), "Write a prompt") {
		s.program.Send(tea.KeyPressMsg{Code: 'a', Mod: tea.ModCtrl})
		s.program.Send(tea.KeyPressMsg{Code: 'k', Mod: tea.ModCtrl})
	}
	for c := range strings.SplitSeq(commands, " ") {
		s.perform(m, strings.ReplaceAll(c, "_", map[bool]string{true: " ", false: "_"}[c[0] == '\'']))
	}
	s.pass(20 * time.Second)
}

// drawn is the screen with its colors.
func (s *screen) drawn() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.term.CursorPosition()
	return fmt.Sprint(at.X, at.Y, s.term.Render())
}

// desktopCalls counts what was asked of the desktop.
func (s *screen) desktopCalls() int { return len(s.desktop.copied) + len(s.desktop.opened) }
