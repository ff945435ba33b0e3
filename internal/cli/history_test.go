package cli_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/postgres"
	"confab/internal/cli/clitest"
)

func TestHistoryRoundTrip(t *testing.T) {
	s := clitest.NewRemote(t, func(w http.ResponseWriter, r *http.Request, body map[string]string) {
		clitest.AnswerText(w, "About "+body["prompt"]+" from "+filepath.Base(r.URL.Path))
	})
	w := clitest.RemoteWorld(t, s)
	w.Must(0, "ask", "-m", "zeta,delta", "--system", "be brief", "the late parcel")
	w.Must(0, "ask", "-m", "zeta", "--session", "posters", "a poster")

	list := strings.Split(strings.TrimSpace(w.Must(0, "history", "list").Out), "\n")
	if len(list) != 2 || !strings.HasPrefix(list[0], "s2\tposters\t1\t1\t0\t") ||
		!strings.HasPrefix(list[1], "s1\tthe late parcel\t1\t2\t0\t") {
		t.Errorf("list: %q", list)
	}
	clitest.WantTexts(t, w.Must(0, "history", "list", "parcel").Out, "the late parcel")
	clitest.WantNoTexts(t, w.Must(0, "history", "list", "parcel").Out, "posters")

	hits := clitest.Objects(t, w.Must(0, "history", "search", "parcel", "model:zeta", "--json").Out)
	if len(hits) == 0 || hits[0]["session_name"] != "the late parcel" {
		t.Errorf("search: %v", hits)
	}
	clitest.WantTexts(t, w.Must(0, "history", "search", "be brief").Out, "system", "t1")
	clitest.WantTexts(t, w.Must(2, "history", "search", "before:soon").Err, "before")
	clitest.WantTexts(t, w.Must(2, "history", "search").Err, "search for what")
	clitest.WantTexts(t, w.Must(1, "history", "search", "marmalade").Err, "Nothing was found.")

	if got := w.Must(0, "history", "show", "a1").Out; got != "About the late parcel from zeta\n" {
		t.Errorf("show a1: %q", got)
	}
	for _, name := range []string{"s1", "the late parcel", "t1"} {
		clitest.WantTexts(t, w.Must(0, "history", "show", name).Out, "be brief", "==> a1 zeta", "from delta")
	}
	clitest.WantTexts(t, w.Must(0, "history", "show").Out, "a poster")
	clitest.WantTexts(t, w.Must(2, "history", "show", "t99").Err, `there is no entry "t99"`)
	clitest.WantTexts(t, w.OnTerminal(80, "", "history", "show", "s1").Out, "be brief", "from zeta", "▌")
	clitest.WantTexts(t, w.OnTerminal(60, "", "history", "list").Out, "session", "today")
	clitest.WantTexts(t, w.OnTerminal(60, "", "history", "search", "parcel").Out, "where")

	path := strings.TrimSpace(w.Must(0, "history", "export", "s1").Out)
	if !strings.HasSuffix(path, ".md") || !strings.Contains(path, "/exports/") {
		t.Errorf("exported to %q", path)
	}
	if got := clitest.Objects(t, w.Must(0, "history", "export", "s1", "--as", "jsonl", "-o", "-").Out); len(got) != 2 {
		t.Errorf("exported %v", got)
	}
	file := filepath.Join(t.TempDir(), "x.json")
	w.Must(0, "history", "export", "t1", "-o", file)
	if b, err := os.ReadFile(file); err != nil || !bytes.Contains(b, []byte(`"be brief"`)) {
		t.Errorf("exported %s, %v", b, err)
	}
	w.Must(2, "history", "export", "t1", "-o", file)
	w.Must(2, "history", "export", "t1", "--as", "pdf")

	clitest.WantTexts(t, w.Must(2, "history", "rm", "s1").Err, "--yes")
	clitest.WantTexts(t, w.OnTerminal(80, "n\n", "history", "rm", "s1").Out, "nothing was deleted")
	clitest.WantTexts(t, w.OnTerminal(80, "y\n", "history", "rm", "a3").Out, "Deleted answer a3 of zeta")
	clitest.WantTexts(t, w.Must(0, "history", "rm", "the late parcel", "--yes").Err, "Deleted session s1")
	clitest.WantNoTexts(t, w.Must(0, "history", "list").Out, "parcel")
	for f, text := range clitest.Contents(t, w.Home) {
		if strings.Contains(f, "history.db") && strings.Contains(text, "parcel") {
			t.Errorf("%s still holds what was deleted", f)
		}
	}
	w.Must(2, "history", "rm", "s1", "--yes")

	// What an entry named before took along is deleted, too.
	w.Must(0, "ask", "-q", "-m", "zeta", "--session", "other", "an early parcel")
	r := w.Must(0, "history", "list", "--json")
	id := int64(clitest.Objects(t, r.Out)[0]["session"].(float64))
	turn := int64(clitest.Objects(t, w.Must(0, "history", "show", "other", "--json").Out)[0]["turn"].(float64))
	w.Must(0, "history", "rm", fmt.Sprintf("t%d", turn), fmt.Sprintf("s%d", id), fmt.Sprintf("t%d", turn), "other",
		"--yes")
	clitest.WantNoTexts(t, w.Must(0, "history", "list").Out, "other")
}

