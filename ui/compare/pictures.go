package compare

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/keys"
)

// maxShapeRatio is how far the shape of a picture may differ from the requested one before it counts as another shape:
// services round to whole blocks of pixels.
const maxShapeRatio = 1.05

// otherShapeSign marks a picture of another shape than requested.
const otherShapeSign = "!"

// shape is the width of a picture over its height, as requested and as received.
type shape struct {
	requested      string  // "16:9"; empty when none was requested
	want, received float64 // 0 for unknown
}

func shapeOf(t history.Turn, p *history.Picture) shape {
	s := shape{requested: t.Aspect}
	var w, h float64
	if n, _ := fmt.Sscanf(t.Aspect, "%g:%g", &w, &h); n == 2 && w > 0 && h > 0 {
		s.want = w / h
	}
	if p != nil && p.Width > 0 && p.Height > 0 {
		s.received = float64(p.Width) / float64(p.Height)
	}
	return s
}

// isOther tells whether the picture has another shape than requested.
func (s shape) isOther() bool {
	return s.want > 0 && s.received > 0 && max(s.received/s.want, s.want/s.received) > maxShapeRatio
}

// String returns the received shape: "1.75", or "1.00!" for another than requested.
func (s shape) String() string {
	switch {
	case s.received == 0:
		return ""
	case s.isOther():
		return fmt.Sprintf("%.2f%s", s.received, otherShapeSign)
	}
	return fmt.Sprintf("%.2f", s.received)
}

// shortFileName cuts the name of a file in its middle: its beginning counts the pictures, its end tells them apart.
func shortFileName(name string, w int) string {
	over := ansi.StringWidth(name) - w
	if over <= 0 || w < 16 {
		return name
	}
	const first = 5
	return ansi.Truncate(name, first, "") + ansi.TruncateLeft(name, first+over+1, "…")
}

// focusNewPicture focuses a picture of the conversation that was just asked for.
func (v *View) focusNewPicture(old []*cell) {
	if len(old) == 0 || v.of.Name != "" {
		return
	}
	for i, x := range v.listed {
		isKnown := slices.ContainsFunc(old, func(o *cell) bool { return o.name == x.name })
		if !isKnown && x.answer().Kind != history.KindText {
			v.at = i
		}
	}
}

// showsPictures tells whether all answers of the case are pictures, or will be.
func (v *View) showsPictures() bool {
	kind := func(x *cell) history.Kind { return x.answer().Kind }
	return !slices.ContainsFunc(v.cells, func(x *cell) bool { return kind(x) == history.KindText }) &&
		slices.ContainsFunc(v.cells, func(x *cell) bool { return isPictureKind(kind(x)) })
}

// nonceText is the nonce that was sent, shortened.
func nonceText(a history.Answer) string { return ansi.Truncate(termtext.Line(a.SentNonce), 8, "…") }

// sizeOfPicture returns the bytes of a picture: "1.3 MB".
func sizeOfPicture(a history.Answer) string {
	if a.Picture == nil {
		return ""
	}
	return format.Size(a.Picture.Bytes)
}

// pictureTitle is the line above a picture: number, model, marks, nonce, time, size, shape. The size, the nonce and the
// end of the name are left out in this order where the title is too long.
func (v *View) pictureTitle(x *cell, w int, plain themes.Style) string {
	a, marks := x.answer(), v.marks(x)
	sh, style := shapeOf(x.turn(), a.Picture), plain
	if sh.isOther() {
		style = v.styles.Warning
	}
	line := func(nonce, size string) func(string) segments {
		return func(name string) segments {
			return segments{{fmt.Sprintf("%s%d %s%s", v.sourceLabel(x), x.number, name, marks), plain}, {nonce, plain},
				{x.shortTime(), plain}, {size, plain}, {sh.String(), style}}
		}
	}
	return fitTitle(termtext.Line(x.name), w, line(nonceText(a), sizeOfPicture(a)), line(nonceText(a), ""),
		line("", ""))
}

// samePicture returns the number of another cell with the same bytes, 0 for none.
func (v *View) samePicture(x *cell) int {
	for _, o := range v.cells {
		if o != x && x.answer().Picture != nil && isIdentical(o.answer(), x.answer()) {
			return o.number
		}
	}
	return 0
}

// pictureColumns are the columns of the list of pictures, the most important first.
func pictureColumns() []listColumn {
	return []listColumn{{head: "time"}, {head: "shape", leftAligned: true}, {head: "nonce", leftAligned: true},
		{head: "size"}}
}

// pictureFigures returns the texts of a picture for pictureColumns.
func (v *View) pictureFigures(x *cell) []string {
	a := x.answer()
	shape := shapeOf(x.turn(), a.Picture).String()
	if v.samePicture(x) > 0 {
		shape += "="
	}
	return []string{x.shortTime(), shape, nonceText(a), sizeOfPicture(a)}
}

