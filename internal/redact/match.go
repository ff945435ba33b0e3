package redact

import (
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// maxRun bounds the padding of an escape (the backslashes, "25" and "amp;" of repeated escaping), and so the bytes
// that a writer holds back.
const maxRun = 8

// maxEntity is the maximum length of an HTML entity in bytes.
const maxEntity = 40

// replace returns s, which follows the text before, with every match replaced by the result of with, and whether
// there was one. It prefers the leftmost, then the longest match. Unless s is final, a possible beginning of a match
// at its end is returned as rest, not in out.
func (m *Masker) replace(before, s string, isFinal bool, with func(string) string) (out, rest string, isHit bool) {
	var b strings.Builder
	var f matcher
	done, end := 0, len(s)
	for i := 0; i < len(s); i++ {
		if !m.starts[s[i]] {
			continue
		}
		if s[i] == '\\' && !m.hasSlash {
			i = lastRun(s, i)
		}
		n, more := m.at(before, s, i, &f)
		if more && !isFinal {
			end = i
			break
		}
		if n == 0 {
			continue
		}
		b.WriteString(s[done:i])
		b.WriteString(with(s[i : i+n]))
		i += n - 1
		done, isHit = i+1, true
	}
	if !isHit {
		return s[:end], s[end:], false
	}
	b.WriteString(s[done:end])
	return b.String(), s[end:], true
}

// lastRun returns the last position in a run of backslashes at i where an escape can begin; longer runs are ignored.
func lastRun(s string, i int) int {
	end := i
	for end < len(s) && s[end] == '\\' {
		end++
	}
	return max(i, end-maxRun)
}

// at returns the length of the longest match at a position of s, 0 for none, and whether more text could extend it.
func (m *Masker) at(before, s string, place int, f *matcher) (longest int, more bool) {
	rest := s[place:]
	for _, p := range m.secrets().patterns {
		if !p.mayBegin(rest) { // fast path for most positions
			continue
		}
		n, isOpen := f.match(p, rest), f.more
		if p.isWord && (n > 0 || isOpen) {
			n, isOpen = p.asWord(before+s[max(0, place-wordContext):place], rest, n, isOpen)
		}
		longest, more = max(longest, n), more || isOpen
	}
	return longest, more
}

// asWord checks that a match of n bytes at the beginning of a text is a whole word, by the text around it.
func (p pattern) asWord(before, text string, n int, isOpen bool) (int, bool) {
	first, _ := utf8.DecodeRuneInString(p.secret)
	last, _ := utf8.DecodeLastRuneInString(p.secret)
	if isLetter(first) && endsInWord(before) {
		return 0, false
	}
	if n == 0 || !isLetter(last) {
		return n, isOpen
	}
	if !utf8.FullRuneInString(text[n:]) { // including an empty rest
		return n, true
	}
	if next, _ := utf8.DecodeRuneInString(text[n:]); isLetter(next) {
		return 0, isOpen
	}
	return n, isOpen
}

// wordContext is the number of bytes before a word that determine its beginning: those of an escape such as \u000a.
const wordContext = 6

// isLetter reports whether a character is part of a word.
func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// endsInWord reports whether a text ends within a word. An escape at its end, such as \n, %20 or \u000a, is not part
// of one.
func endsInWord(s string) bool {
	if last, _ := utf8.DecodeLastRuneInString(s); !isLetter(last) {
		return false
	}
	isEscape := func(length int, begin string) bool {
		return len(s) >= length && strings.HasPrefix(s[len(s)-length:], begin)
	}
	return !isEscape(2, `\`) && !isEscape(3, "%") && !isEscape(6, `\u`)
}

// positions is a set of positions in a text to try, because the forms of a character overlap. It drops those beyond
// its capacity, which no encoding needs.
type positions struct {
	at [32]int
	n  int
}

func (p *positions) add(at int) {
	if p.n < len(p.at) && !slices.Contains(p.at[:p.n], at) {
		p.at[p.n] = at
		p.n++
	}
}

// matcher matches a pattern at the beginning of a text, byte by byte of the secret. Each byte may have several forms,
// and some forms encode several bytes.
type matcher struct {
	pattern pattern
	text    string
	matched int  // bytes of the secret
	reached int  // bytes of the secret in the longest partial match
	more    bool // the text ended within a form
	// ends holds the positions where the first n bytes of the secret may end, at n modulo its length.
	ends [maxDecoded + 1]positions
}

// maxDecoded is the maximum number of bytes of one escape: an entity of two characters.
const maxDecoded = 8

// match returns the length of the longest match of a pattern at the beginning of a text, 0 for none.
func (f *matcher) match(p pattern, text string) int {
	f.pattern, f.text, f.more, f.reached = p, text, false, 0
	for i := range f.ends {
		f.ends[i].n = 0
	}
	f.ends[0].add(0)
	secret := p.secret
	for f.matched = 0; f.matched < len(secret); f.matched++ {
		now := &f.ends[f.matched%len(f.ends)]
		for i := 0; i < now.n; i++ { // hidden characters add positions
			if f.matched > 0 {
				f.skipHidden(now, now.at[i])
			}
			f.decode(now.at[i])
		}
		now.n = 0
		if f.reached == f.matched {
			return 0
		}
	}
	last := &f.ends[len(secret)%len(f.ends)]
	return slices.Max(last.at[:last.n])
}

// decode accepts all forms at a position of the text.
func (f *matcher) decode(at int) {
	if at >= len(f.text) {
		f.more = true
		return
	}
	f.accept(f.text[at:at+1], at+1)
	switch f.text[at] {
	case '+':
		f.accept(" ", at+1)
	case '%':
		f.decodePercent(at + 1)
	case '&':
		f.decodeEntity(at + 1)
	case '\\':
		f.decodeBackslash(at + 1)
	}
}

// accept adds the end of decoded bytes if the secret continues with them or after them.
func (f *matcher) accept(decoded string, end int) {
	if f.matched > 0 && isHidden(decoded) && (f.matched >= minBeforeBreak || !isLineBreak(decoded[0])) {
		f.ends[f.matched%len(f.ends)].add(end)
	}
	n := f.matched + len(decoded)
	if len(decoded) > maxDecoded || n > len(f.pattern.secret) {
		return
	}
	for i := range len(decoded) {
		if !f.pattern.isSame(f.pattern.secret[f.matched+i], decoded[i]) {
			return
		}
	}
	f.ends[n%len(f.ends)].add(end)
	f.reached = max(f.reached, n)
}

// decodePercent decodes %XX, also with an escaped % (%25XX).
func (f *matcher) decodePercent(at int) {
	begin := at - 1
	for range maxRun {
		if !strings.HasPrefix(f.text[at:], "25") {
			break
		}
		at += 2
		f.accept("%", at)
	}
	if v, ok := f.hex(at, 2); ok {
		f.acceptByte(byte(v), at+2, f.text[begin:at])
		if v == '+' {
			f.accept(" ", at+2)
		}
	}
}

// acceptByte accepts a decoded byte, and the whole character if its other bytes have the same form.
func (f *matcher) acceptByte(first byte, at int, prefix string) {
	decoded := []byte{first}
	f.accept(string(decoded), at)
	for first >= utf8.RuneSelf && len(decoded) < utf8.UTFMax {
		rest := f.text[at:]
		if !strings.HasPrefix(rest, prefix) {
			f.more = f.more || strings.HasPrefix(prefix, rest)
			return
		}
		at += len(prefix)
		v, ok := f.hex(at, 2)
		if !ok {
			return
		}
		at += 2
		if decoded = append(decoded, byte(v)); utf8.FullRune(decoded) {
			f.accept(string(decoded), at)
			return
		}
	}
}

// decodeEntity decodes an HTML entity, also with an escaped &.
func (f *matcher) decodeEntity(at int) {
	for range maxRun {
		if !strings.HasPrefix(f.text[at:], "amp;") {
			break
		}
		at += len("amp;")
		f.accept("&", at)
	}
	rest := f.text[at:min(len(f.text), at+maxEntity)]
	end := strings.IndexFunc(rest, func(r rune) bool {
		return r != '#' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	switch {
	case end < 0:
		f.more = f.more || at+len(rest) == len(f.text)
	case rest[end] != ';':
	case rest[0] == '#': // html.UnescapeString replaces some of these numbers
		digits, base := rest[1:end], 10
		if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
			digits, base = digits[1:], 16
		}
		if v, err := strconv.ParseUint(digits, base, 31); err == nil {
			f.accept(string(rune(v)), at+end+1)
		}
	default:
		f.accept(html.UnescapeString("&"+rest[:end+1]), at+end+1)
	}
}

// decodeBackslash decodes an escape of JSON or Go after one or more backslashes.
func (f *matcher) decodeBackslash(at int) {
	begin := at - 1
	for range maxRun {
		if at >= len(f.text) {
			f.more = true
			return
		}
		f.accept(f.text[at:at+1], at+1)
		switch c := f.text[at]; c {
		case 'u':
			f.decodeUTF16(at + 1)
		case 'x':
			if v, ok := f.hex(at+1, 2); ok {
				f.acceptByte(byte(v), at+3, f.text[begin:at+1])
			}
		case 'n', 't', 'r', 'b', 'f', 'a', 'e', 'v', '0':
			control := strings.IndexByte("ntrbfaev0", c)
			f.accept("\n\t\r\b\f\a\x1b\v\x00"[control:control+1], at+1)
		}
		if f.text[at] != '\\' {
			return
		}
		at++
	}
}

// decodeUTF16 decodes a character of four hexadecimal digits, or a pair of these separated by \u.
func (f *matcher) decodeUTF16(at int) {
	v, ok := f.hex(at, 4)
	if !ok {
		return
	}
	at += 4
	if !utf16.IsSurrogate(v) {
		f.accept(string(v), at)
		return
	}
	for range maxRun {
		if at < len(f.text) && f.text[at] == '\\' {
			at++
		}
	}
	if at >= len(f.text) {
		f.more = true
		return
	}
	if f.text[at] != 'u' {
		return
	}
	if low, ok := f.hex(at+1, 4); ok {
		f.accept(string(utf16.DecodeRune(v, low)), at+5)
	}
}

// hex parses n hexadecimal digits.
func (f *matcher) hex(at, n int) (rune, bool) {
	digits := f.text[min(at, len(f.text)):min(at+n, len(f.text))]
	v, err := strconv.ParseUint(digits, 16, 31)
	if len(digits) < n {
		f.more = f.more || digits == "" || err == nil
		return 0, false
	}
	return rune(v), err == nil
}
