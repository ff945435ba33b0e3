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

// maxRun bounds what an escape may be padded with (the backslashes, "25" and "amp;" of something escaped several
// times), and with it what a writer holds.
const maxRun = 8

// maxEntity is the longest HTML entity looked at, in bytes.
const maxEntity = 40

// replace returns s, which stands after the text before, with every match of a pattern replaced, and whether there was
// one. It takes the leftmost match, and of those the longest. Unless s is final, what may be the beginning of a match
// at its end is returned as rest and is not part of out. What with returns of a match stands in its place.
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

// lastRun returns the last place of a run of backslashes beginning at i from which a way of writing a character may
// begin; longer runs are none.
func lastRun(s string, i int) int {
	end := i
	for end < len(s) && s[end] == '\\' {
		end++
	}
	return max(i, end-maxRun)
}

// at returns the length of the longest match that begins at a place of s, 0 for none, and whether there might be a
// longer one if s went on.
func (m *Masker) at(before, s string, place int, f *matcher) (longest int, more bool) {
	rest := s[place:]
	for _, p := range m.secrets().patterns {
		if !p.mayBegin(rest) { // most places of most texts need no more than this
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

// asWord judges a match of n bytes at the beginning of a text, which may become another one, by what is around it.
func (p pattern) asWord(before, text string, n int, isOpen bool) (int, bool) {
	first, _ := utf8.DecodeRuneInString(p.secret)
	last, _ := utf8.DecodeLastRuneInString(p.secret)
	if isLetter(first) && endsInWord(before) {
		return 0, false
	}
	if n == 0 || !isLetter(last) {
		return n, isOpen
	}
	if !utf8.FullRuneInString(text[n:]) { // also of nothing
		return n, true
	}
	if next, _ := utf8.DecodeRuneInString(text[n:]); isLetter(next) {
		return 0, isOpen
	}
	return n, isOpen
}

// wordContext is how many bytes before a word tell that it begins there: those of an escape such as \u000a.
const wordContext = 6

// isLetter reports whether a character is part of a word.
func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// endsInWord reports whether a text ends in a part of a word. The end of an escape, such as \n, %20 or \u000a, is none.
func endsInWord(s string) bool {
	if last, _ := utf8.DecodeLastRuneInString(s); !isLetter(last) {
		return false
	}
	isEscape := func(length int, begin string) bool {
		return len(s) >= length && strings.HasPrefix(s[len(s)-length:], begin)
	}
	return !isEscape(2, `\`) && !isEscape(3, "%") && !isEscape(6, `\u`)
}

// positions is a set of positions in a text. Ways to write a character overlap, so that each position has to be tried;
// those beyond the capacity are dropped, which no encoder brings about.
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

// matcher looks for a pattern at the beginning of a text, byte by byte of the secret. Each byte may be written in
// several ways, and some ways write several bytes at once.
type matcher struct {
	pattern pattern
	text    string
	matched int  // bytes of the secret
	reached int  // bytes of the secret that the longest way matched
	more    bool // the text ended in the middle of a way
	// ends has the positions at which the first n bytes of the secret may end, at n modulo its length.
	ends [maxDecoded + 1]positions
}

// maxDecoded is the most bytes that one escape stands for: an entity of two characters.
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
		for i := 0; i < now.n; i++ { // hidden characters add positions meanwhile
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

// decode accepts what begins at a position of the text, in every way to read it.
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

// accept records the end of bytes that were decoded, where the secret goes on with them or after them.
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

// decodePercent reads %XX, also where the % was escaped again (%25XX).
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

// acceptByte accepts a byte that was decoded, and the whole character where the bytes after it are written alike.
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

// decodeEntity reads an HTML entity, also where the & was escaped again.
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

// decodeBackslash reads what stands behind one or more backslashes: as in JSON, or as Go quotes.
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

// decodeUTF16 reads a character as four hexadecimal digits, or twice four with a \u between them.
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

// hex reads n hexadecimal digits.
func (f *matcher) hex(at, n int) (rune, bool) {
	digits := f.text[min(at, len(f.text)):min(at+n, len(f.text))]
	v, err := strconv.ParseUint(digits, 16, 31)
	if len(digits) < n {
		f.more = f.more || digits == "" || err == nil
		return 0, false
	}
	return rune(v), err == nil
}
