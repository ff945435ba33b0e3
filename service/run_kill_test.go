package service_test

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/internal/testserver"
	"confab/service"
	"confab/service/suite"
)

// childRuns continues the run and prints every cell that it would show as done.
func childRuns(t *testing.T, s *service.Service, dir string) {
	f, err := s.OpenSuite(t.Context(), filepath.Join(dir, "grid.yaml"))
	must(t, err)
	o := suite.Request{Suite: f.Suite, Path: f.Path, SHA256: f.SHA256}
	runs, err := s.Runner().List(t.Context(), f.Path, 1)
	must(t, err)
	o.IsResumed = len(runs) > 0
	r, events, err := startRun(t.Context(), s.Runner(), o)
	must(t, err)
	fmt.Println("sent")
	for e := range events {
		switch c := r.Plan.Calls[e.Index]; {
		case e.Cell.State == history.Done:
			fmt.Printf("done %s %s\n", c.Model.Slug, c.Prompt)
		case e.Cell.State != history.Running:
			fmt.Printf("trouble %+v %+v\n", e, e.Failure)
		}
	}
	if r.Err() != nil {
		fmt.Println("trouble", r.Err())
	}
	fmt.Println("whole")
	time.Sleep(time.Hour) // until killed; without C, "select {}" is reported as a deadlock
}

// A run whose process is killed at a random moment continues without repeating a shown answer.
func TestRunKill(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := t.TempDir()
	models := append(textModels()[:5], "sim-image")
	text := strings.ReplaceAll(grid(models), "llm:sim-image", "image:sim-image")
	must(t, os.WriteFile(filepath.Join(dir, "grid.yaml"), []byte(text), 0o600))
	service := &slowService{seen: map[string]int{}}
	server := httptest.NewServer(testserver.Strict(t, service))
	defer server.Close()
	shown := map[string]int{} // number of requests when it was shown
	show := func(what string) {
		service.mu.Lock()
		defer service.mu.Unlock()
		if shown[what] == 0 {
			shown[what] = service.seen[what]
		}
	}
	n := kills()
	for range n {
		c := startChild(t, "run", dir, server.URL)
		<-c.first
		<-time.After(rand.N(50 * time.Millisecond))
		for _, line := range c.kill(t) {
			if what, done := strings.CutPrefix(line, "done "); done {
				show(what)
			} else if line != "sent" && line != "whole" {
				t.Errorf("a process said %q", line)
			}
		}
	}
	killed := len(shown)
	after := serviceAt(dir, server.URL, time.Now)
	f, err := after.OpenSuite(t.Context(), filepath.Join(dir, "grid.yaml"))
	must(t, err)
	r, events, err := startRun(t.Context(), after.Runner(),
		suite.Request{Suite: f.Suite, Path: f.Path, SHA256: f.SHA256, IsResumed: true})
	must(t, err)
	for e := range events {
		if c := r.Plan.Calls[e.Index]; e.Cell.State == history.Done {
			show(c.Model.Slug + " " + c.Prompt)
		}
	}
	for what, before := range shown {
		if service.seen[what] != before {
			t.Errorf("%q was asked for again after it was shown", what)
		}
	}
	if len(shown) != 10*3*6 {
		t.Errorf("%d cells were shown, want 180", len(shown))
	}
	checkIntegrity(t, dir)
	runs, err := after.Runner().List(t.Context(), "", 0)
	if err != nil || len(runs) != 1 || runs[0].Done != 180 || runs[0].Ended.IsZero() {
		t.Errorf("runs %+v, %v", runs, err)
	}
	must(t, after.Close(t.Context()))
	t.Logf("%d processes were killed, %d of 180 cells were shown by then", n, killed)
}
