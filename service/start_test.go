package service_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/service/api"
	"confab/service/localfile"
	"confab/service/pictures"
)

func TestStartRecoversWhatTheDeadLeft(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	dead := history.CurrentProcess()
	dead.Boot = "an earlier one"
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "history.db"), sqlite.Options{Process: dead})
	must(t, err)
	turn, err := store.AddTurnToSession(t.Context(), "s", history.Turn{Prompt: "fox", Answers: []history.Answer{
		{Model: "sim-image", Kind: history.KindImage, Sample: 1, State: history.Queued, Version: 1, Queued: time.Now()},
		{Model: "sim-image", Kind: history.KindImage, Sample: 2, State: history.Queued, Version: 1, Queued: time.Now()},
		{Model: "delta", Kind: history.KindText, Sample: 1, State: history.Queued, Version: 1, Queued: time.Now()},
	}})
	must(t, errors.Join(err, store.Close()))

	// The dead process had saved the first picture and was saving the second; a third belongs to no answer.
	files := pictures.NewFiles(pictures.Options{Folder: filepath.Join(dir, "pictures")},
		pictures.Host{Process: localfile.NewProcess(dead, time.Now), Now: time.Now})
	received := samplePNG("fox")
	saved := func(a history.Answer) string {
		a.State, a.HTTPStatus = history.Done, 200
		a.Started, a.Ended, a.Elapsed = time.Now(), time.Now(), 1234*time.Millisecond
		a.Picture = &history.Picture{ContentType: "image/png", Width: 8, Height: 4, Bytes: int64(len(received)),
			SHA256: pictures.SHA256(received)}
		path, err := files.Save(turn, a, received, "s")
		must(t, err)
		return path
	}
	whole, half := saved(turn.Answers[0]), saved(turn.Answers[1])
	must(t, os.Remove(half))
	stray := filepath.Join(dir, "pictures", "stray.png")
	temp := filepath.Join(dir, "pictures", ".a.png.ABCDEFGH.tmp")
	living := filepath.Join(dir, "pictures", ".b.png.ABCDEFGH.tmp")
	for path, age := range map[string]time.Duration{stray: time.Hour, temp: time.Hour, living: 0} {
		old := time.Now().Add(-age)
		must(t, errors.Join(os.WriteFile(path, received, 0o600), os.Chtimes(path, old, old)))
	}

	published, err := localfile.NewProcess(dead, time.Now).MakeTempFolder() // with a copy of a picture
	must(t, err)
	makeFilesOld(t, published)

	w := worldIn(t, dir)
	found, err := w.Start(t.Context())
	must(t, err)
	if _, err := os.Stat(published); !os.IsNotExist(err) {
		t.Errorf("the published copy is there: %v", err)
	}
	if found.Recovered != 3 || found.Adopted != 1 || found.Swept != 3 || !found.IsSaving || found.Problem != nil ||
		!slices.Equal(found.Orphans, []string{stray}) {
		t.Errorf("found %+v", found)
	}
	got := w.stored(t, turn.ID)
	a := got.Answers[0]
	if a.State != history.Done || a.Picture == nil || a.Picture.Path != whole ||
		a.Picture.SHA256 != pictures.SHA256(received) ||
		a.Elapsed != 1234*time.Millisecond || a.HTTPStatus != 200 {
		t.Errorf("the saved one is %+v %+v", a, a.Picture)
	}
	for _, a := range got.Answers[1:] {
		if a.State != history.Interrupted || a.Picture != nil {
			t.Errorf("%s %d is %s", a.Model, a.Sample, a.State)
		}
	}
	want := []string{filepath.Base(living), filepath.Base(whole), provenanceOf(filepath.Base(whole)), "stray.png"}
	slices.Sort(want)
	if names := w.files(t); !slices.Equal(names, want) {
		t.Errorf("left %q, want %q", names, want)
	}
	again, err := worldIn(t, dir).Start(t.Context())
	if err != nil || again.Recovered != 0 || again.Adopted != 0 || again.Swept != 0 || len(again.Orphans) != 1 {
		t.Errorf("once more: %+v, %v", again, err)
	}
}

