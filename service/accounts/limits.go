package accounts

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"confab/internal/format"
)

// The kinds of subjects.
const (
	User = "user"
	Key  = "key"
)

// Subject is whose use is counted.
type Subject struct{ Kind, Name string }

// Amounts are what was used, or limits on that, of which zero is none.
type Amounts struct {
	Answers int64   `json:"answers"` // of a key: requests
	Tokens  int64   `json:"tokens"`  // of prompts and answers, as engines count them
	Bytes   int64   `json:"bytes"`   // of prompts, texts and pictures
	Cost    float64 `json:"cost"`    // by [[prices]]
}

func (a Amounts) plus(b Amounts) Amounts {
	return Amounts{a.Answers + b.Answers, a.Tokens + b.Tokens, a.Bytes + b.Bytes, a.Cost + b.Cost}
}

// Limits are what a subject may use. What an answer takes besides being one is only known when it has ended, so an
// answer is asked for while anything is left.
type Limits struct{ Day, Month Amounts }

// ExceededError says which quota is used up, in a sentence for the one who asked.
type ExceededError struct {
	Resets   time.Time
	sentence string
}

// Error returns the sentence.
func (e *ExceededError) Error() string { return e.sentence }

// period is a day or a month as it is stored.
type period struct {
	key     string
	isMonth bool
	ends    time.Time
}

// periodsAt returns the month and the day of a time, in the order in which their rows are locked.
func periodsAt(now time.Time) [2]period {
	now = now.UTC()
	year, month, day := now.Date()
	return [2]period{
		{now.Format("2006-01"), true, time.Date(year, month+1, 1, 0, 0, 0, 0, time.UTC)},
		{now.Format(time.DateOnly), false, time.Date(year, month, day+1, 0, 0, 0, 0, time.UTC)},
	}
}

func (l Limits) of(p period) Amounts {
	if p.isMonth {
		return l.Month
	}
	return l.Day
}

// check returns an error when so many more answers are too many after what a subject has used in a period.
func (l Limits) check(s Subject, p period, used Amounts, answers int64, now time.Time) error {
	limit, name, noun := l.of(p), "today", "answer"
	wait := p.ends.Sub(now)
	when := fmt.Sprintf("at midnight, UTC (in %d h %d min)", int(wait.Hours()), int(wait.Minutes())%60)
	if p.isMonth {
		name, when = "this month", "on "+p.ends.Format("2 January")+", UTC"
	}
	if s.Kind == Key {
		noun = "request"
	}
	isUsedUp := func(what string) error {
		return &ExceededError{p.ends, fmt.Sprintf("Your quota of %s for %s is used up; there is more %s.", what,
			name, when)}
	}
	left := limit.Answers - max(used.Answers, 0) // more may be given back than was counted in this period
	switch {
	case limit.Answers > 0 && left <= 0:
		return isUsedUp(format.Count(int(limit.Answers), noun))
	case limit.Answers > 0 && answers > left:
		return &ExceededError{p.ends, fmt.Sprintf("This asks for %s, and %d of your %d for %s are left; ask fewer "+
			"models or for fewer samples, or wait for more %s.", format.Count(int(answers), noun), left,
			limit.Answers, name, when)}
	case limit.Tokens > 0 && used.Tokens >= limit.Tokens:
		return isUsedUp(format.Count(int(limit.Tokens), "token"))
	case limit.Bytes > 0 && used.Bytes >= limit.Bytes:
		return isUsedUp(humanize.IBytes(uint64(limit.Bytes)))
	case limit.Cost > 0 && used.Cost >= limit.Cost:
		return isUsedUp(fmt.Sprintf("%g of money", limit.Cost))
	}
	return nil
}
