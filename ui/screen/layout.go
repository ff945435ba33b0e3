package screen

import (
	"image"

	"confab/ui/action"
)

// LayoutInput is what the layout depends on.
type LayoutInput struct {
	W, H       int         // cells of the screen
	Focus      action.Pane // the focused pane
	IsZoomed   bool        // the focused pane fills the screen
	HidesPanes bool        // one view takes the place of all panes
	ViewRows   int         // lines of this view that shows all, where the side pane may stand under it; 0 for none
	SideRows   int         // lines that the side pane wants under it
	IsDocked   bool        // the comparison takes the place of the conversation, above the prompt
	PromptRows int         // lines the prompt wants, without its border
	NoSystem   bool        // the system prompt is empty
	IsLinear   bool        // nothing stands beside the conversation
	IsStart    bool        // there is no answer yet that something could stand beside
	HasEngines bool        // the list of models says which engine answers them
	ListWidth  int         // cells in which the list of models cuts no name
}

// Layout is the layout of the screen. Empty rectangles are not shown. Rectangles of panes include their borders.
type Layout struct {
	Header, Footer image.Rectangle
	Panes          [4]image.Rectangle // by [action.Pane]
	SidePane       image.Rectangle    // to the right of the conversation, or under the view in the place of all panes
	TooSmall       bool
}

// TabOrder returns the panes in the order of the key for the next one, without a system prompt that is not on the
// screen: what is typed there would not be sent.
func (l Layout) TabOrder() []action.Pane {
	order := []action.Pane{action.PanePrompt, action.PaneConversation, action.PaneModels, action.PaneSystem}
	if l.Panes[action.PaneSystem].Empty() {
		order = order[:3]
	}
	return order
}

const (
	modelsWidth     = 32
	listBesideFrom  = 90 // width from which the list of models leaves room for answers while it has the focus
	listBesideLeast = 46 // width that it leaves then
	enginesWidth    = 46 // of the list of models with who answers them
	systemRows      = 5
	belowFrom       = 60  // width from which the side pane is shown under a view
	leastView       = 11  // lines of the view above the side pane, which may then have fewer than it wants
	belowLeast      = 6   // lines of that, which is a third of the screen at least
	conversationMax = 106 // width of the conversation beside it: no text is wider
	sidePaneLeast   = 48  // width of the side pane, for which the conversation leaves up to a fifth of its width
	usualHeight     = 30  // of the screen from which an empty prompt has several lines
	dockedLeast     = 118 // width of a docked comparison beside the list of models: two boxes
)

// Arrange lays out the screen.
func Arrange(s LayoutInput) Layout {
	var p Layout
	if s.W < 20 || s.H < 6 {
		p.TooSmall = true
		return p
	}
	top, bottom := 1, s.H-1
	p.Header = image.Rect(0, 0, s.W, 1)
	p.Footer = image.Rect(0, s.H-1, s.W, s.H)
	if s.HidesPanes {
		below := bottom
		if all := bottom - top; s.ViewRows > 0 && !s.IsLinear && s.W >= belowFrom && all >= 3*belowLeast {
			below = top + min(s.ViewRows, all-all/3, max(all-s.SideRows, leastView))
			p.SidePane = image.Rect(0, below, s.W, bottom)
		}
		p.Panes[action.PaneConversation] = image.Rect(0, top, s.W, below)
		return p
	}
	if s.IsZoomed || s.W < 60 || s.H < 16 {
		p.Panes[s.Focus] = image.Rect(0, top, s.W, bottom)
		return p
	}
	least, most := 3, s.H/3-2
	if s.H < usualHeight { // it grows with its text
		least = 1
	}
	promptTop := bottom - (max(min(s.PromptRows, most), least) + 2)
	p.Panes[action.PanePrompt] = image.Rect(0, promptTop, s.W, bottom)
	left := 0
	wide := s.W >= 100 && s.H >= 20 && !s.IsLinear
	list := modelsWidth
	if s.HasEngines && s.W >= 120 {
		list = enginesWidth
	}
	beside := conversationMax // what the list leaves when it is wider than it must be
	if s.IsDocked {
		wide, beside = wide && s.W-list >= dockedLeast, dockedLeast
	}
	if s.Focus == action.PaneModels {
		beside = listBesideLeast
	}
	list = max(list, min(s.ListWidth, s.W-beside))
	if wide || s.Focus == action.PaneModels && s.W >= listBesideFrom && !s.IsLinear && !s.IsStart {
		left = list
		p.Panes[action.PaneModels] = image.Rect(0, top, left, promptTop)
	}
	systemTop := promptTop
	if s.Focus == action.PaneSystem || wide && !s.NoSystem && !s.IsDocked {
		systemTop -= systemRows
		p.Panes[action.PaneSystem] = image.Rect(left, systemTop, s.W, promptTop)
	}
	main := image.Rect(left, top, s.W, systemTop)
	if left == 0 && s.Focus == action.PaneModels {
		p.Panes[action.PaneModels] = main
	} else {
		p.Panes[action.PaneConversation] = main
	}
	if main.Dx() >= conversationMax*4/5+sidePaneLeast && wide && !s.IsDocked && !s.IsStart {
		split := main.Min.X + max(main.Dx()/2, min(conversationMax, main.Dx()-sidePaneLeast))
		p.SidePane = image.Rect(split, main.Min.Y, main.Max.X, main.Max.Y)
		p.Panes[action.PaneConversation].Max.X = split
	}
	return p
}

// Inner returns the cells of a pane inside its border.
func Inner(r image.Rectangle) (w, h int) { return max(r.Dx()-2, 0), max(r.Dy()-2, 0) }
