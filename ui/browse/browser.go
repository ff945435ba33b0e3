// Package browse implements the dialogs that list and show what is stored: lists with previews, the palette of
// commands, the gallery, the picture viewer, the tree of edits and the picker of a source picture.
//
// [Browser] opens the dialogs. A dialog calls the service in commands whose results only that dialog receives.
package browse

import (
	"image"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/part"
)

// Env extends [part.Env] with what the dialogs of this package need.
type Env struct {
	part.Env
	Graphics     *graphics.Terminal
	Palettes     []themes.Palette
	Theme        func() string        // name of the theme in use
	SystemPrompt func() string        // what is typed or in use
	Settings     func() service.Draft // of the next turn
	// Offers reports whether the palette lists a command now.
	Offers func(keys.Scope, keys.Command) bool
	// Lookups returns where the focused pane looks keys up.
	Lookups func() []keys.Lookup
	// Runs returns the run that is to be compared with another one and the running run; 0 for none.
	Runs func() (compared, live int64)
	// FetchLine returns a shell command for the user's machine that copies files from this one, "" on the same machine.
	FetchLine func(paths ...string) string
}

// Browser opens lists and pictures.
type Browser struct {
	env   Env
	lists map[action.List]func() Config
	w, h  int

	recent []string // commands chosen in the palette, the newest first
}

// New returns a browser.
func New(env Env) *Browser {
	b := &Browser{env: env}
	b.lists = map[action.List]func() Config{
		action.ListSessions: func() Config { return b.sessions(false) },
		action.ListPrompts:  b.prompts,
		action.ListPictures: func() Config { return b.pictures(0) },
		action.ListPersonas: b.personas,
		action.ListCommands: b.commands,
		action.ListThemes:   b.themes,
		action.ListFiles:    b.files,
		action.ListSuites:   b.suites,
		action.ListRuns:     func() Config { return b.runs(false) },
		action.ListTeam:     func() Config { return b.sessions(true) },
		action.ListTeamRuns: func() Config { return b.runs(true) },
	}
	return b
}

// SetSize sets the size of the screen in cells. It returns an action that replaces a gallery for which the screen has
// become too small by a list.
func (b *Browser) SetSize(w, h int, top action.Dialog) action.Action {
	b.w, b.h = w, h
	g, ok := top.(*Gallery)
	if !ok || b.fitsGallery() {
		return nil
	}
	c := b.pictures(0)
	c.Query = g.filter.Value()
	return action.Sequence{action.CloseDialog{}, b.showList(c)}
}

// fitsGallery reports whether pictures are shown in the gallery; otherwise they are a list.
func (b *Browser) fitsGallery() bool {
	return b.w >= galleryWidth && b.h >= galleryHeight && !b.env.Styles().ScreenReader && b.showsPictures()
}

// showsPictures reports whether the terminal has enough colors for pictures.
func (b *Browser) showsPictures() bool { return b.env.Graphics.Profile() >= colorprofile.ANSI256 }

func (b *Browser) showList(c Config) action.Action {
	return action.ShowDialog{Dialog: NewList(c, b.env.Keys, b.env.Styles())}
}

func (b *Browser) ShowList(a action.ShowList) (action.Action, tea.Cmd) {
	if a.List == action.ListPictures && b.fitsGallery() {
		store := PictureStore{
			Find: func(query string) ([]int64, error) { return b.env.Service.PictureIDs(b.env.Ctx, query) },
			Read: func(answers []int64) ([]history.PictureHit, error) {
				return b.env.Service.PicturesOf(b.env.Ctx, answers)
			},
		}
		return action.ShowDialog{Dialog: NewGallery(store, b.env.Keys, b.env.Styles(), b.look())}, nil
	}
	return b.showList(b.lists[a.List]()), nil
}

func (b *Browser) look() Look {
	return Look{IDs: b.env.Graphics.IDs, CellAspect: b.env.Graphics.CellAspect, Colors: b.env.Graphics.Profile,
		IsRemote: b.env.FetchLine("picture") != "",
		When:     func(t time.Time) string { return strings.TrimPrefix(format.Day(t, b.env.Now()), "today ") },
		Draw:     func(f graphics.File, box image.Point) func() Drawing { return drawFile(b.env.Graphics, f, box) }}
}

func (b *Browser) ViewPictures(a action.ViewPictures) (action.Action, tea.Cmd) {
	return action.ShowDialog{Dialog: NewPicture(a.Album, a.At, b.env.Keys, b.env.Styles(), b.look())}, nil
}

// ViewTurn shows the pictures of a turn on the whole screen.
func (b *Browser) ViewTurn(a action.ViewTurn) (action.Action, tea.Cmd) {
	var album PictureList
	first := 0
	for _, answer := range a.Turn.Answers {
		if answer.Picture == nil {
			continue
		}
		if answer.ID == a.Answer {
			first = len(album)
		}
		album = append(album, history.PictureHit{Answer: answer, Turn: a.Turn, SessionName: b.env.Session().Name})
	}
	return action.ViewPictures{Album: album, At: first}, nil
}
