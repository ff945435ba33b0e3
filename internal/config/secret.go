package config

import (
	"fmt"
	"io"
)

// mask is what stands for a key wherever one might be seen.
const mask = "••••"

// Secret is a text that shows as •••• however it is formatted, also within
// another value: it is held by a function, which formatting cannot look into.
// The zero value is the empty text.
type Secret struct{ reveal func() string }

// NewSecret hides a text.
func NewSecret(s string) Secret {
	if s == "" {
		return Secret{}
	}
	return Secret{reveal: func() string { return s }}
}

// Reveal returns the text itself.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// Format writes the mask, whatever the verb; nothing for the empty text.
func (s Secret) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, s.String()) }

// String returns the mask.
func (s Secret) String() string {
	if s.reveal == nil {
		return ""
	}
	return mask
}

// MarshalText returns the mask, for JSON and TOML.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
