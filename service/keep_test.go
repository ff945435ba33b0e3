package service_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
)

// files returns the names in the picture folder without the counter.
func (w *world) files(t testing.TB) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(w.dir, "pictures"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != ".counter" {
			names = append(names, e.Name())
		}
	}
	return names
}

// provenanceOf returns the path of a picture's provenance.
func provenanceOf(picture string) string {
	return strings.TrimSuffix(picture, filepath.Ext(picture)) + ".json"
}

// cutSuffix returns the name of a picture without its unique suffix.
func cutSuffix(name string) string {
	return regexp.MustCompile(`[0-9a-f]{8}\.png$`).ReplaceAllString(name, "")
}

func TestPictureIsKeptWithItsFacts(t *testing.T) {
	w := newWorld(t)
	prompt := service.Prompt{Text: "A fox under a lamp " + sentinel, Models: []string{"sim-image"}, Aspect: "16:9",
		Nonce: history.Nonce{Mode: history.NonceFixed, Value: "n1"}}
	turn := w.send(t, prompt)
	a := turn.Answers[0]
	if a.State != history.Done || a.Picture == nil ||
		cutSuffix(filepath.Base(a.Picture.Path)) != "0001-sim-image-a-fox-under-a-lamp-n1-" {
		t.Fatalf("got %s %+v", a.State, a.Picture)
	}
	received := samplePNG(w.client.requests()[0].Prompt + "n1")
	if a.Picture.SHA256 != pictures.SHA256(received) || a.Picture.Bytes != int64(len(received)) ||
		a.Picture.Width != 8 {
		t.Errorf("facts %+v are not those of what came", a.Picture)
	}
	onDisk, err := w.Files().Read(t.Context(), a.Picture.Path)
	if err != nil || !bytes.Contains(onDisk, []byte("parameters\x00")) ||
		!bytes.Contains(onDisk, []byte("A fox under a lamp")) {
		t.Errorf("the file carries no parameters (%v)", err)
	}
	if clean, err := w.Files().CleanCopy(t.Context(), a.ID); err != nil || !bytes.Equal(clean, received) {
		t.Errorf("the clean copy is not what came (%v)", err)
	}
	folder := filepath.Dir(a.Picture.Path)
	for _, path := range []string{folder, filepath.Join(folder, ".counter"), a.Picture.Path,
		provenanceOf(a.Picture.Path)} {
		info, err := os.Stat(path)
		must(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
	}
	raw, err := os.ReadFile(provenanceOf(a.Picture.Path))
	must(t, err)
	var facts map[string]any
	must(t, json.Unmarshal(raw, &facts))
	for field, want := range map[string]any{
		"made_by": "confab", "model": "sim-image", "nonce": "n1", "aspect_asked": "16:9", "aspect_got": "2:1",
		"file":            filepath.Base(a.Picture.Path),
		"sha256_received": pictures.SHA256(received), "sha256_file": pictures.SHA256(onDisk), "parameters_added": true,
		"turn": float64(turn.ID), "answer": float64(a.ID), "session": float64(turn.Session), "bytes_received": float64(
			len(received),
		),
	} {
		if facts[field] != want {
			t.Errorf("%s is %v, want %v", field, facts[field], want)
		}
	}
	if found := grep(t, w.dir, sentinel); len(found) > 0 {
		t.Errorf("the key is in %v", found)
	}
}

func TestKeepAfterTrouble(t *testing.T) {
	for _, cause := range []error{history.ErrFull, history.ErrBusy, history.ErrReadOnly} {
		w := newWorld(t)
		store := newFailingStore(t, w)
		w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
			store.set(cause)
			return answerTo(r), api.Exchange{Method: "POST"}, nil
		}
		turn := w.send(t, service.Prompt{Text: "x", Models: []string{"delta", "sim-image"}})
		want := "done store"
		if errors.Is(cause, history.ErrFull) {
			want = "done disk"
		}
		if got := states(turn); got["delta"] != want || got["sim-image"] != want {
			t.Errorf("%v: got %v, want both %s", cause, got, want)
		}
		if turn.Answers[0].Text == "" || turn.Answers[1].Picture == nil {
			t.Errorf("%v: the answers are not on screen", cause)
		}
		if _, err := w.Files().Read(t.Context(), turn.Answers[1].Picture.Path); err != nil {
			t.Errorf("%v: %v", cause, err)
		}
		if seen, err := w.Turn(t.Context(), turn.ID); err != nil || seen.Answers[0].Text == "" ||
			seen.Answers[0].Failure == nil {
			t.Errorf("%v: read again it is %+v (%v)", cause, seen.Answers[0], err)
		}
		if events, err := w.SaveAgain(t.Context()); err == nil || len(events) != 0 || w.Unsaved() != 2 {
			t.Errorf("%v: while it refuses: %v, %v, %d unsaved", cause, events, err, w.Unsaved())
		}
		store.set(nil)
		events, err := w.SaveAgain(t.Context())
		if err != nil || len(events) != 2 || w.Unsaved() != 0 {
			t.Fatalf("%v: saved %d (%v), %d unsaved", cause, len(events), err, w.Unsaved())
		}
		for _, e := range events {
			turn = history.Apply(turn, e)
		}
		stored := w.stored(t, turn.ID)
		for i, a := range stored.Answers {
			if shown := turn.Answers[i]; a.State != history.Done || a.Failure != nil || shown.Failure != nil ||
				a.Text != shown.Text {
				t.Errorf("%v: stored %+v, shown %+v", cause, a, shown)
			}
		}
		if names := w.files(t); len(names) != 2 {
			t.Errorf("%v: the folder holds %q", cause, names)
		}
		if again, err := w.SaveAgain(t.Context()); err != nil || len(again) != 0 {
			t.Errorf("%v: saved twice: %v, %v", cause, again, err)
		}
	}
}

