package browse

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"math"
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
	"confab/ui/widget"
)

// PictureList is an album whose pictures are all in memory.
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

// Picture shows one picture of an album on the whole screen, with its facts in the last line.
type Picture struct {
	overlay.Base
	drawings
	album      action.Album
	at         int
	showSource bool   // shows the source of an edit in place of the picture
	problem    string // why a command failed
	w, h       int
}

// NewPicture returns a viewer that starts with one picture of the album.
func NewPicture(album action.Album, first int, m keys.Map, s *themes.Styles, look Look) *Picture {
	d := &Picture{album: album, at: first}
	d.Base = overlay.NewBase("picture", pictureCommands.For(d, m), m, s)
	d.drawings = newDrawings(d, look, "This picture is too large to show: more than 40 megapixels.")
	return d
}

// SetSize implements [action.Dialog]. It leaves the last line of the screen to the footer.
func (d *Picture) SetSize(w, h int) {
	d.fitAspect()
	d.w, d.h = max(w, 0), max(h, 0)
	if h >= 6 {
		d.h--
	}
}

// Size of a viewer, in cells, from which its picture has a frame.
const (
	leastFramedWidth  = 30
	leastFramedHeight = 10
)

// area returns the size of what is above the facts.
func (d *Picture) area() image.Point { return image.Pt(d.w, max(d.h-1, 0)) }

// frame returns the cells of the frame on each side of the picture.
func (d *Picture) frame() image.Point {
	if d.w < leastFramedWidth || d.h < leastFramedHeight {
		return image.Point{}
	}
	return image.Pt(1, 1)
}

// box returns the cells that the picture may take.
func (d *Picture) box() image.Point { return d.area().Sub(d.frame().Mul(2)) }

// shown returns the picture to be shown, with its size, which is not known of the source of an edit.
func (d *Picture) shown(h history.PictureHit) (graphics.File, *history.Picture) {
	if source := h.Turn.SourceOf(h.Answer); d.showSource && source != nil {
		return graphics.FileOfSource(*source), &history.Picture{}
	}
	return graphics.FileOf(h.Answer.Picture), h.Answer.Picture
}

// Size implements [action.Dialog].
func (d *Picture) Size() image.Point { return image.Pt(d.w, d.h) }

