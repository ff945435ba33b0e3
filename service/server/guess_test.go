package server

import (
	"net/netip"
	"testing"
)

func TestGuessesAddNoMoreThanTheLongestWait(t *testing.T) {
	l, from := newGuessLimiter(), netip.MustParseAddr("192.0.2.1")
	for i := range 1000 {
		l.count(from, [32]byte{byte(i), byte(i >> 8)})
	}
	if wait := l.wait(from); wait < maxGuessWait-guessInterval || wait > maxGuessWait+guessInterval {
		t.Errorf("after a thousand guesses an address waits %s", wait)
	}
}
