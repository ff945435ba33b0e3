package action

import (
	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/graphics"
)

// Album is pictures in a row, to be gone through one by one.
type Album interface {
	// Len is how many there are.
	Len() int
	// At returns the i-th, from 0; ok is false while it is not read.
	At(i int) (hit history.PictureHit, ok bool)
	// Show tells that the i-th is on screen. The command reads what is not known of it, nil for nothing.
	Show(i int) tea.Cmd
}

// What is asked of pictures and their edits.
type (
	// LoadPicture asks for a picture's bytes.
	LoadPicture struct{ File graphics.File }
	// ViewPictures shows a picture of an album as large as the screen.
	ViewPictures struct {
		Album Album
		At    int
	}
	// ViewTurn shows the pictures of a turn as large as the screen, that of one
	// answer first.
	ViewTurn struct {
		Turn   history.Turn
		Answer int64
	}
	// FetchPictures shows links to pictures in the bucket or, where there is none, the line that fetches files from the
	// machine confab runs on to the one the person sits at.
	FetchPictures struct{ Paths []string }
	// ShowChain opens the chain of edits that an answer's picture stands in.
	ShowChain struct{ Answer int64 }
)
