package server_test

import (
	"context"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/fetch"
	"confab/internal/netaddr"
	"confab/service/api"
	"confab/service/engine"
	"confab/service/engine/enginetest"
	"confab/service/engine/offline"
	"confab/service/server"
)

// start serves on loopback and returns the address, and how to end and wait.
func start(t *testing.T, o server.Options) (base string, end func() error) {
	t.Helper()
	if o.Engine == nil {
		o.Engine = offline.New(offline.Options{Speed: math.Inf(1)})
	}
	s, err := server.New(withKey(o))
	must(t, err)
	return serve(t, s)
}

// serve is start for a server that is made.
func serve(t *testing.T, s *server.Server) (base string, end func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	return "http://" + l.Addr().String(), serveOn(t, s, l)
}

// serveOn serves on a listener until the test ends, or end is called.
func serveOn(t *testing.T, s *server.Server, l net.Listener) (end func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	var once sync.Once
	var result error
	end = func() error { once.Do(func() { cancel(); result = <-done }); return result }
	t.Cleanup(func() { _ = end() })
	return end
}

func TestCancellationReachesTheEngine(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	f := echo()
	f.text = func(ctx context.Context, _ engine.TextRequest) (engine.Text, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return engine.Text{}, ctx.Err()
	}
	base, _ := start(t, server.Options{Engine: f})
	ctx, cancel := context.WithCancel(t.Context())
	r, _ := http.NewRequestWithContext(ctx, "POST", base+"/api/llm/delta",
		strings.NewReader(body(map[string]any{"prompt": "p"})))
	r.Header.Set("Content-Type", "application/json")
	go func() { <-begun; cancel() }()
	if res, err := http.DefaultClient.Do(r); err == nil {
		_ = res.Body.Close()
		t.Error("the cancelled request was answered")
	}
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Error("the engine was not told")
	}
}

