package compare

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/service/diff"
	"confab/ui/part"
)

// textFigures are the size of a finished text and its similarity to the pinned answer.
type textFigures struct {
	size       *format.TextSize // nil until it is known
	pinned     int64            // answer of the comparison; 0 for none
	similarity float64          // -1 until it is known
}

// measuredMsg brings figures, by answer.
type measuredMsg map[int64]textFigures

// measureTexts returns a command that measures the finished texts without figures for the pinned answer.
func (v *View) measureTexts() tea.Cmd {
	var pinned history.Answer
	if p := v.pinned(); p != nil && p.isText() {
		pinned = p.answer()
	}
	texts := map[int64]string{}
	for _, x := range v.cells {
		for _, d := range x.distinct {
			a := d.answer()
			f, isKnown := v.figures[a.ID]
			if a.State == history.Done && a.Picture == nil && (!isKnown || f.pinned != pinned.ID) {
				texts[a.ID], v.figures[a.ID] = a.Text, textFigures{f.size, pinned.ID, -1}
			}
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return func() tea.Msg {
		figures := measuredMsg{}
		for id, text := range texts {
			size := format.MeasureText(text)
			f := textFigures{size: &size, pinned: pinned.ID}
			if pinned.ID != 0 && pinned.ID != id {
				f.similarity = diff.Similarity(pinned.Text, text)
			}
			figures[id] = f
		}
		return part.Result{To: v, Msg: figures}
	}
}

// afterMeasured keeps figures unless they are for another pinned answer.
func (v *View) afterMeasured(figures measuredMsg) {
	for id, f := range figures {
		if before, isKnown := v.figures[id]; isKnown && before.pinned == f.pinned {
			v.figures[id] = f
		}
	}
	if v.order == byWords || v.order == bySimilarity {
		v.relist()
	}
	v.relayout() // of a list, whose columns depend on the figures
}

// similarity returns the similarity of an answer to the pinned one; ok is false while it is unknown.
func (v *View) similarity(x *cell) (share float64, ok bool) {
	p := v.pinned()
	f := v.figures[x.answer().ID]
	return f.similarity, p != nil && f.pinned != 0 && f.pinned == p.answer().ID && f.similarity >= 0 && x.isText()
}

func (v *View) similarityText(x *cell) string {
	share, ok := v.similarity(x)
	switch {
	case x == v.pinned():
		return "pin"
	case !ok:
		return ""
	case share >= 0.995:
		return "same"
	}
	return fmt.Sprintf("%.2f", share)[1:]
}

// wordCount returns the number of words, also of a text that is being written, -1 for unknown.
func (v *View) wordCount(x *cell) int {
	if words := v.readerOf(x).Words(); x.answer().State == history.Running && words > 0 {
		return words
	}
	if f := v.figures[x.answer().ID]; f.size != nil && x.isText() {
		return f.size.Words
	}
	return -1
}

// sizeText returns the size of a text without its words, which the title counts.
func (v *View) sizeText(x *cell) string {
	size := v.figures[x.answer().ID].size
	if size == nil || !x.isText() {
		return ""
	}
	tokens := x.answer().Usage.String()
	if tokens == "" {
		tokens = format.EstimatedTokens(size.Bytes)
	}
	return fmt.Sprintf("%s, %s, %s", format.Count(size.Chars, "char"), format.Count(size.Lines, "line"), tokens)
}

// identicalTo returns the number of an earlier cell with the same text, or of any with the same picture; 0 for none.
func (v *View) identicalTo(x *cell) int {
	for _, o := range v.cells {
		if o != x && (o.number < x.number || !x.isText()) && isIdentical(o.answer(), x.answer()) {
			return o.number
		}
	}
	return 0
}

// identicalText describes how many answers are identical to another one.
func (v *View) identicalText() string {
	done, identical, what := 0, map[int]bool{}, "text"
	for _, x := range v.cells {
		if !x.isDone() {
			continue
		}
		done++
		if x.answer().Picture != nil {
			what = "picture"
		}
		if number := v.identicalTo(x); number > 0 {
			identical[number], identical[x.number] = true, true
		}
	}
	switch {
	case len(identical) == 0:
		return ""
	}
	return fmt.Sprintf("same %s: %d of %d", what, len(identical), done)
}

// extremes names the quickest and the longest of the whole texts. Reused answers have no time.
func (v *View) extremes() []string {
	var timed, counted []*cell
	for _, x := range v.cells {
		if x.answer().Ending() != history.EndsWhole {
			continue
		}
		if x.isText() && x.times().N > 0 {
			timed = append(timed, x)
		}
		if v.wordCount(x) >= 0 {
			counted = append(counted, x)
		}
	}
	name := func(x *cell) string { return v.shortName(x.name, 18) }
	var out []string
	if len(timed) > 1 {
		x := slices.MinFunc(timed, func(a, b *cell) int { return cmp.Compare(a.times().Median, b.times().Median) })
		out = append(out, fmt.Sprintf("quickest %s %s", name(x), timeText(x.times().Median)))
	}
	if len(counted) > 1 {
		x := slices.MaxFunc(counted, func(a, b *cell) int { return cmp.Compare(v.wordCount(a), v.wordCount(b)) })
		out = append(out, fmt.Sprintf("longest %s %s", name(x), format.Count(v.wordCount(x), "word")))
	}
	return out
}