// Work requests the picture and its neighbors, and drops all others.
func (d *Picture) Work() tea.Cmd {
	cmds := []tea.Cmd{d.album.Show(d.at)}
	if d.box().X < 1 || d.box().Y < 1 {
		return cmds[0]
	}
	near := []int{d.at, d.at + 1, d.at - 1}
	if d.look.IDs() != nil { // the terminal gets pictures when they are shown
		near = near[:1]
	}
	keep := map[graphics.File]bool{}
	for _, i := range near {
		h, ok := d.album.At(i)
		if !ok {
			continue
		}
		f, p := graphics.FileOf(h.Answer.Picture), h.Answer.Picture
		keep[f] = true
		if i == d.at {
			f, p = d.shown(h)
			keep[f] = true
		}
		cmds = append(cmds, d.request(f, p, d.box(), false))
	}
	maps.DeleteFunc(d.done, func(f graphics.File, _ Drawing) bool { return !keep[f] })
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

// State implements [action.Dialog]: a double click closes the viewer.
func (d *Picture) State() action.LayerState {
	at := strconv.Itoa(d.at)
	return action.LayerState{Lookups: keys.LookupsIn(d.Scope()), Target: at, Pictures: d.pictures(),
		DoubleClick: func(int, int) (action.Action, tea.Cmd) { return action.CloseDialog{}, nil }}
}

func (d *Picture) step(by int) {
	to := max(min(d.at+by, d.album.Len()-1), 0)
	if to != d.at {
		d.at, d.showSource, d.problem = to, false, ""
	}
}

func (d *Picture) key(msg keys.Press) action.Action {
	d.problem = ""
	if msg.Scope == keys.PictureViewer {
		return d.Run(msg.Command)
	}
	return d.CommonOrUnused(msg)
}

var pictureCommands = part.Table[*Picture]{Scope: keys.PictureViewer, Bindings: []part.Binding[*Picture]{
	{Command: keys.NextAnswer, Keys: "l right space", Short: "next", Long: "Next picture",
		Rank: part.RankIf(2, (*Picture).isBesideOthers), Do: stepPicture(1)},
	{Command: keys.PreviousAnswer, Keys: "h left", Short: "previous", Long: "Previous picture",
		Rank: part.RankIf(8, (*Picture).isBesideOthers), Do: stepPicture(-1)},
	{Command: keys.Top, Keys: "home g", Short: "first", Long: "First picture",
		Do: stepPicture(math.MinInt32)},
	{Command: keys.Bottom, Keys: "end G", Short: "last", Long: "Last picture",
		Do: stepPicture(math.MaxInt32)},
	{Command: keys.BeforeAfter, Keys: "b", Short: "before/after", Rank: part.RankIf(3, (*Picture).isEdit),
		Long:    "Before or after the edit",
		Refuses: (*Picture).lacksPicture, Do: (*Picture).toggleSource},
	{Command: keys.UseAsSource, Keys: "E", Acts: true, Short: "edit", Long: "Edit the picture",
		Rank: part.RankIf(4, (*Picture).hasPicture), Refuses: (*Picture).lacksPicture,
		Do: (*Picture).edit},
	{Command: keys.OpenPicture, Keys: "O", Acts: true, Short: "open", Long: "Open the picture in another program",
		Rank: part.RankIf(5, (*Picture).hasPicture), Refuses: (*Picture).lacksPicture,
		Do: func(d *Picture) action.Action { return action.Open{Target: d.path()} }},
	{Command: keys.CopyPath, Keys: "p", Acts: true, Short: "copy path", Long: "Copy the picture's path",
		Refuses: (*Picture).lacksPicture,
		Do:      func(d *Picture) action.Action { return action.Copy{Text: d.path(), What: "the picture's path"} }},
	{Command: keys.FetchLine, Keys: "s", Short: "scp command", Refuses: (*Picture).lacksPicture,
		Long: "Copy a link to the picture in a bucket; over SSH: a command that fetches it",
		Do:   func(d *Picture) action.Action { return action.FetchPictures{Paths: []string{d.path()}} }},
	{Command: keys.EditChain, Keys: "T", Short: "edits",
		Long: "History of the picture: its sources and its edits",
		Rank: part.RankIf(7, (*Picture).isEdit), Refuses: (*Picture).lacksPicture,
		Do: onPicture(func(h history.PictureHit) action.Action { return action.ShowChain{Answer: h.Answer.ID} })},
	{Command: keys.Choose, Keys: "enter", Short: "go to", Long: "Go to the picture's turn",
		Rank: part.RankIf(6, (*Picture).hasPicture), Refuses: (*Picture).lacksPicture,
		Do: onPicture(func(h history.PictureHit) action.Action { return goToTurn(h.Turn) })},
	{Command: keys.Help, Keys: "?", Short: "help", Long: "Help for one picture", Rank: part.Ranked[*Picture](9),
		Action: action.ShowHelp{Scope: keys.PictureViewer}},
	{Command: keys.Close, Keys: "esc q z", Short: "close", Long: "Back",
		Rank: part.Ranked[*Picture](1), Action: action.CloseDialog{}},
}}

func (d *Picture) isBesideOthers() bool { return d.album.Len() > 1 }

func (d *Picture) hasPicture() bool { return d.lacksPicture() == "" }

func (d *Picture) isEdit() bool {
	h, ok := d.album.At(d.at)
	return ok && h.Turn.SourceOf(h.Answer) != nil
}

// lacksPicture refuses commands when the picture was deleted, or is not read yet.
func (d *Picture) lacksPicture() string {
	if _, ok := d.album.At(d.at); !ok {
		return "The picture no longer exists."
	}
	return ""
}

// path returns the file of the picture shown.
func (d *Picture) path() string {
	h, _ := d.album.At(d.at)
	f, _ := d.shown(h)
	return f.Path
}

func stepPicture(by int) func(*Picture) action.Action {
	return func(d *Picture) action.Action {
		d.step(by)
		return nil
	}
}

func onPicture(do func(history.PictureHit) action.Action) func(*Picture) action.Action {
	return func(d *Picture) action.Action {
		h, _ := d.album.At(d.at)
		return do(h)
	}
}

// edit makes the picture that is shown the source of the next edit.
func (d *Picture) edit() action.Action {
	h, _ := d.album.At(d.at)
	if source := h.Turn.SourceOf(h.Answer); d.showSource && source != nil {
		return useAsSource(*source)
	}
	return useAsSource(history.Source{Answer: h.Answer.ID, Path: h.Answer.Picture.Path})
}

// toggleSource shows what an edit was made from, or the picture again.
func (d *Picture) toggleSource() action.Action {
	h, _ := d.album.At(d.at)
	switch source := h.Turn.SourceOf(h.Answer); {
	case source == nil:
		d.problem = "This picture was not made from another one."
	case source.URL != "":
		d.problem = "Source: a URL, not fetched, so that its owner cannot track you."
	default:
		d.showSource = !d.showSource
	}
	return nil
}

// View implements [action.Dialog].
func (d *Picture) View() string {
	if d.w < 1 || d.h < 1 {
		return ""
	}
	x, words := d.current()
	corner := d.corner(x)
	if frame := d.frame(); len(x.Lines) > 0 && frame != (image.Point{}) {
		corner, x.Cells = corner.Sub(frame), x.Cells.Add(frame.Mul(2))
		x.Lines = widget.BoxLines(widget.Box{W: x.Cells.X, H: x.Cells.Y, Styles: d.Styles}, x.Lines)
	}
	return strings.Join(append(x.fill(d.area(), corner, words, d.Styles.Muted), d.line()), "\n")
}

// current returns the drawing of the picture shown, or words in its place.
func (d *Picture) current() (x Drawing, words []string) {
	h, ok := d.album.At(d.at)
	if ok {
		f, _ := d.shown(h)
		x, ok = d.drawn(f, d.box())
	}
	if !ok {
		return Drawing{}, []string{"Reading…"}
	}
	return x, termtext.Wrap(termtext.Clean(x.Problem), max(d.w-4, 1))
}

// corner returns the corner of a centered picture.
func (d *Picture) corner(x Drawing) image.Point {
	area := d.area()
	return image.Pt(max((area.X-x.Cells.X)/2, 0), max((area.Y-x.Cells.Y)/2, 0))
}

// pictures returns the picture and its position.
func (d *Picture) pictures() []graphics.Placement {
	h, ok := d.album.At(d.at)
	x, _ := d.current()
	if !ok || len(x.Lines) == 0 {
		return nil
	}
	f, _ := d.shown(h)
	return []graphics.Placement{{File: f, At: d.corner(x), Cells: x.Cells, Clip: image.Rectangle{Max: d.area()}}}
}

// line draws the facts of the picture under its middle.
func (d *Picture) line() string {
	s := d.Styles
	h, ok := d.album.At(d.at)
	if !ok {
		return termtext.Fit("", d.w)
	}
	if d.problem != "" {
		return centered(" "+s.Warning.On(ansi.Truncate(d.problem, d.w-2, "…")), d.w)
	}
	position := fmt.Sprintf("%d of %d", d.at+1, d.album.Len())
	switch source := h.Turn.SourceOf(h.Answer); {
	case source != nil && d.showSource:
		return centered(" "+s.Accent.On(position)+factGap+s.Warning.On("before the edit")+factGap+
			s.Muted.On(filepath.Base(source.Path)), d.w)
	case source != nil:
		position += factGap + s.Success.On("after the edit")
	}
	return centered(pictureLine(h, position, d.look, s, d.w), d.w)
}

// Hints implements [action.Dialog].
func (d *Picture) Hints() (borders [][]keys.Hint, footer []keys.Hint) { return nil, d.Commands.Hints() }
