package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"confab/history"
	"confab/history/postgres"
	"confab/internal/cli/clitest"
)

// TestSharing shares a session and a run with another user, and ends that.
func TestSharing(t *testing.T) {
	environ := clitest.InDatabase(t)
	anna := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=anna")...)
	bob := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=bob")...)
	anna.Must(0, "ask", "-m", "alpha3.1-8b", "--session", "plans", "what only anna knows")
	suite := anna.Suite("tone.yaml", "prompts: [Say hello]\nproviders: ['llm:alpha3.1-8b', 'llm:delta']\n")
	anna.Must(0, "run", "-q", suite)

	bob.Must(2, "history", "show", "s1")
	if r := anna.Must(0, "history", "share", "plans"); r.Out != "session s1 \"plans\" is shared with the team\n" {
		t.Errorf("share: %q", r.Out)
	}
	if r := anna.Must(0, "history", "share", "r1"); r.Out != "run 1 is shared with the team\n" {
		t.Errorf("share a run: %q", r.Out)
	}
	if r := anna.Must(0, "history", "list"); !strings.Contains(r.Out, "\tshared\n") {
		t.Errorf("one's own list: %q", r.Out)
	}
	if r := bob.Must(0, "history", "list", "--team", "anna"); strings.Count(r.Out, "\n") != 1 ||
		!strings.Contains(r.Out, "\tof anna\n") {
		t.Errorf("list of the team: %q", r.Out)
	}
	if r := bob.Must(0, "history", "list", "--team", "--json"); !strings.Contains(r.Out, `"owner":"anna"`) {
		t.Errorf("list of the team as JSON: %q", r.Out)
	}
	if r := bob.Must(0, "history", "show", "s10000000001"); !strings.Contains(r.Out, "what only anna knows") {
		t.Errorf("show: %q", r.Out)
	}
	if r := bob.Must(0, "history", "list"); r.Out != "" {
		t.Errorf("one's own list holds what others share: %q", r.Out)
	}
	if r := bob.Must(0, "run", "--list", "--team"); !strings.Contains(r.Out, "of anna") {
		t.Errorf("runs of the team: %q", r.Out)
	}
	if r := bob.Must(0, "run", "--votes", "10000000001", "--json"); r.Out !=
		`{"run":10000000001,"models":[],"voters":[],"hidden":0}`+"\n" {
		t.Errorf("votes: %q", r.Out)
	}
	for _, refused := range [][]string{{"history", "rm", "-y", "s10000000001"},
		{"history", "share", "s10000000001", "--stop"}, {"ask", "-m", "delta", "--session", "s10000000001", "hello"}} {
		if r := bob.Run(refused...); r.Code == 0 {
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
	for w, want := range map[*clitest.World]string{anna: "2 votes of other users on this history could not be copied",
		bob: "2 votes on answers of other users could not be copied"} {
		clitest.WantTexts(t, w.Must(0, "history", "move", "--to", filepath.Join(w.Home, "copy.db")).Err, want)
	}

	anna.Must(0, "history", "share", "--stop", "s1")
	anna.Must(0, "history", "share", "--stop", "r1")
	if r := bob.Must(0, "history", "list", "--team"); r.Out != "" {
		t.Errorf("after the end: %q", r.Out)
	}
	bob.Must(2, "history", "show", "s1")

	alone := clitest.NewWorld(t)
	alone.Must(0, "ask", "-m", "delta", "hello")
	if r := alone.Must(2, "history", "share", "s1"); !strings.Contains(r.Err, "docs/team.md") {
		t.Errorf("with a file: %q", r.Err)
	}
}
