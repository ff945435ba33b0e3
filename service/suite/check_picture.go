package suite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"confab/history"
)

// pictureJudge makes a judge of a picture.
func pictureJudge(f func(p history.Picture, aspect string) checkOutcome) judgeFunc {
	return func(_ context.Context, a AnswerInput, _ PeerFinder) checkOutcome { return f(*a.Picture, a.Aspect) }
}

// aspectSlack is the accepted relative deviation of a ratio, since models round sides to multiples of 64 px.
const aspectSlack = 0.05

// imageAspect compares the ratio of the sides with its value ("16:9" or 1.78), or with the requested ratio.
func imageAspect(spec checkSpec) (judgeFunc, error) {
	slack := spec.thresholdOr(aspectSlack)
	if slack >= 1 {
		return nil, errors.New("needs a threshold from 0 to 1: the share by which the ratio may differ")
	}
	written, _ := scalarText(spec.Value)
	if _, ok := ratio(written); !ok && spec.Value != nil {
		return nil, errors.New(`needs a ratio such as "16:9" as its value`)
	}
	return pictureJudge(func(p history.Picture, aspect string) checkOutcome {
		if spec.Value != nil {
			aspect = written
		}
		want, ok := ratio(aspect)
		switch {
		case !ok:
			return checkOutcome{skip: "no aspect ratio was asked for"}
		case p.Width <= 0 || p.Height <= 0:
			return checkOutcome{skip: "the size of the picture is not known"}
		}
		got := float64(p.Width) / float64(p.Height)
		return checkOutcome{holds: math.Abs(got-want) <= slack*want, reason: fmt.Sprintf(
			"the picture is %d×%d (%.2f), wanted %s (%.2f)", p.Width, p.Height, got, aspect, want)}
	}), nil
}

// ratio parses "16:9" or a number above zero.
func ratio(s string) (float64, bool) {
	w, h, isPair := strings.Cut(s, ":")
	if !isPair {
		h = "1"
	}
	a, okA := needNumber(w)
	b, okB := needNumber(h)
	return a / b, okA && okB && a > 0 && b > 0
}

// imageFormat compares the format of the bytes with png or jpeg.
func imageFormat(spec checkSpec) (judgeFunc, error) {
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

// imageMinPx compares both sides with a number, or with the two of "1024x768".
func imageMinPx(spec checkSpec) (judgeFunc, error) {
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
		return checkOutcome{holds: p.Width >= w && p.Height >= h,
			reason: fmt.Sprintf("the picture is %d×%d, wanted at least %d×%d", p.Width, p.Height, w, h)}
	}), nil
}

// sameAs requires the same text, or the same received bytes of a picture, as another model's answer. The value source
// means the source of an edit.
func sameAs(spec checkSpec) (judgeFunc, error) {
	other, err := needText(spec)
	if err != nil {
		return nil, errors.New("needs a provider or source as its value")
	}
	return func(_ context.Context, a AnswerInput, peer PeerFinder) checkOutcome {
		own := a.sha256()
		if other == "source" {
			if own == "" || a.Source == "" {
				return checkOutcome{skip: "the source picture is not known"}
			}
			return sameOutcome(own == a.Source, "the picture", "its source")
		}
		theirs, ok := AnswerInput{}, false
		if peer != nil {
			theirs, ok = peer(other)
		}
		isText := a.Kind == history.KindText
		isSame := false
		switch {
		case !ok || theirs.Missing != "":
			return checkOutcome{skip: "there is no answer of " + other + " to compare with"}
		case isText != (theirs.Kind == history.KindText):
		case isText:
			isSame = a.Text == theirs.Text
		case own == "" || theirs.sha256() == "":
			return checkOutcome{skip: "the pictures' checksums are not known"}
		default:
			isSame = own == theirs.sha256()
		}
		return sameOutcome(isSame, "the answer", "that of "+other)
	}, nil
}

// sha256 returns the checksum of the picture; empty without one.
func (a AnswerInput) sha256() string {
	if a.Picture == nil {
		return ""
	}
	return a.Picture.SHA256
}

func sameOutcome(isSame bool, what, other string) checkOutcome {
	if isSame {
		return checkOutcome{holds: true, reason: what + " is the same as " + other}
	}
	return checkOutcome{reason: what + " differs from " + other}
}
