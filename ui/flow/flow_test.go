package flow_test

import (
	"testing"

	"confab/ui/flow"
)

func key(turn int64, index int) flow.Key { return flow.Key{Turn: turn, Role: 1, Index: index} }

func column(heights ...int) []flow.Part {
	parts := make([]flow.Part, len(heights))
	for i, h := range heights {
		parts[i] = flow.Part{Key: key(int64(i+1), 0), Height: h}
	}
	return parts
}

// top returns the number of lines above the window, the reader's place.
func top(f *flow.Flow) int { _, above := f.Lines(); return above }

func TestFollowsItsEndUntilScrolledUp(t *testing.T) {
	var f flow.Flow
	f.SetHeight(5)
	f.SetParts(column(3, 4, 3))
	if got := top(&f); got != 5 {
		t.Fatalf("top line is %d, want 5: the end of 10 lines in a window of 5", got)
	}
	f.SetParts(column(3, 4, 3, 2))
	if got := top(&f); got != 7 {
		t.Fatalf("top line is %d after growing, want 7", got)
	}
	f.ScrollBy(-2)
	f.SetParts(column(3, 4, 3, 2, 9))
	if got := top(&f); got != 5 {
		t.Fatalf("top line is %d, want 5: a reader who scrolled up is not taken away", got)
	}
	f.ScrollBy(100)
	if !f.IsFollowing() {
		t.Fatal("reaching the end does not follow again")
	}
}

func TestScrollsOverPartBordersAndStopsAtBothEnds(t *testing.T) {
	var f flow.Flow
	f.SetHeight(4)
	f.SetParts(column(1, 0, 3, 1, 5))
	f.ToTop()
	for want := 1; want <= 6; want++ {
		f.ScrollBy(1)
		if got := top(&f); got != want {
			t.Fatalf("after %d steps down the top line is %d", want, got)
		}
	}
	f.ScrollBy(1)
	if got := top(&f); got != 6 {
		t.Fatalf("scrolled past the end to %d", got)
	}
	for want := 5; want >= 0; want-- {
		f.ScrollBy(-1)
		if got := top(&f); got != want {
			t.Fatalf("on the way up the top line is %d, want %d", got, want)
		}
	}
	f.ScrollBy(-7)
	if !f.IsAtTop() {
		t.Fatal("scrolled past the top")
	}
	f.ScrollBy(3)
	if got := top(&f); got != 3 {
		t.Fatalf("a step of 3 went to %d", got)
	}
	f.ScrollBy(-2)
	if got := top(&f); got != 1 {
		t.Fatalf("a step of -2 went to %d", got)
	}
}

func TestKeepsThePlaceWhenAnEstimateIsCorrected(t *testing.T) {
	var f flow.Flow
	f.SetHeight(5)
	f.SetParts(column(10, 10, 10, 10))
	f.ScrollToPart(key(3, 0), 4)
	parts := column(100, 10, 10, 10)
	parts[0].IsMeasured = true
	f.SetParts(parts)
	if k, line := f.Place(); k != key(3, 0) || line != 4 {
		t.Fatalf("place is %v line %d, want part 3 line 4: a part above grew", k, line)
	}
	parts = column(100, 10, 20, 10)
	parts[0].IsMeasured, parts[2].IsMeasured = true, true
	f.SetParts(parts)
	if k, line := f.Place(); k != key(3, 0) || line != 8 {
		t.Fatalf("place is %v line %d, want the same share, line 8", k, line)
	}
}

func TestCarriesThePlaceIntoTheBlocksOfTheSameText(t *testing.T) {
	var f flow.Flow
	f.SetHeight(5)
	whole := flow.Part{Key: flow.Key{Turn: 1, Role: 2, Index: -1}, Height: 40}
	f.SetParts([]flow.Part{whole, {Key: key(2, 0), Height: 50}})
	f.ScrollToPart(whole.Key, 30)
	f.SetParts([]flow.Part{
		{Key: flow.Key{Turn: 1, Role: 2, Index: 0}, Height: 20},
		{Key: flow.Key{Turn: 1, Role: 2, Index: 1}, Height: 20},
		{Key: key(2, 0), Height: 50},
	})
	if k, line := f.Place(); k.Index != 1 || line != 10 {
		t.Fatalf("place is block %d line %d, want block 1 line 10", k.Index, line)
	}
}

func TestKeepsThePlaceWhenThePartIsGone(t *testing.T) {
	var f flow.Flow
	f.SetHeight(2)
	f.SetParts(column(5, 5, 5))
	f.ScrollToPart(key(2, 0), 3)
	parts := column(5, 5, 5)
	f.SetParts([]flow.Part{parts[0], parts[2]})
	if k, _ := f.Place(); k != key(3, 0) {
		t.Fatalf("place is %v, want the next part that is left", k)
	}
}

func TestVisibleAndAroundNameWhatIsSeen(t *testing.T) {
	var f flow.Flow
	f.SetHeight(4)
	f.SetParts(column(3, 3, 3, 3))
	f.ScrollToPart(key(2, 0), 2)
	spans := f.Visible()
	if len(spans) != 2 || spans[0].From != 2 || spans[0].To != 3 || spans[1].From != 0 || spans[1].To != 3 {
		t.Fatalf("visible: %+v", spans)
	}
	around := f.Around(4)
	if around[0].Part.Key != key(1, 0) || around[0].From != 1 || len(around) != 4 {
		t.Fatalf("around: %+v", around)
	}
}

func TestEmptyAndShortColumns(t *testing.T) {
	var f flow.Flow
	f.SetHeight(10)
	f.ScrollBy(3)
	f.ScrollBy(-3)
	if len(f.Visible()) != 0 || !f.IsAtTop() || !f.IsAtEnd() {
		t.Fatal("an empty column has no place to go")
	}
	f.SetParts(column(2, 3))
	f.ScrollBy(-1)
	if got := top(&f); got != 0 || !f.IsAtEnd() || !f.IsFollowing() {
		t.Fatalf("a short column stays whole in the window: top %d", got)
	}
}

func TestFollowingStopsAtTheStartOfAGrowingText(t *testing.T) {
	var f flow.Flow
	f.SetHeight(5)
	f.SetParts(column(9, 2, 1))
	f.FollowFrom(key(2, 0))
	if got := top(&f); got != 7 {
		t.Fatalf("top line is %d, want 7: all of it has room", got)
	}
	f.SetParts(column(9, 2, 40))
	if got := top(&f); got != 10 {
		t.Fatalf("top line is %d, want 10: the last line of the part it follows from", got)
	}
	f.ScrollBy(3)
	f.SetParts(column(9, 2, 50))
	if got := top(&f); got != 13 {
		t.Fatalf("top line is %d, want 13: the reader has taken over", got)
	}
}
