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

// fake answers with its name, or as told.
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

func pool(t *testing.T, name string, kinds []engine.ModelKind, places int, engines ...engine.Engine) *engine.Pool {
	t.Helper()
	var rs []engine.Replica
	for i, e := range engines {
		rs = append(rs, engine.Replica{e, fmt.Sprint("replica ", i)})
	}
	p, err := engine.NewPool(name, kinds, places, rs...)
	if err != nil {
		t.Fatal(err)
	}
	return p
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
	return &engine.Error{Status: 502, Code: "service", Message: "gone.", IsRetryable: true, IsEngineDown: true}
}
func failed() error { return &engine.Error{Status: 502, Code: "service", Message: "failed."} }

func fails(name string, err error) *fake {
	return &fake{name: name,
		text: func(context.Context, engine.TextRequest) (engine.Text, error) {
			return engine.Text{}, err
		}, check: func() error { return err }}
}

func TestConformance(t *testing.T) {
	enginetest.Run(t, func(t *testing.T) engine.Engine {
		e := offline.New(offline.Options{Speed: math.Inf(1), Pixels: 1 << 16})
		return router(t,
			engine.RouterOptions{Unrouted: pool(t, "offline", all, 0, e, e),
				Routes: []engine.Route{{Models: []string{"oss-*"}, Pool: pool(t, "own", texts, 2, e),
					Timeout: time.Minute}}})
	})
}

func TestTheFirstRouteThatFits(t *testing.T) {
	a, b, c := &fake{name: "a"}, &fake{name: "b"}, &fake{name: "c"}
	r := router(t, engine.RouterOptions{
		Routes: []engine.Route{
			{Models: []string{"oss-20b", "sim-image"}, Pool: pool(t, "a", texts, 0, a), Model: "up:1",
				Params: engine.Params{"t": 1}},
			{Models: []string{"oss-*"}, Pool: pool(t, "b", texts, 0, b)},
		},
		Unrouted: pool(t, "c", pictures, 0, c),
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
	if r.Identity("oss-20b", engine.KindText) == r.Identity("oss-120b", engine.KindText) ||
		r.Identity("delta", engine.KindText) != "" {
		t.Error("identities")
	}
}

func TestReplicas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, _ engine.TextRequest) (engine.Text, error) {
			select {
			case <-time.After(time.Second):
				return engine.Text{Text: "done"}, nil
			case <-ctx.Done():
				return engine.Text{}, context.Cause(ctx)
			}
		}
		a, b, c := &fake{text: slow}, &fake{text: slow}, fails("c", down())
		r := router(t, engine.RouterOptions{Unrouted: pool(t, "p", texts, 3, a, b, c)})
		began := time.Now()
		var wg sync.WaitGroup
		for range 12 {
			wg.Go(func() {
				if _, err := r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("12 requests over 2 replicas with 3 places took %v, want 2s", took)
		}
		if a.most.Load() != 3 || b.most.Load() != 3 || a.calls.Load() != 6 || b.calls.Load() != 6 {
			t.Errorf("a %d (most %d), b %d (most %d)", a.calls.Load(), a.most.Load(), b.calls.Load(), b.most.Load())
		}
		if n := c.calls.Load(); n == 0 || n > 3 {
			t.Errorf("the dead replica was asked %d times, want once or as often as it had places", n)
		}
		before := c.calls.Load()
		time.Sleep(10 * time.Second)
		for range 3 {
			_, _ = r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"})
		}
		if c.calls.Load() != before+1 {
			t.Errorf("after its rest the dead replica was asked %d times, want 1", c.calls.Load()-before)
		}
	})
}

func TestWhoWaitsMayLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		f := &fake{text: func(context.Context, engine.TextRequest) (engine.Text, error) {
			<-release
			return engine.Text{}, nil
		}}
		r := router(t, engine.RouterOptions{Unrouted: pool(t, "p", texts, 1, f)})
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

func TestWhatIsAskedAgainAndWhatIsNot(t *testing.T) {
	for _, c := range []struct {
		name   string
		err    error
		second bool // the other replica is asked
		other  bool // the fallback is
	}{
		{"cannot be reached", down(), true, true},
		{"failed midway", failed(), false, true},
		{"too much to do", &engine.Error{Status: 429, IsRetryable: true}, true, true},
		{"a bad request", &engine.Error{Status: 422, Message: "bad"}, false, false},
		{"the model is missing", &engine.Error{Status: 502, IsRetryable: true}, true, true},
		{"an unexpected error", errors.New("x"), false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b, f := fails("a", c.err), fails("b", c.err), &fake{name: "f"}
			r := router(t,
				engine.RouterOptions{Routes: []engine.Route{{Models: []string{"*"}, Pool: pool(t, "main", texts, 0, a,
					b),
					Fallback: pool(t, "spare", texts, 0, f), FallbackModel: "g"}}})
			got, err := r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"})
			if n := a.calls.Load() + b.calls.Load(); n != map[bool]int64{true: 2, false: 1}[c.second] {
				t.Errorf("%d replicas were asked", n)
			}
			if c.other != (err == nil) {
				t.Fatalf("got %+v, %v", got, err)
			}
			if c.other &&
				(got.Text != "f g map[]" || !got.IsFallback || got.Engine != "spare" ||
					!strings.Contains(got.Note, "main did not answer; spare did")) {
				t.Errorf("the fallback: %+v", got)
			}
		})
	}
}

func TestTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := &fake{text: func(ctx context.Context, _ engine.TextRequest) (engine.Text, error) {
			<-ctx.Done()
			return engine.Text{}, context.Cause(ctx)
		}}
		r := router(t,
			engine.RouterOptions{Routes: []engine.Route{{Models: []string{"*"}, Pool: pool(t, "p", texts, 0, hang),
				Timeout: time.Minute}}})
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
			engine.RouterOptions{Routes: []engine.Route{{Models: []string{"*"}, Pool: pool(t, "p", texts, 0, f),
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

func TestHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var broken atomic.Bool
		a := &fake{name: "a", check: func() error {
			if broken.Load() {
				return down()
			}
			return nil
		}}
		b := &fake{name: "b"}
		r := router(t, engine.RouterOptions{Unrouted: pool(t, "p", texts, 0, a, b)})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); r.Watch(ctx, 5*time.Second) }()
		synctest.Wait()
		if s := r.ModelStatus("m", engine.KindText); !s.IsKnown || !s.IsUp {
			t.Errorf("at first %+v", s)
		}
		broken.Store(true)
		time.Sleep(6 * time.Second)
		for range 4 {
			_, _ = r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"})
		}
		if a.calls.Load() != 0 || b.calls.Load() != 4 {
			t.Errorf("the one that is down was asked %d times, the other %d", a.calls.Load(), b.calls.Load())
		}
		if s := r.ReplicaStatuses(); s[0].IsUp || s[0].Problem != "gone." || !s[1].IsUp || s[1].Answered != 4 {
			t.Errorf("states %+v", s)
		}
		broken.Store(false)
		time.Sleep(6 * time.Second)
		for range 4 {
			_, _ = r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"})
		}
		if a.calls.Load() == 0 {
			t.Error("it is back and not asked")
		}
		cancel()
		<-done
	})
}

// TestAReplicaThatFailsFast is not preferred for being idle.
func TestAReplicaThatFailsFast(t *testing.T) {
	a, b := fails("a", failed()), &fake{name: "b"}
	r := router(t, engine.RouterOptions{Unrouted: pool(t, "p", texts, 0, a, b)})
	for range 50 {
		_, _ = r.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"})
	}
	if a.calls.Load() > 3 {
		t.Errorf("it was asked %d times, want 3 at most", a.calls.Load())
	}
}

// TestACheckThatHangs ends with its context and says so in a sentence.
func TestACheckThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		hang := &fake{name: "a", check: func() error { <-ctx.Done(); return ctx.Err() }}
		r := router(t, engine.RouterOptions{Unrouted: pool(t, "p", texts, 0, hang)})
		r.Check(ctx)
		if got := r.ModelStatus("m", engine.KindText); got.IsUp ||
			got.Problem != "The engine p did not say in time that it is up." {
			t.Errorf("got %+v", got)
		}
	})
}

func TestBadOptions(t *testing.T) {
	p := pool(t, "p", texts, 0, &fake{})
	for _, o := range []engine.RouterOptions{{Routes: []engine.Route{{Pool: p}}},
		{Routes: []engine.Route{{Models: []string{"a"}}}},
		{Routes: []engine.Route{{Models: []string{"[a"}, Pool: p}}}} {
		if _, err := engine.NewRouter(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	if _, err := engine.NewPool("x", nil, 0); err == nil {
		t.Error("a pool of nothing was taken")
	}
}

// TestChangesAreTold has a replica go down, stay so, and come back.
func TestChangesAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wrong error
		f := &fake{name: "a", check: func() error { return wrong }}
		f.text = func(context.Context, engine.TextRequest) (engine.Text, error) { return engine.Text{}, wrong }
		p, err := engine.NewPool("up", texts, 0, engine.Replica{Engine: f, Address: "http://a"})
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		r, err := engine.NewRouter(engine.RouterOptions{Unrouted: p,
			OnChange: func(s engine.ReplicaStatus) {
				told = append(told, fmt.Sprint(s.Engine, s.Address, s.IsUp,
					s.Problem))
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
		if got, want := strings.Join(told, "\n"), "uphttp://afalseIt is away.\nuphttp://atrue"; got != want {
			t.Errorf("told:\n%s\nwant:\n%s", got, want)
		}
	})
}
