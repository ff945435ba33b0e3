package runs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/service"
)

// tally is what came of a column.
type tally struct {
	counts
	times []time.Duration // of fresh answers, sorted
}

// add counts a spot in, or with a sign of −1 out again.
func (t *tally) add(s *spot, sign int) {
	t.counts.add(s.counts, sign)
	for _, d := range s.times {
		at, _ := slices.BinarySearch(t.times, d)
		if sign > 0 {
			t.times = slices.Insert(t.times, at, d)
		} else {
			t.times = slices.Delete(t.times, at, at+1)
		}
	}
}

// table is one run.
type table struct {
	sheet
	run     service.RunTable
	columns []tally
	total   counts
	begun   []*spot // whose seconds count from the next tick on
}

// tick tells the time.
func (t *table) tick(now time.Time) {
	for _, s := range t.begun {
		s.since, s.begun = now, false
	}
	t.begun = nil
}

// newTable makes the table of a run.
func newTable(run service.RunTable) *table {
	t := &table{run: run, columns: make([]tally, len(run.Columns))}
	for _, c := range run.Columns {
		t.heads = append(t.heads, tidy(c.Name))
	}
	names := newNamer(run.Rows)
	t.heading = names.heading()
	t.rows = make([]line, len(run.Rows))
	times := make([][]time.Duration, len(run.Columns))
	repeats := 1
	for i, r := range run.Rows {
		t.rows[i] = line{name: names.name(r), faces: make([]face, len(run.Columns))}
		for j := range run.Columns {
			s := newSpot(cellsAt(r, j), nil)
			t.rows[i].faces[j] = s
			t.columns[j].counts.add(s.counts, 1)
			times[j] = append(times[j], s.times...)
			repeats = max(repeats, s.all)
		}
	}
	for j := range times {
		slices.Sort(times[j])
		t.columns[j].times = times[j]
	}
	if t.comfy, t.ample = 11, 13; repeats > 1 {
		t.comfy, t.ample = 16, 24
	}
	t.feet = []foot{
		{[]string{"passed ✓  failed ✗  errors !  skipped ?  unchecked ○", "✓ ✗ errors ! skipped ? unchecked ○",
			"✓ ✗ ! skipped ? unchecked ○", "✓ ✗ ! ? ○"}, t.footCounts},
		{[]string{"median time", "time"}, t.footTimes},
	}
	t.sum()
	t.measure()
	t.relist()
	return t
}

// put shows the same run anew: only rows that are not shared with the table
// before are looked at. It is false when the run has other rows or columns.
func (t *table) put(run service.RunTable) bool {
	if run.Facts.ID != t.run.Facts.ID || len(run.Rows) != len(t.run.Rows) || !slices.Equal(run.Columns, t.run.Columns) {
		return false
	}
	struck := false
	for i, r := range run.Rows {
		was := t.run.Rows[i]
		if sharedRow(was, r) {
			continue
		}
		if was.Prompt != r.Prompt || was.Test != r.Test {
			return false
		}
		before := t.rows[i].strikes()
		for j := range run.Columns {
			cells := cellsAt(r, j)
			if shared(cellsAt(was, j), cells) {
				continue
			}
			old := t.rows[i].faces[j].(*spot)
			s := newSpot(cells, old)
			t.rows[i].faces[j] = s
			t.columns[j].add(old, -1)
			t.columns[j].add(s, 1)
			if s.begun {
				t.begun = append(t.begun, s)
			}
		}
		struck = struck || before != t.rows[i].strikes()
	}
	t.run = run
	t.sum()
	if struck && t.only {
		t.relist()
	}
	return true
}

// sharedRow and shared tell whether two tables hold the very same cells.
func sharedRow(a, b service.RunRow) bool {
	return len(a.Cells) == len(b.Cells) && (len(a.Cells) == 0 || &a.Cells[0] == &b.Cells[0])
}

func shared(a, b []history.Cell) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func cellsAt(r service.RunRow, column int) []history.Cell {
	if column < len(r.Cells) {
		return r.Cells[column]
	}
	return nil
}

// sum adds the columns up.
func (t *table) sum() {
	t.total = counts{}
	for _, c := range t.columns {
		t.total.add(c.counts, 1)
	}
	// Of a run that was read from its cells, what was not asked for is no cell.
	if more := t.run.Facts.Planned - t.total.all; more > 0 {
		t.total.all += more
		t.total.open += more
	}
}

// mostValue and mostPrompt bound what of a name each part may take, in
// terminal cells.
const (
	mostValue  = 28
	mostPrompt = 28
)

// namer says rows in a few words: by the prompt where there are several, and
// by the values of the variables that are not the same in all rows.
type namer struct {
	prompts bool
	names   []string // of the variables
	all     bool     // every row has them: their names are said above
}

