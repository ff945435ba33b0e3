// Package redact keeps the API key out of what is shown, stored, logged and exported: a [Masker] finds it in whatever
// form a service may have echoed it and puts dots in its place. Every package may use it; it imports none.
package redact

import (
	"encoding/base64"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Dots stand where a secret stood.
const Dots = "••••"

const (
	// minLength is the length, in bytes, from which a secret is looked for inside other text. A shorter one would be
	// found in prompts, paths and file formats that have nothing to do with it.
	minLength = 8
	// minWord is the same for words of texts in which a secret may be repeated. A shorter one can be guessed, and is a
	// word of many texts.
	minWord = 4
)

// Masker replaces secrets. It is safe for concurrent use and immutable, unless a [Set] made it; a nil Masker
// masks nothing.
type Masker struct {
	now      func() *Masker  // what to ask instead, at every use
	secrets  func() *secrets // a function, so that nothing that prints a Masker shows them
	starts   [256]bool       // bytes with which some way of writing some pattern begins
	hasSlash bool            // a secret itself begins with a backslash
	dots     string
}

// secrets are the texts that a [Masker] looks for.
type secrets struct {
	whole    []string // too short to be looked for inside text
	patterns []pattern
}

// pattern is a text to look for, each byte of which may be written in several ways.
type pattern struct {
	secret  string
	isExact bool // capitals differ from small letters (base64, words)
	isWord  bool // only a match between other characters than letters and digits counts
}

// isSame reports whether a byte of a text may stand for one of the secret.
func (p pattern) isSame(secret, c byte) bool {
	return c == secret || !p.isExact && lower(c) == lower(secret)
}

// mayBegin reports whether the first two bytes of a text may be those of the secret.
func (p pattern) mayBegin(text string) bool {
	isPlain := func(c byte) bool { // it stands for itself only
		return c >= ' ' && c < 0x7f && c != '%' && c != '&' && c != '\\' && c != '+'
	}
	return !isPlain(text[0]) && text[0] < 0x7f && text[0] >= ' ' || p.isSame(p.secret[0], text[0]) &&
		(len(text) == 1 || !isPlain(text[1]) || p.isSame(p.secret[1], text[1]))
}

// lower returns the small letter of an ASCII capital, and any other byte as it is.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// NewMasker returns a [Masker] of the given secrets. Empty ones are ignored; one shorter than 8 bytes is masked only
// where it is the whole text.
func NewMasker(texts ...string) *Masker { return newMasker(minLength, texts) }

// NewEchoMasker returns a [Masker] for texts of a service that was given the secrets and may repeat them. It masks a
// secret of 4 to 7 bytes also where that stands as a word of its own.
func NewEchoMasker(texts ...string) *Masker { return newMasker(minWord, texts) }

// newMasker returns a [Masker] that looks inside other text for secrets from a length on.
func newMasker(shortest int, texts []string) *Masker {
	found := &secrets{}
	m := &Masker{dots: Dots, secrets: func() *secrets { return found }}
	for _, s := range texts {
		switch {
		case s == "":
			continue
		case len(s) < shortest:
			found.whole = append(found.whole, s)
			continue
		}
		if strings.ContainsRune(s, '•') {
			m.dots = "****" // dots beside dots of the secret would spell it again
		}
		m.add(pattern{secret: s, isWord: len(s) < minLength, isExact: len(s) < minLength})
		for _, form := range base64Forms(s) {
			if len(form) >= minLength {
				m.add(pattern{secret: form, isExact: true})
			}
		}
	}
	return m
}

// current returns what masks now.
func (m *Masker) current() *Masker {
	for m != nil && m.now != nil {
		m = m.now()
	}
	return m
}

// String returns s with every secret in it replaced, be it written plainly, in other capitals, as part of a URL, of
// JSON, of HTML or of base64, and whatever stands between its characters that a screen does not show: control,
// invisible and combining characters, escape sequences, line breaks.
func (m *Masker) String(s string) string {
	out, _ := m.mask(s)
	return out
}

// StringMap is [Masker.String] for the keys and values of a map. Where nothing was masked, it returns the map itself.
func (m *Masker) StringMap(values map[string]string) map[string]string {
	masked := make(map[string]string, len(values))
	for key, value := range values {
		masked[m.String(key)] = m.String(value)
	}
	if maps.Equal(masked, values) {
		return values
	}
	return masked
}

// Bytes is [Masker.String] for bytes; it also tells whether anything was masked. Where nothing was, b itself is
// returned.
func (m *Masker) Bytes(b []byte) ([]byte, bool) {
	out, hit := m.mask(string(b))
	if !hit {
		return b, false
	}
	return []byte(out), true
}

func (m *Masker) asDots(string) string { return m.dots }

func (m *Masker) mask(s string) (string, bool) {
	if m = m.current(); m == nil {
		return s, false
	}
	if whole := m.secrets().whole; len(whole) > 0 && slices.Contains(whole, withoutHidden(s)) {
		return m.dots, true
	}
	out, _, hit := m.replace("", s, true, m.asDots)
	return out, hit
}

// Writer returns a writer that masks what passes through it to w, also where a secret is split over several writes. It
// holds back what may be the beginning of a secret until the next write or Close, which does not close w. It is not
// safe for concurrent use.
func (m *Masker) Writer(w io.Writer) *Writer { return &Writer{m: m.current(), w: w} }

func (m *Masker) add(p pattern) {
	m.secrets().patterns = append(m.secrets().patterns, p)
	secret := p.secret
	m.hasSlash = m.hasSlash || secret[0] == '\\'
	for c := range m.starts {
		m.starts[c] = m.starts[c] || p.isSame(secret[0], byte(c)) || c == '%' || c == '&' || c == '\\'
	}
	if secret[0] == ' ' {
		m.starts['+'] = true
	}
}

// base64Forms returns what is sure to stand in any base64 text that holds s, at each of the three places where s may
// begin in it and in both alphabets.
func base64Forms(s string) []string {
	var forms []string
	for shift := range 3 {
		padded := append(make([]byte, shift), s...)
		from := (8*shift + 5) / 6 // the first character made of bits of s alone
		to := 8 * len(padded) / 6
		std := base64.RawStdEncoding.EncodeToString(padded)[from:to]
		url := base64.RawURLEncoding.EncodeToString(padded)[from:to]
		forms = append(forms, std)
		if url != std {
			forms = append(forms, url)
		}
	}
	return forms
}

// Set is a growing set of secrets. Its maskers mask those known at the moment of their use: a key that a command prints
// or a keyring holds is found out only when the first request is sent. It is safe for concurrent use.
type Set struct {
	mu    sync.Mutex
	known []string
	now   atomic.Pointer[Masker]
	echo  atomic.Pointer[Masker]
}

// NewSet returns a set that masks the given secrets.
func NewSet(first ...string) *Set {
	s := &Set{}
	s.Add(first...)
	return s
}

// Add masks more from now on; empty ones are ignored.
func (s *Set) Add(more ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range more {
		if one != "" && !slices.Contains(s.known, one) {
			s.known = append(s.known, one)
		}
	}
	s.now.Store(NewMasker(s.known...))
	s.echo.Store(NewEchoMasker(s.known...))
}

// Masker returns what masks the secrets.
func (s *Set) Masker() *Masker { return &Masker{now: s.now.Load} }

// EchoMasker is the same for texts of a service that was given one of them; see [NewEchoMasker].
func (s *Set) EchoMasker() *Masker { return &Masker{now: s.echo.Load} }

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
	out, w.held, isHit = w.m.replace(w.before, came, false, w.m.asDots)
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
	whole := w.m.secrets().whole
	if len(whole) == 0 {
		return false
	}
	held := withoutHidden(w.held)
	return slices.ContainsFunc(whole, func(s string) bool { return strings.HasPrefix(s, held) })
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
		out, _, isHit = w.m.replace(w.before, w.held, true, w.m.asDots)
	}
	w.held, w.isHit = "", w.isHit || isHit
	_, err := io.WriteString(w.w, out)
	return err
}
