package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"confab/history"
	"confab/history/postgres"
)

// TestSharing shares a session and a run with another user, and ends that.
func TestSharing(t *testing.T) {
	environ := inDatabase(t)
	anna := newWorld(t, append(environ, "CONFAB_HISTORY_USER=anna")...)
	bob := newWorld(t, append(environ, "CONFAB_HISTORY_USER=bob")...)
	anna.must(0, "ask", "-m", "alpha3.1-8b", "--session", "plans", "what only anna knows")
	suite := anna.suite("tone.yaml", "prompts: [Say hello]\nproviders: ['llm:alpha3.1-8b', 'llm:delta']\n")
	anna.must(0, "run", "-q", suite)

	bob.must(2, "history", "show", "s1")
	if r := anna.must(0, "history", "share", "plans"); r.out != "session s1 \"plans\" is shared with the team\n" {
		t.Errorf("share: %q", r.out)
	}
	if r := anna.must(0, "history", "share", "r1"); r.out != "run 1 is shared with the team\n" {
		t.Errorf("share a run: %q", r.out)
	}
	if r := anna.must(0, "history", "list"); !strings.Contains(r.out, "\tshared\n") {
		t.Errorf("one's own list: %q", r.out)
	}
	if r := bob.must(0, "history", "list", "--team", "anna"); strings.Count(r.out, "\n") != 1 ||
		!strings.Contains(r.out, "\tof anna\n") {
		t.Errorf("list of the team: %q", r.out)
	}
	if r := bob.must(0, "history", "list", "--team", "--json"); !strings.Contains(r.out, `"owner":"anna"`) {
		t.Errorf("list of the team as JSON: %q", r.out)
	}
	if r := bob.must(0, "history", "show", "s10000000001"); !strings.Contains(r.out, "what only anna knows") {
		t.Errorf("show: %q", r.out)
	}
	if r := bob.must(0, "history", "list"); r.out != "" {
		t.Errorf("one's own list holds what others share: %q", r.out)
	}
	if r := bob.must(0, "run", "--list", "--team"); !strings.Contains(r.out, "of anna") {
		t.Errorf("runs of the team: %q", r.out)
	}
	if r := bob.must(0, "run", "--votes", "10000000001", "--json"); r.out !=
		`{"run":10000000001,"models":[],"voters":[],"hidden":0}`+"\n" {
		t.Errorf("votes: %q", r.out)
	}
	for _, refused := range [][]string{{"history", "rm", "-y", "s10000000001"},
		{"history", "share", "s10000000001", "--stop"}, {"ask", "-m", "delta", "--session", "s10000000001", "hello"}} {
		if r := bob.run(refused...); r.code == 0 {
			t.Errorf("%q was done: %+v", refused, r)
		}
	}

	url := strings.TrimPrefix(environ[0], "CONFAB_HISTORY_URL=")
	server, err := postgres.Connect(t.Context(), postgres.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	voter, err := server.Store("bob", postgres.StoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer voter.Close()
	for range 2 {
		if _, err := voter.AddVote(t.Context(), history.Vote{AnswerA: 10000000002, AnswerB: 10000000003,
			Preference: history.VoteA, IsBlind: true}); err != nil {
			t.Fatal(err)
		}
	}
	for w, want := range map[*world]string{anna: "2 votes of other users on this history could not be copied",
		bob: "2 votes on answers of other users could not be copied"} {
		wantTexts(t, w.must(0, "history", "move", "--to", filepath.Join(w.home, "copy.db")).err, want)
	}

	anna.must(0, "history", "share", "--stop", "s1")
	anna.must(0, "history", "share", "--stop", "r1")
	if r := bob.must(0, "history", "list", "--team"); r.out != "" {
		t.Errorf("after the end: %q", r.out)
	}
	bob.must(2, "history", "show", "s1")

	alone := newWorld(t)
	alone.must(0, "ask", "-m", "delta", "hello")
	if r := alone.must(2, "history", "share", "s1"); !strings.Contains(r.err, "docs/team.md") {
		t.Errorf("with a file: %q", r.err)
	}
}
