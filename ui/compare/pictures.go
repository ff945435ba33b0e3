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

// offShape is how far the sides of a picture may be from what was asked before
// it counts as another shape: services round to whole blocks of pixels.
const offShape = 1.05

// otherSign says, also without colours, that a picture has another shape than
// the one asked for.
const otherSign = "!"

// shape is the width of a picture over its height, asked and got.
type shape struct {
	asked     string  // "16:9"; empty when none was asked for
	want, got float64 // 0 for unknown
}

func shapeOf(t history.Turn, p *history.Picture) shape {
	s := shape{asked: t.Aspect}
	var w, h float64
	if n, _ := fmt.Sscanf(t.Aspect, "%g:%g", &w, &h); n == 2 && w > 0 && h > 0 {
		s.want = w / h
	}
	if p != nil && p.Width > 0 && p.Height > 0 {
		s.got = float64(p.Width) / float64(p.Height)
	}
	return s
}

// other tells whether the picture has another shape than the one asked for.
func (s shape) other() bool {
	return s.want > 0 && s.got > 0 && (s.got/s.want > offShape || s.want/s.got > offShape)
}

// String says the shape that was got: "1.75", or "1.00!" for another than asked.
func (s shape) String() string {
	switch {
	case s.got == 0:
		return ""
	case s.other():
		return fmt.Sprintf("%.2f%s", s.got, otherSign)
	}
	return fmt.Sprintf("%.2f", s.got)
}

// ownName makes of every picture a cell of its own: pictures are looked at beside
// each other, also those of one model. Further samples of a text share its cell.
func ownName(name string, a history.Answer, have []*cell) string {
	if a.Kind != history.KindImage && a.Kind != history.KindEdit {
		return name
	}
	own := name
	for n := 2; slices.ContainsFunc(have, func(c *cell) bool { return c.name == own }); n++ {
		own = fmt.Sprintf("%s #%d", name, n)
	}
	return own
}

// shortName cuts a name to w cells; the number that [ownName] gave stays.
func shortName(name string, w int) string {
	if ansi.StringWidth(name) <= w {
		return name
	}
	if i := strings.LastIndex(name, " #"); i > 0 && len(name)-i+2 <= w {
		return ansi.Truncate(name[:i], w-len(name[i:]), "…") + name[i:]
	}
	return ansi.Truncate(name, max(w, 1), "…")
}

// fileName cuts a file's name in its middle: its beginning counts the pictures,
// its end tells them apart.
func fileName(name string, w int) string {
	over := ansi.StringWidth(name) - w
	if over <= 0 || w < 16 {
		return name
	}
	const first = 5
	return ansi.Truncate(name, first, "") + ansi.TruncateLeft(name, first+over+1, "…")
}

// lookAtNew focuses a picture of the conversation that was just asked for.
func (c *Compare) lookAtNew(old []*cell) {
	if len(old) == 0 || c.of.Name != "" {
		return
	}
	for i, x := range c.listed {
		known := slices.ContainsFunc(old, func(o *cell) bool { return o.name == x.name })
		if !known && x.answer().Kind != history.KindText {
			c.at = i
		}
	}
}

// ofPictures tells whether all answers of the case are pictures, or will be.
func (c *Compare) ofPictures() bool {
	pictures := 0
	for _, x := range c.cells {
		switch x.answer().Kind {
		case history.KindText:
			return false
		case history.KindImage, history.KindEdit:
			pictures++
		}
	}
	return pictures > 0
}

// nonceText is the nonce that was sent, in few cells.
func nonceText(a history.Answer) string {
	return ansi.Truncate(termtext.Line(a.SentNonce), 8, "…")
}

// pictureSize says the bytes of a picture in few cells: "1.3 MB".
func pictureSize(a history.Answer) string {
	if a.Picture == nil {
		return ""
	}
	return format.Size(a.Picture.Bytes)
}

// pictureTitle is the line above a picture: number, model, mark, nonce, time,
// size, shape. Where there is no room for all, the size goes first, then the
// nonce, then the end of the name; that the shape is another one stays.
func (c *Compare) pictureTitle(x *cell, w int, plain themes.Style) string {
	a := x.answer()
	name, marks := termtext.Line(x.name), c.marksOf(x)
	sh, style := shapeOf(x.turn(), a.Picture), plain
	if sh.other() {
		style = c.styles.Warning
	}
	line := func(name, nonce, size string) []piece {
		return []piece{{fmt.Sprintf("%s%d %s%s", c.besideText(x), x.place, name, marks), plain}, {nonce, plain},
			{x.timeText(false), plain}, {size, plain}, {sh.String(), style}}
	}
	var last []piece
	for _, try := range [][]piece{line(name, nonceText(a), pictureSize(a)), line(name, nonceText(a), ""),
		line(name, "", "")} {
		if last = try; widthOf(try) <= w {
			return joined(try)
		}
	}
	over := widthOf(last) - w
	return joined(line(shortName(name, max(ansi.StringWidth(name)-over, 4)), "", ""))
}

// samePicture returns the place of another cell with the same bytes, 0 for none.
func (c *Compare) samePicture(x *cell) int {
	p := x.answer().Picture
	if p == nil || p.SHA256 == "" {
		return 0
	}
	for _, o := range c.cells {
		if q := o.answer().Picture; o != x && q != nil && q.SHA256 == p.SHA256 {
			return o.place
		}
	}
	return 0
}

// pictureColumns are the columns of the list of pictures, those that say most
// first: what has no room is left out from the end.
func pictureColumns() []column {
	return []column{{head: "time"}, {head: "shape", left: true}, {head: "nonce", left: true}, {head: "size"}}
}

