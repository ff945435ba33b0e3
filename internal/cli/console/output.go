package console

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
	"confab/service/api"
)

// Choose returns one of two texts.
func Choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// SharedText says that an entry is shared, and by whom where it is another user's.
func SharedText(isShared bool, owner string) string {
	switch {
	case owner != "":
		return "of " + termtext.Line(owner)
	case isShared:
		return "shared"
	}
	return ""
}

// CountOrNone returns a count in words, or nothing of nothing.
func CountOrNone(n int, one, many string) []string {
	if n == 0 {
		return nil
	}
	return []string{format.Several(n, one, many)}
}

// PrintPlain prints a text that is not markdown.
func (c *Console) PrintPlain(text string) error {
	if c.Out.Terminal {
		text = strings.Join(termtext.Wrap(termtext.Clean(text), c.Out.Width()), "\n") + "\n"
	}
	return c.Print(strings.TrimRight(text, "\n") + "\n\n")
}

// NumberOrBlank writes a count; none is left out.
func NumberOrBlank(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// PrintJSON prints a value on a line of its own.
func (c *Console) PrintJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return c.Print(EscapeJSON(b.String()))
}

// EscapeJSON writes what a terminal might obey, or not show, as JSON escapes: the value stays the same to the byte.
func EscapeJSON(s string) string {
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

// PrintStyled prints text with styles in as many colors as there are, and without them where there shall be none.
func (c *Console) PrintStyled(text string) error {
	if !c.Out.Styled {
		return c.Print(ansi.Strip(text))
	}
	var b bytes.Buffer
	w := colorprofile.Writer{Forward: &b, Profile: c.Out.Profile}
	if _, err := w.WriteString(text); err != nil {
		return fmt.Errorf("style: %w", err)
	}
	return c.Print(b.String())
}

// Output returns standard output for libraries, whose errors are those of Print.
func (c *Console) Output() io.Writer { return printer{c} }

// printer writes with [Console.Print].
type printer struct{ *Console }

// Write implements [io.Writer].
func (p printer) Write(b []byte) (int, error) {
	if err := p.write(b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Print prints a text to standard output. Secrets in it are masked: laying it out may have put one together, or it was
// stored before one was known.
func (c *Console) Print(text string) error { return c.write([]byte(c.Secrets.Masker().Drawn(text))) }

func (c *Console) write(b []byte) error {
	if _, err := c.Out.Write(b); err != nil {
		return &api.Error{Code: api.CodeDisk, Message: "standard output could not be written", Err: err}
	}
	return nil
}

// PrintPath prints a path: as it is for programs, cleaned for a terminal.
func (c *Console) PrintPath(path string) error {
	if c.Out.Terminal {
		path = termtext.Line(path)
	}
	return c.Print(path + "\n")
}

// PrintList prints items: each as a JSON object on a line of its own where --json asks for it, or all as the rows of a
// table.
func PrintList[T any](c *Console, items []T, t Table, row func(T) []any) error {
	for _, item := range items {
		if !c.Flags.JSON {
			t.Add(row(item)...)
		} else if err := c.PrintJSON(item); err != nil {
			return err
		}
	}
	return c.PrintTable(t)
}

// Table is printed in columns on a terminal, cut to its width, and with tabs between its cells elsewhere. Its cells are
// foreign text.
type Table struct {
	Heads []string // shown on a terminal only
	right []bool   // columns that are flush right
	rows  [][]string
}

// NewTable returns a table without rows. Columns whose heads begin with > are flush right.
func NewTable(heads ...string) Table {
	t := Table{Heads: heads}
	for i, head := range heads {
		name, isRight := strings.CutPrefix(head, ">")
		t.Heads[i], t.right = name, append(t.right, isRight)
	}
	return t
}

// Add adds a row.
func (t *Table) Add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = termtext.Line(fmt.Sprint(c))
	}
	t.rows = append(t.rows, row)
}

// PrintTable prints a table; an empty one prints nothing.
func (c *Console) PrintTable(t Table) error {
	if len(t.rows) == 0 {
		return nil
	}
	if !c.Out.Terminal {
		var b strings.Builder
		for _, row := range t.rows {
			b.WriteString(strings.Join(row, "\t") + "\n")
		}
		return c.Print(b.String())
	}
	s := c.Styles()
	widths := make([]int, len(t.rows[0]))
	for _, row := range append([][]string{t.Heads}, t.rows...) {
		for i, c := range row {
			widths[i] = max(widths[i], ansi.StringWidth(c))
		}
	}
	var b strings.Builder
	if len(t.Heads) > 0 {
		b.WriteString(s.Muted.Render(t.line(t.Heads, widths, c.Out.Width())) + "\n")
	}
	for _, row := range t.rows {
		b.WriteString(s.Text.Render(t.line(row, widths, c.Out.Width())) + "\n")
	}
	return c.PrintStyled(b.String())
}

// line lays one row out, cut to the width of the terminal.
func (t *Table) line(row []string, widths []int, width int) string {
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

// Seconds writes a duration as screens do.
func Seconds(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1fs", d.Seconds())
}

// ShortenName cuts a name that would push other columns off a terminal.
func (c *Console) ShortenName(s string) string {
	s = termtext.Line(s)
	if c.Out.Terminal {
		s = ansi.Truncate(s, max(10, c.Out.Width()-50), "…")
	}
	return s
}

// StatusLine is a line on standard error that tells how far something is, and is written over. It is shown on a
// terminal only.
type StatusLine struct {
	*Console
	isShown bool
	drawn   time.Time // when the bar was
}

// IsWanted reports whether there is a place to show the line.
func (l *StatusLine) IsWanted() bool {
	return !l.Flags.Quiet && l.Err.Terminal && l.Err.Styled
}

// Show replaces the line. \r and EL are the only sequences needed, because the line never wraps.
func (l *StatusLine) Show(text string) {
	_, _ = fmt.Fprint(l.Err, "\r\x1b[K"+strings.TrimRight(termtext.Fit(text, l.Err.Width()-1), " "))
	l.isShown = true
}

// ShowBar replaces the line by a bar that says how many of all are done, and a text; ten times a second at most.
func (l *StatusLine) ShowBar(done, total int, text string) {
	if !l.IsWanted() || done < total && time.Since(l.drawn) < 100*time.Millisecond {
		return
	}
	l.drawn = time.Now()
	bar := progress.New(progress.WithWidth(min(30, l.Err.Width()/3)), progress.WithFillCharacters('█', '░'))
	l.Show(ansi.Strip(bar.ViewAs(float64(done)/float64(max(1, total)))) + "  " + text)
}

// Follow hands events to handle until there are no more, and calls show every second meanwhile.
func Follow[E any](l *StatusLine, events <-chan E, handle func(E), show func()) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	defer l.Clear()
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

// Clear removes the line, so that something else can be printed.
func (l *StatusLine) Clear() {
	if l.isShown {
		_, _ = fmt.Fprint(l.Err, "\r\x1b[K")
		l.isShown = false
	}
}
