package runs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/service"
)

// difference counts what changed between two runs.
type difference struct {
	same, differ, added, gone int // cells
	fell, rose, other         int // checks; other came, went, or were skipped in one run
	worse, better             int // cells whose verdict fell or rose
	timesA, timesB            []time.Duration
}

func (d *difference) add(c *service.CellChange) {
	switch {
	case c.A == nil:
		d.added++
	case c.B == nil:
		d.gone++
	case c.Same():
		d.same++
	default:
		d.differ++
	}
	for _, check := range c.Checks {
		switch {
		case check.A == "passed" && check.B == "failed":
			d.fell++
		case check.A == "failed" && check.B == "passed":
			d.rose++
		default:
			d.other++
		}
	}
	if c.A != nil && c.B != nil {
		switch a, b := verdict(c.A), verdict(c.B); {
		case c.B.Verdict() == history.CellFailed || c.B.Verdict() == history.CellError, a == signPassed:
			if a != b {
				d.worse++
			}
		case b == signPassed && a != b:
			d.better++
		}
	}
	if fresh(c.A) {
		d.timesA = append(d.timesA, c.A.Elapsed)
	}
	if fresh(c.B) {
		d.timesB = append(d.timesB, c.B.Elapsed)
	}
}

func (d *difference) sort() {
	slices.Sort(d.timesA)
	slices.Sort(d.timesB)
}

// summary says what changed in one line.
func (d *difference) summary(how length) string {
	parts := []string{fmt.Sprintf("%d same", d.same), fmt.Sprintf("%d differ", d.differ)}
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, text)
		}
	}
	fell, rose, middle := format.Count(d.fell, "check")+" fell", format.Count(d.rose, "check")+" rose", "median time "
	if how == terse {
		middle = ""
		if d.fell > 0 {
			rose = fmt.Sprintf("%d rose", d.rose)
		}
	}
	add(d.fell, fell)
	add(d.rose, rose)
	add(d.other, format.Count(d.other, "check")+" came or went")
	add(d.added, fmt.Sprintf("%d new", d.added))
	add(d.gone, fmt.Sprintf("%d gone", d.gone))
	if len(d.timesA) > 0 && len(d.timesB) > 0 {
		parts = append(parts,
			fmt.Sprintf("%s%s → %s", middle, format.Seconds(format.Summarize(d.timesA).Median),
				format.Seconds(format.Summarize(d.timesB).Median)))
	}
	return strings.Join(parts, ", ")
}

// changes are two runs, cell by cell.
type changes struct {
	sheet
	a, b    history.Run
	places  []service.RunRow // what the rows are; without cells
	columns []difference
	total   difference
}

// newChanges makes the table of two runs.
func newChanges(a, b history.Run, all []service.CellChange) *changes {
	c := &changes{a: a, b: b}
	p := places{rows: map[string]int{}, alike: map[string][]int{}, columns: map[column]int{}}
	for i := range all {
		p.put(&all[i])
	}
	names := newNamer(p.list)
	c.heading = names.heading()
	c.places, c.heads, c.columns = p.list, p.heads, make([]difference, len(p.heads))
	c.rows = make([]line, len(p.list))
	for i := range p.list {
		c.rows[i] = line{name: names.name(p.list[i]), faces: make([]face, len(p.heads))}
		for j := range p.heads {
			var at []*service.CellChange
			if j < len(p.at[i]) {
				at = p.at[i][j]
			}
			for _, change := range at {
				c.columns[j].add(change)
				c.total.add(change)
			}
			c.rows[i].faces[j] = newShift(at)
		}
	}
	for j := range c.columns {
		c.columns[j].sort()
	}
	c.total.sort()
	c.comfy, c.ample = 12, 15
	c.feet = []foot{
		{[]string{"same =  differ ≠  new +  gone −", "same = differ ≠ new + gone −", "same= differ≠ new+ gone−",
			"cells = ≠ + −", "= ≠ + −"}, c.footCells},
		{[]string{"checks fell ↓  rose ↑  other ±", "checks fell ↓ rose ↑ other ±", "checks fell↓ rose↑ other±",
			"checks ↓ ↑ ±", "↓ ↑ ±"}, c.footChecks},
		{[]string{"median time", "time"}, c.footTimes},
	}
	c.measure()
	c.relist()
	return c
}

// column is what a column of two runs is known by.
type column struct {
	provider, model string
	nth             int // of the providers with the same name, from 0
}