// pictureTexts are the texts of those columns.
func (c *Compare) pictureTexts(x *cell) []string {
	a := x.answer()
	shape := shapeOf(x.turn(), a.Picture).String()
	if c.samePicture(x) > 0 {
		shape += "="
	}
	return []string{x.timeText(false), shape, nonceText(a), pictureSize(a)}
}

// pictureOrder puts the columns that there is room for into the order in which
// a person looks at them: what was asked, then what came of it.
func pictureOrder(cols []column) {
	place := func(c column) int { return slices.Index([]string{"nonce", "time", "size", "shape"}, c.head) }
	slices.SortFunc(cols, func(a, b column) int { return place(a) - place(b) })
}

// listRows is how many answers the list shows at once; under pictures stand the
// facts of the focused one.
func (c *Compare) listRows() int {
	room := max(c.plan.list.Dy()-3, 1)
	if !c.ofPictures() {
		return room
	}
	return max(min(len(c.listed), room-len(c.factsBelow())), min(len(c.listed), 3), 1)
}

// factsBelow are the lines under the list of pictures. On a low screen they leave
// out the empty lines between them, all but the first.
func (c *Compare) factsBelow() []string {
	if !c.ofPictures() {
		return nil
	}
	facts := c.factLines(c.current(), c.plan.list.Dx()-3)
	if c.plan.list.Dy()-3 < len(c.listed)+1+len(facts) {
		facts = slices.DeleteFunc(facts, func(l string) bool { return l == "" })
	}
	out := []string{""}
	for _, l := range facts {
		out = append(out, " "+l)
	}
	return out
}

// factLines says everything of a picture, w cells wide: what was asked and got,
// whether it is the same as another one, its files, its edits, and the keys that
// go on from here.
func (c *Compare) factLines(x *cell, w int) []string {
	if x == nil {
		return nil
	}
	a, s := x.answer(), c.styles
	var out []string
	add := func(style func(string) string, text string) {
		for _, l := range termtext.Wrap(termtext.Clean(text), max(w, 1)) {
			out = append(out, style(l))
		}
	}
	sh := shapeOf(x.turn(), a.Picture)
	if sh.asked != "" {
		add(s.Muted.Render, fmt.Sprintf("asked %s (%.2f)", sh.asked, sh.want))
	}
	if a.Picture == nil {
		if a.Failure != nil {
			add(s.Danger.Render, a.Failure.Message)
		} else {
			add(s.Muted.Render, x.state(c.now))
		}
		return out
	}
	p := a.Picture
	got, style := fmt.Sprintf("got   %d×%d %s %s", p.Width, p.Height, strings.TrimPrefix(p.ContentType, "image/"),
		format.Size(p.Bytes)), s.Text.Render
	if sh.other() {
		got, style = got+"  "+otherSign+" other shape", s.Warning.Render
	}
	add(style, got)
	add(s.Muted.Render, nonceFacts(x.turn(), a))
	sum := "sha256 " + p.SHA256[:min(len(p.SHA256), 8)] + "…  "
	if twin := c.samePicture(x); twin > 0 {
		same := fmt.Sprintf("= same picture as %d", twin)
		if ansi.StringWidth(sum+same) > w {
			add(s.Muted.Render, strings.TrimRight(sum, " "))
			sum = ""
		}
		add(s.Info.Render, sum+same)
	} else {
		add(s.Muted.Render, sum+"no twin")
	}
	out = append(out, "")
	if name := filepath.Base(p.Path); filepath.IsAbs(p.Path) {
		add(s.Text.Render, fileName(termtext.Line(name), w))
		add(s.Muted.Render, fileName(termtext.Line(strings.TrimSuffix(name, filepath.Ext(name)))+".json", w))
	} else {
		add(s.Warning.Render, "not saved yet")
	}
	out = append(out, "")
	add(s.Muted.Render, "chain: "+c.chainText(x))
	return append(out, c.pictureKeys(x, w)...)
}

// nonceFacts says which nonce was sent; edits have none.
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

// pictureEffects are what goes on from a picture.
func pictureEffects(x *cell) []keys.Command {
	if x.turn().SourceOf(x.answer()) != nil {
		return []keys.Command{keys.BeforeAfter, keys.EditChain, keys.UseAsSource, keys.OpenPicture}
	}
	return []keys.Command{keys.UseAsSource, keys.OpenPicture, keys.EditChain, keys.Another}
}

// pictureHints are the keys shown while a picture is focused, nil for a text; the most useful first.
func (c *Compare) pictureHints() []keys.Hint {
	x := c.current()
	if x == nil || x.answer().Picture == nil {
		return nil
	}
	var commands []keys.Command
	if len(c.listed) > 1 {
		commands = append(commands, keys.NextAnswer)
	}
	commands = append(append(commands, keys.ZoomAnswer), pictureEffects(x)...)
	commands = append(commands, keys.MarkWinner, keys.Again)
	if c.nothingToMove(c.layoutKey()) == "" {
		commands = append(commands, c.layoutKey())
	}
	return c.keys.Hints(keys.Compare, append(commands, keys.Write)...)
}

// pictureKeys are the lines of the keys that go on from a picture.
func (c *Compare) pictureKeys(x *cell, w int) []string {
	var out []string
	line, used := "", 0
	for _, h := range c.keys.Hints(keys.Compare, pictureEffects(x)...) {
		need := ansi.StringWidth(h.Key+h.Text) + 1
		if used > 0 && used+2+need > w {
			out, line, used = append(out, line), "", 0
		}
		if used > 0 {
			line, used = line+"  ", used+2
		}
		line += c.styles.Key.Render(h.Key) + " " + c.styles.KeyText.Render(h.Text)
		used += need
	}
	return append(out, line)
}