func TestShutdownLetsWhatRunsFinish(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	f := echo()
	f.text = func(ctx context.Context, _ engine.TextRequest) (engine.Text, error) {
		close(begun)
		<-finish
		return engine.Text{Text: "whole"}, ctx.Err()
	}
	base, end := start(t, server.Options{Engine: f})
	answered := make(chan string, 1)
	go func() {
		res, err := http.Post(base+"/api/llm/delta", "application/json",
			strings.NewReader(body(map[string]any{"prompt": "p"})))
		if err != nil {
			answered <- err.Error()
			return
		}
		b, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		answered <- string(b)
	}()
	<-begun
	over := make(chan error, 1)
	go func() { over <- end() }()
	select {
	case err := <-over:
		t.Fatalf("the server ended (%v) while a request ran", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(finish)
	if got := <-answered; !strings.Contains(got, "whole") {
		t.Errorf("the running request got %q", got)
	}
	if err := <-over; err != nil {
		t.Errorf("Serve ended with %v", err)
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(base, "http://")); err == nil {
		t.Error("the address still answers")
	}
}

func TestShutdownDoesNotWaitForEver(t *testing.T) {
	stopped := make(chan struct{})
	begun := make(chan struct{})
	f := echo()
	f.text = func(ctx context.Context, _ engine.TextRequest) (engine.Text, error) {
		close(begun)
		<-ctx.Done()
		close(stopped)
		return engine.Text{}, ctx.Err()
	}
	limits := limitsWith(func(l *server.Limits) { l.Shutdown = 20 * time.Millisecond })
	base, end := start(t, server.Options{Engine: f, Limits: limits})
	go func() {
		res, err := http.Post(base+"/api/llm/delta", "application/json",
			strings.NewReader(body(map[string]any{"prompt": "p"})))
		if err == nil {
			_ = res.Body.Close()
		}
	}()
	<-begun
	if err := end(); err != nil {
		t.Errorf("Serve ended with %v", err)
	}
	<-stopped
}

func TestSlowClientsAreCutOff(t *testing.T) {
	base, _ := start(t,
		server.Options{Limits: limitsWith(func(l *server.Limits) {
			l.ReadHeader, l.ReadBody = 50*time.Millisecond, 50*time.Millisecond
		})})
	for name, sent := range map[string]string{
		"header": "POST /api/llm/delta HTTP/1.1\r\nHost: x\r\n",
		"body": "POST /api/llm/delta HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " +
			"50\r\n\r\n{",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		must(t, err)
		_, _ = io.WriteString(conn, sent)
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		b, err := io.ReadAll(conn)
		if err != nil {
			t.Errorf("slow %s: the connection was not closed: %v", name, err)
		}
		if name == "body" && !strings.Contains(string(b), " 408 ") {
			t.Errorf("slow body got %q", b)
		}
		_ = conn.Close()
	}
}

func TestAnswersLongerThanTheReadTimeoutAreNotCut(t *testing.T) {
	f := echo()
	f.text = func(ctx context.Context, _ engine.TextRequest) (engine.Text, error) {
		select {
		case <-time.After(150 * time.Millisecond):
			return engine.Text{Text: "late"}, nil
		case <-ctx.Done():
			return engine.Text{}, ctx.Err()
		}
	}
	base, _ := start(t,
		server.Options{Engine: f,
			Limits: limitsWith(func(l *server.Limits) {
				l.ReadHeader, l.ReadBody = 30*time.Millisecond, 30*time.Millisecond
			})})
	res, err := http.Post(base+"/api/llm/delta", "application/json",
		strings.NewReader(body(map[string]any{"prompt": "p"})))
	must(t, err)
	defer func() { _ = res.Body.Close() }()
	if b, _ := io.ReadAll(res.Body); !strings.Contains(string(b), "late") {
		t.Errorf("got %s", b)
	}
}

// embed serves in memory and returns a client that reaches nothing else, and how to end and wait.
func embed(t *testing.T, o server.Options) (c *api.Client, end func() error) {
	t.Helper()
	if o.Engine == nil {
		o.Engine = offline.New(offline.Options{Speed: math.Inf(1)})
	}
	o.Access.IsOwnerOnly = true
	s, err := server.New(o)
	must(t, err)
	l := netaddr.ListenPipe()
	end = serveOn(t, s, l)
	c, err = api.NewClient(api.Options{BaseURL: "http://localhost", APIKey: key, Dial: l.Dial})
	must(t, err)
	return c, end
}

func model(t *testing.T, slug string) api.Model {
	t.Helper()
	m, ok := api.Default().Find(slug)
	if !ok {
		t.Fatalf("no model %s", slug)
	}
	return m
}

func TestRoundTripWithTheClient(t *testing.T) {
	base, _ := start(t, server.Options{Access: server.Access{Keys: []string{key}}})
	remote, err := api.NewClient(api.Options{BaseURL: base + "/", APIKey: key})
	must(t, err)
	embedded, _ := embed(t, server.Options{})
	for name, client := range map[string]*api.Client{"over the network": remote, "in memory": embedded} {
		t.Run(name, func(t *testing.T) {
			request := api.Request{Model: model(t, "delta"), Prompt: "Compare tea and coffee"}
			res, _, err := client.Do(t.Context(), request, nil)
			if err != nil || !strings.Contains(res.Text, "tea") || res.ServedModel != "delta" {
				t.Errorf("text: %+v, %v", res, err)
			}
			parts := ""
			request.IsStreamed = true
			streamed, _, err := client.Do(t.Context(), request, func(p api.Progress) { parts += p.Text })
			if err != nil || streamed.Text != res.Text || parts != res.Text {
				t.Errorf("stream: %+v in parts %q, %v", streamed, parts, err)
			}
			request = api.Request{Model: model(t, "diffusion-xl"), Prompt: "a lighthouse", Aspect: "4:3"}
			for i := range 2 {
				res, _, err = client.Do(t.Context(), request, nil)
				if err != nil || res.ContentType != "image/jpeg" || res.Width <= res.Height ||
					res.IsCached != (i == 1) {
					t.Errorf("picture %d: %s %dx%d cached %v, %v", i, res.ContentType, res.Width, res.Height,
						res.IsCached, err)
				}
			}
			request.Prompt = strings.Repeat("a", 5<<20)
			if _, _, err = client.Do(t.Context(), request, nil); api.CodeOf(err) != api.CodeBadRequest {
				t.Errorf("a prompt over 4 MiB: %v", err)
			}
		})
	}
}

func TestLocalPictureIsASourceWithinTheProcess(t *testing.T) {
	var local server.LocalPictures
	client, _ := embed(t, server.Options{LocalPictures: &local, Fetch: fetch.Options{Dial: noDial(t)}})
	edit := func(url string) (api.Response, error) {
		res, _, err := client.Do(t.Context(),
			api.Request{Model: model(t, "imageedit"), Prompt: "make it a winter scene", ImageURL: url}, nil)
		return res, err
	}
	add := func(b []byte, err error) (url string, release func()) {
		return local.Add(func(context.Context) ([]byte, error) { return b, err })
	}
	lake := enginetest.Source(t, 120, 80, false)
	one, release := add(lake, nil)
	two, _ := add(lake, nil)
	if one == two || len(one) < 26 {
		t.Errorf("the names %q and %q can be guessed", one, two)
	}
	for _, url := range []string{one, two} {
		if res, err := edit(url); err != nil || res.ContentType != "image/png" || res.Width != 120 || res.Height != 80 {
			t.Errorf("edit: %s %dx%d, %v", res.ContentType, res.Width, res.Height, err)
		}
	}
	release()
	release()
	text, _ := add([]byte("no picture"), nil)
	huge, _ := add(make([]byte, 64<<20+1), nil)
	missing, _ := add(nil, io.ErrUnexpectedEOF)
	for url, want := range map[string]api.Code{
		one: api.CodeImageUnreachable, two: "", two + "x": api.CodeImageUnreachable,
		strings.ToLower(two): api.CodeImageUnreachable, "picture:": api.CodeImageUnreachable,
		text: api.CodeBadImage, huge: api.CodeTooLarge, missing: api.CodeImageUnreachable,
	} {
		if _, err := edit(url); api.CodeOf(err) != want {
			t.Errorf("%s: got %v, want %q", url, err, want)
		}
	}
	other, _ := embed(t, server.Options{})
	_, _, err := other.Do(t.Context(), api.Request{Model: model(t, "imageedit"), Prompt: "grey", ImageURL: two}, nil)
	if api.CodeOf(err) != api.CodeImageUnreachable {
		t.Errorf("a server without local pictures: %v", err)
	}
}

func TestCancellingInMemoryReachesTheEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		f := echo()
		f.text = func(ctx context.Context, _ engine.TextRequest) (engine.Text, error) {
			<-ctx.Done()
			ended = true
			return engine.Text{}, ctx.Err()
		}
		client, end := embed(t, server.Options{Engine: f})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, _, err := client.Do(ctx, api.Request{Model: model(t, "delta"), Prompt: "p"}, nil)
		synctest.Wait()
		if api.CodeOf(err) != api.CodeTimeout || !ended {
			t.Errorf("got %v; the engine has ended: %t", err, ended)
		}
		if err := end(); err != nil {
			t.Error(err)
		}
		_, _, err = client.Do(t.Context(), api.Request{Model: model(t, "delta"), Prompt: "p"}, nil)
		if api.CodeOf(err) != api.CodeNetwork {
			t.Errorf("after its end: %v", err)
		}
	})
}
