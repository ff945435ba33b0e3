package service_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
)

// unguessable matches the addresses of the fake publisher, which contain nothing of the picture's name.
var unguessable = regexp.MustCompile(`^https://public\.example/[a-z2-7]{26}\.png$`)

// fakePublisher records its calls.
type fakePublisher struct {
	mu       sync.Mutex
	given    [][]byte
	released int
	fail     error
}

func (p *fakePublisher) Plan(path string) string { return filepath.Base(path) + " will be published." }

func (p *fakePublisher) Publish(_ context.Context, path string) (string, func(), error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fail != nil {
		return "", nil, p.fail
	}
	b, err := os.ReadFile(path)
	p.given = append(p.given, b)
	return "https://public.example/" + filepath.Base(path), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.released++
	}, err
}

// plannedUploads requests the plans of uploads, as callers must.
func (w *world) plannedUploads(t testing.TB, sources ...history.Source) {
	t.Helper()
	for _, src := range sources {
		if plan, err := w.Files().PublishPlan(t.Context(), src); err != nil || plan == "" {
			t.Fatalf("plan %q, %v", plan, err)
		}
	}
}

func localPicture(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "holiday.png")
	must(t, os.WriteFile(path, samplePNG("holiday"), 0o600))
	return path
}

func TestEditOfALocalPicture(t *testing.T) {
	path := localPicture(t)
	publisher := &fakePublisher{}
	w := newWorld(t, func(o *service.Options) { o.Pictures.Publisher = publisher })
	w.plannedUploads(t, history.Source{Path: path})
	turn := w.send(t,
		service.Prompt{Text: "make it winter", Models: []string{"imageedit", "imageedit-lite", "delta"},
			Source:  &history.Source{Path: path},
			Samples: 2})
	for _, a := range turn.Answers {
		switch {
		case a.State != history.Done:
			t.Errorf("%s: %s %+v", a.Model, a.State, a.Failure)
		case a.Kind == history.KindEdit && !unguessable.MatchString(a.SourceURL):
			t.Errorf("%s was sent the source %q", a.Model, a.SourceURL)
		case a.Kind == history.KindText && a.SourceURL != "":
			t.Errorf("%s was sent a source", a.Model)
		}
	}
	if len(publisher.given) != 1 || publisher.released != 1 {
		t.Errorf("published %d times, released %d times, want once each", len(publisher.given), publisher.released)
	}
	for _, r := range w.client.requests() {
		if r.Model.Kind == api.Edit && r.ImageURL != turn.Answers[0].SourceURL {
			t.Errorf("sent %q", r.ImageURL)
		}
	}
	if stored := w.stored(t, turn.ID); stored.Source == nil || stored.Source.Path != path ||
		stored.Answers[0].SourceURL == "" {
		t.Errorf("stored source %+v, %q", stored.Source, stored.Answers[0].SourceURL)
	}
}

func TestEditOfAnEarlierPicture(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	publisher := &fakePublisher{}
	w := newWorld(t, func(o *service.Options) { o.Pictures.Publisher = publisher })
	parent := w.send(t, service.Prompt{Text: "my private words", Models: []string{"sim-image"}}).Answers[0]
	w.plannedUploads(t, history.Source{Answer: parent.ID})
	turn := w.send(
		t,
		service.Prompt{Text: "grey", Models: []string{"imageedit"}, Source: &history.Source{Answer: parent.ID}},
	)
	a := turn.Answers[0]
	if a.State != history.Done || a.Picture.Parent != parent.ID {
		t.Fatalf("got %s %+v", a.State, a.Picture)
	}
	if turn.Source.Path != parent.Picture.Path || turn.Source.Answer != parent.ID {
		t.Errorf("the source is %+v", turn.Source)
	}
	if got := publisher.given[0]; pictures.SHA256(got) != parent.Picture.SHA256 ||
		bytes.Contains(got, []byte("private words")) {
		t.Error("what was published is not the picture as received")
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "confab-*")); err != nil || len(left) > 0 {
		t.Errorf("left %v", left)
	}
	if got := w.again(t, a.ID, false).Answers[1]; got.State != history.Done || len(publisher.given) != 2 ||
		publisher.released != 2 {
		t.Errorf("again: %s, published %d times", got.State, len(publisher.given))
	}
}

func TestEditOnTheEmbeddedService(t *testing.T) {
	path := localPicture(t)
	var published [][]byte
	released := 0
	var w *world
	w = newWorld(t, func(o *service.Options) {
		o.Backend.Endpoint = func() service.Endpoint { return service.Endpoint{IsEmbedded: true} }
		o.Backend.Connect = func(context.Context) (service.Connection, error) {
			return service.Connection{Client: w.client,
				PublishLocal: func(read func(context.Context) ([]byte, error)) (string, func()) {
					b, err := read(t.Context())
					if err != nil {
						t.Error(err)
					}
					published = append(published, b)
					return "picture:abc", func() { released++ }
				}}, nil
		}
	})
	if plan, err := w.Files().PublishPlan(t.Context(), history.Source{Path: path}); err != nil || plan != "" {
		t.Errorf("plan %q, %v: nothing leaves the machine", plan, err)
	}
	turn := w.send(t, service.Prompt{Text: "grey", Models: []string{"imageedit"}, Source: &history.Source{Path: path}})
	if a := turn.Answers[0]; a.State != history.Done || a.SourceURL != "picture:abc" {
		t.Errorf("got %s %q", a.State, a.SourceURL)
	}
	if want, err := os.ReadFile(path); err != nil || len(published) != 1 || !bytes.Equal(published[0], want) ||
		released != 1 {
		t.Errorf("%d published, %d released, %v", len(published), released, err)
	}
}

func TestSourceThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, b, 0o600))
		return path
	}
	whole := samplePNG("x")
	w := newWorld(t, func(o *service.Options) { o.Pictures.Publisher = &fakePublisher{} })
	text := w.send(t, service.Prompt{Text: "x", Models: []string{"delta"}}).Answers[0]
	tests := []struct {
		name string
		src  history.Source
		code api.Code
	}{
		{"a text file", history.Source{Path: write("a.png", []byte("hello"))}, api.CodeBadImage},
		{"half a picture", history.Source{Path: write("b.png", whole[:len(whole)-20])}, api.CodeBadImage},
		{"an empty file", history.Source{Path: write("c.png", nil)}, api.CodeBadImage},
		{"an answer without a picture", history.Source{Answer: text.ID}, api.CodeUsage},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := w.Send(t.Context(), service.Prompt{Text: "x", Models: []string{"imageedit"}, Source: &tt.src})
			wantCode(t, err, tt.code)
		})
	}
	if _, total, err := w.Sessions(t.Context(), "", 10); err != nil || total != 1 {
		t.Errorf("%d sessions (%v), want the one of before", total, err)
	}
}

func TestRemoteServiceWithoutPublisher(t *testing.T) {
	path := localPicture(t)
	w := newWorld(t)
	_, err := w.Files().PublishPlan(t.Context(), history.Source{Path: path})
	wantCode(t, err, api.CodeConfig)
	turn := w.send(
		t,
		service.Prompt{Text: "grey", Models: []string{"imageedit", "delta"}, Source: &history.Source{Path: path}},
	)
	if got := states(turn); got["imageedit"] != "failed config" || got["delta"] != "done" {
		t.Errorf("got %v", got)
	}
	if turn := w.send(t,
		service.Prompt{Text: "grey", Models: []string{"imageedit"},
			Source: &history.Source{
				URL: "https://pictures.example/a.png",
			}}); turn.Answers[0].SourceURL != "https://pictures.example/a.png" {
		t.Errorf("got %+v", turn.Answers[0])
	}
	if plan, err := w.Files().PublishPlan(t.Context(),
		history.Source{URL: "https://pictures.example/a.png"}); plan != "" || err != nil {
		t.Errorf("plan %q, %v", plan, err)
	}
}

func TestPublisherThatFails(t *testing.T) {
	path := localPicture(t)
	publisher := &fakePublisher{fail: errors.New("raw trouble")}
	w := newWorld(t, func(o *service.Options) { o.Pictures.Publisher = publisher })
	if plan, err := w.Files().PublishPlan(t.Context(), history.Source{Path: path}); err != nil ||
		plan != "holiday.png will be published." {
		t.Errorf("plan %q, %v", plan, err)
	}
	turn := w.send(t, service.Prompt{Text: "grey", Models: []string{"imageedit"}, Source: &history.Source{Path: path}})
	if a := turn.Answers[0]; a.Failure == nil || a.Failure.Code != "image_unreachable" ||
		strings.Contains(a.Failure.Message, "raw") {
		t.Errorf("got %+v", a.Failure)
	}
}

// stubbornPublisher returns only when its context ends.
type stubbornPublisher struct{ ended chan struct{} }

func (stubbornPublisher) Plan(string) string { return "x" }

func (p stubbornPublisher) Publish(ctx context.Context, _ string) (string, func(), error) {
	<-ctx.Done()
	close(p.ended)
	return "", nil, ctx.Err()
}

func TestStoppingEndsThePublishing(t *testing.T) {
	path := localPicture(t)
	synctest.Test(t, func(t *testing.T) {
		p := stubbornPublisher{make(chan struct{})}
		w := newWorld(t, inMemory, func(o *service.Options) { o.Pictures.Publisher = p })
		w.plannedUploads(t, history.Source{Path: path})
		turn, events := w.begin(t, service.Prompt{Text: "grey", Models: []string{"imageedit"},
			Source: &history.Source{Path: path}})
		time.Sleep(time.Second)
		w.Stop(turn.Answers[0].ID)
		if a := follow(turn, events).Answers[0]; a.State != history.Cancelled {
			t.Errorf("got %s %+v", a.State, a.Failure)
		}
		<-p.ended
	})
}

func TestReadPictureRefuses(t *testing.T) {
	w := newWorld(t)
	big := filepath.Join(t.TempDir(), "big.png")
	f, err := os.Create(big)
	must(t, err)
	must(t, errors.Join(f.Truncate(65<<20+1), f.Close()))
	for path, code := range map[string]api.Code{
		big: api.CodeTooLarge, "/nowhere.png": api.CodeUsage, os.TempDir(): api.CodeUsage, os.DevNull: api.CodeUsage,
		history.UnsavedPicturePath(7): api.CodeUsage, history.UnsavedPicturePath(0) + "x": api.CodeUsage,
	} {
		_, err := w.Files().Read(t.Context(), path)
		wantCode(t, err, code)
	}
}
