// Package redact removes the API key from shown, stored, logged and exported text. A [Masker] finds it in every form
// in which a service may have returned it and replaces it by dots. The package imports no other of the program.
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

// Dots replace a secret.
const Dots = "••••"

const (
	// minLength is the minimum length in bytes of a secret that is searched within other text. Shorter ones occur in
	// unrelated prompts, paths and file formats.
	minLength = 8
	// minWord is minLength for words of texts that may repeat a secret. Shorter words can be guessed and are common.
	minWord = 4
)

// Masker replaces secrets. It is safe for concurrent use and, unless a [Set] made it, immutable. A nil Masker masks
// nothing.
type Masker struct {
	now      func() *Masker  // returns the Masker to use instead
	secrets  func() *secrets // a function, so that printing a Masker does not show them
	starts   [256]bool       // first bytes of all forms of all patterns
	hasSlash bool            // a secret begins with a backslash
	dots     string
}

// secrets are the texts that a [Masker] looks for.
type secrets struct {
	whole    []string // too short to be searched within text
	patterns []pattern
}

// pattern is a text to find. Each of its bytes may have several forms.
type pattern struct {
	secret  string
	isExact bool // case-sensitive (base64, words)
	isWord  bool // matches only whole words
}

// isSame reports whether a byte of a text matches one of the secret.
func (p pattern) isSame(secret, c byte) bool {
	return c == secret || !p.isExact && lower(c) == lower(secret)
}

// mayBegin reports whether the first two bytes of a text may begin the secret.
func (p pattern) mayBegin(text string) bool {
	isPlain := func(c byte) bool { // has no other meaning
		return c >= ' ' && c < 0x7f && c != '%' && c != '&' && c != '\\' && c != '+'
	}
	return !isPlain(text[0]) && text[0] < 0x7f && text[0] >= ' ' || p.isSame(p.secret[0], text[0]) &&
		(len(text) == 1 || !isPlain(text[1]) || p.isSame(p.secret[1], text[1]))
}

// lower converts an ASCII capital to lower case.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// NewMasker returns a [Masker] of the given secrets. It ignores empty ones, and masks one shorter than 8 bytes only
// as the whole text.
func NewMasker(texts ...string) *Masker { return newMasker(minLength, texts) }

// NewEchoMasker returns a [Masker] for texts of a service that knows the secrets and may repeat them. It also masks a
// secret of 4 to 7 bytes as a word.
func NewEchoMasker(texts ...string) *Masker { return newMasker(minWord, texts) }

// newMasker returns a [Masker] that searches within text for secrets of a minimum length.
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
			m.dots = "****" // dots would spell a secret of dots
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

// current returns the Masker to use now.
func (m *Masker) current() *Masker {
	for m != nil && m.now != nil {
		m = m.now()
	}
	return m
}

// String returns s with every secret replaced: plain, in other case, encoded in a URL, JSON, HTML or base64, and with
// invisible parts between its characters, such as control and combining characters, escape sequences and line breaks.
func (m *Masker) String(s string) string {
	out, _ := m.mask(s)
	return out
}

// StringMap is [Masker.String] for the keys and values of a map. It returns the same map if it masked nothing.
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

// Bytes is [Masker.String] for bytes, and reports whether it masked anything. If not, it returns b itself.
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

// Writer returns a writer that masks secrets on the way to w, even if they span several writes. It holds back a
// possible beginning of a secret until the next write or Close, which does not close w. It is not safe for concurrent
// use.
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

// base64Forms returns the parts common to all base64 texts that contain s, for each of its three positions and both
// alphabets.
func base64Forms(s string) []string {
	var forms []string
	for shift := range 3 {
		padded := append(make([]byte, shift), s...)
		from := (8*shift + 5) / 6 // the first character with only bits of s
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

// Set is a growing set of secrets, because a key from a command or keyring is known only at the first request. Its
// maskers use the secrets known at the time of use. It is safe for concurrent use.
type Set struct {
	mu    sync.Mutex
	known []string
	now   atomic.Pointer[Masker]
	echo  atomic.Pointer[Masker]
}

// NewSet returns a set of the given secrets.
func NewSet(first ...string) *Set {
	s := &Set{}
	s.Add(first...)
	return s
}

// Add adds secrets and ignores empty ones.
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

// Masker returns a masker of the secrets.
func (s *Set) Masker() *Masker { return &Masker{now: s.now.Load} }

// EchoMasker returns a masker for texts of a service that knows a secret; see [NewEchoMasker].
func (s *Set) EchoMasker() *Masker { return &Masker{now: s.echo.Load} }

// Writer masks a stream; see [Masker.Writer].
type Writer struct {
	m      *Masker
	w      io.Writer
	held   string // a possible beginning of a secret
	before string // the end of the text passed on, unmasked
	isHit  bool
}

// HasMasked reports whether the text passed on contained a secret.
func (w *Writer) HasMasked() bool { return w.isHit }

// Write masks b and passes on all but a possible beginning of a secret.
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

// mayBeWhole reports whether the whole text so far may begin a secret that is masked only as the whole text.
func (w *Writer) mayBeWhole() bool {
	whole := w.m.secrets().whole
	if len(whole) == 0 {
		return false
	}
	held := withoutHidden(w.held)
	return slices.ContainsFunc(whole, func(s string) bool { return strings.HasPrefix(s, held) })
}

// Close passes on the rest.
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