func newNamer(rows []service.RunRow) namer {
	prompts, first := map[string]bool{}, map[string]string{}
	has, differ, long := map[string]int{}, map[string]bool{}, map[string]int{}
	for _, r := range rows {
		prompts[r.Prompt] = true
		for name, v := range r.Vars {
			if has[name] > 0 && first[name] != v {
				differ[name] = true
			}
			first[name] = v
			has[name]++
			long[name] = max(long[name], min(len(v), mostValue))
		}
	}
	n := namer{prompts: len(prompts) > 1, all: true}
	for name, in := range has {
		if differ[name] || in < len(rows) {
			n.names = append(n.names, name)
			n.all = n.all && in == len(rows)
		}
	}
	// Short values first: what is cut off a name is then the end of a long one.
	slices.SortFunc(n.names, func(a, b string) int { return cmp.Or(cmp.Compare(long[a], long[b]), cmp.Compare(a, b)) })
	return n
}

// heading is what stands above the names.
func (n namer) heading() string {
	if len(n.names) == 0 || !n.all {
		return "prompt"
	}
	said := tidy(strings.Join(n.names, " · "))
	if n.prompts {
		return "prompt · " + said
	}
	return said
}

func (n namer) name(r service.RunRow) string {
	said := values(r.Vars, n.names, "=", "  ", mostValue)
	if n.all {
		said = values(r.Vars, n.names, "", " · ", mostValue)
	}
	if r.About != "" {
		about := ansi.Truncate(tidy(r.About), mostPrompt, "…")
		if said == "" && !n.prompts {
			return about
		}
		said = strings.TrimSuffix(about+" · "+said, " · ")
	}
	prompt := n.prompt(r)
	switch {
	case said == "":
		return ansi.Truncate(prompt, widest, "…")
	case !n.prompts:
		return said
	case n.all:
		return ansi.Truncate(prompt, mostPrompt, "…") + " · " + said
	}
	return ansi.Truncate(prompt, mostPrompt, "…") + "  " + said
}

// prompt names a prompt: by its name where the suite has one, else by how it
// begins, after its number where there are several.
func (n namer) prompt(r service.RunRow) string {
	name := tidy(r.Prompt)
	if _, err := strconv.Atoi(name); err != nil || r.Text == "" {
		return name
	}
	if n.prompts {
		return name + " " + tidy(r.Text)
	}
	return tidy(r.Text)
}

// said is a prompt with its beginning, for the line that says all.
func said(r service.RunRow) string {
	text := "prompt " + tidy(r.Prompt)
	if r.About != "" {
		text = tidy(r.About) + "  " + text
	}
	if r.Text == "" || r.Text == r.Prompt {
		return text
	}
	return text + ": " + tidy(r.Text)
}

// marks says in signs how what has ended came out.
func marks(c counts) (string, tone) {
	text, look := fmt.Sprintf("%d%s", c.passed, signPassed), plain
	if c.failed > 0 {
		text, look = text+fmt.Sprintf(" %d%s", c.failed, signFailed), bad
	}
	if c.errors > 0 {
		text += fmt.Sprintf(" %d%s", c.errors, signError)
		if c.failed == 0 {
			look = trouble
		}
	}
	if c.skipped > 0 {
		text += fmt.Sprintf(" %d%s", c.skipped, signSkipped)
		if c.failed == 0 {
			look = trouble
		}
	}
	if c.unchecked > 0 {
		text += fmt.Sprintf(" %d%s", c.unchecked, signUnchecked)
	}
	return text, look
}

// footCounts says how a column fared.
func (t *table) footCounts(col, w int) (string, tone) {
	c := t.columns[col].counts
	text, look := marks(c)
	return fitting(w, text, strings.ReplaceAll(text, " ", "")), look
}

// footTimes says how long the answers of a column took.
func (t *table) footTimes(col, w int) (string, tone) {
	times := t.columns[col].times
	if len(times) == 0 {
		return "", plain
	}
	text := brief(format.Summarize(times).Median)
	if len(times) > 1 {
		return fitting(w, fmt.Sprintf("%s (%.1f–%.1f)", text, times[0].Seconds(), times[len(times)-1].Seconds()), text), plain
	}
	return text, plain
}

// facts says all there is to say of the focused cell.
func (t *table) facts(m moment) (cell, row string) {
	at := t.row()
	if at < 0 {
		return t.nothing(m), ""
	}
	r := t.run.Rows[at]
	row = fmt.Sprintf("row %d  %s", at+1, said(r))
	if said := values(r.Vars, namesOf(r.Vars), " = ", "   ", 0); said != "" {
		row += "   " + said
	}
	f, ok := t.face().(*spot)
	if !ok {
		return "", row
	}
	return fmt.Sprintf("%d %s  %s", t.col+1, t.heads[t.col], f.facts(m)), row
}

// nothing says why no row is listed.
func (t *table) nothing(moment) string {
	switch {
	case len(t.rows) == 0:
		return "Nothing of this run was asked for yet."
	case t.only:
		return "No prompt has a failure."
	}
	return ""
}
