package history

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ErrQuery means that a search contains an invalid filter. Errors of [ParseQuery] wrap it, and their texts may be
// shown.
var ErrQuery = errors.New("search not understood")

// Query is a search. An answer must match all parts that are not zero.
type Query struct {
	Text    string    // words that must all occur; phrases in quotes; the last word may be incomplete
	Models  []string  // any of these: a slug, a part of one or a glob with * and ?
	Kind    ModelKind // of the answer, or of an answer of the turn
	State   State     // likewise
	Rating  *Rating   // likewise
	IsBest  bool      // only winners of their turns
	Before  time.Time // the turn was sent before this
	After   time.Time // the turn was sent then or later
	Session int64     // only in this one
	Limit   int       // maximum number of results; zero means 50
}

// HasFilters reports whether the query has a filter besides the text.
func (q Query) HasFilters() bool {
	return len(q.Models) > 0 || q.Kind != "" || q.State != "" || q.Rating != nil || q.IsBest ||
		!q.Before.IsZero() || !q.After.IsZero() || q.Session != 0
}

// MaxResults returns the maximum number of results.
func (q Query) MaxResults() int {
	if q.Limit <= 0 {
		return 50
	}
	return q.Limit
}

// ParseQuery reads what a person typed: free text with filters between its words.
//
//	model:alpha*,beta   any of these slugs, parts of slugs or globs
//	kind:image          text, image or edit
//	state:failed        queued, running, done, failed, stopped or interrupted
//	rated:good          good, bad, best (the winner of its turn) or none
//	before:2026-01-31   sent before that day, month or year began
//	after:2w            sent since then: a day, month or year, today, yesterday,
//	                    or hours (h), days (d), weeks (w), months (m), years (y) ago
//
// A value may be cut short where it stays clear, and a filter without a value is passed over: it is still being typed.
// Days begin in the time zone of now. What looks like a filter of another name is text. The only error is [ErrQuery].
func ParseQuery(s string, now time.Time) (Query, error) {
	var q Query
	var text strings.Builder
	endsInText := false
	for rest := s; rest != ""; {
		var piece string
		piece, rest = nextPiece(rest)
		if strings.TrimSpace(piece) == "" {
			if t := text.String(); t != "" && t[len(t)-1] != ' ' {
				text.WriteByte(' ')
			}
			continue
		}
		endsInText = true
		if name, value, found := strings.Cut(piece, ":"); found && !strings.HasPrefix(piece, `"`) {
			known, err := q.filter(strings.ToLower(name), strings.Trim(value, `"`), now)
			if err != nil {
				return Query{}, err
			}
			if known {
				endsInText = false
				continue
			}
		}
		text.WriteString(piece)
	}
	// A space ends the word before it, unless it only separates the word from a filter.
	q.Text = text.String()
	if !endsInText {
		q.Text = strings.TrimRight(q.Text, " ")
	}
	return q, nil
}

// nextPiece cuts off a run of spaces, a quoted phrase or a word. The part of a word after a colon may be quoted.
func nextPiece(s string) (piece, rest string) {
	if end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }); end != 0 {
		if end < 0 {
			end = len(s)
		}
		return s[:end], s[end:]
	}
	quoted := false
	for i, r := range s {
		switch {
		case r == '"' && quoted:
			return s[:i+1], s[i+1:]
		case r == '"' && (i == 0 || s[i-1] == ':'):
			quoted = true
		case unicode.IsSpace(r) && !quoted:
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// filter sets the filter with a name. It returns false for an unknown name.
func (q *Query) filter(name, value string, now time.Time) (isKnown bool, err error) {
	switch name {
	case "model":
		for m := range strings.SplitSeq(value, ",") {
			if m = strings.TrimSpace(m); m != "" {
				q.Models = append(q.Models, m)
			}
		}
	case "kind":
		q.Kind, err = choose(name, value, KindText, KindImage, KindEdit)
	case "state":
		var chosen string
		chosen, err = choose(name, value, "queued", "running", "done", "failed", "stopped", "interrupted")
		if q.State = State(chosen); chosen == Cancelled.Word() {
			q.State = Cancelled
		}
	case "rated":
		var chosen string
		chosen, err = choose(name, value, "good", "bad", "best", "none")
		if q.IsBest = q.IsBest || chosen == "best"; chosen != "" && chosen != "best" {
			rating := map[string]Rating{"good": Good, "bad": Bad, "none": Unrated}[chosen]
			q.Rating = &rating
		}
	case "before", "after":
		var at time.Time
		if at, err = parseDay(name, value, now); name == "before" {
			q.Before = at
		} else {
			q.After = at
		}
	default:
		return false, nil
	}
	return true, err
}

// choose completes a value from the known ones.
func choose[T ~string](name, value string, from ...T) (T, error) {
	value = strings.ToLower(value)
	if value == "" {
		return "", nil
	}
	var known []string
	for _, f := range from {
		if strings.HasPrefix(string(f), value) {
			return f, nil
		}
		known = append(known, string(f))
	}
	last := len(known) - 1
	return "", fmt.Errorf("%w: %s: takes %s or %s, not %q", ErrQuery, name, strings.Join(known[:last], ", "),
		known[last], value)
}

// parseDay reads a day in one of the forms of [ParseQuery].
func parseDay(name, value string, now time.Time) (time.Time, error) {
	value = strings.ToLower(value)
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	switch value {
	case "":
		return time.Time{}, nil
	case "today":
		return today, nil
	case "yesterday":
		return today.AddDate(0, 0, -1), nil
	}
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		if at, err := time.ParseInLocation(layout, value, now.Location()); err == nil {
			return at, nil
		}
	}
	if n, err := strconv.Atoi(value[:len(value)-1]); err == nil && n >= 0 && n < 10000 {
		switch value[len(value)-1] {
		case 'h':
			return now.Add(-time.Duration(n) * time.Hour), nil
		case 'd':
			return today.AddDate(0, 0, -n), nil
		case 'w':
			return today.AddDate(0, 0, -7*n), nil
		case 'm':
			return today.AddDate(0, -n, 0), nil
		case 'y':
			return today.AddDate(-n, 0, 0), nil
		}
	}
	return time.Time{}, fmt.Errorf("%w: %s: takes a day such as 2026-01-31, today or 3d, not %q", ErrQuery, name, value)
}
