package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// noticeTime is how long a change that no key of the person has made must have been on screen before a key acts on what
// it has put under the cursor. A key that comes sooner was pressed on what was painted before.
const noticeTime = 200 * time.Millisecond

// target is what keys act on: the top layer, and what is selected in it.
type target struct {
	dialogs  int
	dialog   string
	mode     screenMode
	focus    action.Pane
	selected string
}

// targeted is a layer that can tell what is selected in it, by a text that is the same as long as that is the same.
type targeted interface{ Target() string }

// guard notices when what keys act on changes by itself.
type guard struct {
	target target
	since  time.Time // when the target changed by itself; zero when the person changed it
}

// target returns what keys act on now.
func (m *Model) target() target {
	if top := m.dialogs.Top(); top != nil {
		t := target{dialogs: m.dialogs.Len(), dialog: top.Name()}
		if of, ok := top.(targeted); ok {
			t.selected = of.Target()
		}
		return t
	}
	t := target{mode: m.mode, focus: m.focus}
	if of, ok := m.pane(m.focus).(targeted); ok {
		t.selected = of.Target()
	}
	return t
}

// follow notes a change of the target after an update.
func (g *guard) follow(now target, isFromPerson bool, at time.Time) {
	if now == g.target {
		return
	}
	g.target, g.since = now, at
	if isFromPerson {
		g.since = time.Time{}
	}
}

// isFromPerson tells whether a message is input, also a key that was held back for a moment.
func (m *Model) isFromPerson(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.MouseMsg, tea.PasteMsg:
		return true
	case part.Result:
		return msg.To == part.Receiver(m.pastes)
	}
	return false
}

// changedJustNow tells whether the target changed by itself so recently that a key is not meant for it.
func (g *guard) changedJustNow(at time.Time) bool { return at.Sub(g.since) < noticeTime }

// tooSoon returns what is said instead of doing what a key stands for, when it would act on something that has just
// come under the cursor by itself; ok is false for a key that may act.
func (m *Model) tooSoon(msg keys.Press) (wish action.Action, ok bool) {
	if !m.guard.changedJustNow(m.o.Now()) || !m.actsOnTarget(msg) {
		return nil, false
	}
	return action.Notify{Severity: action.Warn,
		Text: "What is selected has just changed: look, and press " + msg.String() + " again."}, true
}

// actsOnTarget tells whether a key does something with what is selected, rather than moving, typing or opening a layer.
func (m *Model) actsOnTarget(msg keys.Press) bool {
	if m.dialogs.Len() == 0 && m.capturesText() {
		return false // a letter of what is searched for, or a key that ends the search
	}
	switch msg.Command {
	case keys.Delete, keys.Remove, keys.Again, keys.Another, keys.ResumeFailed, keys.StopAnswer, keys.StopRun,
		keys.ResumeRun,
		keys.RateGood, keys.RateBad, keys.MarkWinner, keys.AddNote, keys.UseAsSource, keys.Edit, keys.EditPrompt,
		keys.Rename, keys.Fork, keys.Export, keys.CopyAnswer, keys.CopyPath, keys.CopyCode, keys.OpenPicture,
		keys.VoteA, keys.VoteB, keys.VoteEqual, keys.VoteBad, keys.MarkPicture, keys.MarkModel, keys.OpenCell,
		keys.Pin, keys.MarkEmpty, keys.CompareAnswers, keys.ViewLarge, keys.EditChain, keys.Inspect, keys.Write:
		return true
	case keys.Yes, keys.Accept:
		return m.topIs("confirm")
	case keys.Choose: // of a list that was just filtered, enter takes the first that is found
		b, ok := m.dialogs.Top().(interface{ Searched() bool })
		return ok && !b.Searched()
	}
	return false
}

func (m *Model) topIs(name string) bool {
	top := m.dialogs.Top()
	return top != nil && top.Name() == name
}