func TestStartDoesNotAdoptFromAnotherStore(t *testing.T) {
	// A picture saved while the history was unusable has ids of a store in memory, which mean other entries here.
	dir := t.TempDir()
	broken := worldIn(t, dir, func(o *service.Options) {
		o.History.Open = func(context.Context) (history.Store, error) { return nil, history.ErrNewer }
	})
	saved := broken.send(t, service.Prompt{Text: "fox", Models: []string{"sim-image"}}).Answers[0]
	dead := history.CurrentProcess()
	dead.Boot = "an earlier one"
	w := worldIn(t, dir, func(o *service.Options) {
		o.History.Open = func(ctx context.Context) (history.Store, error) {
			return sqlite.Open(ctx, filepath.Join(dir, "history.db"), sqlite.Options{Process: dead})
		}
	})
	w.client.do = func(ctx context.Context, _ api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		<-ctx.Done()
		return api.Response{}, api.Exchange{}, ctx.Err()
	}
	turn, events, err := w.Send(t.Context(), service.Prompt{Text: "fox", Models: []string{"sim-image"}})
	if err != nil || turn.Answers[0].ID != saved.ID {
		t.Fatalf("answers %d and %d, %v", turn.Answers[0].ID, saved.ID, err)
	}
	defer follow(turn, events)
	defer w.Stop(turn.Answers[0].ID)
	after := worldIn(t, dir)
	found, err := after.Start(t.Context())
	if err != nil || found.Recovered != 1 || found.Adopted != 0 ||
		!slices.Equal(found.Orphans, []string{saved.Picture.Path}) {
		t.Errorf("found %+v, %v", found, err)
	}
}

func TestMovedDataFolder(t *testing.T) {
	old := filepath.Join(t.TempDir(), "old")
	w := worldIn(t, old)
	turn := w.send(t, service.Prompt{Text: "fox", Models: []string{"sim-image"}})
	must(t, w.Close(t.Context()))
	moved := filepath.Join(t.TempDir(), "new")
	must(t, os.Rename(old, moved))
	w = worldIn(t, moved)
	if found, err := w.Start(t.Context()); err != nil || len(found.Orphans) != 0 {
		t.Errorf("found %+v, %v", found, err)
	}
	a := turn.Answers[0]
	if b, err := w.Files().Read(t.Context(), a.Picture.Path); err != nil || !isReceived(b, a.Picture.SHA256) {
		t.Errorf("the picture is gone: %v", err)
	}
	must(t, errorOf(w.DeleteTurn(t.Context(), turn.ID)))
	if _, err := w.Purge(t.Context(), 0); err != nil || len(w.files(t)) != 0 {
		t.Errorf("left %q, %v", w.files(t), err)
	}
}

func TestStartLeavesTheLivingAlone(t *testing.T) {
	dir := t.TempDir()
	one := worldIn(t, dir)
	asked, goOn := one.client.hold()
	turn, events := one.begin(t, service.Prompt{Text: "x", Models: []string{"delta"}})
	<-asked
	two := worldIn(t, dir)
	if found, err := two.Start(t.Context()); err != nil || found.Recovered != 0 {
		t.Errorf("found %+v, %v", found, err)
	}
	other := two.send(t, service.Prompt{Session: turn.Session, Text: "y", Models: []string{"sim-image"}})
	goOn()
	if a := follow(turn, events).Answers[0]; a.State != history.Done {
		t.Errorf("got %s", a.State)
	}
	turns, err := one.Turns(t.Context(), turn.Session, history.Page{})
	if err != nil || len(turns) != 2 || turns[0].Answers[0].State != history.Done || turns[1].ID != other.ID {
		t.Errorf("got %+v, %v", turns, err)
	}
}

func TestStoreThatCannotBeUsed(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, path string)
		says string
	}{
		{"not a database", func(t *testing.T, path string) { put(t, path, strings.Repeat("hello ", 1000)) }, "damaged"},
		{"a folder in its place", func(t *testing.T, path string) {
			must(t, os.Mkdir(path, 0o700))
		}, "nothing is saved"},
		{"a file instead of its folder", func(t *testing.T, path string) { put(t, filepath.Dir(path), "x") },
			"nothing is saved"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.path = filepath.Join(w.dir, "data", "history.db")
			if tt.name != "a file instead of its folder" {
				must(t, os.Mkdir(filepath.Dir(w.path), 0o700))
			}
			tt.make(t, w.path)
			before, _ := os.ReadFile(w.path)
			found, err := w.Start(t.Context())
			must(t, err)
			if found.IsSaving || found.Problem == nil || found.Problem.Code != api.CodeStore ||
				!strings.Contains(found.Problem.Message, tt.says) ||
				!strings.Contains(found.Problem.Message, "nothing is saved") {
				t.Errorf("found %+v", found)
			}
			turn := w.send(t, service.Prompt{Text: "goes on", Models: []string{"delta", "sim-image"}})
			if got := states(turn); got["delta"] != "done" || got["sim-image"] != "done" {
				t.Errorf("got %v", got)
			}
			if hits, _, err := w.Sessions(t.Context(), "goes", 10); err != nil || len(hits) != 1 {
				t.Errorf("found %d sessions, %v", len(hits), err)
			}
			if after, _ := os.ReadFile(w.path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

func put(t testing.TB, path, content string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(content), 0o600))
}

func TestStoreOfANewerRelease(t *testing.T) {
	w := newWorld(t, func(o *service.Options) {
		o.History.Open = func(context.Context) (history.Store, error) { return nil, history.ErrNewer }
	})
	found, err := w.Start(t.Context())
	if err != nil || found.Problem == nil || !strings.Contains(found.Problem.Message, "newer confab") {
		t.Errorf("found %+v, %v", found.Problem, err)
	}
}

func TestNothingIsMadeBeforeItIsNeeded(t *testing.T) {
	opened, connected := 0, 0
	w := newWorld(t, func(o *service.Options) {
		open, connect := o.History.Open, o.Backend.Connect
		o.History.Open = func(ctx context.Context) (history.Store, error) { opened++; return open(ctx) }
		o.Backend.Connect = func(ctx context.Context) (service.Connection, error) { connected++; return connect(ctx) }
		o.Backend.Endpoint = func() service.Endpoint { return service.Endpoint{Host: "configured.example"} }
	})
	if e := w.Endpoint(); e.Host != "configured.example" {
		t.Errorf("endpoint %+v", e)
	}
	if entries, err := os.ReadDir(w.dir); err != nil || len(entries) != 0 || opened+connected != 0 {
		t.Errorf("made %v", entries)
	}
	w.send(t, service.Prompt{Text: "x", Models: textModels()})
	if opened != 1 || connected != 1 {
		t.Errorf("opened %d times, connected %d times", opened, connected)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "pictures")); err == nil {
		t.Error("a picture folder was made without a picture")
	}
}