func TestPictureFolderThatCannotBeWritten(t *testing.T) {
	w := newWorld(t)
	blocked := filepath.Join(w.dir, "pictures")
	must(t, os.WriteFile(blocked, []byte("in the way"), 0o600))
	turn := w.send(t, service.Prompt{Text: "fox", Models: []string{"sim-image", "delta"}})
	got := states(turn)
	if want := map[string]string{"sim-image": "done disk", "delta": "done"}; !maps.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	a := turn.Answers[0]
	if j := w.Exporter().AnswerRecord(turn, a); j.File != "" || j.Error == nil {
		t.Errorf("scripts see %+v", j)
	}
	b, err := w.Files().Read(t.Context(), a.Picture.Path)
	if err != nil || pictures.SHA256(b) != a.Picture.SHA256 {
		t.Errorf("the picture cannot be looked at: %v", err)
	}
	// Other screens see that it has ended, and get it when there is space again.
	if stored := w.stored(t, turn.ID).Answers[0]; stored.State != history.Failed || stored.Failure == nil ||
		stored.Picture != nil {
		t.Errorf("elsewhere it is %+v", stored)
	}
	if now, err := w.Answer(t.Context(), a.ID); err != nil || now.Picture == nil || now.State != history.Done ||
		w.Unsaved() != 1 {
		t.Errorf("here it is %+v, %v", now, err)
	}
	must(t, os.Remove(blocked))
	must(t, errorOf(w.SaveAgain(t.Context())))
	stored := w.stored(t, turn.ID).Answers[0]
	if stored.State != history.Done || stored.Picture == nil || stored.Failure != nil {
		t.Fatalf("stored %+v", stored)
	}
	w.wantPicture(t, a)
}

// Pictures that cannot be saved are kept in memory up to a bound, lower for users of a server. Those beyond it fail.
func TestUnsavedPicturesAreBounded(t *testing.T) {
	const picture = 6 << 20 // three of them exceed the bound of a server's user
	for name, test := range map[string]struct {
		isServed bool
		kept     int
	}{
		"alone":            {false, 4},
		"user of a server": {true, service.MaxUnsavedServed / picture},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(o *service.Options) { o.Limits.IsServed = test.isServed })
			must(t, os.WriteFile(filepath.Join(w.dir, "pictures"), []byte("in the way"), 0o600))
			w.client.do = func(context.Context, api.Request, func(api.Progress)) (api.Response, api.Exchange, error) {
				return pictureResponse(append(samplePNG("x"), make([]byte, picture)...)), api.Exchange{}, nil
			}
			turn := w.send(t, service.Prompt{Text: "x", Models: []string{"sim-image"}, Samples: 4})
			readable := 0
			for _, a := range turn.Answers {
				if a.Failure == nil || a.Failure.Code != string(api.CodeDisk) {
					t.Errorf("answer %d: failure %v", a.Sample, a.Failure)
				}
				if a.Picture == nil {
					if a.State != history.Failed {
						t.Errorf("answer %d without a picture is %s", a.Sample, a.State)
					}
					continue
				}
				if _, err := w.Files().Read(t.Context(), a.Picture.Path); err == nil {
					readable++
				}
			}
			if readable != test.kept {
				t.Errorf("%d pictures can be read, want %d", readable, test.kept)
			}
			must(t, os.Remove(filepath.Join(w.dir, "pictures")))
			events, err := w.SaveAgain(t.Context())
			if err != nil || len(events) != 4 || len(w.files(t)) != 2*test.kept {
				t.Errorf("saved %d answers (%v), the folder holds %d files", len(events), err, len(w.files(t)))
			}
		})
	}
}

