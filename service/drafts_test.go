package service_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/internal/redact"
	"confab/service"
	"confab/service/api"
	"confab/service/localfile"
)

func TestDraft(t *testing.T) {
	w := newWorld(t)
	d := service.Draft{
		Text:   "half a thou\x00ght\u202e",
		System: "be " + sentinel,
		Models: []string{"delta"},
		Aspect: "4:3",
		Nonce: history.Nonce{Mode: history.NonceFixed,
			Value: "v"},
		Source:     &history.Source{Path: "/a.png"},
		Samples:    3,
		HasContext: true,
	}
	for _, session := range []int64{0, 7} {
		must(t, w.SaveDraft(t.Context(), session, d))
		got, err := w.Draft(t.Context(), session)
		must(t, err)
		want := d
		want.System, want.Saved = "be "+redact.Dots, got.Saved
		if !reflect.DeepEqual(got, want) || got.Saved.IsZero() {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if got, err := w.Draft(t.Context(), 8); err != nil || !reflect.DeepEqual(got, service.Draft{}) {
		t.Errorf("a session without a draft has %+v, %v", got, err)
	}
	entries, err := os.ReadDir(filepath.Join(w.dir, "drafts"))
	if err != nil || len(entries) != 2 {
		t.Fatalf("files %v, %v", entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", e.Name(), info.Mode())
		}
	}
	if found := grep(t, w.dir, sentinel); len(found) > 0 {
		t.Errorf("the key is in %v", found)
	}
	for _, session := range []int64{0, 7, 7} {
		must(t, w.SaveDraft(t.Context(), session, service.Draft{Saved: time.Now()}))
	}
	if entries, err := os.ReadDir(filepath.Join(w.dir, "drafts")); err != nil || len(entries) != 0 {
		t.Errorf("an empty draft left %v", entries)
	}
}

func TestUnreadableDraftIsPutAside(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.dir, "drafts", "session-5.json")
	aside := filepath.Join(w.dir, "drafts", "unreadable-session-5.json")
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	for name, text := range map[string]string{
		"malformed": `{"text": "half`, "too large": `{"text":"` + strings.Repeat("a", 16<<20) + `"}`,
	} {
		must(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := w.Draft(t.Context(), 5)
		wantCode(t, err, api.CodeDisk)
		if b, err := os.ReadFile(aside); err != nil || string(b) != text {
			t.Errorf("%s: the copy holds %.20q, %v", name, b, err)
		}
		if got, err := w.Draft(t.Context(), 5); err != nil || !reflect.DeepEqual(got, service.Draft{}) {
			t.Errorf("%s: then it is %+v, %v", name, got, err)
		}
	}
}

// deadOwner returns the token of an ended process.
func deadOwner(t testing.TB) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	must(t, cmd.Run())
	o := history.CurrentProcess()
	o.PID = cmd.Process.Pid
	return localfile.NewProcess(o, time.Now).Token()
}

func TestOrphanedDraftIsOfferedOnce(t *testing.T) {
	dir := t.TempDir()
	drafts := filepath.Join(dir, "drafts")
	must(t, os.MkdirAll(drafts, 0o700))
	dead := deadOwner(t)
	write := func(name string, d service.Draft, age time.Duration) {
		t.Helper()
		b, err := json.Marshal(d)
		path := filepath.Join(drafts, name)
		at := time.Now().Add(-age)
		must(t, errors.Join(err, os.WriteFile(path, b, 0o600), os.Chtimes(path, at, at)))
	}
	write("new-"+dead+"-aaaa.json", service.Draft{Text: "the older one"}, time.Hour)
	write("new-"+dead+"-bbbb.json", service.Draft{Text: "the newest one"}, time.Minute)
	write("new-"+dead+"-cccc.json", service.Draft{Models: []string{"delta"}}, time.Second)
	write("new-"+localfile.NewProcess(history.CurrentProcess(), time.Now).Token()+"-dddd.json",
		service.Draft{Text: "of a living one"}, 0)
	write("new-odd.json", service.Draft{Text: "odd"}, 2*time.Hour)
	write("session-3.json", service.Draft{Text: "of a session"}, 0)

	one, two := worldIn(t, dir), worldIn(t, dir)
	if d, ok := one.OrphanedDraft(t.Context()); !ok || d.Text != "the newest one" {
		t.Errorf("the first is offered %+v, %v", d, ok)
	}
	if d, ok := one.OrphanedDraft(t.Context()); ok {
		t.Errorf("the first is offered %+v as well", d)
	}
	if d, err := one.Draft(t.Context(), 0); err != nil || d.Text != "the newest one" {
		t.Errorf("it is not its own now: %+v, %v", d, err)
	}
	if d, ok := two.OrphanedDraft(t.Context()); !ok || d.Text != "the older one" {
		t.Errorf("the second is offered %+v, %v", d, ok)
	}
	if d, ok := worldIn(t, dir).OrphanedDraft(t.Context()); ok {
		t.Errorf("the third is offered %+v", d)
	}
}

func TestTwoServicesOfOneProcessHaveTheirOwnDrafts(t *testing.T) {
	dir := t.TempDir()
	one, two := worldIn(t, dir), worldIn(t, dir)
	must(t, one.SaveDraft(t.Context(), 0, service.Draft{Text: "mine"}))
	if d, err := two.Draft(t.Context(), 0); err != nil || !reflect.DeepEqual(d, service.Draft{}) {
		t.Errorf("got %+v, %v", d, err)
	}
}

func TestDraftOnAFullDisk(t *testing.T) {
	w := newWorld(t)
	must(t, os.WriteFile(filepath.Join(w.dir, "drafts"), nil, 0o600))
	wantCode(t, w.SaveDraft(t.Context(), 0, service.Draft{Text: "x"}), api.CodeDisk)
}

func FuzzDecodeDraft(f *testing.F) {
	for _, s := range []string{`{}`, `{"text":"a","samples":-3}`, `{"nonce":{"mode":"seed"}}`, `{"aspect":"x"}`, `[]`,
		`{"source":{"path":"/a"}}`, `null`, `{"text":"\ud800"}`, "\xff"} {
		f.Add([]byte(s))
	}
	w := newWorld(f)
	path := filepath.Join(w.dir, "drafts", "session-1.json")
	f.Fuzz(func(t *testing.T, b []byte) {
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, b, 0o600))
		must(t, err)
		d, err := w.Draft(t.Context(), 1)
		if err != nil {
			return
		}
		if d.Samples < 0 || d.Samples > service.MaxSamples || strings.ContainsAny(d.Aspect, " \n\x1b") {
			t.Fatalf("read %+v", d)
		}
		if err := w.SaveDraft(t.Context(), 1, d); err != nil {
			t.Fatalf("save: %v", err)
		}
		again, err := w.Draft(t.Context(), 1)
		if d.Saved = again.Saved; err != nil || !reflect.DeepEqual(again, d) && again.Text+again.System != "" {
			t.Fatalf("%+v came back as %+v (%v)", d, again, err)
		}
	})
}

