package engine

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxAspect is the greatest ratio of a picture's sides.
const MaxAspect = 4

// ParseAspect parses "<w>:<h>", two positive numbers of at most four digits each, with optional decimal points,
// between 1:[MaxAspect] and [MaxAspect]:1. The error is an [Error] of status 400.
func ParseAspect(s string) (w, h float64, err error) {
	left, right, found := strings.Cut(strings.TrimSpace(s), ":")
	w, okW := side(left)
	h, okH := side(right)
	if !found || !okW || !okH {
		return 0, 0, badAspect(s, "is not two numbers such as 16:9")
	}
	if w > h*MaxAspect || h > w*MaxAspect {
		return 0, 0, badAspect(s, fmt.Sprintf("is outside 1:%d to %d:1", MaxAspect, MaxAspect))
	}
	return w, h, nil
}

// AspectSize returns the size in px of a picture of about a number of pixels at w:h. Both sides are multiples of 8
// and at least 8.
func AspectSize(w, h float64, pixels int) (int, int) {
	wide := math.Sqrt(float64(pixels) * w / h)
	high := math.Sqrt(float64(pixels) * h / w)
	eight := func(v float64) int { return max(8, int(math.Round(v/8))*8) }
	return eight(wide), eight(high)
}

func side(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 5 || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && v > 0 && v < 10000
}

func badAspect(s, why string) error {
	if len(s) > 20 {
		s = strings.ToValidUTF8(s[:20], "") + "…"
	}
	return &Error{Status: 400, Code: "bad_request", Message: fmt.Sprintf("The aspect ratio %q %s.", s, why)}
}

// Nearest returns the size "<w>x<h>" in px whose ratio is nearest to w:h, the largest of equal ones. It returns "" if
// no size is valid.
func Nearest(sizes []string, w, h float64) string {
	best, off, area := "", math.Inf(1), 0
	for _, s := range sizes {
		x, y, ok := parseSize(s)
		if !ok {
			continue
		}
		far := math.Abs(math.Log(float64(x) / float64(y) * h / w))
		if far < off-1e-6 || far < off+1e-6 && x*y > area {
			best, off, area = s, far, x*y
		}
	}
	return best
}

// parseSize parses "<w>x<h>", whole numbers of px from 1 to 16384.
func parseSize(s string) (w, h int, ok bool) {
	left, right, found := strings.Cut(s, "x")
	w, errW := strconv.Atoi(left)
	h, errH := strconv.Atoi(right)
	return w, h, found && errW == nil && errH == nil && w > 0 && h > 0 && w <= 16384 && h <= 16384
}

// difference returns a sentence if the ratio of w by h px differs from the requested one by more than 3 percent;
// otherwise "".
func difference(aspect string, w, h int) string {
	x, y, err := ParseAspect(aspect)
	if err != nil || w <= 0 || h <= 0 || math.Abs(math.Log(float64(w)/float64(h)*y/x)) < 0.03 {
		return ""
	}
	return fmt.Sprintf("Asked for %s, got %dx%d, the nearest it makes.", aspect, w, h)
}

// PictureType returns the media type of a PNG or JPEG by its first bytes, "" for anything else.
func PictureType(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	}
	return ""
}
