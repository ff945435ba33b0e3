// Package graphics shows pictures in a terminal. [RenderCells] draws them as text, in quadrant or half blocks of 16
// million or 256 colors. [Terminal] shows them as pixels where the terminal has a protocol for that (kitty, sixel,
// iTerm2): it asks the terminal which one it has ([Probe]), sends each picture once and paints it again where it was
// written over.
//
// The package reads no files: [Loader] is given a function that does. What terminals really do was found by trying
// them; comments name the exceptions.
package graphics

import (
	"image"
	"image/color"
	"math/rand/v2"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Frame is what a screen shows, as far as pictures are concerned.
type Frame struct {
	Pictures  []Placement   // the visible ones, in cells of the screen
	Content   func() string // the text of the whole screen
	HasCursor func() bool   // whether the terminal's cursor is shown
}

// Look is what the text of a picture depends on.
type Look struct {
	IDs        *ImageIDs // nil unless the terminal draws pictures by ids
	CellAspect float64   // height of a cell over its width
}

// Terminal shows pictures as pixels on one terminal. It finds out which protocol the terminal has, and remembers which
// pictures the terminal was sent and which are painted. The screen passes its messages to Update and what it draws to
// Show. A Terminal belongs to one screen and is not safe for concurrent use.
type Terminal struct {
	want    Protocol // of the configuration
	load    Loader
	notify  func(tea.Msg) tea.Cmd // gives a message to everything that shows pictures, at once
	profile colorprofile.Profile
	w, h    int // cells of the screen

	probe    *Probe // nil before the environment is known, and where nothing is to be found out
	ids      *ImageIDs
	protocol Protocol // that the newest change chose
	isRemote bool     // over SSH

	cellW, cellH float64 // px of a cell; 0 before the terminal has answered

	kitty   kittyStore
	painter painter
}

// Msg is a message of a command of [Terminal], to be given back to its Update.
type Msg interface{ isGraphics() }

type (
	// probeTimeoutMsg ends the wait for a terminal's answers.
	probeTimeoutMsg struct{}
	// encodedMsg brings what transmits a picture to kitty, or a sentence that says why it cannot be shown.
	encodedMsg struct {
		file    File
		parts   []string
		problem string
	}
	// transmittedMsg tells that a part was sent and the next may follow. With the last part of a picture it has its
	// file.
	transmittedMsg struct{ file File }
	// settledMsg tells that pictures may be painted, unless they moved meanwhile.
	settledMsg struct{ generation int }
	// paintedMsg brings an encoded picture; there are no strips where the file cannot be read.
	paintedMsg struct {
		key    paintKey
		strips []strip
	}
)

func (probeTimeoutMsg) isGraphics() {}
func (encodedMsg) isGraphics()      {}
func (transmittedMsg) isGraphics()  {}
func (settledMsg) isGraphics()      {}
func (paintedMsg) isGraphics()      {}

// NewTerminal returns the state of a terminal of which nothing is known yet. The function notify gives a message to
// everything that shows pictures: [SentMsg] when the terminal gets or loses a picture, [PreviewMsg] with a problem when
// it cannot get it.
func NewTerminal(want Protocol, load Loader, notify func(tea.Msg) tea.Cmd) *Terminal {
	return &Terminal{want: want, load: load, notify: notify,
		// A random number tells the pictures of this program from those of another one in the same terminal.
		ids:     NewImageIDs(rand.IntN(256)),
		kitty:   kittyStore{held: map[File]*heldPicture{}},
		painter: painter{encoded: map[paintKey][]strip{}, dirty: map[Placement]bool{}},
	}
}

// Look returns what the text of pictures depends on now.
func (t *Terminal) Look() Look { return Look{t.IDs(), t.CellAspect()} }

// IDs returns the ids of pictures where the terminal draws by them, else nil.
func (t *Terminal) IDs() *ImageIDs {
	if t.chosen() == Kitty {
		return t.ids
	}
	return nil
}

// IsPainted tells whether pictures are painted over the screen after it is drawn.
func (t *Terminal) IsPainted() bool { return t.chosen().IsPainted() }

// CellAspect returns the height of a cell over its width, 2 where that is not known.
func (t *Terminal) CellAspect() float64 {
	if t.cellW <= 0 || t.cellH <= 0 {
		return 2
	}
	// A terminal that says something else is mistaken, and the boxes of pictures would have no size.
	return min(max(t.cellH/t.cellW, 0.5), 8)
}

// Name returns what the terminal calls itself, "" while that is not known.
func (t *Terminal) Name() string { return t.capabilities().Terminal }

// Profile returns the colors that pictures of cells may be drawn with.
func (t *Terminal) Profile() colorprofile.Profile {
	if t.want == Off {
		return colorprofile.Ascii
	}
	return t.profile
}

// SetProfile sets the colors that the terminal has.
func (t *Terminal) SetProfile(p colorprofile.Profile) { t.profile = p }

// SetBackground sets the color of the screen's background.
func (t *Terminal) SetBackground(c color.RGBA) {
	if t.load.background != c {
		t.load.background, t.painter.shown, t.painter.encoded = c, nil, map[paintKey][]strip{}
	}
}

// SetSize sets the cells of the screen. The command asks for its px; everything is painted again, because a change of
// size clears what was painted.
func (t *Terminal) SetSize(w, h int) tea.Cmd {
	t.w, t.h = w, h
	if t.probe == nil {
		return nil
	}
	t.painter.shown = nil
	if query := t.probe.SizeQuery(); query != "" {
		return tea.Raw(query)
	}
	return nil
}

// Load returns what reads a picture's file in a command.
func (t *Terminal) Load() Loader { return t.load }

// Update takes the environment, the answers of the terminal and the messages of its own commands. What [Terminal.Look]
// returns may be different afterwards.
func (t *Terminal) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.EnvMsg:
		return t.start(msg)
	case probeTimeoutMsg:
		t.probe.Finish()
		return t.applyProtocol()
	case encodedMsg:
		return t.transmit(msg)
	case transmittedMsg:
		return t.afterTransmitted(msg)
	case settledMsg:
		return t.afterSettled(msg)
	case paintedMsg:
		return t.afterPainted(msg)
	}
	return t.handleAnswer(msg)
}

