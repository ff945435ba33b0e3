package compare

import (
	"cmp"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/widget"
)

// otherShapeSign marks a picture of another shape than requested.
const otherShapeSign = "!"

// shapeText returns the ratio of a picture: "16:9", or "1:1 !" for another than requested.
func shapeText(x *cell) string {
	if x.answer().Picture == nil {
		return ""
	}
	switch _, received, isOther := x.answer().Picture.Shape(x.turn().Aspect); {
	case received == 0:
		return ""
	case isOther:
		return format.Ratio(received) + " " + otherShapeSign
	default:
		return format.Ratio(received)
	}
}

// shortFileName cuts the name of a file in its middle; start and end distinguish pictures.
func shortFileName(name string, w int) string {
	over := ansi.StringWidth(name) - w
	if over <= 0 || w < 16 {
		return name
	}
	const first = 5
	return ansi.Truncate(name, first, "") + ansi.TruncateLeft(name, first+over+1, "…")
}

// focusNewPicture focuses a picture that was just requested in the conversation.
func (v *View) focusNewPicture(old []*cell) {
	if len(old) == 0 || v.content.Name != "" {
		return
	}
	for i, x := range v.listed {
		isKnown := slices.ContainsFunc(old, func(o *cell) bool { return o.name == x.name })
		if !isKnown && x.answer().Kind != history.KindText {
			v.focusIndex = i
		}
	}
}

// pictureRatio returns the width of the first picture over its height in cells, 0 for none.
func (v *View) pictureRatio() float64 {
	const cellRatio = 2 // the height of a usual cell over its width
	if !v.showsPictures() {
		return 0
	}
	for _, x := range v.cells {
		if p := x.answer().Picture; p != nil && p.Width > 0 && p.Height > 0 {
			return cellRatio * float64(p.Width) / float64(p.Height)
		}
	}
	return 0
}

// showsPictures reports whether all answers of the case are or will be pictures.
func (v *View) showsPictures() bool {
	kind := func(x *cell) history.ModelKind { return x.answer().Kind }
	return !slices.ContainsFunc(v.cells, func(x *cell) bool { return kind(x) == history.KindText }) &&
		slices.ContainsFunc(v.cells, func(x *cell) bool { return isPictureKind(kind(x)) })
}

func nonceText(a history.Answer) string { return ansi.Truncate(termtext.Line(a.SentNonce), 8, "…") }

func sizeOfPicture(a history.Answer) string {
	if a.Picture == nil {
		return ""
	}
	return format.Size(a.Picture.Bytes)
}

// pictureTitle is the title of a picture: number, model, marks, nonce, time, size, shape. To fit, it omits the size,
// then the nonce, then the end of the name.
func (v *View) pictureTitle(x *cell, w int, plain themes.Style) widget.Pieces {
	a, shape, style := x.answer(), shapeText(x), v.styles.Muted
	if strings.HasSuffix(shape, otherShapeSign) {
		style = v.styles.Warning
	}
	facts := func(nonce, size string) widget.Pieces {
		return widget.Pieces{piece(nonce, v.styles.Muted), piece(x.shortTime(), v.styles.Muted),
			piece(size, v.styles.Muted),
			piece(shape, style)}
	}
	nonce := nonceText(a)
	if nonce != "" {
		nonce = "nonce " + nonce
	}
	return v.fitTitle(x, w, plain, facts(nonce, sizeOfPicture(a)), facts(nonce, ""), facts("", ""))
}

// listRows returns the rows of the list. A list of pictures has facts below.
func (v *View) listRows() int {
	height := max(v.layout.list.Dy()-3, 1)
	if !v.showsPictures() {
		return height
	}
	return max(min(len(v.listed), height-len(v.factsUnderList())), min(len(v.listed), 3), 1)
}

// factsUnderList draws the facts of the focused picture, without empty lines on a low screen.
func (v *View) factsUnderList() []string {
	if !v.showsPictures() {
		return nil
	}
	facts := v.factLines(v.current(), v.layout.list.Dx()-3)
	if v.layout.list.Dy()-3 < len(v.listed)+1+len(facts) {
		facts = slices.DeleteFunc(facts, func(l string) bool { return l == "" })
	}
	return append([]string{""}, indented(facts, 1)...)
}

func indented(lines []string, cells int) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.Repeat(" ", cells) + l
	}
	return out
}

// factLines describes a picture in lines of w cells, with hints if it has the focus.
func (v *View) factLines(x *cell, w int) []string {
	if x == nil {
		return nil
	}
	facts := v.pictureFacts(x, w)
	if x.answer().Picture == nil {
		return facts
	}
	if v.focused && x == v.current() {
		facts = append(facts, v.pictureHintLines(x, w)...)
	}
	return facts
}

