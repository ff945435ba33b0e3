package cli

import (
	"slices"
	"sync"
	"sync/atomic"

	"confab/internal/redact"
)

// secrets masks what is known of secrets so far: the key may be found out only
// when it is first needed. It is safe for concurrent use.
type secrets struct {
	mu    sync.Mutex
	known []string
	now   atomic.Pointer[redact.Masker]
	echo  atomic.Pointer[redact.Masker]
}

func newSecrets(first ...string) *secrets {
	s := &secrets{}
	s.add(first...)
	return s
}

// add masks more from now on; empty ones are ignored.
func (s *secrets) add(more ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range more {
		if one != "" && !slices.Contains(s.known, one) {
			s.known = append(s.known, one)
		}
	}
	s.now.Store(redact.NewMasker(s.known...))
	s.echo.Store(redact.NewEchoMasker(s.known...))
}

// masker returns what masks the secrets known at the moment of its use.
func (s *secrets) masker() *redact.Masker { return redact.NewLive(s.now.Load) }

// echoMasker is the same for what engines say, which were given one of them.
func (s *secrets) echoMasker() *redact.Masker { return redact.NewLive(s.echo.Load) }
