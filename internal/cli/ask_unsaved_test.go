package cli_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/internal/cli/clitest"
)

// ids are the fields and words that name entries of the history.
var ids = regexp.MustCompile(`"(run|session|turn|answer)": ?\d|session s\d|turn t\d|run \d`)

// What is not saved has no ids: those of a history in memory would name other
// entries of the one on disk.
func TestWhatIsNotSavedHasNoIDs(t *testing.T) {
	picture := clitest.SamplePicture(t)
	s := clitest.NewRemote(t, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		if strings.Contains(r.URL.Path, "sim-image") {
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(picture)
			return
		}
		clitest.AnswerText(w, "fine")
	})
	suite := "providers: ['llm:zeta']\nprompts: ['say {{x}}']\ntests:\n- vars: {x: fine}\n  assert: [{type: " +
		"contains, " +
		"value: fine}]\n"
	for name, spoil := range map[string]func(t *testing.T, w *clitest.World) (flags []string){
		"asked for": func(_ *testing.T, w *clitest.World) []string {
			w.Environ = append(w.Environ, "CONFAB_HISTORY_SAVE=false")
			return []string{"--no-save"}
		},
		"damaged": func(t *testing.T, w *clitest.World) []string {
			path := strings.TrimSpace(w.Must(0, "history", "path").Out)
			if err := os.WriteFile(path, []byte(strings.Repeat("spoilt", 1000)), 0o600); err != nil {
				t.Fatal(err)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := clitest.RemoteWorld(t, s)
			w.Must(0, "ask", "-m", "zeta", "an entry that has the ids")
			flags := spoil(t, w)
			ask := append([]string{"ask", "-m", "zeta,sim-image", "--samples", "2", "what is not saved"}, flags...)
			r := w.Must(0, append(ask, "--json")...)
			got := clitest.Objects(t, r.Out)
			for _, j := range got {
				if j["saved"] != false {
					t.Errorf("saved is %v", j["saved"])
				}
			}
			together, run := filepath.Join(t.TempDir(), "all.json"), filepath.Join(t.TempDir(), "run.jsonl")
			w.Must(0, append(ask, "-o", together)...)
			file := filepath.Join(w.Home, "suite.yaml")
			if err := os.WriteFile(file, []byte(suite), 0o600); err != nil {
				t.Fatal(err)
			}
			texts := r.Out + r.Err + w.Must(0, "run", file, "-o", run).Err + w.Must(0, "run", file, "--json").Out
			for _, path := range append(clitest.Files(t, w.Home), together, run) {
				if ext := filepath.Ext(path); ext != ".json" && ext != ".jsonl" {
					continue
				}
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				texts += string(b)
			}
			if n := strings.Count(texts, `"saved":`); n < 8 {
				t.Errorf("saved is said %d times in %s", n, texts)
			}
			if found := ids.FindAllString(texts, -1); len(found) > 0 {
				t.Errorf("found %q in %s", found, texts)
			}
			clitest.WantTexts(t, w.OnTerminal(80, "", append(ask[:len(ask):len(ask)], "-q")...).Out, "fine")
			if found := ids.FindAllString(w.OnTerminal(80, "", ask...).Out, -1); len(found) > 0 {
				t.Errorf("on a terminal: %q", found)
			}
			if name == "damaged" {
				clitest.WantTexts(t, w.Must(1, "ask", "-C", "-m", "zeta", "go on").Err, "(store)")
				clitest.WantTexts(t, w.Must(1, "history", "show").Err, "(store)")
			}
		})
	}
}

// ask and run put in order what a killed process left.
func TestAskSettlesWhatTheDeadLeft(t *testing.T) {
	s := clitest.NewRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
		clitest.AnswerText(w,
			"fine")
	})
	w := clitest.RemoteWorld(t, s)
	w.Must(0, "ask", "-m", "zeta", "--session", "old", "fox")
	path := strings.TrimSpace(w.Must(0, "history", "path").Out)
	file := filepath.Join(w.Home, "suite.yaml")
	if err := os.WriteFile(file, []byte("providers: ['llm:zeta']\nprompts: [hi]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"ask", "-m", "zeta", "another"}, {"run", file}} {
		turn := leaveDead(t, path)
		w.Must(0, args...)
		store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := store.Turn(t.Context(), turn); err != nil || got.Answers[0].State != history.Interrupted {
			b, _ := json.Marshal(got)
			t.Errorf("after %s: %s, %v", args[0], b, err)
		}
		if f, err := store.Info(t.Context()); err != nil || f.Deleted != 0 {
			t.Errorf("after %s: %d deletions are left, %v", args[0], f.Deleted, err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// leaveDead leaves in a store what a process does that is killed: an answer that
// is queued, in the turn that is returned, and an old deletion.
func leaveDead(t *testing.T, path string) (turn int64) {
	t.Helper()
	dead := history.CurrentProcess()
	dead.Boot = "an earlier one"
	store, err := sqlite.Open(t.Context(), path,
		sqlite.Options{Process: dead, Now: func() time.Time { return time.Now().Add(-time.Hour) }})
	if err != nil {
		t.Fatal(err)
	}
	left, err := store.AddTurnToSession(t.Context(), "", history.Turn{Prompt: "left",
		Answers: []history.Answer{{Model: "zeta", Kind: history.KindText, Sample: 1, State: history.Queued}}})
	if err != nil {
		t.Fatal(err)
	}
	deleted, err := store.AddTurnToSession(t.Context(), "", history.Turn{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.DeleteSession(t.Context(), deleted.Session); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return left.ID
}
