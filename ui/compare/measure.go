package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/diff"
	"confab/ui/part"
)

// measurements are the sizes and similarities of answers. Commands compute them.
type measurements struct {
	sizes             map[int64]versionSize // by answer
	requested         map[int64]int         // by answer, the version whose size was requested
	similarity        map[int64]float64     // by answer, to the pinned answer
	similarityPending map[int64]bool        // by answer
	similarTo         int64                 // the pinned answer
	identical         map[string]int        // by cell name, the number of an earlier cell with the same answer
}

func newMeasurements() measurements {
	return measurements{sizes: map[int64]versionSize{}, requested: map[int64]int{}}
}

// versionSize is the size of the text of a version of an answer.
type versionSize struct {
	version int
	size    format.TextSize
}

type (
	// measuredMsg brings sizes, by answer.
	measuredMsg struct {
		view  *View
		sizes map[int64]versionSize
	}
	// similarityMsg brings the similarity of answers to the pinned one.
	similarityMsg struct {
		view       *View
		pinned     int64
		similarity map[int64]float64
	}
)

// measureTexts measures, in a command, the texts that are new or have changed.
func (v *View) measureTexts() tea.Cmd {
	texts, m := map[int64]history.Answer{}, &v.measurements
	for _, x := range v.cells {
		for _, d := range x.distinct {
			a := d.answer
			if a.State == history.Done && a.Picture == nil && m.requested[a.ID] != a.Version {
				texts[a.ID], m.requested[a.ID] = a, a.Version
			}
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return func() tea.Msg {
		msg := measuredMsg{view: v, sizes: map[int64]versionSize{}}
		for id, a := range texts {
			msg.sizes[id] = versionSize{a.Version, format.MeasureText(a.Text)}
		}
		return part.Result{To: v, Msg: msg}
	}
}

// afterMeasured stores sizes. That of an older version stays until then, so that a rating does not make it blink.
func (v *View) afterMeasured(msg measuredMsg) {
	if msg.view != v {
		return
	}
	for id, s := range msg.sizes {
		if s.version >= v.measurements.sizes[id].version {
			v.measurements.sizes[id] = s
		}
	}
	v.sortAgainBy(byWords)
}

// sortAgainBy sorts the answers again if they are in that order.
func (v *View) sortAgainBy(o order) {
	if v.order == o {
		v.relist()
		v.relayout()
	}
}

// measureSimilarity compares finished texts with the pinned answer, in a command.
func (v *View) measureSimilarity() tea.Cmd {
	p, m := v.pinned(), &v.measurements
	if p == nil || !p.isText() {
		return nil
	}
	pinned := p.answer()
	if pinned.ID != m.similarTo {
		m.similarTo, m.similarity, m.similarityPending = pinned.ID, map[int64]float64{}, map[int64]bool{}
	}
	texts := map[int64]string{}
	for _, x := range v.cells {
		if a := x.answer(); x != p && x.isText() && !m.similarityPending[a.ID] {
			texts[a.ID], m.similarityPending[a.ID] = a.Text, true
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return func() tea.Msg {
		msg := similarityMsg{view: v, pinned: pinned.ID, similarity: map[int64]float64{}}
		for id, other := range texts {
			msg.similarity[id] = diff.Similarity(pinned.Text, other)
		}
		return part.Result{To: v, Msg: msg}
	}
}

func (v *View) afterSimilarity(msg similarityMsg) {
	if msg.view != v || msg.pinned != v.measurements.similarTo {
		return
	}
	maps.Copy(v.measurements.similarity, msg.similarity)
	v.sortAgainBy(bySimilarity)
}

// similarityText returns how much of its wording an answer shares with the pinned one.
func (v *View) similarityText(x *cell) string {
	p := v.pinned()
	s, ok := v.measurements.similarity[x.answer().ID]
	switch {
	case p == nil:
		return ""
	case p == x:
		return "pin"
	case !ok:
		return ""
	case s >= 0.995:
		return "same"
	}
	return fmt.Sprintf("%.2f", s)[1:]
}

// size returns the size of the shown text of a cell; ok is false for a picture and before it is measured.
func (v *View) size(x *cell) (size format.TextSize, ok bool) {
	s, ok := v.measurements.sizes[x.answer().ID]
	return s.size, ok && x.isText()
}

// wordCount returns the number of words, -1 where there are none to count.
func (v *View) wordCount(x *cell) int {
	if size, ok := v.size(x); ok {
		return size.Words
	}
	return -1
}

// sizeText returns all figures of a text; the tokens are an estimate.
func (v *View) sizeText(x *cell) string {
	size, ok := v.size(x)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s, %s, %s, %s", format.Count(size.Words, "word"), format.Count(size.Chars, "char"),
		format.Count(size.Lines, "line"), format.EstimatedTokens(size.Bytes))
}

// identicalTo returns the number of an earlier cell with the same text or picture; 0 for none.
func (v *View) identicalTo(x *cell) int { return v.measurements.identical[x.name] }

// findIdentical finds the cells with the same answer as an earlier one.
func (v *View) findIdentical() {
	v.measurements.identical = map[string]int{}
	for i, x := range v.cells {
		same := func(o *cell) bool { return isIdentical(o.answer(), x.answer()) }
		if j := slices.IndexFunc(v.cells[:i], same); j >= 0 {
			v.measurements.identical[x.name] = v.cells[j].number
		}
	}
}

// identicalText tells how many answers are identical to another one.
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
	case done < 2:
		return ""
	case len(identical) == 0:
		return "same " + what + ": none"
	}
	return fmt.Sprintf("same %s: %d of %d", what, len(identical), done)
}

// extremes names the quickest and the longest of the finished texts; a reused one has no time of its own.
func (v *View) extremes() []string {
	var timed, counted []*cell
	for _, x := range v.cells {
		if x.isText() && x.times().N > 0 {
			timed = append(timed, x)
		}
		if v.wordCount(x) >= 0 {
			counted = append(counted, x)
		}
	}
	name := func(x *cell) string { return shortName(termtext.Line(x.name), 18) }
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