func TestCloseDoesNotWaitForTheStubborn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory)
		_, goOn := w.client.hold()
		w.begin(t, service.Prompt{Text: "x", Models: []string{"delta"}})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		if err := w.Close(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != time.Second {
			t.Errorf("closed after %s: %v", time.Since(begun), err)
		}
		goOn()
		synctest.Wait()
	})
}

func TestCloseEndsTheConnection(t *testing.T) {
	closed := 0
	var w *world
	w = newWorld(t, func(o *service.Options) {
		o.Backend.Connect = func(context.Context) (service.Connection, error) {
			return service.Connection{
				Client: w.client,
				Close:  func(context.Context) error { closed++; return nil },
			}, nil
		}
	})
	w.send(t, service.Prompt{Text: "x", Models: []string{"delta"}})
	for range 2 {
		must(t, w.Close(t.Context()))
	}
	if closed != 1 {
		t.Errorf("closed %d times, want once", closed)
	}
	_, _, err := w.Sessions(t.Context(), "", 1)
	wantCode(t, err, api.CodeCancelled)
	if _, err := w.Models(t.Context()); err == nil {
		t.Error("a closed service opens its store again")
	}
}

// lateStore counts how often it is closed.
type lateStore struct {
	history.Store
	closed *int
}

func (l lateStore) Close() error {
	*l.closed++
	return l.Store.Close()
}

// A history that opens after Close has stopped waiting for it is closed as well: a server would keep its files open.
func TestWhatOpensAfterCloseIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opens, closed := make(chan struct{}), 0
		w := newWorld(t, func(o *service.Options) {
			o.History.Saves = true
			open := o.History.OpenMemory
			o.History.Open = func(ctx context.Context) (history.Store, error) {
				<-opens
				store, err := open(ctx)
				return lateStore{store, &closed}, err
			}
		})
		asked := make(chan error)
		go func() {
			_, _, err := w.Sessions(context.Background(), "", 1)
			asked <- err
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := w.Close(ctx); err != nil {
			t.Error(err)
		}
		close(opens)
		wantCode(t, <-asked, api.CodeCancelled)
		if closed != 1 {
			t.Errorf("closed %d times, want once", closed)
		}
	})
}

func TestPanicWhileConnecting(t *testing.T) {
	w := newWorld(t,
		func(o *service.Options) {
			o.Backend.Connect = func(context.Context) (service.Connection, error) { panic("fault " + sentinel) }
		})
	a := w.send(t, service.Prompt{Text: "x", Models: []string{"delta"}}).Answers[0]
	if a.Failure == nil || a.Failure.Code != "service" || strings.Contains(a.Failure.Message, sentinel) {
		t.Errorf("got %s %+v", a.State, a.Failure)
	}
}

// A wait for the next attempt says what the service answered.
func TestTheReasonOfAWait(t *testing.T) {
	now := time.Now()
	for code, want := range map[api.Code]string{
		api.CodeRateLimited: "rate limited, trying again in 2 s",
		api.CodeService:     "service unavailable, trying again in 2 s",
		api.CodeNetwork:     "no connection, trying again in 2 s",
	} {
		a := history.Answer{State: history.Running,
			Progress: history.Progress{Failure: string(code), RetryAt: now.Add(2 * time.Second)}}
		if got := service.RetryText(a, now); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}
