package suite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/dustin/go-humanize"

	"confab/history"
	"confab/internal/format"
)

// thresholdOr returns the threshold of a check, or a default if there is none.
func (s checkSpec) thresholdOr(byDefault float64) float64 {
	if s.Threshold != nil {
		return *s.Threshold
	}
	return byDefault
}

// limit returns the threshold of a check, which may be written as its value.
func (s checkSpec) limit() (limit float64, ok bool) {
	if s.Threshold != nil {
		return *s.Threshold, true
	}
	return needNumber(s.Value)
}

// latency compares the time of an answer with a threshold in milliseconds.
func latency(spec checkSpec) (judgeFunc, error) {
	return timeCheck(spec, "the answer", func(a AnswerInput) (took time.Duration, ok bool) { return a.Elapsed, true })
}

// firstToken compares the time to the first part of a text with a threshold in milliseconds.
func firstToken(spec checkSpec) (judgeFunc, error) {
	return timeCheck(spec, "the first part of the answer", func(a AnswerInput) (took time.Duration, ok bool) {
		return a.FirstToken, a.FirstToken > 0
	})
}

// timeCheck compares a known time of an answer with a threshold. It skips reused answers, whose time is an old one.
func timeCheck(spec checkSpec, what string, timeOf func(AnswerInput) (took time.Duration, ok bool)) (judgeFunc, error) {
	limit, ok := spec.limit()
	if !ok {
		return nil, errors.New("needs a threshold in milliseconds")
	}
	return func(_ context.Context, a AnswerInput, _ PeerFinder) checkOutcome {
		took, ok := timeOf(a)
		switch {
		case a.IsCached:
			return checkOutcome{skip: "the answer was reused and its time is an old one"}
		case !ok:
			return checkOutcome{skip: "what " + what + " took is not known"}
		}
		ms := float64(took.Milliseconds())
		return checkOutcome{holds: ms <= limit,
			reason: fmt.Sprintf("%s took %s ms of %s", what, formatNumber(ms), formatNumber(limit))}
	}, nil
}

// cost compares the cost of an answer with a threshold in the currency of the prices.
func cost(spec checkSpec) (judgeFunc, error) {
	limit, ok := spec.limit()
	if !ok {
		return nil, errors.New("needs a threshold")
	}
	return func(_ context.Context, a AnswerInput, _ PeerFinder) checkOutcome {
		switch {
		case a.IsCached:
			return checkOutcome{skip: "the answer was reused and cost nothing"}
		case a.Cost.Currency == "":
			return checkOutcome{skip: "what the answer cost is not known: the service counts no tokens, or the " +
				"configuration has no price for the model"}
		}
		return checkOutcome{holds: a.Cost.Amount <= limit, reason: fmt.Sprintf("the answer cost %s %s of %s",
			formatNumber(a.Cost.Amount), a.Cost.Currency, formatNumber(limit))}
	}, nil
}

// bytesMax compares the size of the file or the text with a number of bytes or a size such as "2MB" (1000) or "2MiB"
// (1024).
func bytesMax(spec checkSpec) (judgeFunc, error) {
	s, _ := scalarText(spec.Value)
	limit, err := humanize.ParseBytes(s)
	if err != nil || limit > math.MaxInt64 {
		return nil, errors.New("needs a size such as 200000 or 2MB as its value")
	}
	return func(_ context.Context, a AnswerInput, _ PeerFinder) checkOutcome {
		got := int64(len(a.Text))
		if a.Kind != history.KindText {
			if a.Picture == nil {
				return checkOutcome{skip: "the answer is no picture"}
			}
			got = a.Picture.Bytes
		}
		return checkOutcome{holds: got <= int64(limit),
			reason: fmt.Sprintf("the answer has %s of %d", format.Count(int(got), "byte"), limit)}
	}, nil
}
