package server

import (
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"confab/internal/netaddr"
	"confab/service/api"
)

// MinKeyLength is the number of bytes that an accepted key has at least. Keys made by [Keys] are longer; this one is
// for keys that people make up.
const MinKeyLength = 16

// Wrong keys cost an address its allowance: guessAllowance of them at once, and one more each guessInterval. Every
// wrong key beyond the allowance adds to the wait, up to maxGuessWait.
const (
	guessAllowance = 10
	guessInterval  = 10 * time.Second
	maxGuessWait   = 15 * time.Minute

	maxGuessers    = 4096 // addresses that are remembered
	rememberedKeys = 8    // wrong keys that are remembered of each address
)

// authenticate returns the client that a key was made for. An address that sent too many wrong keys is refused before
// its key is looked at, so that it learns nothing from the answer.
func (s *Server) authenticate(from netip.Addr, key string) (Client, error) {
	if s.Access.IsOwnerOnly {
		return Client{}, nil
	}
	if wait := s.guesses.wait(from); wait > 0 {
		return Client{}, tooMany("Too many wrong keys came from this address; try again later.", wait)
	}
	hash := hashOf(key)
	matches := 0
	for _, k := range s.keys {
		matches |= subtle.ConstantTimeCompare(hash[:], k[:])
	}
	if matches == 1 {
		return Client{ID: hex.EncodeToString(hash[:8])}, nil // each key has its own rate
	}
	if s.Access.Clients != nil {
		c, ok, err := s.Access.Clients.find(hash)
		if err != nil {
			s.Log.Error("Could not read the keys", "error", err)
			return c, refuseFor(5*time.Second, http.StatusServiceUnavailable, api.CodeService,
				"The service cannot read its keys.")
		}
		if ok {
			return c, nil
		}
	}
	s.guesses.count(from, hash)
	return Client{}, refuse(http.StatusUnauthorized, api.CodeUnauthorized, "The apikey is not accepted.")
}

// guessLimiter slows down who tries one key after the other. It counts different wrong keys by address (of IPv6, by
// /64): a program that was given a wrong key repeats the same one, and must not lock out its neighbours behind one
// address.
type guessLimiter struct {
	now func() time.Time

	mu        sync.Mutex
	byAddress map[netip.Prefix]*guesser
}

// guesser is an address that sent wrong keys.
type guesser struct {
	bucket *rate.Limiter
	recent [][32]byte // hashes of its latest wrong keys
}

func newGuessLimiter() *guessLimiter {
	return &guessLimiter{now: time.Now, byAddress: map[netip.Prefix]*guesser{}}
}

// wait returns how long an address has to wait before its next key is looked at.
func (l *guessLimiter) wait(from netip.Addr) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.byAddress[netaddr.ClientNetwork(from)]
	if g == nil {
		return 0
	}
	missing := 1 - g.bucket.TokensAt(l.now())
	if missing <= 0 {
		return 0
	}
	return max(time.Duration(missing*float64(guessInterval)), time.Millisecond)
}

// count remembers a wrong key of an address.
func (l *guessLimiter) count(from netip.Addr, hash [32]byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, network := l.now(), netaddr.ClientNetwork(from)
	g := l.byAddress[network]
	if g == nil {
		for forgotten := range l.byAddress { // any: whoever has that many addresses needs none of them twice
			if len(l.byAddress) < maxGuessers {
				break
			}
			delete(l.byAddress, forgotten)
		}
		g = &guesser{bucket: rate.NewLimiter(rate.Every(guessInterval), guessAllowance)}
		l.byAddress[network] = g
	}
	if slices.Contains(g.recent, hash) {
		return
	}
	if g.recent = append(g.recent, hash); len(g.recent) > rememberedKeys {
		g.recent = g.recent[1:]
	}
	// Keys that arrived together were all looked at; each is counted, so that together is not faster.
	if r := g.bucket.ReserveN(now, 1); r.DelayFrom(now) > maxGuessWait {
		r.CancelAt(now)
	}
}