// sortPictureColumns puts the columns that fit into the order in which they are read: what was asked, then the result.
func sortPictureColumns(cols []listColumn) {
	position := func(c listColumn) int { return slices.Index([]string{"nonce", "time", "size", "shape"}, c.head) }
	slices.SortFunc(cols, func(a, b listColumn) int { return position(a) - position(b) })
}

// listRows is how many answers the list shows at once. The facts of the focused picture are under a list of pictures.
func (v *View) listRows() int {
	height := max(v.layout.list.Dy()-3, 1)
	if !v.showsPictures() {
		return height
	}
	return max(min(len(v.listed), height-len(v.factsUnderList())), min(len(v.listed), 3), 1)
}

// factsUnderList are the lines under the list of pictures. On a low screen the empty lines between them are left out.
func (v *View) factsUnderList() []string {
	if !v.showsPictures() {
		return nil
	}
	facts := v.factLines(v.current(), v.layout.list.Dx()-3)
	if v.layout.list.Dy()-3 < len(v.listed)+1+len(facts) {
		facts = slices.DeleteFunc(facts, func(l string) bool { return l == "" })
	}
	out := []string{""}
	for _, l := range facts {
		out = append(out, " "+l)
	}
	return out
}

// factLines describes a picture in lines of w cells: request and result, identical pictures, files, edits, and the keys
// for next steps.
func (v *View) factLines(x *cell, w int) []string {
	if x == nil {
		return nil
	}
	a, s := x.answer(), v.styles
	var out []string
	add := func(style themes.Style, text string) {
		for _, l := range termtext.Wrap(termtext.Clean(text), max(w, 1)) {
			out = append(out, style.Render(l))
		}
	}
	sh := shapeOf(x.turn(), a.Picture)
	if sh.requested != "" {
		add(s.Muted, fmt.Sprintf("asked %s (%.2f)", sh.requested, sh.want))
	}
	switch {
	case a.Picture != nil:
	case a.Failure != nil:
		add(s.Danger, a.Failure.Message)
		return out
	default:
		add(s.Muted, x.stateText(v.now))
		return out
	}
	p := a.Picture
	got, style := fmt.Sprintf("got   %d×%d %s %s", p.Width, p.Height, strings.TrimPrefix(p.ContentType, "image/"),
		format.Size(p.Bytes)), s.Text
	if sh.isOther() {
		got, style = got+"  "+otherShapeSign+" other shape", s.Warning
	}
	add(style, got)
	add(s.Muted, nonceFacts(x.turn(), a))
	sum := "sha256 " + p.SHA256[:min(len(p.SHA256), 8)] + "…  "
	if number := v.samePicture(x); number > 0 {
		same := fmt.Sprintf("= same picture as %d", number)
		if ansi.StringWidth(sum+same) > w {
			add(s.Muted, strings.TrimRight(sum, " "))
			sum = ""
		}
		add(s.Info, sum+same)
	} else {
		add(s.Muted, sum+"no twin")
	}
	out = append(out, "")
	if name := filepath.Base(p.Path); filepath.IsAbs(p.Path) {
		add(s.Text, shortFileName(termtext.Line(name), w))
		add(s.Muted, shortFileName(termtext.Line(strings.TrimSuffix(name, filepath.Ext(name)))+".json", w))
	} else {
		add(s.Warning, "not saved yet")
	}
	out = append(out, "")
	add(s.Muted, "chain: "+v.chainText(x))
	return append(out, v.pictureHintLines(x, w)...)
}

// nonceFacts describes the nonce that was sent; edits have none.
func nonceFacts(t history.Turn, a history.Answer) string {
	switch {
	case a.Kind == history.KindEdit:
		return "nonce: edits have none"
	case a.SentNonce == "":
		return "nonce none"
	case t.Nonce.Mode == history.NonceFresh || t.Nonce.Value != a.SentNonce:
		return "nonce " + a.SentNonce + " (fresh)"
	}
	return "nonce " + a.SentNonce + " (not a seed)"
}

// pictureCommands are the commands for a picture.
func pictureCommands(x *cell) []keys.Command {
	if x.turn().SourceOf(x.answer()) != nil {
		return []keys.Command{keys.BeforeAfter, keys.EditChain, keys.UseAsSource, keys.OpenPicture}
	}
	return []keys.Command{keys.UseAsSource, keys.OpenPicture, keys.EditChain, keys.Another}
}

// pictureHintLines are the keys of pictureCommands in lines of w cells.
func (v *View) pictureHintLines(x *cell, w int) []string {
	var out []string
	line, width := "", 0
	for _, h := range v.keys.Hints(keys.Compare, pictureCommands(x)...) {
		need := ansi.StringWidth(h.Key+h.Text) + 1
		if width > 0 && width+2+need > w {
			out, line, width = append(out, line), "", 0
		}
		if width > 0 {
			line, width = line+"  ", width+2
		}
		line += v.styles.Key.Render(h.Key) + " " + v.styles.KeyText.Render(h.Text)
		width += need
	}
	return append(out, line)
}
