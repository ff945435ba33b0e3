// Package part is how the parts of the screen (panes, dialogs and subjects such as votes or runs) plug into the root
// model of package ui. A part talks to the others through its return values alone:
//
//   - Update and handlers of actions return an [action.Action], which the root handles at once, and a command.
//   - A command that asks the service on behalf of a part returns [Result]: the root gives its message to that part
//     and to nobody else. A command whose result is an action is made by [Then], or returns [Do], [Fail] or
//     [ChangeResult].
//   - The root looks up each key press once, where its [action.LayerState] says, and hands the part a [keys.Press].
package part

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/api"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
)

// Env is what parts are made with.
type Env struct {
	Ctx     context.Context // ends with the screen
	Service *service.Service
	Keys    keys.Map
	Now     func() time.Time
	Host
}

// Host tells parts what holds now on the screen; the root implements it. Parts ask it in Update, never in a command.
type Host interface {
	Styles() *themes.Styles
	// Session returns the open session; its id is 0 while nothing was sent.
	Session() history.Session
	// CanShare tells whether the history has other users, with whom sessions and runs can be shared.
	CanShare() bool
	// IsCovered tells whether a dialog is open, so that keys are not the panes'.
	IsCovered() bool
}

// Pane is a part with a rectangle of the main screen. It knows neither its border nor its neighbors.
type Pane interface {
	action.Layer
	Commands
	SetFocused(focused bool) tea.Cmd
	// View returns exactly as many lines as the pane is high, each exactly as wide as the pane.
	View() []string
}

// Worker asks for what it shows and does not have yet.
type Worker interface {
	Work() (action.Action, tea.Cmd)
}

// Receiver takes the results of the commands it has started.
type Receiver interface {
	Update(msg tea.Msg) (action.Action, tea.Cmd)
}

// Result is a message for one receiver.
type Result struct {
	To    Receiver
	Msg   tea.Msg
	Draws Draws
}

// Draws says how soon what a result changes is drawn.
type Draws int

// A result is drawn like any change; as one of several texts that grow, less often; or changes nothing that is drawn.
const (
	DrawsAny Draws = iota
	DrawsGrowth
	DrawsNothing
)

// ActionMsg brings the root an action to handle that a command has asked for.
type ActionMsg struct{ Action action.Action }

// Do returns the message that has the root handle actions, one after the other.
func Do(actions ...action.Action) tea.Msg {
	if len(actions) == 1 {
		return ActionMsg{actions[0]}
	}
	return ActionMsg{action.Sequence(actions)}
}

// After returns the command that brings a message after a while, or ends with the context: a command that waits holds
// the whole screen in memory.
func After(ctx context.Context, wait time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			return msg
		case <-ctx.Done():
			return nil
		}
	}
}

// Fail returns the message that shows an error.
func Fail(err error) tea.Msg { return ActionMsg{action.Fail{Err: err}} }

// Ask returns the command that makes a call. Its message goes to the receiver, its error is shown.
func Ask(to Receiver, call func() (tea.Msg, error)) tea.Cmd {
	return func() tea.Msg {
		msg, err := call()
		if err != nil {
			return Fail(err)
		}
		return Result{To: to, Msg: msg}
	}
}

// Then returns the command that makes a call, and has the root handle the action that the call returns, or show its
// error.
func Then(call func() (action.Action, error)) tea.Cmd {
	return func() tea.Msg {
		then, err := call()
		if err != nil {
			return Fail(err)
		}
		return Do(then)
	}
}

// ChangeResult returns the message that ends a call which changed what is stored: text says so, then follows, and lists
// and counts that are shown are read again. Where err is not nil it is shown instead.
func ChangeResult(err error, text string, then ...action.Action) tea.Msg {
	if err != nil {
		return Fail(err)
	}
	actions := action.Sequence{}
	if text != "" {
		actions = append(actions, action.Notify{Severity: action.Good, Text: text})
	}
	return ActionMsg{append(append(actions, then...), action.Reread{})}
}

// Sentence says an error to a person.
func Sentence(err error) string {
	var e *api.Error
	if errors.As(err, &e) && e.Message != "" {
		return format.Capitalize(e.Message) // the command line puts its name before it, here it stands alone
	}
	return "Failed: " + err.Error()
}

// StateMark is the mark before the name of a model. It tells how its answer stands.
func StateMark(s history.State) string {
	switch s {
	case history.Done:
		return "●"
	case history.Queued:
		return "○"
	case history.Running:
		return "◐"
	}
	return "✗"
}

// Judgement is the marks of a person's judgement of an answer, each after a blank: that it is the best, and its rating.
func Judgement(s *themes.Styles, a history.Answer) (marks string) {
	if a.IsWinner {
		marks = s.Accent.Render(" " + s.Sign("★", "best"))
	}
	if sign := RatingSign(s, a); sign != "" {
		style := s.Success
		if a.Rating == history.Bad {
			style = s.Danger
		}
		marks += style.Render(" " + sign)
	}
	return marks
}

// RatingSign is the sign of a person's rating of an answer, or its word for a screen reader; empty for none.
func RatingSign(s *themes.Styles, a history.Answer) string {
	switch a.Rating {
	case history.Good:
		return s.Sign("+", "good")
	case history.Bad:
		return s.Sign("−", "bad")
	}
	return ""
}