func TestLookingMakesNothing(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(1, "history", "search", "x")
	for _, args := range [][]string{
		{"history", "list"}, {"models"}, {"paths"}, {"themes"}, {"themes", "confab-dark"},
		{"config", "show"}, {"config", "path"}, {"history", "path"}, {"doctor"}, {"man"}, {"--version"}, {"--help"},
		{"completion", "bash"}, {"__complete", "history", "show", ""}, {"help", "ask"},
	} {
		isExpected := func(said string) bool { return said == "" || strings.HasPrefix(said, "No sessions yet.") }
		if r := w.Must(0, args...); !isExpected(r.Err) && args[0] != "__complete" {
			t.Errorf("%q said %q", args, r.Err)
		}
	}
	if found := clitest.Files(t, w.Home); len(found) > 0 {
		t.Errorf("files were made: %q", found)
	}
}

// A name that several sessions have is not taken for one of them.
func TestSeveralSessionsOfOneName(t *testing.T) {
	w := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
	w.Must(0, "ask", "-m", "zeta", "twin") // sessions are named after their first prompt
	w.Must(0, "ask", "-m", "zeta", "twin")
	for _, args := range [][]string{
		{"history", "show", "twin"}, {"history", "export", "twin", "-o", "-"}, {"history", "rm", "twin",
			"--yes"}, {"ask",
			"-m", "zeta", "--session", "twin", "x"},
	} {
		clitest.WantTexts(t, w.Must(2, args...).Err, "2 sessions of that name, use an id instead: s2, s1")
	}
	w.Must(0, "history", "rm", "s1", "--yes")
	clitest.WantTexts(t, w.Must(0, "history", "show", "twin").Out, "twin")
}

func TestHistoryStats(t *testing.T) {
	s := clitest.NewStreaming(t, "delta", "zeta")
	w := clitest.StreamWorld(t, s)
	config := filepath.Join(w.Home, "config.toml")
	prices := "[[prices]]\nmodels = [\"delta\"]\ninput = 1\noutput = 10\n"
	clitest.WriteFile(t, config, prices, 0o600)
	for range 2 {
		_, _, code := w.Ask(t, "--config", config, "-m", "delta", "--session", "mine", "hello")
		s.Events["delta"] <- clitest.Delta("text.")
		s.Events["delta"] <- clitest.Done("text.", "stop")
		if c := code(); c != 0 {
			t.Fatalf("ended with %d", c)
		}
	}
	rows := func(args ...string) (all [][]string) {
		out := w.Must(0, append([]string{"history", "stats"}, args...)...).Out
		for line := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n") {
			cells := strings.Split(line, "\t")
			all = append(all, append(cells[:6], cells[7:]...)) // without the time
		}
		return all
	}
	wants := func(what string, got [][]string, want ...string) {
		t.Helper()
		for i, row := range got {
			if i >= len(want) || len(got) != len(want) || strings.Join(row, " ") != want[i] {
				t.Errorf("%s: got %q, want %q", what, got, want)
				return
			}
		}
	}
	wants("by model", rows(), "delta 3 2 2408 712  $0.0095", "zeta 1 0    ")
	wants("of a session", rows("--session", "mine"), "delta 2 2 2408 712  $0.0095")
	wants("by session", rows("--by", "session"), "s1 hello 1 0    ", "s2 hello 1 0    ",
		"s3 mine 2 2 2408 712  $0.0095")
	wants("by day", rows("--by", "day"), time.Now().Format(time.DateOnly)+" 4 2 2408 712  $0.0095")
	got := clitest.Objects(t, w.Must(0, "history", "stats", "--json").Out)[0]
	if got["model"] != "delta" || got["output_tokens"] != 712.0 || got["counted"] != 2.0 {
		t.Errorf("got %v", got)
	}
	clitest.WantTexts(t, w.OnTerminal(100, "", "history", "stats").Out, "2,408", "all")
	clitest.WantTexts(t, w.Must(2, "history", "stats", "--by", "week").Err, "model, session or day")

	m := clitest.Objects(t, w.Must(0, "--config", config, "models", "delta", "--json").Out)[0]
	if m["output_price"] != 10.0 || m["currency"] != "USD" || m["typical_output_tokens"] != 356.0 {
		t.Errorf("got %v", m)
	}
	clitest.WantTexts(t, w.Must(0, "--config", config, "models", "delta").Out, "$1.00 / $10.00")
	clitest.WantTexts(t, w.Must(0, "doctor").Out, "extensions\tstream, messages, params, usage (2 text models)")
	w.Environ = append(w.Environ, "CONFAB_SERVICE_EXTENSIONS=off")
	clitest.WantNoTexts(t, w.Must(0, "doctor").Out, "extensions")
	if out := w.Must(0, "ask", "-m", "delta", "hello").Out; out != "whole\n" {
		t.Errorf("printed %q", out)
	}
}

