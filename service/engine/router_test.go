package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"confab/service/engine"
	"confab/service/engine/enginetest"
	"confab/service/engine/offline"
)

// fake answers with its name, or with a function.
type fake struct {
	name  string
	now   atomic.Int64
	most  atomic.Int64
	calls atomic.Int64
	text  func(ctx context.Context, r engine.TextRequest) (engine.Text, error)
	check func() error
	can   engine.Features
}

func (f *fake) Name() string                    { return f.name }
func (f *fake) Features(string) engine.Features { return f.can }
func (f *fake) Text(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
	f.calls.Add(1)
	n := f.now.Add(1)
	defer f.now.Add(-1)
	if n > f.most.Load() {
		f.most.Store(n)
	}
	if f.text != nil {
		return f.text(ctx, r)
	}
	return engine.Text{Text: fmt.Sprint(f.name, " ", r.Model, " ", r.Params)}, nil
}
func (f *fake) Image(context.Context, engine.ImageRequest) (engine.Picture, error) {
	return engine.Picture{Facts: engine.Facts{Note: "n"}}, nil
}
func (f *fake) Edit(context.Context, engine.EditRequest) (engine.Picture, error) {
	return engine.Picture{}, nil
}
func (f *fake) Check(context.Context) error {
	if f.check != nil {
		return f.check()
	}
	return nil
}

var (
	texts    = []engine.ModelKind{engine.KindText}
	pictures = []engine.ModelKind{engine.KindImage, engine.KindEdit}
	all      = []engine.ModelKind{engine.KindText, engine.KindImage, engine.KindEdit}
)

func backend(t *testing.T, name string, kinds []engine.ModelKind, places int, e engine.Engine) *engine.Backend {
	t.Helper()
	b, err := engine.NewBackend(engine.BackendOptions{Name: name, Address: "http://" + name, Kinds: kinds, Engine: e,
		Concurrency: places})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func router(t *testing.T, o engine.RouterOptions) *engine.Router {
	t.Helper()
	r, err := engine.NewRouter(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func down() error {
	return &engine.Error{Status: 502, Code: "service", Message: "gone.", IsEngineDown: true}
}
func failed() error { return &engine.Error{Status: 502, Code: "service", Message: "failed."} }

func TestConformance(t *testing.T) {
	enginetest.Run(t, func(t *testing.T) engine.Engine {
		e := offline.New(offline.Options{Speed: math.Inf(1), Pixels: 1 << 16})
		return router(t,
			engine.RouterOptions{Unrouted: backend(t, "offline", all, 0, e),
				Routes: []engine.Route{{Models: []string{"oss-*"}, Backend: backend(t, "own", texts, 2, e),
					Timeout: time.Minute}}})
	})
}

func TestTheFirstRouteThatFits(t *testing.T) {
	a, b, c := &fake{name: "a"}, &fake{name: "b"}, &fake{name: "c"}
	r := router(t, engine.RouterOptions{
		Routes: []engine.Route{
			{Models: []string{"oss-20b", "sim-image"}, Backend: backend(t, "a", texts, 0, a), Model: "up:1",
				Params: engine.Params{"t": 1}},
			{Models: []string{"oss-*"}, Backend: backend(t, "b", texts, 0, b)},
		},
		Unrouted: backend(t, "c", pictures, 0, c),
	})
	for slug, want := range map[string]string{"oss-20b": "a up:1 map[t:1]", "oss-120b": "b oss-120b map[]"} {
		got, err := r.Text(t.Context(), engine.TextRequest{Model: slug, Prompt: "p"})
		if err != nil || got.Text != want || got.Engine != want[:1] {
			t.Errorf("%s: %+v, %v", slug, got, err)
		}
	}
	if p, err := r.Image(t.Context(), engine.ImageRequest{Model: "sim-image"}); err != nil || p.Engine != "c" ||
		p.Note != "n" {
		t.Errorf("a picture goes past an engine of texts: %+v, %v", p, err)
	}
	_, err := r.Text(t.Context(), engine.TextRequest{Model: "delta", Prompt: "p"})
	var e *engine.Error
	if !errors.As(err, &e) || e.Code != "unknown_model" || e.Status != 404 {
		t.Errorf("what no route names: %v", err)
	}
	if got := r.ModelStatus("oss-20b", engine.KindText); got.Engine != "a" || got.Model != "up:1" || !got.IsUp {
		t.Errorf("serves %+v", got)
	}
}

func TestWhoWaitsMayLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		f := &fake{text: func(context.Context, engine.TextRequest) (engine.Text, error) {
			<-release
			return engine.Text{}, nil
		}}
		r := router(t, engine.RouterOptions{Unrouted: backend(t, "p", texts, 1, f)})
		var wg sync.WaitGroup
		var left, served atomic.Int64
		for i := range 20 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Second)
				defer cancel()
				if i == 0 || i > 9 {
					ctx = t.Context()
				}
				if _, err := r.Text(ctx, engine.TextRequest{Model: "m", Prompt: "p"}); err != nil {
					left.Add(1)
				} else {
					served.Add(1)
				}
			})
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		close(release)
		wg.Wait()
		if left.Load() != 9 || served.Load() != 11 {
			t.Errorf("%d left and %d were served, want 9 and 11", left.Load(), served.Load())
		}
	})
}

