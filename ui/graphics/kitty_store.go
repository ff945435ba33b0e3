package graphics

import (
	"cmp"
	"image"
	"time"

	tea "charm.land/bubbletea/v2"
)

// maxHeld is how many pictures a terminal is asked to remember beside those it shows.
const maxHeld = 48

// kittyStore is what a terminal with kitty's protocol was sent and will be sent.
type kittyStore struct {
	held   map[string]*heldPicture // by path
	frames int                     // that were shown
	queue  []kittyPart             // to be sent, one after the other
	isBusy bool                    // a part is on its way
}

// kittyPart is a piece of kitty's protocol. The last part of a picture has its path.
type kittyPart struct{ data, path string }

// heldPicture is a picture that the terminal was sent.
type heldPicture struct {
	cells image.Point // of the box it has now
	sent  image.Point // of the box it was scaled to
	used  int         // the newest frame it was seen in
}

// FailedMsg tells that a picture cannot be shown as pixels, in a sentence.
type FailedMsg struct{ Path, Problem string }

// setSent records whether the terminal has a picture, and tells it to everything that shows the picture.
func (t *Terminal) setSent(path string, sent bool) tea.Cmd {
	t.ids.SetSent(path, sent)
	return t.notify(SentMsg{Path: path})
}

// hold transmits the pictures that the terminal does not have, and frees those that were not seen for longest.
func (t *Terminal) hold(pictures []Placement) tea.Cmd {
	store, tmux := &t.kitty, t.capabilities().Tmux
	store.frames++
	var cmds []tea.Cmd
	done := map[string]bool{}
	for _, x := range pictures {
		if done[x.Path] { // a picture has one box at a time
			continue
		}
		done[x.Path] = true
		have := store.held[x.Path]
		switch {
		case have != nil && have.cells == x.Cells:
		case have != nil && x.Cells.X <= have.sent.X*3/2:
			// The terminal scales; it is sent again only where it would be coarse.
			have.cells = x.Cells
			cmds = append(cmds, t.enqueue(kittyPart{data: PlaceKitty(t.ids.Assign(x.Path), x.Cells.X, x.Cells.Y, tmux)}))
		default:
			if have != nil {
				// Placeholders that are drawn already would stay blank when the picture is sent again.
				cmds = append(cmds, t.setSent(x.Path, false))
			}
			have = &heldPicture{cells: x.Cells, sent: x.Cells}
			store.held[x.Path] = have
			cmds = append(cmds, t.encodeKitty(x))
		}
		have.used = store.frames
	}
	for len(store.held) > maxHeld+len(pictures) {
		oldest := ""
		for path, h := range store.held {
			if oldest == "" || cmp.Or(cmp.Compare(h.used, store.held[oldest].used), cmp.Compare(path, oldest)) < 0 {
				oldest = path
			}
		}
		delete(store.held, oldest)
		t.ids.SetSent(oldest, false)
		cmds = append(cmds, t.enqueue(kittyPart{data: FreeKitty(t.ids.Assign(oldest), tmux)}))
	}
	return tea.Batch(cmds...)
}

// encodeKitty reads, scales and encodes a picture in a command.
func (t *Terminal) encodeKitty(x Placement) tea.Cmd {
	load, id, size, tmux := t.load, t.ids.Assign(x.Path), t.pixels(x.Cells), t.capabilities().Tmux
	return func() tea.Msg {
		img, problem := load.Picture(x.Path)
		if problem != "" {
			return encodedMsg{path: x.Path, problem: problem}
		}
		file, err := EncodePNG(Resize(img, size))
		if err != nil {
			return encodedMsg{path: x.Path, problem: "The picture cannot be shown."}
		}
		return encodedMsg{path: x.Path, parts: TransmitKitty(id, file, x.Cells.X, x.Cells.Y, tmux)}
	}
}

// transmit sends an encoded picture.
func (t *Terminal) transmit(msg encodedMsg) tea.Cmd {
	if msg.problem != "" {
		return t.notify(FailedMsg{Path: msg.path, Problem: msg.problem})
	}
	parts := make([]kittyPart, len(msg.parts))
	for i, data := range msg.parts {
		parts[i].data = data
	}
	parts[len(parts)-1].path = msg.path
	return t.enqueue(parts...)
}

// enqueue sends parts of kitty's protocol after what is on its way: nothing may come between the parts of a picture.
func (t *Terminal) enqueue(parts ...kittyPart) tea.Cmd {
	t.kitty.queue = append(t.kitty.queue, parts...)
	if t.kitty.isBusy {
		return nil
	}
	return t.sendNextPart()
}

func (t *Terminal) sendNextPart() tea.Cmd {
	store := &t.kitty
	if store.isBusy = len(store.queue) > 0; !store.isBusy {
		return nil
	}
	part := store.queue[0]
	store.queue = store.queue[1:]
	next := func() tea.Msg { return transmittedMsg{part.path} }
	if t.capabilities().Tmux {
		next = tea.Tick(KittyPause, func(time.Time) tea.Msg { return transmittedMsg{part.path} })
	}
	return tea.Sequence(tea.Raw(part.data), next)
}

// afterTransmitted sends the next part, and has a picture drawn that the terminal has now.
func (t *Terminal) afterTransmitted(msg transmittedMsg) tea.Cmd {
	next := t.sendNextPart()
	if msg.path == "" || t.kitty.held[msg.path] == nil {
		return next
	}
	return tea.Batch(next, t.setSent(msg.path, true))
}

// Free gives the terminal the memory of its pictures back.
func (t *Terminal) Free() tea.Cmd {
	if t.chosen() != Kitty {
		return nil
	}
	all := ""
	for path := range t.kitty.held {
		all += FreeKitty(t.ids.Assign(path), t.capabilities().Tmux)
	}
	if all == "" {
		return nil
	}
	return tea.Raw(all)
}