// TestHistoryPrintsNoKey prints texts that were stored before their key was known, in every form there is.
func TestHistoryPrintsNoKey(t *testing.T) {
	const key = "sk-Live-0123456789abcdef"
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "-m", "delta", "Repeat: "+key+" and sk-**Live**-0123456789abcdef and "+
		strings.Join(strings.Split(key, ""), "\u00ad"))
	w.Environ = append(w.Environ, "CONFAB_API_KEY="+key)
	for _, args := range [][]string{{"history", "list"}, {"history", "list", "--json"}, {"history", "show", "s1"},
		{"history", "show", "s1", "--json"}, {"history", "export", "s1"}, {"history", "search", "Repeat"},
		{"history", "show", "s1", "--color", "always"}, {"history", "search", "Repeat", "--json"}} {
		out := w.Must(0, args...).Out
		shown := strings.ToLower(strings.ReplaceAll(out, "\u00ad", ""))
		if strings.Contains(shown, strings.ToLower(key)) || !strings.Contains(out, "•") {
			t.Errorf("%v prints\n%s", args, out)
		}
	}
}

func TestHistoryInADatabase(t *testing.T) {
	environ := clitest.InDatabase(t)
	anna := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=anna")...)
	elsewhere := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=anna")...)
	bob := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=bob")...)
	anna.Must(0, "ask", "-m", "alpha3.1-8b", "--session", "plans", "what only anna knows")
	elsewhere.Must(0, "ask", "-m", "alpha3.1-8b", "--session", "plans", "and again")
	r := anna.Must(0, "history", "list")
	if strings.Count(r.Out, "\n") != 1 || !strings.Contains(r.Out, "plans\t2\t2") {
		t.Errorf("list: %q", r.Out)
	}
	if r := elsewhere.Must(0, "history", "search", "anna"); !strings.Contains(r.Out, "what only anna knows") {
		t.Errorf("search: %q", r.Out)
	}
	if r := bob.Must(0, "history", "list"); r.Out != "" {
		t.Errorf("another user sees %q", r.Out)
	}
	anna.Must(0, "doctor")
	for _, w := range []*clitest.World{anna, elsewhere, bob} {
		for path, text := range clitest.Contents(t, w.Home) {
			if filepath.Ext(path) == ".db" || strings.Contains(text, "hunter2") {
				t.Errorf("%s is a store, or holds the password", path)
			}
		}
	}
	if r := anna.Must(0, "config", "show"); strings.Contains(r.Out+r.Err, "hunter2") {
		t.Errorf("config show holds the password: %s", r.Out)
	}
	gone := clitest.NewWorld(t, "CONFAB_HISTORY_URL=postgres://confab:hunter2@db.example/confab")
	if r := gone.Must(2, "history", "list"); strings.Contains(r.Err, "hunter2") {
		t.Errorf("an error holds the password: %s", r.Err)
	}
}

