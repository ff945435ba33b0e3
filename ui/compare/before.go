package compare

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/frame"
)

const (
	besideFrom = 120 // screen width from which before and after stand side by side
	annexFrom  = 40  // lines of boxes from which a second row has room under a row of pictures
	annexWide  = 70  // cells of the widest box that leaves a second row its lines
)

// annex is what stands beside the boxes of pictures: what the focused one was
// made from, and its facts.
type annex struct {
	source, facts image.Rectangle // in the body; empty where there is none
	reader        *conversation.Pane
}

// ChainMsg answers [action.LoadChain].
type ChainMsg struct {
	Answer int64
	Chain  history.Chain
}

// wantFor returns the layout that is usual for pictures where it is not that of
// texts: a list beside one picture shows more than two narrow ones.
func (c *Compare) wantFor(w, n int, chosen Layout) Layout {
	if chosen == "" && c.ofPictures() && usual(w, n) == Strip && w >= 72 {
		return List
	}
	return chosen
}

// arrangePictures makes room for what stands beside pictures: the source of an
// edit where it is compared with it, or a second row under a row of small boxes.
func (c *Compare) arrangePictures(r room) {
	c.annex.source, c.annex.facts = image.Rectangle{}, image.Rectangle{}
	x := c.current()
	if x == nil {
		return
	}
	source := x.turn().SourceOf(x.answer())
	switch boxes := c.plan.cells; {
	case c.beside:
		both := across(image.Rect(0, 0, r.w, r.h), 2)
		c.plan = plan{layout: c.plan.layout, cells: both[1:]}
		c.annex.source = both[0]
	case c.zoom || !c.ofPictures() || c.plan.layout != Columns || len(boxes) < 3 || r.h < annexFrom ||
		boxes[0].Dx() > annexWide:
		return
	default:
		// A square picture with its line of facts, and no lower than half.
		h := min(boxes[0].Dx()/2+2, r.h/2)
		for i := range boxes {
			boxes[i].Max.Y = boxes[i].Min.Y + h
		}
		rest := image.Rect(0, boxes[0].Max.Y, r.w, r.h)
		c.annex.facts = rest
		if source != nil {
			both := across(rest, 2)
			c.annex.source, c.annex.facts = both[0], both[1]
		}
	}
	if c.annex.source.Empty() {
		return
	}
	if c.annex.reader == nil {
		c.annex.reader = c.newReader()
	}
	c.annex.reader.SetSize(c.annex.source.Dx()-2, c.annex.source.Dy()-2)
	c.annex.reader.ReadOnly(x.turn(), x.answer().ID)
	c.annex.reader.SetBefore(source != nil)
}

// flip shows what an edit was made from: from 120 columns on beside it, else in
// its place.
func (c *Compare) flip() action.Action {
	x := c.current()
	if why := conversation.NoBefore(x.turn(), x.answer()); why != "" && !c.beside {
		return action.Notify{Severity: action.Warn, Text: why}
	}
	if c.w >= besideFrom {
		on := !c.beside
		c.setZoom(false)
		c.beside = on
		c.layout()
		return nil
	}
	on := !x.reader.Before()
	x.reader.SetBefore(on)
	if x.wide != nil {
		x.wide.SetBefore(on)
	}
	return nil
}

// putAnnex draws what stands beside the boxes of pictures.
func (c *Compare) putAnnex(rows []strings.Builder) {
	x := c.current()
	if x == nil {
		return
	}
	if r := c.annex.source; !r.Empty() {
		lines := c.annex.reader.View()
		title := "source"
		switch source := x.turn().SourceOf(x.answer()); {
		case source == nil:
			lines = []string{"", " " + c.styles.Muted.Render(conversation.NoBefore(x.turn(), x.answer()))}
		case source.URL != "":
			title += ": a URL"
		case source.Answer != 0:
			title += ": " + termtext.Line(source.Name())
		default:
			title += ": the file " + termtext.Line(source.Name())
		}
		if c.beside {
			title = "before  " + title
		}
		put(rows, r, frame.Lines(frame.Box{W: r.Dx(), H: r.Dy(), Styles: c.styles, Title: title}, lines))
	}
	if r := c.annex.facts; !r.Empty() {
		var lines []string
		for _, l := range c.factLines(x, r.Dx()-4) {
			lines = append(lines, " "+l)
		}
		put(rows, r,
			frame.Lines(frame.Box{W: r.Dx(), H: r.Dy(), Styles: c.styles,
				Title: fmt.Sprintf("%d %s", x.place, termtext.Line(x.name))}, lines))
	}
}

// besideText is put before the title of a cell whose source is looked at.
func (c *Compare) besideText(x *cell) string {
	switch {
	case c.beside && x == c.current():
		return "after  "
	case x.reader.Before():
		return "before  "
	}
	return ""
}

// wantChain asks for the chain of edits that the facts of the focused picture
// name.
func (c *Compare) wantChain() action.Several {
	x := c.current()
	facts := !c.annex.facts.Empty() || !c.plan.list.Empty() && c.ofPictures()
	if x == nil || !facts || x.answer().Picture == nil {
		return nil
	}
	id := x.answer().ID
	if _, asked := c.chains[id]; asked {
		return nil
	}
	c.chains[id] = ""
	return action.Several{action.LoadChain{Answer: id}}
}

// chained takes where a picture stands in its chain of edits.
func (c *Compare) chained(msg ChainMsg) {
	links := msg.Chain.Links
	at := slices.IndexFunc(links, func(l history.Link) bool { return l.Source == nil && l.Answer.ID == msg.Answer })
	if at < 0 {
		return
	}
	below := 0
	for _, l := range links[at+1:] {
		if l.Depth <= links[at].Depth {
			break
		}
		below++
	}
	text := "root"
	if depth := links[at].Depth; depth > 0 {
		text = format.Count(depth, "edit") + " deep"
	}
	if below > 0 {
		text += fmt.Sprintf(", %d below", below)
	}
	c.chains[msg.Answer] = text
}

// chainText says where a picture stands in its chain of edits.
func (c *Compare) chainText(x *cell) string {
	if text := c.chains[x.answer().ID]; text != "" {
		return text
	}
	if x.turn().SourceOf(x.answer()) == nil {
		return "root"
	}
	return "an edit of " + termtext.Line(x.turn().Source.Name())
}
