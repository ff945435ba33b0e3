package termtext

import (
	"image/color"
	"strconv"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/parser"
)

// readSGR changes a style by the parameters of one SGR sequence: digits, semicolons and colons. Conceal, blink and
// fonts have no effect.
func readSGR(style *uv.Style, parameters string) {
	list := make(ansi.Params, 0, 16)
	n := 0
	for i := range len(parameters) {
		switch c := parameters[i]; c {
		case ';':
			list, n = append(list, ansi.Param(n)), 0
		case ':':
			list, n = append(list, ansi.Param(n|parser.HasMoreFlag)), 0
		default:
			n = min(n*10+int(c-'0'), 9999)
		}
	}
	uv.ReadStyle(append(list, ansi.Param(n)), style)
	style.Attrs &^= uv.AttrBlink | uv.AttrRapidBlink | uv.AttrConceal
}

// attributeNumbers returns the attributes that may reach the screen and their SGR numbers.
func attributeNumbers() [5]struct{ attribute, number uint8 } {
	return [5]struct{ attribute, number uint8 }{
		{uv.AttrBold, 1}, {uv.AttrFaint, 2}, {uv.AttrItalic, 3}, {uv.AttrReverse, 7}, {uv.AttrStrikethrough, 9},
	}
}

// writeStyleChange writes the shortest simple sequence that changes one style into another. Other than
// [uv.StyleDiff] it writes indexed colours below 16 as terminals without more colours know them.
func writeStyleChange(b *strings.Builder, from, to uv.Style) {
	if from == to {
		return
	}
	if to == (uv.Style{}) {
		b.WriteString(ansi.ResetStyle)
		return
	}
	b.WriteString("\x1b[")
	buf := make([]byte, 0, 48)
	if from.Attrs&^to.Attrs != 0 || from.Underline != 0 && to.Underline == 0 || from.Fg != nil && to.Fg == nil ||
		from.Bg != nil && to.Bg == nil || from.UnderlineColor != nil && to.UnderlineColor == nil {
		buf = append(buf, "0;"...)
		from = uv.Style{}
	}
	for _, a := range attributeNumbers() {
		if to.Attrs&a.attribute != 0 && from.Attrs&a.attribute == 0 {
			buf = append(strconv.AppendInt(buf, int64(a.number), 10), ';')
		}
	}
	if to.Underline != from.Underline {
		buf = append(buf, '4')
		if to.Underline > 1 {
			buf = append(buf, ':', '0'+byte(to.Underline))
		}
		buf = append(buf, ';')
	}
	if to.Fg != from.Fg {
		buf = append(appendColor(buf, to.Fg, 30), ';')
	}
	if to.Bg != from.Bg {
		buf = append(appendColor(buf, to.Bg, 40), ';')
	}
	if to.UnderlineColor != from.UnderlineColor {
		buf = append(appendColor(buf, to.UnderlineColor, 50), ';')
	}
	b.Write(buf[:len(buf)-1])
	b.WriteByte('m')
}

// appendColor appends the SGR parameters of a colour; base is 30 for the text, 40 for the background and 50 for the
// underline.
func appendColor(buf []byte, c color.Color, base int64) []byte {
	index := int64(-1)
	switch c := c.(type) {
	case ansi.BasicColor:
		index = int64(c)
	case ansi.IndexedColor:
		index = int64(c)
	}
	switch {
	case index < 0:
		r, g, b, _ := c.RGBA()
		buf = append(strconv.AppendInt(buf, base+8, 10), ";2"...)
		for _, v := range []uint32{r, g, b} {
			buf = strconv.AppendUint(append(buf, ';'), uint64(v>>8), 10)
		}
		return buf
	case index < 8 && base < 50:
		return strconv.AppendInt(buf, base+index, 10)
	case index < 16 && base < 50:
		return strconv.AppendInt(buf, base+60+index-8, 10)
	}
	buf = strconv.AppendInt(buf, base+8, 10)
	return strconv.AppendInt(append(buf, ";5;"...), index, 10)
}
