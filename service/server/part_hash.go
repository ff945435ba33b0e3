package server

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"unicode/utf8"
)

// partHash counts and hashes what was emitted of a text.
type partHash struct {
	length int
	hash   hash.Hash
	split  string // the beginning of a character, of which the rest is missing
}

// next returns the whole characters of a part and what was held back before it, as JSON will write them.
func (h *partHash) next(s string) string {
	s = h.split + s
	h.split = ""
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if tail := s[len(s)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				s, h.split = s[:len(s)-n], tail
			}
			break
		}
	}
	return h.count(validText(s))
}

func (h *partHash) count(s string) string {
	h.length += len(s)
	h.hash.Write([]byte(s))
	return s
}

// rest returns what of a whole text was not emitted; ok is false when something else was.
func (h *partHash) rest(whole string) (s string, ok bool) {
	whole = validText(whole)
	if len(whole) < h.length {
		return "", false
	}
	sum := sha256.Sum256([]byte(whole[:h.length]))
	return whole[h.length:], bytes.Equal(sum[:], h.hash.Sum(nil))
}

// validText returns a text as JSON writes it: with a sign for each byte that is no UTF-8.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}
