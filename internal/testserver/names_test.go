package testserver_test

import (
	"net/http"
	"slices"
	"testing"

	"confab/internal/testserver"
)

func TestABehaviourIsChosenByPathSlugOrByHand(t *testing.T) {
	s := testserver.New(t)
	const body = `{"apikey":"k","prompt":"p"}`
	post := func(path string) int { return statusOf(t, plain(t, s.URL+path, body)) }
	for path, want := range map[string]int{
		"/api/llm/delta": 200, "/api/llm/status-418": 418, "/be/status-500/api/llm/delta": 500,
		"/api/generative/delta": 200,
	} {
		if got := post(path); got != want {
			t.Errorf("%s: got %d, want %d", path, got, want)
		}
	}
	s.SetBehaviour("status-404")
	if got := post("/api/llm/status-418"); got != 404 {
		t.Errorf("by hand: got %d", got)
	}
	s.SetBehaviour("no such behaviour")
	if got := post("/api/llm/delta"); got != 599 {
		t.Errorf("unknown: got %d", got)
	}
	if seen := s.Seen(); len(seen) != 6 || seen[0].Body != body || seen[0].Method != http.MethodPost {
		t.Errorf("got %+v", seen)
	}
}

func TestNamesAreSortedAndWithoutDoubles(t *testing.T) {
	names := testserver.Names()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) || len(names) < 150 {
		t.Errorf("got %d names: %v", len(names), names)
	}
}
