package ui

import (
	"image"

	"confab/ui/action"
)

// layoutInput is everything the layout depends on.
type layoutInput struct {
	w, h       int         // cells of the screen
	focus      action.Pane // the focused pane
	zoom       bool        // the focused pane fills the screen
	staged     bool        // one view takes the place of all panes
	docked     bool        // the comparison takes the place of the conversation, above the prompt
	promptRows int         // lines the prompt wants, without its border
	noSystem   bool        // the system prompt is empty
	engines    bool        // the list of models says who answers them
}

// layout is where everything is. An empty rectangle is not shown. Rectangles
// of panes include their borders, except that a system prompt one line high is
// its title alone.
type layout struct {
	header, footer image.Rectangle
	panes          [4]image.Rectangle
	beside         image.Rectangle // of what stands beside the conversation
	tooSmall       bool
}

const (
	modelsWidth  = 32
	enginesWidth = 46 // of the list of models with who answers them
	systemRows   = 5
	besideFrom   = 201 // width from which something stands beside the conversation
	besideLeaves = 106 // what it leaves: no text is wider
	dockedLeast  = 118 // width of a docked comparison that leaves the list of models where it is: two rows of two boxes
)

// arrange lays out the screen. It is pure: the same input gives the same layout.
func arrange(s layoutInput) layout {
	var p layout
	if s.w < 20 || s.h < 6 {
		p.tooSmall = true
		return p
	}
	top, bottom := 1, s.h-1
	p.header = image.Rect(0, 0, s.w, 1)
	p.footer = image.Rect(0, s.h-1, s.w, s.h)
	if s.staged {
		p.panes[action.PaneConversation] = image.Rect(0, top, s.w, bottom)
		return p
	}
	if s.zoom || s.w < 60 || s.h < 16 {
		p.panes[s.focus] = image.Rect(0, top, s.w, bottom)
		return p
	}
	least, most := 3, s.h/3-2
	if s.h < 20 {
		least = 1
	}
	promptTop := bottom - (max(min(s.promptRows, most), least) + 2)
	p.panes[action.PanePrompt] = image.Rect(0, promptTop, s.w, bottom)
	left := 0
	wide := s.w >= 100 && s.h >= 20
	list := modelsWidth
	if s.engines && s.w >= 120 {
		list = enginesWidth
	}
	if s.docked && s.w-list < dockedLeast {
		wide = false
	}
	if wide {
		left = list
		p.panes[action.PaneModels] = image.Rect(0, top, left, promptTop)
	}
	systemTop := promptTop
	switch {
	case s.focus == action.PaneSystem, wide && !s.noSystem && !s.docked:
		systemTop -= systemRows
		p.panes[action.PaneSystem] = image.Rect(left, systemTop, s.w, promptTop)
	case wide && !s.docked:
		systemTop--
		p.panes[action.PaneSystem] = image.Rect(left, systemTop, s.w, promptTop)
	}
	main := image.Rect(left, top, s.w, systemTop)
	if !wide && s.focus == action.PaneModels {
		p.panes[action.PaneModels] = main
	} else {
		p.panes[action.PaneConversation] = main
	}
	if s.w >= besideFrom && wide && !s.docked {
		split := main.Min.X + max(main.Dx()/2, besideLeaves)
		p.beside = image.Rect(split, main.Min.Y, main.Max.X, main.Max.Y)
		p.panes[action.PaneConversation].Max.X = split
	}
	return p
}

// inner returns the cells of a pane inside its border.
func inner(r image.Rectangle) (w, h int) { return max(r.Dx()-2, 0), max(r.Dy()-2, 0) }
