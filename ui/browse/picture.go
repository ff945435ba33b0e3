package browse

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
)

// PictureList is an album of pictures that are all known.
type PictureList []history.PictureHit

// Len implements [action.Album].
func (l PictureList) Len() int { return len(l) }

// At implements [action.Album].
func (l PictureList) At(i int) (history.PictureHit, bool) {
	if i < 0 || i >= len(l) {
		return history.PictureHit{}, false
	}
	return l[i], true
}

// Show implements [action.Album].
func (PictureList) Show(int) tea.Cmd { return nil }

// Picture shows one picture of an album as large as the screen, with its facts in the last line.
type Picture struct {
	overlay.Base
	drawings
	album      action.Album
	at         int
	showSource bool   // what an edit was made from is shown
	problem    string // why a command could not be performed
	w, h       int
}

var _ interface {
	part.Positioned
	part.Worker
	part.DoubleClicker
	part.PictureShower
} = (*Picture)(nil)

// NewPicture returns a viewer that shows one picture of the album first.
func NewPicture(album action.Album, first int, m keys.Map, s *themes.Styles, look Look) *Picture {
	d := &Picture{Base: overlay.NewBase("picture", keys.PictureViewer, m, s), album: album, at: first}
	d.drawings = newDrawings(d, look, "This picture has more than 40 megapixels, which is too large to show here.")
	return d
}

// SetSize implements [action.Dialog]. The last line of the screen stays free, for the keys and for notices.
func (d *Picture) SetSize(w, h int) {
	d.fitAspect()
	d.w, d.h = max(w, 0), max(h, 0)
	if h >= 6 {
		d.h--
	}
}

// box is the most that the picture takes.
func (d *Picture) box() image.Point { return image.Pt(d.w, max(d.h-1, 0)) }

// shown returns the picture that is to be seen; of what an edit was made from only the path is known.
func (d *Picture) shown(h history.PictureHit) *history.Picture {
	if source := h.Turn.SourceOf(h.Answer); d.showSource && source != nil {
		return &history.Picture{Path: source.Path}
	}
	return h.Answer.Picture
}

// Work asks for the picture, then for the ones beside it, and forgets all others.
func (d *Picture) Work() tea.Cmd {
	cmds := []tea.Cmd{d.album.Show(d.at)}
	if d.box().X < 1 || d.box().Y < 1 {
		return cmds[0]
	}
	near := []int{d.at, d.at + 1, d.at - 1}
	if d.look.IDs() != nil { // sent when they are seen
		near = near[:1]
	}
	keep := map[string]bool{}
	for _, i := range near {
		h, ok := d.album.At(i)
		if !ok {
			continue
		}
		p := h.Answer.Picture
		keep[p.Path] = true
		if i == d.at {
			p = d.shown(h)
			keep[p.Path] = true
		}
		cmds = append(cmds, d.request(p, d.box(), false))
	}
	maps.DeleteFunc(d.done, func(path string, _ Drawing) bool { return !keep[path] })
	return tea.Batch(cmds...)
}

// Update implements [action.Dialog].
func (d *Picture) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case keys.Press:
		return d.key(msg), nil
	case tea.MouseWheelMsg:
		d.step(cmp.Compare(keys.Wheel(msg), 0))
	default:
		d.update(msg)
	}
	return nil, nil
}

// ReadingPosition tells which picture is seen.
func (d *Picture) ReadingPosition() string { return strconv.Itoa(d.at) }

// DoubleClick goes back to where the picture was opened.
func (d *Picture) DoubleClick(_, _ int) (action.Action, tea.Cmd) { return action.CloseDialog{}, nil }

func (d *Picture) step(by int) {
	to := max(min(d.at+by, d.album.Len()-1), 0)
	if to != d.at {
		d.at, d.showSource, d.problem = to, false, ""
	}
}

func (d *Picture) key(msg keys.Press) action.Action {
	command := msg.Command
	d.problem = ""
	all := d.album.Len()
	steps := map[keys.Command]int{keys.NextAnswer: 1, keys.PreviousAnswer: -1, keys.Top: -all, keys.Bottom: all}
	if by, ok := steps[command]; ok {
		d.step(by)
		return nil
	}
	switch command {
	case keys.Close:
		return action.CloseDialog{}
	case keys.Help:
		return action.ShowHelp{Scope: keys.PictureViewer}
	}
	if command == "" || msg.Scope == keys.Everywhere {
		return d.CommonOrUnused(msg)
	}
	if h, ok := d.album.At(d.at); ok {
		return d.handleCommand(command, h)
	}
	return action.Unused{Why: "The picture is not there any more."}
}