// A session's draft is deleted with it, even if the deleting process was killed before it purged.
func TestPurgeTakesTheDraftsOfKilledProcesses(t *testing.T) {
	dir := t.TempDir()
	dead := history.CurrentProcess()
	dead.PID, dead.Boot = 1, "an earlier boot"
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "history.db"), sqlite.Options{Process: dead})
	must(t, err)
	var ids []int64
	for range 3 {
		turn, err := store.AddTurnToSession(t.Context(), "", history.Turn{Prompt: "fox"})
		must(t, err)
		ids = append(ids, turn.Session)
	}
	_, err = store.DeleteSession(t.Context(), ids[0])
	must(t, errors.Join(err, store.Close()))
	w := worldIn(t, dir)
	for _, id := range ids {
		must(t, w.SaveDraft(t.Context(), id, service.Draft{Text: "unsent"}))
	}
	undone, err := w.DeleteSession(t.Context(), ids[1])
	must(t, err)
	must(t, w.Undelete(t.Context(), undone))
	must(t, errorOf(w.Purge(t.Context(), 0)))
	for i, id := range ids {
		d, err := w.Draft(t.Context(), id)
		if err != nil || (d.Text == "unsent") != (i > 0) {
			t.Errorf("the draft of session %d: %+v, %v", i, d, err)
		}
	}
}