// On a full disk no turn is recorded, and nothing is left of it.
func TestFullDiskLeavesNoEmptySession(t *testing.T) {
	for name, ask := range map[string]func(w *world) error{
		"a new session": func(w *world) error {
			_, _, err := w.Send(t.Context(), service.Prompt{Text: "x", Models: []string{"delta"}})
			return err
		},
		"a new session with a name": func(w *world) error {
			_, _, err := w.Send(t.Context(), service.Prompt{Text: "x", Models: []string{"delta"}, SessionName: "new"})
			return err
		},
		"a run": func(w *world) error {
			o := w.suiteIn(t, "s.yaml", "prompts: [a, b]\nproviders: [llm:delta]\n")
			r, events, err := startRun(t.Context(), w.Runner(), o)
			if err != nil {
				return err
			}
			for range events {
			}
			return r.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if _, _, err := w.Sessions(t.Context(), "", 10); err != nil { // opens the store
				t.Fatal(err)
			}
			db, err := sql.Open("sqlite", "file:"+w.path)
			must(t, err)
			_, err = db.ExecContext(t.Context(),
				`create trigger no_turn before insert on turns begin select raise(abort, 'full'); end;
				create trigger no_trash before insert on trash begin select raise(abort, 'full'); end`)
			must(t, errors.Join(err, db.Close()))
			if err := ask(w); err == nil {
				t.Error("the turn was recorded")
			}
			if _, total, err := w.Sessions(t.Context(), "", 10); err != nil || total != 0 {
				t.Errorf("%d sessions are left (%v)", total, err)
			}
			if runs, err := w.Runner().List(t.Context(), "", 10); err != nil || len(runs) != 0 {
				t.Errorf("left the runs %v (%v)", runs, err)
			}
			if n := len(w.client.requests()); n != 0 {
				t.Errorf("%d requests were made", n)
			}
		})
	}
}

func TestDeletedWhileItRuns(t *testing.T) {
	w := newWorld(t)
	asked, goOn := w.client.hold()
	turn, events := w.begin(t, service.Prompt{Text: "x", Models: []string{"sim-image"}})
	<-asked
	must(t, errorOf(w.DeleteSession(t.Context(), turn.Session)))
	must(t, errorOf(w.Purge(t.Context(), 0)))
	goOn()
	follow(turn, events)
	if names := w.files(t); len(names) != 0 || w.Unsaved() != 0 {
		t.Errorf("left %q and %d unsaved", names, w.Unsaved())
	}
}

// A picture that could not be saved is not saved once its answer was deleted for good.
func TestSavingAgainLeavesNoPictureOfAPurgedAnswer(t *testing.T) {
	w := newWorld(t)
	blocked := filepath.Join(w.dir, "pictures")
	must(t, os.WriteFile(blocked, []byte("in the way"), 0o600))
	turn := w.send(t, service.Prompt{Text: "fox", Models: []string{"sim-image"}})
	must(t, errorOf(w.DeleteTurn(t.Context(), turn.ID)))
	must(t, errorOf(w.Purge(t.Context(), 0)))
	must(t, os.Remove(blocked))
	if events, err := w.SaveAgain(t.Context()); err != nil || len(events) != 0 {
		t.Errorf("saved %+v, %v", events, err)
	}
	if names := w.files(t); len(names) != 0 || w.Unsaved() != 0 {
		t.Errorf("left %q and %d unsaved", names, w.Unsaved())
	}
}

// faultyStore panics when the end of an answer is saved for the first time.
type faultyStore struct {
	history.Store
	once *sync.Once
}

func (f faultyStore) SaveAnswer(ctx context.Context, a history.Answer) error {
	if a.State.HasEnded() {
		f.once.Do(func() { panic("a fault") })
	}
	return f.Store.SaveAnswer(ctx, a)
}

// A fault while an answer is saved ends the answer, on the screen and in the history.
func TestAFaultWhileSavingEndsTheAnswer(t *testing.T) {
	w := newWorld(t)
	w.wrapStore(t, func(store history.Store) history.Store { return faultyStore{store, &sync.Once{}} })
	turn := w.send(t, service.Prompt{Text: "x", Models: []string{"delta"}})
	for _, a := range []history.Answer{turn.Answers[0], w.stored(t, turn.ID).Answers[0]} {
		if a.State != history.Failed || a.Failure == nil || a.Ended.IsZero() {
			t.Errorf("it is %s, %+v", a.State, a.Failure)
		}
	}
}