// TestSharing shares a session and a run with another user, and ends that.
func TestSharing(t *testing.T) {
	environ := clitest.InDatabase(t)
	anna := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=anna")...)
	bob := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=bob")...)
	anna.Must(0, "ask", "-m", "alpha3.1-8b", "--session", "plans", "what only anna knows")
	suite := anna.Suite("tone.yaml", "prompts: [Say hello]\nproviders: ['llm:alpha3.1-8b', 'llm:delta']\n")
	anna.Must(1, "run", "-q", suite)

	bob.Must(2, "history", "show", "s1")
	for _, c := range []struct {
		who        *clitest.World
		call, want string // the output has this, or is empty
	}{
		{anna, "history share plans", "session s1 \"plans\" is shared with the team\n"},
		{anna, "history share r1", "run 1 is shared with the team\n"},
		{anna, "history list", "\tshared\n"},
		{bob, "history list --team anna", "\tof anna\n"},
		{bob, "history list --team --json", `"owner":"anna"`},
		{bob, "history show s10000000001", "what only anna knows"},
		{bob, "history list", ""},
		{bob, "run --list --team", "of anna"},
		{bob, "history votes 10000000001 --json", `{"run":10000000001,"axes":[],"voters":[],"hidden":0,"repeats":0,` +
			`"uncounted":0,"agreement":{"voters":0,"pairs":0}}` + "\n"},
	} {
		if out := c.who.Must(0, strings.Fields(c.call)...).Out; !strings.Contains(out, c.want) ||
			c.want == "" && out != "" {
			t.Errorf("%s: %q", c.call, out)
		}
	}
	for _, refused := range [][]string{{"history", "rm", "-y", "s10000000001"},
		{"history", "share", "s10000000001", "--stop"}, {"ask", "-m", "delta", "--session", "s10000000001", "hello"}} {
		if r := bob.Run(refused...); r.Code == 0 {
			t.Errorf("%q was done: %+v", refused, r)
		}
	}

	url := strings.TrimPrefix(environ[0], "CONFAB_HISTORY_URL=")
	server, err := postgres.Connect(t.Context(), postgres.Options{URL: url})
	must(t, err)
	defer server.Close()
	voter, err := server.Store("bob", postgres.StoreOptions{})
	must(t, err)
	defer voter.Close()
	for range 2 {
		if _, err := voter.AddVote(t.Context(), history.Vote{AnswerA: 10000000002, AnswerB: 10000000003,
			Preference: history.VoteA, IsBlind: true}); err != nil {
			t.Fatal(err)
		}
	}
	clitest.WantTexts(t, bob.Must(0, "history", "votes", "r10000000001").Out,
		"alpha3.1-8b\t82 % (9–100 %)\t1\t1\t0\t0\t0\t1",
		"delta\t18 % (0–91 %)\t1\t0\t1\t0\t0\t1", "Few votes: under 10 each.", "Votes: you on 1 pair.")
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
	if r := alone.Must(2, "history", "share", "s1"); !strings.Contains(r.Err, "confab help team") {
		t.Errorf("with a file: %q", r.Err)
	}
}

// TestATurnIsPrintedAsATable with what was sent beside it and its totals, and a run likewise.
func TestATurnIsPrintedAsATable(t *testing.T) {
	w := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
	w.Must(0, "ask", "-m", "delta,zeta", "Say yes to Sam.", "--variant", "Say no to Sam.")
	got := w.Must(0, "history", "table", "t1").Out
	for _, want := range []string{"A …yes to Sam.\t", "B …no to Sam.\t", "answered\t2 of 2\t2 of 2\n",
		"prompt     A …yes to Sam.\t2 of 2\t", "prompt     B …no to Sam.\t", "model      zeta\t2 of 2\t"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	totals := clitest.Objects(t, w.Must(0, "history", "table", "t2", "--json").Out)
	if len(totals) != 4 || totals[1]["axis"] != "prompt" || totals[1]["point"] != "B …no to Sam." ||
		totals[1]["answered"] != 2.0 {
		t.Errorf("totals %v", totals)
	}
	w.Must(1, "run", w.Suite("echoes.yaml", clitest.Echoes))
	if got := w.Must(0, "history", "table", "r1").Out; !strings.Contains(got, "passed\t") {
		t.Errorf("the run:\n%s", got)
	}
	if r := w.Must(2, "history", "table", "s1"); !strings.Contains(r.Err, "a session has no table") {
		t.Errorf("a session: %s", r.Err)
	}
}

// TestEmptyListsSayWhatMakesTheirFirstEntry asks for a sentence on standard error and nothing on standard output.
func TestEmptyListsSayWhatMakesTheirFirstEntry(t *testing.T) {
	w := clitest.NewWorld(t)
	for command, want := range map[string]string{
		"personas": "confab personas add", "history list": "No sessions yet.",
		"run --list": "No runs yet.", "serve keys list": "confab serve keys add",
		"history list x": "Nothing was found.",
	} {
		r := w.Must(0, strings.Fields(command)...)
		if r.Out != "" || !strings.Contains(r.Err, want) {
			t.Errorf("confab %s printed %q and said %q, want %q", command, r.Out, r.Err, want)
		}
	}
}
