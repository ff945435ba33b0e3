package suite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"confab/history"
	"confab/internal/format"
)

// pictureJudge makes a judge of a picture.
func pictureJudge(f func(p history.Picture, asked string) checkOutcome) judgeFunc {
	return func(_ context.Context, facts AnswerInput, _ PeerFinder) checkOutcome {
		return f(*facts.Picture, facts.Aspect)
	}
}

// aspectSlack is how far a picture's ratio may be from the one wanted, as a
// share of it: models round both sides to multiples of 64 px.
const aspectSlack = 0.05

// imageAspect compares the ratio of the sides with its value ("16:9" or 1.78),
// or with the ratio asked for where it has none.
func imageAspect(spec CheckSpec) (judgeFunc, error) {
	slack := aspectSlack
	if spec.Threshold != nil {
		slack = *spec.Threshold
	}
	if slack < 0 || slack >= 1 {
		return nil, errors.New("needs a threshold from 0 to 1: the share by which the ratio may differ")
	}
	want, isWritten := "", spec.Value != nil
	if isWritten {
		want, _ = scalarText(spec.Value)
		if _, ok := ratio(want); !ok {
			return nil, errors.New(`needs a ratio such as "16:9" as its value`)
		}
	}
	return pictureJudge(func(p history.Picture, asked string) checkOutcome {
		wanted := asked
		if isWritten {
			wanted = want
		}
		r, ok := ratio(wanted)
		if !ok {
			return checkOutcome{skip: "no aspect ratio was asked for"}
		}
		if p.Width <= 0 || p.Height <= 0 {
			return checkOutcome{skip: "the size of the picture is not known"}
		}
		got := float64(p.Width) / float64(p.Height)
		said := fmt.Sprintf("the picture is %d×%d (%.2f), wanted %s (%.2f)", p.Width, p.Height, got, wanted, r)
		return checkOutcome{holds: math.Abs(got-r) <= slack*r, reason: said}
	}), nil
}

// ratio reads "16:9" or a number above zero.
func ratio(s string) (float64, bool) {
	w, h, two := strings.Cut(s, ":")
	a, ok := needNumber(w)
	b := 1.0
	if two && ok {
		b, ok = needNumber(h)
	}
	return a / b, ok && a > 0 && b > 0
}

// imageFormat compares what the bytes are: png or jpeg.
func imageFormat(spec CheckSpec) (judgeFunc, error) {
	want, _ := scalarText(spec.Value)
	want = strings.TrimPrefix(strings.ToLower(want), "image/")
	if want == "jpg" {
		want = "jpeg"
	}
	if want != "png" && want != "jpeg" {
		return nil, errors.New("needs png or jpeg as its value")
	}
	return pictureJudge(func(p history.Picture, _ string) checkOutcome {
		got := strings.TrimPrefix(p.ContentType, "image/")
		return checkOutcome{holds: got == want, reason: "the picture is " + got + ", wanted " + want}
	}), nil
}

// imageMinPx compares both sides with a number, or each with its own as in "1024x768".
func imageMinPx(spec CheckSpec) (judgeFunc, error) {
	written, _ := scalarText(spec.Value)
	left, right, isSize := strings.Cut(strings.ToLower(strings.ReplaceAll(written, "×", "x")), "x")
	if !isSize {
		right = left
	}
	w, badWidth := strconv.Atoi(strings.TrimSpace(left))
	h, badHeight := strconv.Atoi(strings.TrimSpace(right))
	if badWidth != nil || badHeight != nil || min(w, h) <= 0 || max(w, h) > 1_000_000 {
		return nil, errors.New("needs a number of pixels or a size such as 1024x768 as its value")
	}
	return pictureJudge(func(p history.Picture, _ string) checkOutcome {
		said := fmt.Sprintf("the picture is %d×%d, wanted at least %d×%d", p.Width, p.Height, w, h)
		return checkOutcome{holds: p.Width >= w && p.Height >= h, reason: said}
	}), nil
}

// bytesMax compares the size of the file or the text with a number of bytes or
// a size such as "2MB" (1000) or "2MiB" (1024).
func bytesMax(spec CheckSpec) (judgeFunc, error) {
	s, _ := scalarText(spec.Value)
	limit, err := humanize.ParseBytes(s)
	if err != nil || limit > math.MaxInt64 {
		return nil, errors.New("needs a size such as 200000 or 2MB as its value")
	}
	return func(_ context.Context, f AnswerInput, _ PeerFinder) checkOutcome {
		got := int64(len(f.Text))
		if f.Kind != history.KindText {
			if f.Picture == nil {
				return checkOutcome{skip: "the answer is no picture"}
			}
			got = f.Picture.Bytes
		}
		return checkOutcome{holds: got <= int64(limit), reason: fmt.Sprintf("the answer has %s of %d",
			format.Count(int(got), "byte"), limit)}
	}, nil
}

// sameAs compares with the answer of another model in the same place: equal text, or equal bytes of the picture as
// received. The value source means the picture an edit started from.
func sameAs(spec CheckSpec) (judgeFunc, error) {
	other, err := needText(spec)
	if err != nil {
		return nil, errors.New("needs a provider or source as its value")
	}
	return func(_ context.Context, f AnswerInput, peer PeerFinder) checkOutcome {
		if other == "source" {
			if f.Picture == nil || f.Picture.SHA256 == "" || f.Source == "" {
				return checkOutcome{skip: "the source picture is not known"}
			}
			return sameOutcome(f.Picture.SHA256 == f.Source, "the picture", "its source")
		}
		var their AnswerInput
		ok := false
		if peer != nil {
			their, ok = peer(other)
		}
		isSame := false
		switch isText := f.Kind == history.KindText; {
		case !ok || their.Missing != "":
			return checkOutcome{skip: "there is no answer of " + other + " to compare with"}
		case isText != (their.Kind == history.KindText):
		case isText:
			isSame = f.Text == their.Text
		case f.Picture == nil || their.Picture == nil || f.Picture.SHA256 == "" || their.Picture.SHA256 == "":
			return checkOutcome{skip: "the pictures' checksums are not known"}
		default:
			isSame = f.Picture.SHA256 == their.Picture.SHA256
		}
		return sameOutcome(isSame, "the answer", "that of "+other)
	}, nil
}

func sameOutcome(isSame bool, what, other string) checkOutcome {
	verb := " differs from "
	if isSame {
		verb = " is the same as "
	}
	return checkOutcome{holds: isSame, reason: what + verb + other}
}
