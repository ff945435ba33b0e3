package runs

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/themes"
	"confab/ui/keys"
	"confab/ui/part"
)

// View is the table of a run, or of two.
type View struct {
	keys    keys.Map
	styles  *themes.Styles
	inks    inks
	w, h    int
	focused bool
	now     time.Time
	live    int64     // the run that goes on here; 0 for none
	began   time.Time // when it did

	table   *table   // nil before there is one
	changes *changes // shown above the table; nil while it is not
	plan    plan
}

var _ part.Pane = (*View)(nil)

// New returns an empty view.
func New(m keys.Map, s *themes.Styles) *View {
	v := &View{keys: m}
	v.SetStyles(s)
	return v
}

// SetTable shows a run. Focus, window and what is listed are kept while it is
// the same run. Rows that are shared with the table before, as
// [service.RunTable.Put] leaves them, are not looked at again.
func (v *View) SetTable(t service.RunTable) {
	v.changes = nil
	if v.table == nil || !v.table.put(t) {
		old := v.table
		v.table = newTable(t)
		if old != nil && old.run.Facts.ID == t.Facts.ID {
			v.table.keep(&old.sheet)
		}
	}
	v.layout()
}

// keep takes the place over from an earlier table of the same run, which had
// other rows.
func (s *sheet) keep(old *sheet) {
	s.only, s.top, s.left, s.col, s.last = old.only, old.top, old.left, old.col, old.last
	if r := old.row(); r >= 0 {
		s.last = r
	}
	s.listed = nil // so that the first of them is not taken for the focus
	s.relist()
}

// SetChanges shows what changed from run a to run b, above the table, to which
// [View.Back] returns. The changes are those of [service.Service.CompareRuns],
// in their order.
func (v *View) SetChanges(a, b history.Run, all []service.CellChange) {
	v.changes = newChanges(a, b, all)
	v.layout()
}

// Changes tells whether two runs are shown.
func (v *View) Changes() bool { return v.changes != nil }

// SetLive tells which run goes on here, and since when; 0 for none. A run with a
// cell that runs goes on in any case, perhaps elsewhere.
func (v *View) SetLive(run int64, began time.Time) { v.live, v.began = run, began }

// Tick tells the time, for the seconds of what runs.
func (v *View) Tick(now time.Time) {
	v.now = now
	if v.table != nil {
		v.table.tick(now)
	}
}

// Row returns the focused row of the run's table, from 0; −1 while there is
// none.
func (v *View) Row() int {
	if v.table == nil {
		return -1
	}
	return v.table.row()
}

// Column returns the focused column of the run's table, from 0.
func (v *View) Column() int {
	if v.table == nil {
		return 0
	}
	return v.table.col
}

// Target tells which cell is focused.
func (v *View) Target() string {
	s := v.sheet()
	if s == nil {
		return ""
	}
	return fmt.Sprint(v.changes != nil, s.row(), s.col)
}

// Focus moves the focus to a cell of the run's table, as far as it is there
// and listed.
func (v *View) Focus(row, column int) {
	if v.table == nil {
		return
	}
	for i, r := range v.table.listed {
		if r == row {
			v.table.at = i
		}
	}
	v.table.col = column
	v.table.move(0, 0)
	v.layout()
}

// Back closes the top layer of the view; it tells whether there was one.
func (v *View) Back() bool {
	if v.changes == nil || v.table == nil {
		return false
	}
	v.changes = nil
	v.layout()
	return true
}

// SetSize implements [part.Pane].
func (v *View) SetSize(w, h int) { v.w, v.h = w, h; v.layout() }

// SetStyles implements [part.Pane].
func (v *View) SetStyles(s *themes.Styles) { v.styles, v.inks = s, newInks(s) }

// SetFocused implements [part.Pane].
func (v *View) SetFocused(focused bool) tea.Cmd { v.focused = focused; return nil }

// Scope implements [part.Pane].
func (v *View) Scope() keys.Scope { return keys.Runs }

// Cursor implements [part.Pane].
func (v *View) Cursor() *tea.Cursor { return nil }

// sheet returns the table that is shown; nil for none.
func (v *View) sheet() *sheet {
	switch {
	case v.changes != nil:
		return &v.changes.sheet
	case v.table != nil:
		return &v.table.sheet
	}
	return nil
}

// layout arranges the view anew and keeps the focus in sight.
func (v *View) layout() {
	s := v.sheet()
	if s == nil {
		return
	}
	v.plan = arrange(room{w: v.w, h: v.h, rows: len(s.rows), columns: len(s.heads), wide: s.wide, comfy: s.comfy,
		ample: s.ample, feet: len(s.feet)})
	s.window(v.plan)
	s.name.fit(v.plan.name, func(yield func(string) bool) {
		for i := range s.rows {
			if !yield(s.rows[i].name) {
				return
			}
		}
	})
	s.head.fit(v.plan.cell-len(strconv.Itoa(len(s.heads)))-1, slices.Values(s.heads))
}

// moment returns what the look of a cell depends on now.
func (v *View) moment() moment { return moment{now: v.now, live: v.goes()} }

// goes tells whether the run of the table goes on.
func (v *View) goes() bool { return v.table != nil && (v.here() || v.table.total.running > 0) }

// here tells whether the run of the table goes on in this program.
func (v *View) here() bool { return v.live != 0 && v.live == v.table.run.Facts.ID }

// inks are what the parts of the table are drawn in.
type inks struct {
	cells                                        [tones]themes.Style
	text, strong, muted, faint, accent, selected themes.Style
	progress                                     themes.Style
}

func newInks(s *themes.Styles) inks {
	var i inks
	i.text, i.strong, i.muted, i.faint = s.Text, s.Strong, s.Muted, s.Faint
	i.accent, i.selected, i.progress = s.Accent, s.Selected, s.Progress
	i.cells = [tones]themes.Style{plain: i.text, good: s.Success, bad: s.Danger,
		trouble: s.Warning, busy: s.Info, quiet: i.faint}
	return i
}
