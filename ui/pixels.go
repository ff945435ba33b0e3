package ui

import (
	"image"
	"math/rand/v2"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/picture"
	"confab/ui/pixels"
)

// How many pictures a terminal is asked to remember, and how many bytes of
// painted ones are kept here.
const (
	mostHeld  = 48
	mostKept  = 16 << 20
	settleFor = 50 * time.Millisecond // after the newest change, before pictures are painted
	farSettle = 200 * time.Millisecond
)

// imaging is what the screen knows of the terminal's own pixels.
type imaging struct {
	probe *pixels.Probe
	names *pixels.Names
	way   pixels.Way // that is used
	far   bool       // over SSH
	uses  int

	cellW, cellH float64 // px of a cell; 0 before the terminal has said anything

	held  map[string]*heldPicture // kitty: by path
	queue []part                  // kitty: to be sent, one after the other
	busy  bool                    // something of the queue is on its way

	shown    []pixels.Placed        // painted, or about to be
	dirty    map[pixels.Placed]bool // of these, what is about to be
	rows     []string               // of the screen that they were painted on
	gen      int                    // of the newest change
	still    bool                   // nothing has moved for a moment
	moved    bool                   // pictures have, since they were painted
	encoding bool
	kept     map[paintKey]string
}

// part is something of kitty's protocol; with the last one of a picture the
// terminal has it.
type part struct{ data, last string }

// heldPicture is a picture that the terminal was sent.
type heldPicture struct {
	cells image.Point // of the box it has now
	sent  image.Point // of the box it was scaled to
	used  int
}

// paintKey names what is painted: a part of a picture in a box.
type paintKey struct {
	path  string
	cells image.Point
	px    image.Point
	part  image.Rectangle // in cells of the box
}

// withPixels is a pane or dialog that has pictures in it.
type withPixels interface{ Pictures() []pixels.Placed }

// newImaging tosses what tells this program's pictures from another's in the
// same terminal.
func newImaging() imaging {
	return imaging{names: pixels.NewNames(rand.IntN(256)), held: map[string]*heldPicture{}, kept: map[paintKey]string{}, dirty: map[pixels.Placed]bool{}}
}

type (
	// probedMsg ends the wait for a terminal's answers.
	probedMsg struct{}
	// pixelsMsg brings what shows a picture.
	pixelsMsg struct {
		path    string
		parts   []string
		problem string
	}
	// partMsg tells that a part was sent and the next may follow.
	partMsg struct{ last string }
	// settledMsg tells that pictures may be painted, unless they moved meanwhile.
	settledMsg struct{ gen int }
	// paintedMsg brings an encoded picture; data is empty where it cannot be read.
	paintedMsg struct {
		key  paintKey
		data string
	}
)

// askPixels asks the terminal how it draws pictures.
func (m *Model) askPixels(env tea.EnvMsg) tea.Cmd {
	p := &m.pixels
	if m.o.Pictures == pixels.Off || m.o.Pictures == pixels.Cells {
		return nil
	}
	p.far = env.Getenv("SSH_CONNECTION") != "" || env.Getenv("SSH_TTY") != ""
	p.probe = pixels.NewProbe(m.o.Pictures, env.Getenv)
	query := p.probe.Ask()
	use := m.usePixels()
	if query == "" {
		return use
	}
	if p.far {
		// Bubble Tea does not ask for these over SSH, and takes the answers.
		query = ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore + query
	}
	return tea.Batch(use, tea.Raw(query), tea.Tick(pixels.Wait, func(time.Time) tea.Msg { return probedMsg{} }))
}

// pixelFact takes what the terminal answers.
func (m *Model) pixelFact(msg tea.Msg) tea.Cmd {
	if m.pixels.probe == nil {
		return nil
	}
	news := m.pixels.probe.Take(msg)
	switch msg.(type) {
	case uv.CellSizeEvent, uv.PixelSizeEvent: // what it means depends on the cells there are
		m.measure()
	}
	if !news {
		return nil
	}
	return m.usePixels()
}

// measure finds the px of a cell anew. Boxes of pictures follow its shape.
func (m *Model) measure() {
	p, was := &m.pixels, m.cellAspect()
	w, h := p.probe.Found().CellSize(m.w, m.h)
	if w == p.cellW && h == p.cellH {
		return
	}
	p.cellW, p.cellH, p.shown = w, h, nil
	if m.cellAspect() == was {
		return
	}
	m.conversation.SetPixels(m.names(), m.cellAspect())
	m.beside.reader.SetPixels(m.names(), m.cellAspect())
	m.compare.SetPixels(m.names(), m.cellAspect())
	m.relayout()
}

