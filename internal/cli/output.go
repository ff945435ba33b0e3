package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"charm.land/bubbles/v2/progress"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
)

func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// sharedText returns a note that an entry is shared, or the name of its owner.
func sharedText(isShared bool, owner string) string {
	switch {
	case owner != "":
		return "of " + termtext.Line(owner)
	case isShared:
		return "shared"
	}
	return ""
}

// countOrNone returns a count in words, or nothing for 0.
func countOrNone(n int, one, many string) []string {
	if n == 0 {
		return nil
	}
	return []string{format.Several(n, one, many)}
}

func (a *app) printPlain(text string) error {
	if a.out.terminal {
		text = strings.Join(termtext.Wrap(termtext.Clean(text), a.out.width()), "\n") + "\n"
	}
	return a.print(strings.TrimRight(text, "\n") + "\n\n")
}

// numberOrBlank formats a number; 0 is blank.
func numberOrBlank(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (a *app) printJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return a.print(escapeJSON(b.String()))
}

// escapeJSON escapes what a terminal obeys or does not show. The values stay the same.
func escapeJSON(s string) string {
	if !strings.ContainsFunc(s, isUnsafe) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !isUnsafe(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

func isUnsafe(r rune) bool {
	return r >= 0x7F && r <= 0x9F || r == 0x2028 || r == 0x2029 || termtext.IsInvisible(r) || unicode.Is(unicode.Co, r)
}

// printStyled prints text in the colors that the output has.
func (a *app) printStyled(text string) error {
	if !a.out.styled {
		return a.print(ansi.Strip(text))
	}
	var b bytes.Buffer
	w := colorprofile.Writer{Forward: &b, Profile: a.out.profile}
	if _, err := w.WriteString(text); err != nil {
		return fmt.Errorf("style: %w", err)
	}
	return a.print(b.String())
}

// print prints to standard output. It masks secrets, which may be older than the mask or joined by the layout.
func (a *app) print(text string) error {
	_, err := io.WriteString(a.out, a.secrets.Masker().Drawn(text))
	return err
}

// printPath prints a path, cleaned on a terminal.
func (a *app) printPath(path string) error {
	if a.out.terminal {
		path = termtext.Line(path)
	}
	return a.print(path + "\n")
}

// printList prints items as JSON objects with --json, else as the rows of a table.
func printList[T any](a *app, items []T, t textTable, row func(T) []any) error {
	for _, item := range items {
		if !a.flags.json {
			t.add(row(item)...)
		} else if err := a.printJSON(item); err != nil {
			return err
		}
	}
	if a.flags.json && len(items) > 0 {
		return nil
	}
	return a.printTable(t)
}

// textTable is a table of foreign text: columns cut to the width of a terminal, tabs between cells elsewhere.
type textTable struct {
	heads []string // shown on a terminal only
	right []bool   // columns that are flush right
	rows  [][]string
	empty string // said on standard error in place of no rows
}

// newTextTable returns an empty table. Columns whose heads begin with > are flush right.
func newTextTable(heads ...string) textTable {
	t := textTable{heads: heads}
	for i, head := range heads {
		name, isRight := strings.CutPrefix(head, ">")
		t.heads[i], t.right = name, append(t.right, isRight)
	}
	return t
}

func (t *textTable) add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = termtext.Line(fmt.Sprint(c))
	}
	t.rows = append(t.rows, row)
}

func (a *app) printTable(t textTable) error {
	if len(t.rows) == 0 {
		if t.empty != "" {
			a.info(t.empty)
		}
		return nil
	}
	if !a.out.terminal {
		var b strings.Builder
		for _, row := range t.rows {
			b.WriteString(strings.Join(row, "\t") + "\n")
		}
		return a.print(b.String())
	}
	s := a.styles()
	widths := make([]int, len(t.rows[0]))
	for _, row := range append([][]string{t.heads}, t.rows...) {
		for i, c := range row {
			widths[i] = max(widths[i], ansi.StringWidth(c))
		}
	}
	var b strings.Builder
	if len(t.heads) > 0 {
		b.WriteString(s.Muted.Render(t.line(t.heads, widths, a.out.width())) + "\n")
	}
	for _, row := range t.rows {
		b.WriteString(s.Text.Render(t.line(row, widths, a.out.width())) + "\n")
	}
	return a.printStyled(b.String())
}

func (t *textTable) line(row []string, widths []int, width int) string {
	var b strings.Builder
	for i, c := range row {
		pad := strings.Repeat(" ", widths[i]-ansi.StringWidth(c))
		switch {
		case i < len(t.right) && t.right[i]:
			c = pad + c
		case i < len(row)-1:
			c += pad
		}
		if i > 0 {
			b.WriteString("  ")
		}
		b.WriteString(c)
	}
	return ansi.Truncate(b.String(), width, "…")
}

// durationOrBlank is [app.duration], blank for an unknown one.
func (a *app) durationOrBlank(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return a.duration(d)
}

// shortenName cuts a name so that a terminal has space for the other columns.
func (a *app) shortenName(s string) string {
	s = termtext.Line(s)
	if a.out.terminal {
		s = ansi.Truncate(s, max(10, a.out.width()-50), "…")
	}
	return s
}

// statusLine is a line of progress on standard error, shown on a terminal only.
type statusLine struct {
	*app
	isShown bool
	drawn   time.Time // when the bar was
}

func (l *statusLine) isWanted() bool {
	return !l.flags.quiet && l.err.terminal && l.err.styled
}

// show replaces the line. \r and EL are the only sequences needed, because the line never wraps.
func (l *statusLine) show(text string) {
	_, _ = fmt.Fprint(l.err, "\r\x1b[K"+strings.TrimRight(termtext.Fit(text, l.err.width()-1), " "))
	l.isShown = true
}

// showBar shows a bar and a text, at most ten times a second.
func (l *statusLine) showBar(done, total int, text string) {
	if !l.isWanted() || done < total && time.Since(l.drawn) < 100*time.Millisecond {
		return
	}
	l.drawn = time.Now()
	bar := progress.New(progress.WithWidth(min(30, l.err.width()/3)), progress.WithFillCharacters('█', '░'))
	l.show(ansi.Strip(bar.ViewAs(float64(done)/float64(max(1, total)))) + "  " + text)
}

// followEvents calls handle for each event, and show every second.
func followEvents[E any](l *statusLine, events <-chan E, handle func(E), show func()) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	defer l.clear()
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return
			}
			handle(e)
		case <-tick.C:
			show()
		}
	}
}

func (l *statusLine) clear() {
	if l.isShown {
		_, _ = fmt.Fprint(l.err, "\r\x1b[K")
		l.isShown = false
	}
}