// places puts changes into rows and columns.
type places struct {
	list    []service.RunRow
	at      [][][]*service.CellChange // by row, column, repetition
	heads   []string
	rows    map[string]int   // by test, prompt and values
	alike   map[string][]int // by prompt and values
	columns map[column]int
}

func (p *places) put(c *service.CellChange) {
	cell := cmp.Or(c.B, c.A)
	row := p.row(cell, c.B == nil)
	col := column{provider: cell.Provider, model: cell.Model}
	for {
		j, ok := p.columns[col]
		if !ok {
			j = len(p.heads)
			p.columns[col] = j
			p.heads = append(p.heads, headOf(cell))
		}
		for len(p.at[row]) <= j {
			p.at[row] = append(p.at[row], nil)
		}
		taken := func(x *service.CellChange) bool { return cmp.Or(x.B, x.A).Repeat == cell.Repeat }
		if !slices.ContainsFunc(p.at[row][j], taken) {
			p.at[row][j] = append(p.at[row][j], c)
			return
		}
		col.nth++
	}
}

// row returns the row of a cell. One that only the first run has belongs where
// its prompt and values are, though the tests may have other numbers by now.
func (p *places) row(cell *history.Cell, gone bool) int {
	alike := fmt.Sprintf("%q %q", cell.Prompt, cell.Vars)
	key := fmt.Sprint(cell.Test, " ", alike)
	if i, ok := p.rows[key]; ok {
		return i
	}
	if same := p.alike[alike]; gone && len(same) == 1 {
		return same[0]
	}
	i := len(p.list)
	p.list = append(p.list, service.RunRow{Prompt: cell.Prompt, Test: cell.Test, Vars: cell.Vars})
	p.at = append(p.at, nil)
	p.rows[key] = i
	p.alike[alike] = append(p.alike[alike], i)
	return i
}

// headOf is what the suite calls a model, without what it is for.
func headOf(c *history.Cell) string {
	name := c.Provider
	for _, prefix := range []string{"llm:", "image:", "edit:"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return tidy(cmp.Or(name, c.Model))
}

func (c *changes) footCells(col, w int) (string, tone) {
	d := c.columns[col]
	look := quiet
	text := fmt.Sprintf("%d=", d.same)
	for _, x := range []struct {
		n    int
		sign string
	}{{d.differ, "≠"}, {d.added, "+"}, {d.gone, "−"}} {
		if x.n > 0 {
			text += fmt.Sprintf(" %d%s", x.n, x.sign)
			look = trouble
		}
	}
	return fitting(w, text), look
}

func (c *changes) footChecks(col, w int) (string, tone) {
	d := c.columns[col]
	look, text := quiet, ""
	if d.rose > 0 {
		look, text = good, fmt.Sprintf("%d↑", d.rose)
	}
	if d.fell > 0 {
		look, text = bad, strings.TrimSpace(fmt.Sprintf("%d↓ %s", d.fell, text))
	}
	if d.other > 0 {
		text = strings.TrimSpace(fmt.Sprintf("%s %d±", text, d.other))
	}
	return fitting(w, text), look
}

func (c *changes) footTimes(col, w int) (string, tone) {
	d := c.columns[col]
	if len(d.timesA) == 0 || len(d.timesB) == 0 {
		return "", quiet
	}
	a, b := brief(format.Summarize(d.timesA).Median), brief(format.Summarize(d.timesB).Median)
	return fitting(w, a+" → "+b, strings.TrimSuffix(a, "s")+"→"+b), plain
}

// facts says exactly what changed in the focused cell.
func (c *changes) facts(m moment) (cell, row string) {
	at := c.row()
	if at < 0 {
		return c.nothing(m), ""
	}
	r := c.places[at]
	row = fmt.Sprintf("row %d  prompt %s", at+1, tidy(r.Prompt))
	if said := values(r.Vars, namesOf(r.Vars), " = ", "   ", 0); said != "" {
		row += "   " + said
	}
	f, ok := c.face().(*shift)
	if !ok {
		return "", row
	}
	return fmt.Sprintf("%d %s  %s", c.col+1, c.heads[c.col], f.facts(c.a.ID, c.b.ID)), row
}

// nothing says why no row is listed.
func (c *changes) nothing(moment) string {
	switch {
	case len(c.rows) == 0:
		return "Neither of the runs has a cell."
	case c.only:
		return "No cell differs between the two runs."
	}
	return ""
}
