package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/compare"
	"confab/ui/compose"
	"confab/ui/keys"
	"confab/ui/part"
)

// screenMode is what fills the screen between header and footer.
type screenMode int

const (
	modePanes      screenMode = iota // the panes
	modeDocked                       // the panes, with the comparison in the place of the conversation
	modeComparison                   // answers side by side, instead of the panes
	modeTable                        // the table of a run, or of two, instead of the panes
)

// view returns the view that takes the place of the conversation or of all panes; nil for none.
func (m *Model) view() part.Pane {
	switch m.mode {
	case modeTable:
		return m.table
	case modeDocked, modeComparison:
		return m.compare
	}
	return nil
}

// showsComparison tells whether answers are shown side by side.
func (m *Model) showsComparison() bool { return m.mode == modeDocked || m.mode == modeComparison }

// setMode shows a mode of the screen. Views that take the place of the panes have the focus of the conversation.
func (m *Model) setMode(to screenMode) tea.Cmd {
	before := m.pane(m.focus)
	if !m.showsComparison() {
		m.behind = m.mode
	}
	m.mode = to
	if to == modeComparison || to == modeTable {
		m.focus = action.PaneConversation
	}
	var cmd tea.Cmd
	if after := m.pane(m.focus); after != before {
		before.SetFocused(false)
		cmd = after.SetFocused(true)
	}
	m.relayout()
	return tea.Batch(cmd, m.readRecent())
}

// setFocus moves the focus to a pane. A view that took the place of the panes goes.
func (m *Model) setFocus(p action.Pane) tea.Cmd {
	if p == m.focus {
		return nil
	}
	m.pane(m.focus).SetFocused(false)
	if m.mode != modeDocked {
		m.mode = modePanes
	}
	m.focus = p
	cmd := m.pane(p).SetFocused(true)
	m.relayout()
	if p == action.PaneModels {
		return tea.Batch(cmd, m.do(action.AskEngines{}))
	}
	return cmd
}

// leaveView leaves the table for the conversation, and the comparison for what it was opened from: the table of a run,
// or the conversation, at the answer that was looked at.
func (m *Model) leaveView() tea.Cmd {
	if m.mode == modeTable {
		return m.setMode(modePanes)
	}
	reader := m.compare.Reader()
	m.sideBySide.stacked, _ = m.compare.Focused()
	keep := action.SaveSetting{Name: "layouts", Value: m.compare.ChosenLayouts()}
	cmd := m.setMode(m.behind)
	if m.mode == modePanes && reader != nil && (m.focus == action.PaneConversation || m.turns.Running() == 0) {
		m.conversation.GoOn(reader) // what grows is followed at its end until somebody reads it
	}
	return tea.Batch(cmd, m.do(keep))
}

// followStart shows the start page while the session has no turns, and the conversation once it has. A page that comes
// back is read anew: what it shows may have been deleted meanwhile.
func (m *Model) followStart() tea.Cmd {
	shows := len(m.turns.Window()) == 0
	if shows {
		m.start.SetTexts(m.startTexts())
	}
	if shows == m.showsStart {
		return nil
	}
	before := m.pane(m.focus)
	m.showsStart = shows
	var cmd tea.Cmd
	if after := m.pane(m.focus); after != before {
		before.SetFocused(false)
		cmd = after.SetFocused(true)
	}
	m.relayout()
	return tea.Batch(cmd, m.readRecent())
}

// readRecent reads the history for the start page where that is shown.
func (m *Model) readRecent() tea.Cmd {
	if !m.showsStart || m.mode != modePanes {
		return nil
	}
	return m.do(action.ReadRecent{})
}

// startExamples are the examples of the start page, with their keys.
func startExamples(m keys.Map) (examples []browse.Example) {
	for _, e := range compose.Examples() {
		examples = append(examples, browse.Example{Key: m.Key(keys.Prompt, e.Command), Title: e.Title, Shows: e.Shows,
			Models: e.Compose.Models, IsPicture: e.Compose.Aspect != nil})
	}
	return examples
}

// startTexts is what the start page says that is not in the history.
func (m *Model) startTexts() browse.StartTexts {
	t := browse.StartTexts{Unfinished: m.composer.OfferText(), IsBegun: m.composer.HasChoices()}
	switch e := m.engines.Endpoint(); {
	case m.engines.Offer() != "":
		t.Service = m.engines.Offer()
	case e.IsSimulated:
		t.Service = m.o.Start.NextSteps
	case !e.IsEmbedded:
		t.Service = "Answers come from " + e.Host + "."
	}
	return t
}

// canContinue tells whether the key that sends continues the session used last, as the start page says.
func (m *Model) canContinue() bool {
	return m.focus == action.PanePrompt && m.composer.IsEmpty() && m.showsStart && m.view() == nil &&
		!m.layout.Panes[action.PaneConversation].Empty() && m.start.Continue() != nil
}

