package compose

import (
	"slices"

	"confab/history"
	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

var modelCommands = part.Table[*Models]{Scope: keys.Models, Bindings: []part.Binding[*Models]{
	{Command: keys.MarkModel, Keys: "space", Acts: true, Short: "mark", Long: "Mark or unmark the model, and stay",
		Refuses: (*Models).lacksModel, Rank: part.RankIf(1, (*Models).listsModels), Do: (*Models).toggleMark},
	{Command: keys.MarkOneModel, Keys: "enter", Short: "use it", Refuses: (*Models).lacksModel,
		Long: "Use this model, or add it to those that you marked, and go to the prompt",
		Rank: part.RankIf(2, (*Models).listsModels), Word: (*Models).acceptWord, Do: (*Models).accept},
	{Command: keys.Down, Keys: "down ctrl+j", Short: "down", Long: "Next model", Do: moveCursor(keys.Down)},
	{Command: keys.Up, Keys: "up ctrl+k", Short: "up", Long: "Previous model", Do: moveCursor(keys.Up)},
	{Command: keys.PageDown, Keys: "pgdown", Short: "page down", Long: "Page down",
		Do: moveCursor(keys.PageDown)},
	{Command: keys.PageUp, Keys: "pgup", Short: "page up", Long: "Page up", Do: moveCursor(keys.PageUp)},
	{Command: keys.Top, Keys: "home ctrl+home", Short: "first", Long: "First model",
		Do: moveCursor(keys.Top)},
	{Command: keys.Bottom, Keys: "end ctrl+end", Short: "last", Long: "Last model",
		Do: moveCursor(keys.Bottom)},
	{Command: "mark_all_text", Keys: "alt+a", Short: "all text", Long: "Mark all text models",
		Group: keys.GroupPrompt, Title: "Mark all text models",
		Rank: part.RankIf(4, func(p *Models) bool { return slices.ContainsFunc(p.Of(history.KindText), p.isUnmarked) }),
		Do: func(p *Models) action.Action {
			p.hasMarked = true
			return action.Mark{Models: p.Of(history.KindText)}
		}},
	{Command: keys.MarkNone, Keys: "alt+0", Short: "unmark all", Long: "Unmark all models",
		Group: keys.GroupPrompt, Title: "Unmark all models",
		Rank: part.RankIf(5, func(p *Models) bool { return len(p.order) > 0 }),
		Do: func(p *Models) action.Action {
			p.hasMarked = false
			return action.Mark{}
		}},
	{Command: "about_model", Keys: "alt+i", Short: "about", Long: "Details of the model",
		Refuses: (*Models).lacksModel, Rank: part.RankIf(6, (*Models).listsModels),
		Do: func(p *Models) action.Action {
			info, _ := p.Info(p.Target())
			return action.ShowText{Title: info.Slug, Text: p.about(info)}
		}},
	{Command: keys.RefreshModels, Keys: "alt+g", Short: "refresh", Long: "Refresh the list of models",
		Group: keys.GroupPrompt, Title: "Refresh the list of models", Refuses: (*Models).lacksEngines,
		Rank: part.RankIf(7, func(p *Models) bool { return p.showsEngines }), Action: action.AskEngines{}},
	{Command: keys.Help, Keys: "?", WhenEmpty: true, Short: "help", Long: "Help for models, while the filter is empty",
		Action: action.ShowHelp{Scope: keys.Models}},
}}

// Hints implements [part.Pane]. The key that goes back clears a filter.
func (p *Models) Hints() []keys.Hint {
	hints := p.Commands.Hints()
	if p.CapturesText() {
		at := 0
		if p.listsModels() {
			at = len(p.Keys.Hints(keys.Models, keys.MarkModel, keys.MarkOneModel))
		}
		hints = slices.Insert(hints, at, p.Keys.HintAs(keys.Everywhere, keys.Back, "clear")...)
	}
	return hints
}

func (p *Models) listsModels() bool { return len(p.listed) > 0 }

func (p *Models) isUnmarked(slug string) bool { return !p.isMarked(slug) }

func (p *Models) lacksModel() string {
	if p.Target() == "" {
		return "No model matches the filter."
	}
	return ""
}

// lacksEngines says why nobody is asked for models.
func (p *Models) lacksEngines() string {
	if p.showsEngines {
		return ""
	}
	return "No engine is configured: nothing to refresh."
}

func moveCursor(command keys.Command) func(*Models) action.Action {
	return func(p *Models) action.Action {
		by, _ := command.Lines(p.h, 4, len(p.rows))
		p.cursor = max(min(p.cursor+by, len(p.listed)-1), 0)
		p.scroll()
		return nil
	}
}

func (p *Models) toggleMark() action.Action {
	p.hasMarked = true
	slug := p.Target()
	if p.isMarked(slug) {
		return action.Mark{Models: slices.DeleteFunc(slices.Clone(p.order), func(s string) bool { return s == slug })}
	}
	return action.Mark{Models: append(slices.Clone(p.order), slug)}
}

// accept uses the model under the cursor and goes to the prompt. It is added to models that a person has marked one by
// one; others give way to it.
func (p *Models) accept() action.Action {
	slug := p.Target()
	marked := []string{slug}
	if p.keepsMarks() {
		marked = slices.Clone(p.order)
		if !slices.Contains(marked, slug) {
			marked = append(marked, slug)
		}
	}
	if p.CapturesText() {
		p.filter.SetValue("")
		p.rebuild(slug)
	}
	var told action.Action
	others := slices.DeleteFunc(slices.Clone(p.order), func(s string) bool { return s == slug })
	if len(marked) == 1 && len(others) > 1 {
		told = action.Notify{Severity: action.Info, Text: "Unmarked " + format.Count(len(others), "other model") + "."}
	}
	return action.Join(action.Mark{Models: marked}, action.Focus{Pane: action.PanePrompt}, told)
}

// acceptWord returns the hint of [Models.accept], "" for the usual one.
func (p *Models) acceptWord() string {
	switch {
	case !p.keepsMarks() || slices.Equal(p.order, []string{p.Target()}):
		return ""
	case p.isMarked(p.Target()):
		return "done"
	}
	return "add it"
}

// keepsMarks reports whether enter keeps the marks.
func (p *Models) keepsMarks() bool { return p.hasMarked && len(p.order) > 0 }
