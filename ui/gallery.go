package ui

import (
	"fmt"
	"image"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/graphics"
	"confab/ui/part"
)

// looks is how dialogs of pictures draw what they do not know.
func (m *Model) looks() browse.Looks {
	return browse.Looks{Names: m.graphics.IDs, CellAspect: m.graphics.CellAspect, Far: m.desktop.FetchLine("picture") != "",
		When: func(t time.Time) string {
			return strings.TrimPrefix(format.Day(t, m.o.Now()), "today ")
		}}
}

// showPictures opens the gallery; on a small screen pictures are a list.
func (m *Model) showPictures() tea.Cmd {
	m.lists.open = action.ListPictures
	if m.w < browse.GalleryWidth || m.h < browse.GalleryHeight {
		return m.push(browse.NewBrowser(browse.Shipped(action.ListPictures), m.keys, m.styles))
	}
	return m.push(browse.NewGallery(m.keys, m.styles, m.looks()))
}

// refitPictures changes the gallery for the list when the screen has become too
// small for it.
func (m *Model) refitPictures() tea.Cmd {
	g, ok := m.dialogs.Top().(*browse.Gallery)
	if !ok || m.w >= browse.GalleryWidth && m.h >= browse.GalleryHeight {
		return nil
	}
	m.dialogs.Pop()
	c := browse.Shipped(action.ListPictures)
	c.Query = g.Query()
	return m.push(browse.NewBrowser(c, m.keys, m.styles))
}

// findPictures finds the pictures of the gallery.
func (m *Model) findPictures(a action.FindPictures) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		msg := browse.FoundPicturesMsg{Gen: a.Gen}
		var err error
		if msg.Answers, err = svc.PictureIDs(ctx, a.Query); err != nil {
			msg.Problem = part.Sentence(err)
		}
		return msg
	}
}

// readPictures reads what is known of some of them.
func (m *Model) readPictures(a action.ReadPictures) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		msg := browse.ReadPicturesMsg{Asked: a.Answers}
		var err error
		if msg.Hits, err = svc.PicturesOf(ctx, a.Answers); err != nil {
			msg.Problem = part.Sentence(err)
		}
		return msg
	}
}

// drawPicture draws a picture's file for a box of cells.
func (m *Model) drawPicture(a action.DrawPicture) tea.Cmd {
	load, profile, id, aspect := m.graphics.Load(), m.graphics.Profile(), m.graphics.IDs().ID(
		a.Path,
	), m.graphics.CellAspect()
	return func() tea.Msg {
		msg := browse.DrawnMsg{Path: a.Path, W: a.W, H: a.H}
		img, problem := load.Picture(a.Path)
		if msg.Problem = problem; problem != "" {
			return msg
		}
		size := img.Bounds().Size()
		w, h := graphics.FitCells(size.X, size.Y, a.W, a.H, aspect)
		msg.Cells = image.Pt(w, h)
		if id != 0 {
			msg.Lines, msg.ID = graphics.Placeholders(id, w, h), id
			return msg
		}
		cells, ok := graphics.RenderCells(img, a.W, a.H, graphics.CellOptions{Profile: profile, CellAspect: aspect})
		if msg.Lines = cells.Lines; !ok {
			msg.Problem = "This terminal has too few colours for pictures; they can be opened outside."
		}
		return msg
	}
}

// removePictures hides answers with their pictures. Where some cannot be hidden
// the others are, and the first reason is told.
func (m *Model) removePictures(answers []int64) tea.Cmd {
	if m.removing {
		return m.notify(action.Info, stillRemoving)
	}
	m.removing = true
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		msg := deletedMsg{}
		for _, id := range answers {
			t, err := svc.DeleteAnswer(ctx, id)
			if err != nil {
				if msg.err == nil {
					msg.err = err
				}
				continue
			}
			msg.trash, msg.answers = append(msg.trash, t), append(msg.answers, id)
		}
		if msg.what = "The picture is"; len(msg.answers) > 1 {
			msg.what = fmt.Sprintf("%d pictures are", len(msg.answers))
		}
		return msg
	}
}

// viewTurn shows the pictures of a turn as large as the screen.
func (m *Model) viewTurn(a action.ViewTurn) tea.Cmd {
	var shots browse.Shots
	at := 0
	for _, answer := range a.Turn.Answers {
		if answer.Picture == nil {
			continue
		}
		if answer.ID == a.Answer {
			at = len(shots)
		}
		shots = append(shots, history.PictureHit{Answer: answer, Turn: a.Turn, SessionName: m.session.Name})
	}
	return m.viewPictures(action.ViewPictures{Album: shots, At: at})
}

func (m *Model) viewPictures(a action.ViewPictures) tea.Cmd {
	return m.push(browse.NewPicture(a.Album, a.At, m.keys, m.styles, m.looks()))
}