// cellAspect returns the height of a cell over its width, 2 where that is not
// known.
func (m *Model) cellAspect() float64 {
	if m.pixels.cellW <= 0 || m.pixels.cellH <= 0 {
		return 2
	}
	// A terminal that says something else is mistaken, and boxes of pictures would have no room.
	return min(max(m.pixels.cellH/m.pixels.cellW, 0.5), 8)
}

func (m *Model) way() pixels.Way {
	switch {
	case m.o.Pictures == pixels.Off:
		return pixels.Off
	case m.pixels.probe == nil:
		return pixels.Cells
	case m.profile < colorprofile.ANSI: // no colours are wanted
		return pixels.Off
	}
	return m.pixels.probe.Found().Way
}

// usePixels tells the panes how pictures are drawn.
func (m *Model) usePixels() tea.Cmd {
	p := &m.pixels
	if p.shown = nil; p.way == m.way() {
		return nil
	}
	p.way = m.way()
	m.conversation.SetPixels(m.names(), m.cellAspect())
	m.beside.reader.SetPixels(m.names(), m.cellAspect())
	m.compare.SetPixels(m.names(), m.cellAspect())
	return m.forget()
}

// names returns the ids of pictures where the terminal draws by them, else nil.
func (m *Model) names() *pixels.Names {
	if m.way() == pixels.Kitty {
		return m.pixels.names
	}
	return nil
}

// lost tells whether pictures may be gone without a word when the window comes
// back.
func (p *imaging) lost() bool { return p.probe != nil && p.probe.Found().Tmux }

// askSize asks for the px of the screen, which has changed, and paints anew: a
// change of size clears what was painted.
func (m *Model) askSize() tea.Cmd {
	if m.pixels.probe == nil {
		return nil
	}
	m.pixels.shown = nil
	if q := m.pixels.probe.AskSize(); q != "" {
		return tea.Raw(q)
	}
	return nil
}

// forget makes all pictures be shown anew: the terminal has cleared its screen,
// or is another one.
func (m *Model) forget() tea.Cmd {
	p := &m.pixels
	p.shown = nil
	var cmds []tea.Cmd
	for path := range p.held {
		p.names.SetSent(path, false)
		_, cmd := m.everyone(pixels.SentMsg{Path: path})
		cmds = append(cmds, cmd)
	}
	p.held = map[string]*heldPicture{}
	return tea.Batch(cmds...)
}

// placed returns the pictures that can be seen, in cells of the screen.
func (m *Model) placed() []pixels.Placed {
	var all []pixels.Placed
	add := func(v any, corner image.Point) {
		if w, ok := v.(withPixels); ok {
			for _, p := range w.Pictures() {
				if p = p.Moved(corner); !p.Seen().Empty() {
					all = append(all, p)
				}
			}
		}
	}
	switch {
	case m.w == 0 || m.leaving:
	case m.dialogs.Len() > 0:
		add(m.dialogs.Top(), m.dialogBox().Min)
	default:
		for p, r := range m.places.panes {
			if !r.Empty() {
				add(m.pane(action.Pane(p)), m.corner(action.Pane(p)))
			}
		}
		if r := m.places.beside; !r.Empty() {
			add(m.beside.reader, r.Min.Add(image.Pt(1, 1)))
		}
	}
	return all
}

// showPixels sees to it that the pictures on the screen are there as pixels.
func (m *Model) showPixels() tea.Cmd {
	way := m.way()
	switch {
	case way == pixels.Kitty:
		return m.hold(m.placed())
	case way.Painted():
		return m.repaint(m.placed())
	}
	return nil
}

// pictureReader returns what reads a picture's file; problem is a sentence.
func (m *Model) pictureReader() func(path string) (img image.Image, problem string) {
	ctx, svc := m.ctx, m.o.Service
	return func(path string) (image.Image, string) {
		b, err := svc.ReadPicture(ctx, path)
		if err != nil {
			return nil, "The picture's file cannot be read: " + termtext.Line(path)
		}
		img, err := picture.Decode(ctx, b, maxPixels)
		if err != nil {
			return nil, "The picture's file is damaged: " + termtext.Line(path)
		}
		return img, ""
	}
}
