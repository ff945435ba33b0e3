package redact

import (
	"io"
	"slices"
	"strings"
)

// Writer masks a stream; see [Masker.Writer].
type Writer struct {
	m      *Masker
	w      io.Writer
	held   string // what may be the beginning of a secret
	before string // the end of what was passed on, as it came
	isHit  bool
}

// HasMasked reports whether there was a secret in what was passed on.
func (w *Writer) HasMasked() bool { return w.isHit }

// Write masks and passes on what of b cannot be the beginning of a secret.
func (w *Writer) Write(b []byte) (int, error) {
	if w.m == nil {
		return w.w.Write(b)
	}
	w.held += string(b)
	if w.before == "" && w.mayBeWhole() {
		return len(b), nil
	}
	came := w.held
	var out string
	var isHit bool
	out, w.held, isHit = w.m.replace(w.before, came, false)
	w.isHit = w.isHit || isHit
	passed := w.before + strings.TrimSuffix(came, w.held)
	w.before = passed[max(0, len(passed)-wordContext):]
	if out == "" {
		return len(b), nil
	}
	if _, err := io.WriteString(w.w, out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// mayBeWhole reports whether all that came is the beginning of a secret that is masked where it is the whole text.
func (w *Writer) mayBeWhole() bool {
	return slices.ContainsFunc(w.m.secrets().whole, func(s string) bool { return strings.HasPrefix(s, w.held) })
}

// Close passes on what was held back.
func (w *Writer) Close() error {
	if w.held == "" {
		return nil
	}
	var out string
	var isHit bool
	if w.before == "" {
		out, isHit = w.m.mask(w.held)
	} else {
		out, _, isHit = w.m.replace(w.before, w.held, true)
	}
	w.held, w.isHit = "", w.isHit || isHit
	_, err := io.WriteString(w.w, out)
	return err
}
