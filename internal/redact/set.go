package redact

import (
	"slices"
	"sync"
	"sync/atomic"
)

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
