package redact

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxRun bounds what an escape may be padded with (the backslashes, "25" and "amp;" of something escaped several
// times), and with it what a writer holds.
const maxRun = 8

// maxEntity is the longest HTML entity looked at, in bytes.
const maxEntity = 40

// replace returns s with every match of a pattern replaced, and whether there was one. It takes the leftmost match, and
// of those the longest. Unless s is final, what may be the beginning of a match at its end is returned as rest and is
// not part of out.
func (m *Masker) replace(s string, final bool) (out, rest string, hit bool) {
	var b strings.Builder
	done, end := 0, len(s)
	for i := 0; i < len(s); i++ {
		if !m.starts[s[i]] {
			continue
		}
		if s[i] == '\\' && !m.slash {
			i = lastRun(s, i)
		}
		n, more := m.at(s[i:])
		if more && !final {
			end = i
			break
		}
		if n == 0 {
			continue
		}
		b.WriteString(s[done:i])
		b.WriteString(m.dots)
		i += n - 1
		done, hit = i+1, true
	}
	if !hit {
		return s[:end], s[end:], false
	}
	b.WriteString(s[done:end])
	return b.String(), s[end:], true
}

// lastRun returns the last place of a run of backslashes beginning at i from which a way of writing a character may
// begin; longer runs are none.
func lastRun(s string, i int) int {
	end := i
	for end < len(s) && s[end] == '\\' {
		end++
	}
	return max(i, end-maxRun)
}

// at returns the length of the longest match at the beginning of s, 0 for none, and whether one might become longer if
// s went on.
func (m *Masker) at(s string) (longest int, more bool) {
	for i := range m.patterns {
		n, mm := m.patterns[i].match(s)
		longest, more = max(longest, n), more || mm
	}
	return longest, more
}

// ends is a set of places in a text: where a character, in one of the ways to write it, may end. Ways overlap, so that
// each place has to be tried; what goes beyond its room is dropped, which no encoder brings about.
type ends struct {
	at   [32]int
	n    int
	more bool // the text ended in the middle of a way
}

func (e *ends) add(at int) {
	for _, have := range e.at[:e.n] {
		if have == at {
			return
		}
	}
	if e.n < len(e.at) {
		e.at[e.n] = at
		e.n++
	}
}

func (p *pattern) match(s string) (longest int, more bool) {
	switch s[0] { // most places of most texts are done with here
	case p.first, '%', '&', '\\', '+':
	default:
		return 0, false
	}
	var now, next ends
	now.add(0)
	for k, u := range p.units {
		if p.lines && k >= 4 {
			for i := range now.n {
				now.breaks(s, now.at[i])
			}
		}
		next.n = 0
		for _, at := range now.at[:now.n] {
			next.ways(u, s, at)
		}
		if next.n == 0 {
			return 0, next.more
		}
		now, next = next, ends{more: next.more}
	}
	for _, at := range now.at[:now.n] {
		longest = max(longest, at)
	}
	return longest, now.more
}

// breaks adds the places after line breaks at a place, plain or escaped.
func (e *ends) breaks(s string, at int) {
	for range maxRun {
		switch {
		case at >= len(s):
			e.more = true
			return
		case s[at] == '\n' || s[at] == '\r':
			at++
		case s[at] == '\\' && at+1 < len(s) && (s[at+1] == 'n' || s[at+1] == 'r'):
			at += 2
		default:
			return
		}
		e.add(at)
	}
}

// ways adds the places where the character u ends when it begins at a place of s, in every way of writing it.
func (e *ends) ways(u rune, s string, at int) {
	raw := plain(u)
	e.literal(raw, s, at)
	if at >= len(s) {
		return
	}
	switch s[at] {
	case '+':
		if u == ' ' {
			e.add(at + 1)
		}
	case '%':
		e.percent(raw, s, at)
		if u == ' ' {
			e.percent("+", s, at)
		}
	case '&':
		e.entity(u, raw, s, at)
	case '\\':
		e.backslash(u, raw, s, at)
	}
}

// plain returns the bytes of a unit of a pattern.
func plain(u rune) string {
	if u < 0 {
		return string([]byte{byte(-1 - u)})
	}
	return string(u)
}

// literal adds the end of want at a place.
func (e *ends) literal(want, s string, at int) {
	rest := s[min(at, len(s)):]
	if strings.HasPrefix(rest, want) {
		e.add(at + len(want))
	} else if strings.HasPrefix(want, rest) {
		e.more = true
	}
}

// percent adds the end of raw written as %XX, also where the % was escaped again (%25XX).
func (e *ends) percent(raw, s string, at int) {
	for i := range len(raw) {
		if at >= len(s) {
			e.more = true
			return
		}
		if s[at] != '%' {
			return
		}
		at++
		for range maxRun {
			if !strings.HasPrefix(s[at:], "25") {
				break
			}
			at += 2
			if raw == "%" {
				e.add(at)
			}
		}
		if v, ok := e.hex(s, at, 2); !ok || byte(v) != raw[i] {
			return
		}
		at += 2
	}
	e.add(at)
}

// entity adds the end of raw written as an HTML entity, also where the & was escaped again.
func (e *ends) entity(u rune, raw, s string, at int) {
	at++
	for range maxRun {
		if !strings.HasPrefix(s[at:], "amp;") {
			break
		}
		at += len("amp;")
		if raw == "&" {
			e.add(at)
		}
	}
	rest := s[at:min(len(s), at+maxEntity)]
	end := strings.IndexFunc(rest, func(r rune) bool {
		return r != '#' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	switch {
	case end < 0:
		e.more = e.more || at+len(rest) == len(s)
	case rest[end] != ';':
	case rest[0] == '#':
		digits, base := rest[1:end], 10
		if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
			digits, base = digits[1:], 16
		}
		if v, err := strconv.ParseUint(digits, base, 31); err == nil && rune(v) == u {
			e.add(at + end + 1)
		}
	case html.UnescapeString("&"+rest[:end+1]) == raw:
		e.add(at + end + 1)
	}
}

// backslash adds the ends of u written behind one or more backslashes: as in JSON, or as Go quotes.
func (e *ends) backslash(u rune, raw, s string, at int) {
	for range maxRun {
		if at >= len(s) {
			e.more = true
			return
		}
		if s[at] != '\\' {
			return
		}
		at++
		e.literal(raw, s, at)
		if at >= len(s) {
			e.more = true
			return
		}
		switch s[at] {
		case 'u':
			e.utf16(u, s, at+1)
		case 'x':
			if v, ok := e.hex(s, at+1, 2); ok && len(raw) == 1 && byte(v) == raw[0] {
				e.add(at + 3)
			}
		case 'n', 't', 'r', 'b', 'f':
			if strings.IndexByte("\n\t\r\b\f", raw[0]) == strings.IndexByte("ntrbf", s[at]) {
				e.add(at + 1)
			}
		}
	}
}

// utf16 adds the end of u written as four hexadecimal digits, or twice four with a \u between them.
func (e *ends) utf16(u rune, s string, at int) {
	v, ok := e.hex(s, at, 4)
	if !ok {
		return
	}
	at += 4
	if rune(v) == u {
		e.add(at)
		return
	}
	if high, _ := utf16.EncodeRune(u); high == utf8.RuneError || high != rune(v) {
		return
	}
	for range maxRun {
		if at < len(s) && s[at] == '\\' {
			at++
		}
	}
	if at >= len(s) {
		e.more = true
		return
	}
	if s[at] != 'u' {
		return
	}
	if low, ok := e.hex(s, at+1, 4); ok && utf16.DecodeRune(rune(v), rune(low)) == u {
		e.add(at + 5)
	}
}

// hex reads n hexadecimal digits.
func (e *ends) hex(s string, at, n int) (uint64, bool) {
	var v uint64
	for i := range n {
		if at+i >= len(s) {
			e.more = true
			return 0, false
		}
		digit, err := strconv.ParseUint(s[at+i:at+i+1], 16, 4)
		if err != nil {
			return 0, false
		}
		v = v<<4 | digit
	}
	return v, true
}
