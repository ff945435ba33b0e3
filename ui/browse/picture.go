package browse

import (
	"fmt"
	"image"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
)

// mostLarge is how many drawn pictures a viewer keeps: the one that is seen, what
// it was made from, and the ones beside it.
const mostLarge = 5

// Shots is an album of pictures that are all known.
type Shots []history.PictureHit

// Len implements [action.Album].
func (s Shots) Len() int { return len(s) }

// At implements [action.Album].
func (s Shots) At(i int) (history.PictureHit, bool) {
	if i < 0 || i >= len(s) {
		return history.PictureHit{}, false
	}
	return s[i], true
}

// Look implements [action.Album].
func (Shots) Look(int) action.Action { return nil }

// Picture shows one picture of an album as large as the screen, with its facts in
// the last line.
type Picture struct {
	overlay.Base
	looks  Looks
	album  action.Album
	at     int
	before bool // what an edit was made from is shown
	why    string

	w, h    int
	aspect  float64          // of a cell, that pictures are drawn for
	thumbs  map[string]thumb // by path
	drawing map[string]image.Point
}

// NewPicture returns a viewer that shows the picture of the album at a place.
func NewPicture(album action.Album, at int, m keys.Map, s *themes.Styles, looks Looks) *Picture {
	return &Picture{Base: overlay.NewBase("picture", keys.Viewing, m, s), looks: looks, album: album, at: at, thumbs: map[string]thumb{},
		drawing: map[string]image.Point{}}
}

// SetSize implements [action.Dialog]. The last line of the screen stays free, for the
// keys and for what happened.
func (d *Picture) SetSize(w, h int) {
	if aspect := d.looks.cellAspect(); aspect != d.aspect {
		d.aspect = aspect
		clear(d.thumbs)
		clear(d.drawing)
	}
	d.w, d.h = max(w, 0), max(h, 0)
	if h >= 6 {
		d.h--
	}
}

// box is the most that the picture takes.
func (d *Picture) box() image.Point { return image.Pt(d.w, max(d.h-1, 0)) }

// hit returns what is known of the picture.
func (d *Picture) hit() (history.PictureHit, bool) { return d.album.At(d.at) }

// shown returns the picture that is to be seen; of what an edit was made from
// only the path is known.
func (d *Picture) shown(h history.PictureHit) *history.Picture {
	if source := h.Turn.SourceOf(h.Answer); d.before && source != nil {
		return &history.Picture{Path: source.Path}
	}
	return h.Answer.Picture
}

// work asks for the picture, then for the ones beside it.
func (d *Picture) Work() action.Action {
	wishes := action.Several{d.album.Look(d.at)}
	if d.box().X < 1 || d.box().Y < 1 {
		return overlay.Join(wishes...)
	}
	near := []int{d.at, d.at + 1, d.at - 1}
	if d.looks.Names() != nil { // sent when they are seen
		near = near[:1]
	}
	for _, i := range near {
		h, ok := d.album.At(i)
		if !ok {
			continue
		}
		p := h.Answer.Picture
		if i == d.at {
			p = d.shown(h)
		}
		wishes = append(wishes, d.draw(p))
	}
	return overlay.Join(wishes...)
}

// draw asks for a picture unless it is there.
func (d *Picture) draw(p *history.Picture) action.Action {
	box := d.box()
	have, ok := d.thumbs[p.Path]
	switch id := d.looks.Names().ID(p.Path); {
	case p.Path == "" || ok && have.box == box && (have.problem != "" || have.id == id):
	case p.TooLarge:
		d.keep(p.Path, thumb{box: box, problem: "This picture has more than 40 megapixels, which is too large to show here."})
	case id != 0 && p.Width > 0 && p.Height > 0:
		d.keep(p.Path, d.looks.placeholder(id, image.Pt(p.Width, p.Height), box))
	case len(d.drawing) < mostDrawing && d.drawing[p.Path] == image.Point{}:
		d.drawing[p.Path] = box
		return action.DrawPicture{Path: p.Path, W: box.X, H: box.Y}
	}
	return nil
}

// keep holds a drawn picture, and forgets others.
func (d *Picture) keep(path string, t thumb) {
	if len(d.thumbs) >= mostLarge {
		clear(d.thumbs)
	}
	d.thumbs[path] = t
}

// Update implements [action.Dialog].
func (d *Picture) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case DrawnMsg:
		if box := image.Pt(msg.W, msg.H); d.drawing[msg.Path] == box {
			delete(d.drawing, msg.Path)
			d.keep(msg.Path, thumb{box: box, cells: msg.Cells, id: msg.ID, lines: msg.Lines, problem: msg.Problem})
		}
	case graphics.SentMsg:
		return d.Work(), nil
	case graphics.PreviewMsg: // why a picture cannot be shown with pixels
		if t, ok := d.thumbs[msg.Path]; ok && msg.Problem != "" {
			t.lines, t.problem = nil, msg.Problem
			d.thumbs[msg.Path] = t
		}
	case keys.Press:
		return d.key(msg), nil
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelDown:
			d.step(1)
		case tea.MouseWheelUp:
			d.step(-1)
		}
	}
	return nil, nil
}

// step goes to another picture.
func (d *Picture) step(by int) {
	to := max(min(d.at+by, d.album.Len()-1), 0)
	if to != d.at {
		d.at, d.before, d.why = to, false, ""
	}
}

