package check

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"confab/history"
)

// pictureJudge makes a judge of a picture.
func pictureJudge(f func(p history.Picture, asked string) outcome) judge {
	return func(_ context.Context, facts AnswerInput, _ Peer) outcome { return f(*facts.Picture, facts.Aspect) }
}

// aspectSlack is how far a picture's ratio may be from the one wanted, as a
// share of it: models round both sides to multiples of 64 px.
const aspectSlack = 0.05

// imageAspect compares the ratio of the sides with its value ("16:9" or 1.78),
// or with the ratio asked for where it has none.
func imageAspect(name string, spec Spec) (judge, error) {
	slack := aspectSlack
	if spec.Threshold != nil {
		slack = *spec.Threshold
	}
	if slack < 0 || slack >= 1 {
		return nil, fmt.Errorf("%s needs a threshold from 0 to 1: the share by which the ratio may differ", name)
	}
	want, written := "", spec.Value != nil
	if written {
		want, _ = text(spec.Value)
		if _, ok := ratio(want); !ok {
			return nil, fmt.Errorf(`%s needs a ratio such as "16:9" as its value`, name)
		}
	}
	return pictureJudge(func(p history.Picture, asked string) outcome {
		wanted := want
		if !written {
			wanted = asked
		}
		r, ok := ratio(wanted)
		if !ok {
			return outcome{skip: "no aspect ratio was asked for"}
		}
		if p.Width <= 0 || p.Height <= 0 {
			return outcome{skip: "the size of the picture is not known"}
		}
		got := float64(p.Width) / float64(p.Height)
		said := fmt.Sprintf("the picture is %d×%d (%.2f), wanted %s (%.2f)", p.Width, p.Height, got, wanted, r)
		return outcome{holds: math.Abs(got-r) <= slack*r, reason: said}
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
func imageFormat(name string, spec Spec) (judge, error) {
	want, _ := text(spec.Value)
	want = strings.TrimPrefix(strings.ToLower(want), "image/")
	if want == "jpg" {
		want = "jpeg"
	}
	if want != "png" && want != "jpeg" {
		return nil, fmt.Errorf("%s needs png or jpeg as its value", name)
	}
	return pictureJudge(func(p history.Picture, _ string) outcome {
		got := strings.TrimPrefix(p.ContentType, "image/")
		return outcome{holds: got == want, reason: "the picture is " + got + ", wanted " + want}
	}), nil
}

// imageMinPx compares both sides with a number, or each with its own as in
// "1024x768" or {width, height}.
func imageMinPx(name string, spec Spec) (judge, error) {
	w, h, ok := sides(spec.Value)
	if !ok {
		return nil, fmt.Errorf("%s needs a number of pixels or a size such as 1024x768 as its value", name)
	}
	return pictureJudge(func(p history.Picture, _ string) outcome {
		said := fmt.Sprintf("the picture is %d×%d, wanted at least %d×%d", p.Width, p.Height, w, h)
		return outcome{holds: p.Width >= w && p.Height >= h, reason: said}
	}), nil
}

func sides(value any) (w, h int, ok bool) {
	if object, isObject := value.(map[string]any); isObject {
		for key, v := range object {
			n, fine := px(v)
			switch {
			case fine && key == "width":
				w = n
			case fine && key == "height":
				h = n
			default:
				return 0, 0, false
			}
		}
		return w, h, w > 0 || h > 0
	}
	s, _ := text(value)
	left, right, two := strings.Cut(strings.ToLower(strings.ReplaceAll(s, "×", "x")), "x")
	if w, ok = px(left); !two {
		return w, w, ok
	}
	h, okH := px(right)
	return w, h, ok && okH
}

func px(value any) (int, bool) {
	s, _ := text(value)
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && n > 0 && n <= 1_000_000
}

// bytesMax compares the size of the file or the text with a number of bytes or
// a size such as "2MB" (1000) or "2MiB" (1024).
func bytesMax(name string, spec Spec) (judge, error) {
	s, _ := text(spec.Value)
	limit, err := humanize.ParseBytes(s)
	if err != nil || limit > math.MaxInt64 {
		return nil, fmt.Errorf("%s needs a size such as 200000 or 2MB as its value", name)
	}
	return func(_ context.Context, f AnswerInput, _ Peer) outcome {
		got := int64(len(f.Text))
		if f.Kind != history.KindText {
			if f.Picture == nil {
				return outcome{skip: "the answer is no picture"}
			}
			got = f.Picture.Bytes
		}
		return outcome{holds: got <= int64(limit), reason: fmt.Sprintf("the answer has %d bytes of %d", got, limit)}
	}, nil
}

// sameAs compares with the answer of another model in the same place: equal
// text, or equal bytes of the picture as received. The value source means the
// picture an edit started from.
func sameAs(name string, spec Spec) (judge, error) {
	other, err := needText(name, spec)
	if err != nil {
		return nil, fmt.Errorf("%s needs a provider or source as its value", name)
	}
	return func(_ context.Context, f AnswerInput, peer Peer) outcome {
		verb := "differs from"
		if other == "source" {
			if f.Picture == nil || f.Picture.SHA256 == "" || f.Source == "" {
				return outcome{skip: "the source picture is not known"}
			}
			same := f.Picture.SHA256 == f.Source
			if same {
				verb = "is the same as"
			}
			return outcome{holds: same, reason: "the picture " + verb + " its source"}
		}
		var their AnswerInput
		ok := false
		if peer != nil {
			their, ok = peer(other)
		}
		if !ok || their.Missing != "" {
			return outcome{skip: "there is no answer of " + other + " to compare with"}
		}
		same := false
		switch {
		case (f.Kind == history.KindText) != (their.Kind == history.KindText):
		case f.Kind == history.KindText:
			same = f.Text == their.Text
		case f.Picture == nil || their.Picture == nil || f.Picture.SHA256 == "" || their.Picture.SHA256 == "":
			return outcome{skip: "the pictures' checksums are not known"}
		default:
			same = f.Picture.SHA256 == their.Picture.SHA256
		}
		if same {
			verb = "is the same as"
		}
		return outcome{holds: same, reason: "the answer " + verb + " that of " + other}
	}, nil
}
