package termtext

import (
	"strconv"
	"strings"
)

// pen is what SGR sequences have set: the attributes that may reach the screen.
// Conceal, blink and fonts are not among them.
type pen struct {
	attrs      uint8 // one bit each of penAttrs
	underline  uint8 // 0 none, 1 single, … 5 dashed
	fg, bg, ul ink
}

// ink is a colour as SGR says it: 0 none, 1 indexed, 2 RGB.
type ink struct {
	kind  uint8
	value uint32
}

// penAttrs are the SGR numbers of the attribute bits.
var penAttrs = [...]int{1, 2, 3, 7, 9}

// apply changes the pen by the parameters of one SGR sequence.
func (p *pen) apply(params string) {
	for params != "" {
		var group string
		group, params, _ = strings.Cut(params, ";")
		if sub := strings.Split(group, ":"); len(sub) > 1 {
			p.applyColons(sub)
			continue
		}
		n, ok := number(group)
		if !ok {
			continue
		}
		if n == 38 || n == 48 || n == 58 {
			params = p.applyColour(n, params)
			continue
		}
		p.set(n)
	}
}

// applyColour takes the parameters after 38, 48 or 58 in the form with
// semicolons, and returns what is left.
func (p *pen) applyColour(target int, params string) string {
	kind, rest, _ := strings.Cut(params, ";")
	want := 0
	switch kind {
	case "5":
		want = 1
	case "2":
		want = 3
	default:
		return rest
	}
	values := make([]string, 0, 3)
	for range want {
		var v string
		v, rest, _ = strings.Cut(rest, ";")
		values = append(values, v)
	}
	p.colour(target, values)
	return rest
}

// applyColons takes one parameter with subparameters: 4:3, 38:5:n, 38:2::r:g:b.
func (p *pen) applyColons(sub []string) {
	n, _ := number(sub[0])
	switch {
	case n == 4:
		if style, ok := number(sub[1]); ok && style <= 5 {
			p.underline = uint8(style)
		}
	case n != 38 && n != 48 && n != 58:
	case sub[1] == "5" && len(sub) == 3:
		p.colour(n, sub[2:])
	case sub[1] == "2" && len(sub) >= 5:
		p.colour(n, sub[len(sub)-3:])
	}
}

// colour sets one of the three colours from an index or from red, green, blue.
func (p *pen) colour(target int, values []string) {
	c := ink{kind: 1}
	if len(values) == 3 {
		c.kind = 2
	}
	for _, s := range values {
		v, ok := number(s)
		if !ok || v > 255 {
			return
		}
		c.value = c.value<<8 | uint32(v)
	}
	switch target {
	case 38:
		p.fg = c
	case 48:
		p.bg = c
	case 58:
		p.ul = c
	}
}

// set carries out one parameter that needs no other.
func (p *pen) set(n int) {
	for i, a := range penAttrs {
		if n == a {
			p.attrs |= 1 << i
			return
		}
	}
	switch {
	case n == 0:
		*p = pen{}
	case n == 4:
		p.underline = 1
	case n == 21:
		p.underline = 2
	case n == 22:
		p.attrs &^= 1<<0 | 1<<1
	case n == 23:
		p.attrs &^= 1 << 2
	case n == 24:
		p.underline = 0
	case n == 27:
		p.attrs &^= 1 << 3
	case n == 29:
		p.attrs &^= 1 << 4
	case n >= 30 && n <= 37:
		p.fg = ink{1, uint32(n - 30)}
	case n == 39:
		p.fg = ink{}
	case n >= 40 && n <= 47:
		p.bg = ink{1, uint32(n - 40)}
	case n == 49:
		p.bg = ink{}
	case n == 59:
		p.ul = ink{}
	case n >= 90 && n <= 97:
		p.fg = ink{1, uint32(n - 90 + 8)}
	case n >= 100 && n <= 107:
		p.bg = ink{1, uint32(n - 100 + 8)}
	}
}

// writeChange writes the shortest simple sequence that turns the pen from into to.
func writeChange(b *strings.Builder, from, to pen) {
	if from == to {
		return
	}
	if to == (pen{}) {
		b.WriteString("\x1b[m")
		return
	}
	b.WriteString("\x1b[")
	buf := make([]byte, 0, 48)
	if from.attrs&^to.attrs != 0 || from.underline != 0 && to.underline == 0 ||
		from.fg.kind != 0 && to.fg.kind == 0 || from.bg.kind != 0 && to.bg.kind == 0 ||
		from.ul.kind != 0 && to.ul.kind == 0 {
		buf = append(buf, "0;"...)
		from = pen{}
	}
	for i, a := range penAttrs {
		if bit := uint8(1) << i; to.attrs&bit != 0 && from.attrs&bit == 0 {
			buf = append(strconv.AppendInt(buf, int64(a), 10), ';')
		}
	}
	if to.underline != from.underline {
		buf = append(buf, '4')
		if to.underline > 1 {
			buf = append(buf, ':', '0'+to.underline)
		}
		buf = append(buf, ';')
	}
	if to.fg != from.fg {
		buf = append(to.fg.appendTo(buf, 30), ';')
	}
	if to.bg != from.bg {
		buf = append(to.bg.appendTo(buf, 40), ';')
	}
	if to.ul != from.ul {
		buf = append(to.ul.appendTo(buf, 50), ';')
	}
	b.Write(buf[:len(buf)-1])
	b.WriteByte('m')
}

// appendTo appends the parameters of a colour; base is 30, 40 or 50.
func (c ink) appendTo(buf []byte, base int64) []byte {
	switch {
	case c.kind == 2:
		buf = strconv.AppendInt(buf, base+8, 10)
		buf = append(buf, ";2;"...)
		buf = strconv.AppendUint(buf, uint64(c.value>>16&255), 10)
		buf = strconv.AppendUint(append(buf, ';'), uint64(c.value>>8&255), 10)
		return strconv.AppendUint(append(buf, ';'), uint64(c.value&255), 10)
	case c.value < 8 && base < 50:
		return strconv.AppendInt(buf, base+int64(c.value), 10)
	case c.value < 16 && base < 50:
		return strconv.AppendInt(buf, base+60+int64(c.value)-8, 10)
	}
	buf = strconv.AppendInt(buf, base+8, 10)
	return strconv.AppendUint(append(buf, ";5;"...), uint64(c.value), 10)
}

// number reads a parameter; an empty one is 0.
func number(s string) (int, bool) {
	if len(s) > 4 {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}
