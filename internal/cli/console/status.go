package console

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/progress"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
)

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