func (d *Picture) key(msg keys.Press) action.Action {
	command := msg.Command
	d.why = ""
	switch command {
	case keys.Close:
		return action.CloseDialog{}
	case keys.NextAnswer:
		d.step(1)
		return nil
	case keys.PrevAnswer:
		d.step(-1)
		return nil
	case keys.Top:
		d.step(-d.album.Len())
		return nil
	case keys.Bottom:
		d.step(d.album.Len())
		return nil
	case keys.Help:
		return action.ShowHelp{Scope: keys.Viewing}
	case "":
		return d.CommonOrUnused(msg)
	}
	if h, ok := d.hit(); ok {
		return d.perform(command, h)
	}
	return action.Unused{Why: "The picture is not there any more."}
}

// perform carries out what is done with the picture.
func (d *Picture) perform(command keys.Command, h history.PictureHit) action.Action {
	path := d.shown(h).Path
	switch command {
	case keys.Choose:
		return action.Several{action.CloseDialog{All: true}, action.OpenSession{Session: h.Turn.Session, Turn: h.Turn.ID}}
	case keys.BeforeAfter:
		source := h.Turn.SourceOf(h.Answer)
		switch {
		case source == nil:
			d.why = conversation.NoBefore(h.Turn, h.Answer)
		case source.URL != "":
			d.why = "Before: a URL, which is not fetched: a look at it could be counted."
		default:
			d.before = !d.before
		}
	case keys.OpenPicture:
		return action.Open{Target: path}
	case keys.CopyPath:
		return action.Copy{Text: path, What: "the picture's path"}
	case keys.FetchLine:
		return action.FetchPictures{Paths: []string{path}}
	case keys.UseAsSource:
		return useAsSource(h.Answer)
	case keys.EditChain:
		return action.ShowChain{Answer: h.Answer.ID}
	}
	return nil
}

// View implements [action.Dialog].
func (d *Picture) View() string {
	if d.w < 1 || d.h < 1 {
		return ""
	}
	out := make([]string, 0, d.h)
	t, words := d.current()
	at := t.centre(d.box())
	for y := range d.h - 1 {
		line := ""
		switch n := y - at.Y; {
		case len(t.lines) > 0 && n >= 0 && n < len(t.lines):
			out = append(out, strings.Repeat(" ", at.X)+t.lines[n]+strings.Repeat(" ", max(d.w-at.X-t.cells.X, 0)))
			continue
		case len(t.lines) == 0:
			if n := y - max((d.h-1-len(words))/2, 0); n >= 0 && n < len(words) {
				line = d.Styles.Muted.On(centred(words[n], d.w))
			}
		}
		out = append(out, termtext.Fit(line, d.w))
	}
	return strings.Join(append(out, d.line()), "\n")
}

// current returns the picture that is seen, or what is said in its place.
func (d *Picture) current() (t thumb, words []string) {
	h, ok := d.hit()
	if !ok {
		return thumb{}, []string{"Reading…"}
	}
	path := d.shown(h).Path
	t, ok = d.thumbs[path]
	if !ok || t.box != d.box() || d.looks.stale(path, t) {
		return thumb{}, []string{"Reading…"}
	}
	return t, termtext.Wrap(termtext.Clean(t.problem), max(d.w-4, 1))
}

// centre is where a picture stands in a box.
func (t thumb) centre(box image.Point) image.Point {
	return image.Pt(max((box.X-t.cells.X)/2, 0), max((box.Y-t.cells.Y)/2, 0))
}

// Pictures returns the picture, where it is drawn.
func (d *Picture) Pictures() []graphics.Placement {
	h, ok := d.hit()
	if !ok {
		return nil
	}
	t, _ := d.current()
	if len(t.lines) == 0 {
		return nil
	}
	path := d.shown(h).Path
	return []graphics.Placement{{Path: path, At: t.centre(d.box()), Cells: t.cells, Clip: image.Rectangle{Max: d.box()}}}
}

// line says which picture it is.
func (d *Picture) line() string {
	s := d.Styles
	h, ok := d.hit()
	if !ok {
		return termtext.Fit("", d.w)
	}
	if d.why != "" {
		return termtext.Fit(" "+s.Warning.On(ansi.Truncate(d.why, d.w-2, "…")), d.w)
	}
	muted, a := s.Muted, h.Answer
	line := " " + s.Accent.On(fmt.Sprintf("%d of %d", d.at+1, d.album.Len())) + "  "
	if source := h.Turn.SourceOf(a); d.before && source != nil {
		line += s.Warning.On("before") + "  " + muted.On(filepath.Base(source.Path))
		return termtext.Fit(line, d.w)
	}
	shape, other := shapeFacts(h)
	ink := muted
	if other {
		ink = s.Warning
	}
	line += s.Strong.On(termtext.Line(a.Model)) + "  " + ink.On(shape) + "  " +
		muted.On(spread(format.Size(a.Picture.Bytes), nonceFact(a), d.looks.When(h.Turn.Created), judgement(a))) + "  " +
		s.Text.On(termtext.Line(h.Turn.Prompt))
	return termtext.Fit(line, d.w)
}

// Hints implements [action.Dialog].
func (d *Picture) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	var commands []keys.Command
	if d.album.Len() > 1 {
		commands = []keys.Command{keys.NextAnswer}
	}
	commands = append(commands, keys.Close)
	h, ok := d.hit()
	if ok {
		commands = append(commands, keys.OpenPicture, keys.UseAsSource, keys.Choose)
	}
	if ok && h.Turn.SourceOf(h.Answer) != nil {
		commands = append(commands, keys.BeforeAfter, keys.EditChain)
	}
	if d.album.Len() > 1 {
		commands = append(commands, keys.PrevAnswer)
	}
	return nil, d.Keys.Hints(keys.Viewing, append(commands, keys.Help)...)
}