// factsAround puts the facts of a picture where its box has much space: beside the picture, else under it, there in the
// place of the shorter line of facts.
func (v *View) factsAround(x *cell, shown []graphics.Placement, lines []string, w int) []string {
	const gap, least, leastLines = 3, 32, 4
	if len(shown) != 1 || x.answer().Picture == nil || x.reader.ShowsSource() {
		return lines
	}
	picture := image.Rectangle{Max: shown[0].Cells}.Add(shown[0].At)
	from := picture.Max.X + gap
	if picture.Min.Y < 0 || picture.Max.Y > len(lines) {
		return lines
	}
	lines = slices.Clone(lines)
	if w-from < least {
		below := lines[min(picture.Max.Y, len(lines)):]
		facts := slices.DeleteFunc(v.pictureFacts(x, w-2), func(l string) bool { return l == "" })
		if len(below) >= leastLines && picture.Dx() >= w/2 && v.layout.list.Empty() {
			for i := range facts[:min(len(facts), len(below))] {
				below[i] = termtext.Fit(" "+facts[i], w)
			}
		}
		return lines
	}
	facts := v.pictureFacts(x, w-from-1)
	for i, fact := range facts[:min(len(facts), max(picture.Dy()-1, 0))] {
		at := picture.Min.Y + 1 + i
		lines[at] = termtext.Fit(ansi.Truncate(lines[at], picture.Max.X, ""), from) + fact
	}
	return lines
}

// pictureFacts describes a picture in lines of w cells: request and result, identical pictures, files, edits.
func (v *View) pictureFacts(x *cell, w int) []string {
	a, s := x.answer(), v.styles
	var out []string
	add := func(style themes.Style, text string) {
		for _, l := range termtext.Wrap(termtext.Clean(text), max(w, 1)) {
			out = append(out, style.Render(l))
		}
	}
	p := cmp.Or(a.Picture, &history.Picture{})
	_, _, isOther := p.Shape(x.turn().Aspect)
	if x.turn().Aspect != "" {
		add(s.Muted, "asked "+x.turn().Aspect)
	}
	if a.Picture == nil {
		style, text := s.Muted, x.stateText(v.env.Now())
		if a.Failure != nil {
			style, text = s.Danger, a.Failure.Message
		}
		add(style, text)
		return out
	}
	got, style := fmt.Sprintf("got   %d×%d %s %s", p.Width, p.Height, strings.TrimPrefix(p.ContentType, "image/"),
		format.Size(p.Bytes)), s.Text
	if isOther {
		got, style = got+"  "+otherShapeSign+" other shape", s.Warning
	}
	add(style, got)
	if text := nonceFacts(x.turn(), a); text != "" {
		add(s.Muted, text)
	}
	sum := "sha256 " + p.SHA256[:min(len(p.SHA256), 8)] + "…  "
	if number := v.identicalTo(x); number > 0 {
		same := fmt.Sprintf("= same picture as %d", number)
		if ansi.StringWidth(sum+same) > w {
			add(s.Muted, strings.TrimRight(sum, " "))
			sum = ""
		}
		add(s.Info, sum+same)
	} else {
		add(s.Muted, sum+"no other is the same")
	}
	out = append(out, "")
	if name := filepath.Base(p.Path); filepath.IsAbs(p.Path) {
		add(s.Text, shortFileName(termtext.Line(name), w))
		add(s.Muted, shortFileName(termtext.Line(strings.TrimSuffix(name, filepath.Ext(name)))+".json", w))
	} else {
		add(s.Warning, "not saved yet")
	}
	out = append(out, "")
	if source := x.turn().SourceOf(a); source != nil {
		add(s.Muted, "an edit of "+termtext.Line(source.Name()))
	} else {
		add(s.Muted, "made from text")
	}
	return out
}

// nonceFacts describes the nonce of a picture, and the result of another request; "" for edits, which have none.
func nonceFacts(t history.Turn, a history.Answer) string {
	switch {
	case a.Kind == history.KindEdit:
		return ""
	case a.SentNonce == "":
		return "sent again: the same picture"
	case t.Nonce.Mode == history.NonceFresh || t.Nonce.Value != a.SentNonce:
		return "nonce " + a.SentNonce + ": sent again, a new one"
	}
	return "nonce " + a.SentNonce + ": sent again, the same"
}

func pictureCommands(x *cell) []keys.Command {
	if x.turn().SourceOf(x.answer()) != nil {
		return []keys.Command{keys.BeforeAfter, keys.EditChain, keys.UseAsSource, keys.OpenPicture}
	}
	return []keys.Command{keys.UseAsSource, keys.OpenPicture, keys.EditChain, keys.Another}
}

// pictureHintLines draws the hints of pictureCommands in lines of w cells.
func (v *View) pictureHintLines(x *cell, w int) []string {
	const inHint = "\u00a0" // a blank at which no line is broken
	var hints []string
	for _, h := range v.env.Keys.Hints(keys.Compare, pictureCommands(x)...) {
		text := strings.ReplaceAll(h.Text, " ", inHint)
		hints = append(hints, v.styles.Key.Render(h.Key)+inHint+v.styles.KeyText.Render(text))
	}
	lines := ansi.Wordwrap(strings.Join(hints, "  "), max(w, 1), "")
	return strings.Split(strings.ReplaceAll(lines, inHint, " "), "\n")
}