// nextPane moves the focus by one pane.
func (m *Model) nextPane(by int) action.Action {
	order := m.layout.TabOrder()
	return action.Focus{Pane: order[(slices.Index(order, m.focus)+by+len(order))%len(order)]}
}

// sideBySideWidth is the width of a box: narrower screens open turns below each other.
const sideBySideWidth = 40

// sideBySideChoice is what the person chose for turns to several models.
type sideBySideChoice struct {
	isOn    bool  // they open side by side
	stacked int64 // the turn whose answers were put below each other last: it stays so
}

// opensSideBySide tells whether a turn opens side by side on a screen of w cells.
func opensSideBySide(t history.Turn, choice sideBySideChoice, w int) bool {
	return len(t.Models()) > 1 && choice.isOn && t.ID != choice.stacked && w >= sideBySideWidth
}

// showSent shows turns that were recorded, in the session that was made for them or the open one.
func (m *Model) showSent(a action.TurnsSent) (action.Action, tea.Cmd) {
	var join tea.Cmd
	last := a.Sent[len(a.Sent)-1]
	if a.Joins {
		join = m.sessions.Join(last.Turn.Session)
	}
	follow := tea.Batch(m.turns.FollowAll(a.Sent[:len(a.Sent)-1]), m.followTurn(action.FollowTurn(last)))
	return m.openSent(a.Sent[0].Turn, len(a.Sent) > 1), tea.Sequence(join, follow)
}

// followTurn shows a turn that was sent and follows its events.
func (m *Model) followTurn(a action.FollowTurn) tea.Cmd {
	follow := m.turns.Follow(a.Turn, a.Events)
	m.showTurn(a.Turn)
	if a.Turn.Session == m.Session().ID {
		m.composer.OffersExamples = false
		follow = tea.Batch(follow, m.sessions.StoreOpen())
	}
	return tea.Batch(follow, m.composer.SaveDraftNow(), m.sessions.Refresh())
}

// showTurn shows a turn anew wherever it is shown.
func (m *Model) showTurn(t history.Turn) {
	if t.Session == m.Session().ID {
		m.conversation.PutTurn(t)
	} else {
		m.turns.Put(t)
	}
}

// openSent shows what was just sent: the table of a batch, the answers of several models side by side above the prompt,
// otherwise the conversation. Nothing moves unless the prompt has the focus and no dialog is open: somebody reads.
func (m *Model) openSent(t history.Turn, isBatch bool) action.Action {
	if m.focus != action.PanePrompt || m.IsCovered() || t.Session != m.Session().ID {
		return nil
	}
	switch {
	case isBatch:
		return action.ShowTable{Turn: t.ID}
	case opensSideBySide(t, m.sideBySide, m.w):
		m.dock(t)
	case m.mode == modeDocked:
		m.setMode(modePanes)
	}
	return nil
}

// dock shows the answers of a turn side by side in the place of the conversation. The focus stays where it is.
func (m *Model) dock(t history.Turn) {
	m.compare.ShowTurn(t, 0)
	m.setMode(modeDocked)
}

// toggleSideBySide goes from the conversation to the answers of a turn side by side, or back. Later turns to several
// models open as was chosen.
func (m *Model) toggleSideBySide() action.Action {
	if m.showsComparison() && m.compare.Case().Run == 0 {
		m.sideBySide.isOn = false
		return action.LeaveComparison{}
	}
	if t, ok := m.turnToDock(); ok {
		m.sideBySide.isOn = true
		m.dock(t)
		return nil
	}
	m.sideBySide.isOn = !m.sideBySide.isOn
	text := "Turns to several models open in the conversation."
	if m.sideBySide.isOn {
		text = "Turns to several models open side by side."
	}
	return action.Notify{Severity: action.Info, Text: text}
}

// turnToDock is the turn whose answers can be shown side by side: the one that is read while the conversation has the
// focus, else the newest.
func (m *Model) turnToDock() (history.Turn, bool) {
	turns := m.turns.Window()
	if m.mode != modePanes || len(turns) == 0 {
		return history.Turn{}, false
	}
	t := turns[len(turns)-1]
	if focused, _, ok := m.conversation.Focused(); ok && m.focus == action.PaneConversation {
		t = focused
	}
	return t, len(t.Answers) > 1
}

// sideBySideHint names the key that switches between side by side and below each other, where that can be done.
func (m *Model) sideBySideHint() []keys.Hint {
	if m.mode == modeDocked {
		back := "chat"
		if m.compare.Case().HasOtherTurns {
			back = compare.AllTurns
		}
		return slices.Concat(m.o.Keys.HintAs(keys.Everywhere, keys.NextPane, "answers"),
			m.o.Keys.HintAs(keys.Everywhere, keys.SideBySide, back))
	}
	if _, ok := m.turnToDock(); !ok {
		return nil
	}
	return m.o.Keys.Hints(keys.Everywhere, keys.SideBySide)
}