func TestDeleteUndoPurge(t *testing.T) {
	w := newWorld(t)
	secretWords := "zanzibar quokka"
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		if r.Model.Kind == api.Text {
			return api.Response{Text: "about " + secretWords, Status: 200}, api.Exchange{RequestBody: secretWords}, nil
		}
		return answerTo(r), api.Exchange{}, nil
	}
	keep := w.send(t, service.Prompt{Text: "stays", Models: []string{"sim-image"}})
	gone := w.send(t, service.Prompt{Text: secretWords, Models: []string{"sim-image", "delta"}})
	must(t, w.SaveDraft(t.Context(), gone.Session, service.Draft{Text: secretWords}))
	trash, err := w.DeleteSession(t.Context(), gone.Session)
	must(t, err)
	if _, err := w.Session(t.Context(), gone.Session); api.CodeOf(err) != api.CodeUsage {
		t.Errorf("the deleted session is there: %v", err)
	}
	must(t, w.Undelete(t.Context(), trash))
	if got, err := w.Turn(t.Context(), gone.ID); err != nil || got.Prompt != secretWords {
		t.Errorf("after undo: %+v, %v", got, err)
	}
	must(t, errorOf(w.DeleteSession(t.Context(), gone.Session)))
	if n, err := w.Purge(t.Context(), 0); err != nil || n != 1 {
		t.Errorf("purged %d pictures (%v), want 1", n, err)
	}
	want := []string{filepath.Base(keep.Answers[0].Picture.Path)}
	want = append(want, provenanceOf(want[0]))
	slices.Sort(want)
	if got := w.files(t); !slices.Equal(got, want) {
		t.Errorf("left %q, want %q", got, want)
	}
	for _, word := range strings.Fields(secretWords) {
		if found := grep(t, w.dir, word); len(found) > 0 {
			t.Errorf("%q is still in %v", word, found)
		}
	}
}

func TestCloseReallyDeletes(t *testing.T) {
	w := newWorld(t)
	turn := w.send(t, service.Prompt{Text: "fox", Models: []string{"sim-image"}})
	must(t, errorOf(w.DeleteAnswer(t.Context(), turn.Answers[0].ID)))
	if len(w.files(t)) != 2 {
		t.Errorf("undo would find no picture")
	}
	must(t, w.Close(t.Context()))
	if got := w.files(t); len(got) != 0 {
		t.Errorf("left %q", got)
	}
}

func TestNothingIsKeptWithoutSaving(t *testing.T) {
	w := newWorld(t, func(o *service.Options) { o.History.Saves = false })
	turn := w.send(t, service.Prompt{Text: "fox", Models: []string{"sim-image", "delta"}})
	path := turn.Answers[0].Picture.Path
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the picture is nowhere: %v", err)
	}
	must(t, w.SaveDraft(t.Context(), 0, service.Draft{Text: "x"}))
	must(t, w.Close(t.Context()))
	if _, err := os.Stat(path); err == nil {
		t.Error("the picture is still there")
	}
	if entries, err := os.ReadDir(w.dir); err != nil || len(entries) != 0 {
		t.Errorf("left %v (%v)", entries, err)
	}
}

func TestJudgeWhileItRuns(t *testing.T) {
	w := newWorld(t)
	asked, goOn := w.client.hold()
	turn, events := w.begin(t, service.Prompt{Text: "x", Models: []string{"delta"}})
	<-asked
	must(t, errorOf(w.Judge(t.Context(), turn.Answers[0].ID, history.Good, false, "fine "+sentinel)))
	goOn()
	shown, stored := follow(turn, events).Answers[0], w.stored(t, turn.ID).Answers[0]
	for _, a := range []history.Answer{shown, stored} {
		if a.State != history.Done || a.Rating != history.Good || !strings.HasPrefix(a.Note, "fine ") ||
			strings.Contains(a.Note, sentinel) {
			t.Errorf("got %+v", a)
		}
	}
}

func TestATurnHasOneWinner(t *testing.T) {
	w := newWorld(t)
	asked, goOn := w.client.hold()
	turn, events := w.begin(t, service.Prompt{Text: "x", Models: []string{"delta", "zeta"}})
	<-asked
	<-asked
	if _, err := w.Judge(t.Context(), turn.Answers[0].ID, history.Unrated, true, ""); err == nil {
		t.Error("an answer won that may still break off")
	}
	goOn()
	for _, a := range follow(turn, events).Answers {
		must(t, errorOf(w.Judge(t.Context(), a.ID, history.Unrated, true, "")))
	}
	if got := w.stored(t, turn.ID).Answers; got[0].IsWinner || !got[1].IsWinner {
		t.Errorf("the winners are %v and %v, want the second alone", got[0].IsWinner, got[1].IsWinner)
	}
}
