package cli_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	for _, args := range [][]string{
		{"history", "list"}, {"history", "search", "x"}, {"models"}, {"paths"}, {"themes"}, {"themes", "show",
			"nord-like"},
		{"config", "show"}, {"config", "path"}, {"history", "path"}, {"doctor"}, {"man"}, {"--version"}, {"--help"},
		{"completion", "bash"}, {"__complete", "history", "show", ""}, {"help", "ask"},
	} {
		if r := w.Must(0, args...); r.Err != "" && args[0] != "__complete" {
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