// start asks the terminal how it draws pictures.
func (t *Terminal) start(env tea.EnvMsg) tea.Cmd {
	if t.want == Off || t.want == Cells {
		return nil
	}
	t.isRemote = env.Getenv("SSH_CONNECTION") != "" || env.Getenv("SSH_TTY") != ""
	t.probe = NewProbe(t.want, env.Getenv)
	query := t.probe.Query()
	apply := t.applyProtocol()
	if query == "" {
		return apply
	}
	if t.isRemote {
		// Bubble Tea does not ask for these over SSH, and takes the answers.
		query = ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore + query
	}
	return tea.Batch(apply, tea.Raw(query),
		tea.Tick(AnswerTimeout, func(time.Time) tea.Msg { return probeTimeoutMsg{} }))
}

func (t *Terminal) handleAnswer(msg tea.Msg) tea.Cmd {
	if t.probe == nil {
		return nil
	}
	wasInTmux := t.capabilities().Tmux
	isNew := t.probe.HandleAnswer(msg)
	switch msg.(type) {
	case uv.CellSizeEvent, uv.PixelSizeEvent: // what it means depends on the cells of the screen
		w, h := t.capabilities().CellSize(t.w, t.h)
		if w != t.cellW || h != t.cellH {
			t.cellW, t.cellH, t.painter.shown = w, h, nil
		}
	}
	switch {
	case !isNew:
		return nil
	case !wasInTmux && t.capabilities().Tmux: // it did not pass on what was asked before
		return tea.Batch(t.applyProtocol(), tea.Raw(t.probe.kittyQuery()))
	}
	return t.applyProtocol()
}

func (t *Terminal) capabilities() Capabilities {
	if t.probe == nil {
		return Capabilities{}
	}
	return t.probe.Capabilities()
}

// chosen returns the protocol that pictures are drawn with now.
func (t *Terminal) chosen() Protocol {
	switch {
	case t.want == Off:
		return Off
	case t.probe == nil:
		return Cells
	case t.profile < colorprofile.ANSI: // no colors are wanted
		return Off
	}
	return t.capabilities().Protocol
}

// applyProtocol shows all pictures again when the protocol has changed.
func (t *Terminal) applyProtocol() tea.Cmd {
	t.painter.shown = nil
	chosen := t.chosen()
	if t.protocol == chosen {
		return nil
	}
	t.protocol = chosen
	return t.Forget()
}

// Forget makes all pictures be shown again, because the terminal has cleared its screen or is another one.
func (t *Terminal) Forget() tea.Cmd {
	t.painter.shown = nil
	var cmds []tea.Cmd
	for file := range t.kitty.held {
		cmds = append(cmds, t.setSent(file, false))
	}
	t.kitty.held = map[File]*heldPicture{}
	return tea.Batch(cmds...)
}

// Focused tells that the terminal's window has the focus again: tmux drops what is sent to a window that is not seen.
func (t *Terminal) Focused() tea.Cmd {
	if !t.capabilities().Tmux {
		return nil
	}
	return t.Forget()
}

// Show has the pictures of a frame shown as pixels, once the frame is drawn.
func (t *Terminal) Show(frame func() Frame) tea.Cmd {
	protocol := t.chosen()
	switch {
	case protocol == Kitty:
		return t.hold(frame().Pictures)
	case protocol.IsPainted():
		return t.repaint(frame())
	}
	return nil
}

// pixels returns the px of a box of cells.
func (t *Terminal) pixels(cells image.Point) image.Point {
	return t.capabilities().Pixels(cells.X, cells.Y, t.w, t.h)
}
