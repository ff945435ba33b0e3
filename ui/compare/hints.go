package compare

import (
	"slices"

	"confab/service"
	"confab/ui/keys"
)

// AllTurns says what the key does that goes from the answers of a turn to the conversation, where that has more turns.
const AllTurns = "all turns"

// Hints implements [part.Pane].
func (v *View) Hints() []keys.Hint {
	if v.mode != nil {
		return v.mode.hints(v)
	}
	hints := v.stateHints()
	if zoom := v.env.Keys.Hints(keys.Compare, keys.ZoomAnswer); v.zoom.shows == zoomAnswer && len(zoom) > 0 {
		if i := slices.Index(hints, zoom[0]); i >= 0 {
			hints[i].Text = "smaller"
		}
	}
	if stack := v.env.Keys.Hints(keys.Compare, keys.Stack); v.content.HasOtherTurns && len(stack) > 0 {
		if i := slices.Index(hints, stack[0]); i >= 0 {
			hints[i].Text = AllTurns
		}
	}
	return hints
}

// stateHints are the keys that are useful now, with their usual words.
func (v *View) stateHints() []keys.Hint {
	x := v.current()
	switch {
	case v.find.IsTyping:
		return keys.LineHints(v.env.Keys, "find", "close")
	case x == nil:
		return v.env.Keys.Hints(keys.Compare, keys.ShowAnswers)
	}
	var commands keys.CommandList
	hasSeveral, inList, hasLayouts := len(v.listed) > 1, v.hasFocusInList(), v.whyUseless(v.layoutCommand()) == ""
	if x.answer().Picture != nil {
		commands.AddIf(hasSeveral, keys.NextAnswer)
		commands.AddIf(true, keys.ZoomAnswer)
		commands.AddIf(true, pictureCommands(x)...)
		commands.AddIf(true, keys.MarkWinner, keys.Again)
		commands.AddIf(hasLayouts, v.layoutCommand())
		commands.AddIf(true, keys.Write)
		commands.AddIf(inList, keys.SortAnswers, keys.ShowAnswers)
		return v.env.Keys.Hints(keys.Compare, commands...)
	}
	commands.AddIf(hasSeveral && !inList, keys.NextAnswer)
	commands.AddIf(hasSeveral && inList, keys.Down)
	commands.AddIf(hasSeveral && x.isText(), keys.Difference)
	commands.AddIf(true, keys.ZoomAnswer)
	commands.AddIf(hasLayouts, v.layoutCommand())
	commands.AddIf(v.content.HasOtherTurns, keys.PreviousCase)
	commands.AddIf(x.isDone(), keys.MarkWinner, keys.CopyAnswer)
	commands.AddIf(x.wasAsked() && x.answer().State.HasEnded(), keys.Again)
	commands.AddIf(service.CanContinue(x.answer()), keys.Continue)
	commands.AddIf(x.wasAsked() && !x.answer().State.HasEnded(), keys.StopAnswer)
	commands.AddIf(x.wasAsked(), keys.Write)
	commands.AddIf(inList, keys.SortAnswers, keys.ShowAnswers)
	return v.env.Keys.Hints(keys.Compare, commands...)
}

// hintsWithFocus returns the hints of commands while the view has the focus: otherwise their keys mean something else.
func (v *View) hintsWithFocus(commands ...keys.Command) []keys.Hint {
	if !v.focused {
		return nil
	}
	return v.env.Keys.Hints(keys.Compare, commands...)
}

// layoutCommand returns the command that changes where the answers are: those of a conversation can also be stacked,
// those of a run cannot.
func (v *View) layoutCommand() keys.Command {
	if v.content.Name == "" {
		return keys.Stack
	}
	return keys.Layouts
}

// whyUseless explains why a command that moves or changes the view would do nothing, "" for any other.
func (v *View) whyUseless(command keys.Command) string {
	switch command {
	case keys.NextAnswer, keys.PreviousAnswer:
		if len(v.listed) < 2 {
			return "There is one answer here."
		}
	case keys.WindowLeft, keys.WindowRight:
		if len(v.layout.boxes) >= len(v.listed) {
			return "All answers are on screen."
		}
	case keys.NextSample, keys.PreviousSample:
		if len(v.current().distinct) < 2 {
			return "This model gave one answer: there is no other sample of it."
		}
	case keys.Layouts:
		if v.zoom.shows == zoomNothing && len(v.possibleLayouts()) < 2 {
			return "These answers have one layout on a screen of this size."
		}
	}
	return ""
}
