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
	"time"

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
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, s)
}

// serve is start for a server that is made.
func serve(t *testing.T, s *server.Server) (base string, end func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	var once sync.Once
	var result error
	end = func() error { once.Do(func() { cancel(); result = <-done }); return result }
	t.Cleanup(func() { _ = end() })
	return "http://" + l.Addr().String(), end
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
	base, end := start(t, server.Options{Engine: f, Limits: server.Limits{Shutdown: 20 * time.Millisecond}})
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
		server.Options{Limits: server.Limits{ReadHeader: 50 * time.Millisecond, ReadBody: 50 * time.Millisecond}})
	for name, sent := range map[string]string{
		"header": "POST /api/llm/delta HTTP/1.1\r\nHost: x\r\n",
		"body": "POST /api/llm/delta HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " +
			"50\r\n\r\n{",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
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
			Limits: server.Limits{ReadHeader: 30 * time.Millisecond, ReadBody: 30 * time.Millisecond}})
	res, err := http.Post(base+"/api/llm/delta", "application/json",
		strings.NewReader(body(map[string]any{"prompt": "p"})))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if b, _ := io.ReadAll(res.Body); !strings.Contains(string(b), "late") {
		t.Errorf("got %s", b)
	}
}

func TestRoundTripWithTheClient(t *testing.T) {
	files := server.NewFiles()
	base, _ := start(t, server.Options{Keys: []string{key}, Files: files})
	client, err := api.NewClient(api.Options{BaseURL: base + "/", APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	model := func(slug string) api.Model {
		m, ok := api.Default().Find(slug)
		if !ok {
			t.Fatalf("no model %s", slug)
		}
		return m
	}
	res, _, err := client.Do(t.Context(), api.Request{Model: model("delta"), Prompt: "Compare tea and coffee"}, nil)
	if err != nil || !strings.Contains(res.Text, "tea") || res.ServedModel != "delta" {
		t.Errorf("text: %+v, %v", res, err)
	}
	for i := range 2 {
		res, _, err = client.Do(t.Context(),
			api.Request{Model: model("diffusion-xl"), Prompt: "a lighthouse", Aspect: "4:3"},
			nil)
		if err != nil || res.ContentType != "image/jpeg" || res.Width <= res.Height || res.IsCached != (i == 1) {
			t.Errorf("picture %d: %s %dx%d cached %v, %v", i, res.ContentType, res.Width, res.Height, res.IsCached, err)
		}
	}
	path := write(t, "lake.png", enginetest.Source(t, 120, 80, false))
	at, release, err := files.Publish(path)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	res, _, err = client.Do(t.Context(),
		api.Request{Model: model("imageedit"), Prompt: "make it a winter scene", ImageURL: base + at}, nil)
	if err != nil || res.ContentType != "image/png" || res.Width != 120 || res.Height != 80 {
		t.Errorf("edit: %s %dx%d, %v", res.ContentType, res.Width, res.Height, err)
	}
	_, _, err = client.Do(t.Context(),
		api.Request{Model: model("imageedit"), Prompt: "make it a winter scene",
			ImageURL: base + "/pictures/GUESSED"}, nil)
	if api.CodeOf(err) != api.CodeImageUnreachable {
		t.Errorf("a guessed picture: %v", err)
	}
}
