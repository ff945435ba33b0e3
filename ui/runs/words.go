package runs

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
)

// The signs of a cell.
const (
	signPassed    = "✓"
	signFailed    = "✗"
	signError     = "!"
	signSkipped   = "?" // a check was skipped
	signUnchecked = "○" // there is no check
	signReused    = "≈"
	signNone      = "·" // the suite does not ask it, or it has no answer
)

// brief says a time in a cell, without the blank that [format.Seconds] has:
// "1.9s", "12s", "2m05s".
func brief(d time.Duration) string {
	s := d.Seconds()
	switch {
	case s < 9.95:
		return strconv.FormatFloat(s, 'f', 1, 64) + "s"
	case s < 99.5:
		return strconv.FormatFloat(s, 'f', 0, 64) + "s"
	}
	return fmt.Sprintf("%dm%02ds", int(s)/60, int(s)%60)
}

// since says whole seconds, which is enough for what goes on.
func since(from, now time.Time) string {
	s := max(int(now.Sub(from).Seconds()), 0)
	if s < 100 {
		return strconv.Itoa(s) + " s"
	}
	return format.Seconds(time.Duration(s) * time.Second)
}

// apart says how much longer something took: "+0.2s", "−1.4s", "±0s".
func apart(d time.Duration) string {
	switch {
	case d >= 50*time.Millisecond:
		return "+" + brief(d)
	case d <= -50*time.Millisecond:
		return "−" + brief(-d)
	}
	return "±0s"
}

// likeness says a share in two digits: ".83". What differs is never 1.
func likeness(share float64) string {
	return fmt.Sprintf(".%02d", max(min(int(share*100), 99), 0))
}

// fitting returns the first of the texts that fits, else the last one cut.
func fitting(w int, texts ...string) string {
	for _, t := range texts {
		if utf8.RuneCountInString(t) <= w {
			return t
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return ansi.Truncate(texts[len(texts)-1], w, "…")
}

// cutting is how the names of a table are cut where there is no room for them:
// at the end, or in the middle where that tells more of them apart.
type cutting struct {
	w      int // for which middle was found
	middle bool
}

// fit finds how names are cut to w cells.
func (c *cutting) fit(w int, names iter.Seq[string]) {
	if c.w == w {
		return
	}
	*c = cutting{w: w}
	atEnd, inMiddle := map[string]bool{}, map[string]bool{}
	for name := range names {
		atEnd[cutAtEnd(name, w)] = true
		inMiddle[cutInMiddle(name, w)] = true
	}
	c.middle = len(inMiddle) > len(atEnd)
}

// cut returns a name in w cells.
func (c cutting) cut(name string, w int) string {
	if c.middle {
		return cutInMiddle(name, w)
	}
	return cutAtEnd(name, w)
}

func cutAtEnd(name string, w int) string { return ansi.Truncate(name, max(w, 0), "…") }

func cutInMiddle(name string, w int) string {
	all := ansi.StringWidth(name)
	if all <= w || w < 6 {
		return cutAtEnd(name, w)
	}
	last := w * 2 / 5
	return ansi.Truncate(name, w-last-1, "") + ansi.TruncateLeft(name, all-last, "…")
}

// longestText is how much of a text from outside is looked at for one line, in
// bytes.
const longestText = 4000

// tidy makes a text from outside one line.
func tidy(s string) string {
	if len(s) > longestText {
		cut := longestText
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return termtext.Line(s)
}

// span says from when until when a run went, and how long where that is not
// long: one that was gone on with rested meanwhile.
func span(from, to, now time.Time) string {
	switch {
	case to.IsZero():
		return format.Moment(from.Local(), now.Local())
	case from.Local().Format(time.DateOnly) == to.Local().Format(time.DateOnly):
		text := format.Moment(from.Local(), now.Local()) + "–" + to.Local().Format("15:04")
		if d := to.Sub(from); d >= 0 && d < time.Hour {
			text += ", " + format.Seconds(d)
		}
		return text
	}
	return format.Moment(from.Local(), now.Local()) + " – " + format.Moment(to.Local(), now.Local())
}

// values says the values of variables, with their names where a sign stands
// between the two, each at most so many cells wide; 0 is as wide as they are.
func values(vars map[string]string, names []string, sign, between string, most int) string {
	var words []string
	for _, name := range names {
		v, ok := vars[name]
		if !ok {
			continue
		}
		v = tidy(v)
		if most > 0 {
			v = ansi.Truncate(v, most, "…")
		}
		if v == "" {
			v = `""`
		}
		if sign != "" {
			v = tidy(name) + sign + v
		}
		words = append(words, v)
	}
	return strings.Join(words, between)
}

func namesOf(vars map[string]string) []string { return slices.Sorted(maps.Keys(vars)) }

// sentence says what an error's code means. The answer itself has a sentence of
// its own, which a table does not read.
func sentence(code string) string {
	switch code {
	case "timeout":
		return "the answer did not come in time"
	case "rate_limited":
		return "the service had too many requests"
	case "unauthorized":
		return "the service refused the key"
	case "unknown_model":
		return "the service does not know the model"
	case "bad_request":
		return "the service refused the request"
	case "service":
		return "the service failed"
	case "network":
		return "the service could not be reached"
	case "bad_response":
		return "the service sent something that is not an answer"
	case "too_large":
		return "the answer was too large"
	case "bad_image":
		return "what came is not a picture"
	case "image_unreachable":
		return "the service could not fetch the picture"
	case "config":
		return "the configuration does not allow the call"
	case "store":
		return "the answer could not be stored"
	case "disk":
		return "the picture could not be saved"
	}
	return "the call failed"
}

// code is an error's code as words.
func code(s string) string { return strings.ReplaceAll(tidy(s), "_", " ") }

// fresh tells whether a cell's time is one that was just measured.
func fresh(c *history.Cell) bool { return c != nil && c.State == history.Done && !c.Cached }