// TestHealth lets requests and checks of an engine fail.
func TestHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var broken atomic.Bool
		answer := failed()
		a := &fake{name: "a", check: func() error {
			if broken.Load() {
				return down()
			}
			return nil
		}, text: func(context.Context, engine.TextRequest) (engine.Text, error) { return engine.Text{}, answer }}
		r := router(t, engine.RouterOptions{Unrouted: backend(t, "p", texts, 0, a)})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); r.Watch(ctx, 5*time.Second) }()
		synctest.Wait()
		isUp := func(want bool) {
			t.Helper()
			if s := r.ModelStatus("m", engine.KindText); !s.IsKnown || s.IsUp != want || (s.Problem == "") != want {
				t.Errorf("got %+v, want up %v", s, want)
			}
		}
		ask := func() { _, _ = r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"}) }
		isUp(true)
		ask() // which fails, but may be the fault of its prompt
		isUp(true)
		answer = down()
		ask()
		isUp(false)
		if s := r.Statuses(); s[0].CheckFailure != "" {
			t.Errorf("a failed request changes what the check said: %+v", s)
		}
		time.Sleep(6 * time.Second)
		isUp(true)
		broken.Store(true)
		time.Sleep(5 * time.Second)
		isUp(false)
		answer = nil
		ask()
		isUp(true)
		cancel()
		<-done
	})
}

func TestTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := &fake{text: func(ctx context.Context, _ engine.TextRequest) (engine.Text, error) {
			<-ctx.Done()
			return engine.Text{}, context.Cause(ctx)
		}}
		r := router(t,
			engine.RouterOptions{Routes: []engine.Route{
				{Models: []string{"*"}, Backend: backend(t, "p", texts, 0, hang), Timeout: time.Minute}}})
		began := time.Now()
		_, err := r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"})
		var e *engine.Error
		if !errors.As(err, &e) || e.Status != 504 || e.Code != "timeout" || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		why := errors.New("gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(why) })
		if _, err := r.Text(ctx, engine.TextRequest{Model: "m", Prompt: "p"}); !errors.Is(err, why) {
			t.Errorf("cancelled: %v", err)
		}
	})
}

func TestRouteConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{text: func(context.Context, engine.TextRequest) (engine.Text, error) {
			time.Sleep(time.Second)
			return engine.Text{}, nil
		}}
		r := router(t,
			engine.RouterOptions{Routes: []engine.Route{{Models: []string{"*"}, Backend: backend(t, "p", texts, 0, f),
				Concurrency: 2}}})
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() { _, _ = r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"}) })
		}
		wg.Wait()
		if f.most.Load() != 2 {
			t.Errorf("%d at a time, want 2", f.most.Load())
		}
	})
}

// TestACheckThatHangs ends with its context and returns a sentence.
func TestACheckThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		hang := &fake{name: "a", check: func() error { <-ctx.Done(); return ctx.Err() }}
		r := router(t, engine.RouterOptions{Unrouted: backend(t, "p", texts, 0, hang)})
		r.Check(ctx)
		if got := r.ModelStatus("m", engine.KindText); got.IsUp ||
			got.Problem != "The engine p did not say in time that it is up." {
			t.Errorf("got %+v", got)
		}
	})
}

func TestBadOptions(t *testing.T) {
	p := backend(t, "p", texts, 0, &fake{})
	for _, o := range []engine.RouterOptions{{Routes: []engine.Route{{Backend: p}}},
		{Routes: []engine.Route{{Models: []string{"a"}}}},
		{Routes: []engine.Route{{Models: []string{"[a"}, Backend: p}}}} {
		if _, err := engine.NewRouter(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	if _, err := engine.NewBackend(engine.BackendOptions{Name: "x"}); err == nil {
		t.Error("an engine of nothing was taken")
	}
}

// TestChangesAreTold lets an engine go down, stay down and recover.
func TestChangesAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wrong error
		f := &fake{name: "a", check: func() error { return wrong }}
		f.text = func(context.Context, engine.TextRequest) (engine.Text, error) { return engine.Text{}, wrong }
		p := backend(t, "up", texts, 0, f)
		var told []string
		var r *engine.Router
		r, err := engine.NewRouter(engine.RouterOptions{Unrouted: p,
			OnChange: func(s engine.BackendStatus) {
				told = append(told, fmt.Sprint(s.Engine, s.Address, s.IsUp, s.Problem))
				if now := r.Statuses()[0]; now != s {
					t.Errorf("told %+v, and it is %+v", s, now)
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		ask := func() { _, _ = r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"}) }
		r.Check(t.Context())
		ask()
		wrong = &engine.Error{Status: 502, Message: "It is away.", IsEngineDown: true}
		ask()
		time.Sleep(time.Minute)
		r.Check(t.Context())
		ask()
		wrong = nil
		r.Check(t.Context())
		ask()
		if got, want := strings.Join(told, "\n"), "uphttp://upfalseIt is away.\nuphttp://uptrue"; got != want {
			t.Errorf("told:\n%s\nwant:\n%s", got, want)
		}
	})
}