func (d *Picture) handleCommand(command keys.Command, h history.PictureHit) action.Action {
	path := d.shown(h).Path
	switch command {
	case keys.Choose:
		return goToTurn(h.Turn)
	case keys.BeforeAfter:
		source := h.Turn.SourceOf(h.Answer)
		switch {
		case source == nil:
			d.problem = "This picture was made from words alone: there is none before it."
		case source.URL != "":
			d.problem = "Before: a URL, which is not fetched: a look at it could be counted."
		default:
			d.showSource = !d.showSource
		}
	case keys.OpenPicture:
		return action.Open{Target: path}
	case keys.CopyPath:
		return action.Copy{Text: path, What: "the picture's path"}
	case keys.FetchLine:
		return action.FetchPictures{Paths: []string{path}}
	case keys.UseAsSource:
		return useAsSource(history.Source{Answer: h.Answer.ID, Path: h.Answer.Picture.Path})
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
	x, words := d.current()
	return strings.Join(append(x.fill(d.box(), d.corner(x), words, d.Styles.Muted), d.line()), "\n")
}

// current returns the drawing of the picture that is seen, or the words that stand in its place.
func (d *Picture) current() (x Drawing, words []string) {
	h, ok := d.album.At(d.at)
	if ok {
		x, ok = d.drawn(d.shown(h).Path, d.box())
	}
	if !ok {
		return Drawing{}, []string{"Reading…"}
	}
	return x, termtext.Wrap(termtext.Clean(x.Problem), max(d.w-4, 1))
}

// corner is the corner of a centered picture.
func (d *Picture) corner(x Drawing) image.Point {
	box := d.box()
	return image.Pt(max((box.X-x.Cells.X)/2, 0), max((box.Y-x.Cells.Y)/2, 0))
}

// Pictures returns the picture, where it is drawn.
func (d *Picture) Pictures() []graphics.Placement {
	h, ok := d.album.At(d.at)
	x, _ := d.current()
	if !ok || len(x.Lines) == 0 {
		return nil
	}
	return []graphics.Placement{{Path: d.shown(h).Path, At: d.corner(x), Cells: x.Cells,
		Clip: image.Rectangle{Max: d.box()}}}
}

// line says which picture it is.
func (d *Picture) line() string {
	s := d.Styles
	h, ok := d.album.At(d.at)
	if !ok {
		return termtext.Fit("", d.w)
	}
	if d.problem != "" {
		return termtext.Fit(" "+s.Warning.On(ansi.Truncate(d.problem, d.w-2, "…")), d.w)
	}
	line := " " + s.Accent.On(fmt.Sprintf("%d of %d", d.at+1, d.album.Len())) + "  "
	if source := h.Turn.SourceOf(h.Answer); d.showSource && source != nil {
		line += s.Warning.On("before") + "  " + s.Muted.On(filepath.Base(source.Path))
		return termtext.Fit(line, d.w)
	}
	line += pictureLine(h, d.look, s) + "  " + s.Text.On(termtext.Line(h.Turn.Prompt))
	return termtext.Fit(line, d.w)
}

// Hints implements [action.Dialog].
func (d *Picture) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	var commands []keys.Command
	if d.album.Len() > 1 {
		commands = []keys.Command{keys.NextAnswer}
	}
	commands = append(commands, keys.Close)
	h, ok := d.album.At(d.at)
	if ok {
		commands = append(commands, keys.OpenPicture, keys.UseAsSource, keys.Choose)
	}
	if ok && h.Turn.SourceOf(h.Answer) != nil {
		commands = append(commands, keys.BeforeAfter, keys.EditChain)
	}
	if d.album.Len() > 1 {
		commands = append(commands, keys.PreviousAnswer)
	}
	return nil, d.Keys.Hints(keys.PictureViewer, append(commands, keys.Help)...)
}
