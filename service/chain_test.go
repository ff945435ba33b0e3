package service_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/history"
	"confab/service"
	"confab/service/api"
)

// chainOf describes a chain on one line: models after a dot for each edit in between.
func chainOf(t *testing.T, w *world, answer int64) string {
	t.Helper()
	c, err := w.EditChain(t.Context(), answer)
	must(t, err)
	var out []string
	for _, l := range c.Links {
		name := l.Answer.Model
		if l.Source != nil {
			name = strings.TrimPrefix(l.Source.Path, w.dir+"/") + l.Source.URL
		}
		out = append(out, strings.Repeat(".", l.Depth)+name)
	}
	return strings.Join(out, " ")
}

func TestEditChain(t *testing.T) {
	w := newWorld(t, func(o *service.Options) {
		o.Backend.Connect = func(context.Context) (service.Connection, error) {
			return service.Connection{Client: &fakeClient{t: t},
				PublishLocal: func(func(context.Context) ([]byte, error)) (string, func()) {
					return "picture:x", func() {}
				}}, nil
		}
	})
	fox := w.send(t, service.Prompt{Text: "fox", Models: []string{"sim-image"}}).Answers[0]
	warm := w.send(t, service.Prompt{
		Text:   "warm",
		Models: []string{"imageedit", "imageedit-lite"},
		Source: &history.Source{Answer: fox.ID},
	})
	w.send(t, service.Prompt{
		Text:   "grey",
		Models: []string{"imageedit"},
		Source: &history.Source{Answer: warm.Answers[1].ID},
	})
	if got, want := chainOf(t, w, warm.Answers[0].ID), "sim-image .imageedit .imageedit-lite ..imageedit"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	web := w.send(t, service.Prompt{
		Text:   "web",
		Models: []string{"imageedit"},
		Source: &history.Source{URL: "https://example.com/a.png"},
	})
	if got, want := chainOf(t, w, web.Answers[0].ID), "https://example.com/a.png .imageedit"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	path := filepath.Join(w.dir, "cat.png")
	must(t, os.WriteFile(path, samplePNG("cat"), 0o600))
	file := w.send(t, service.Prompt{Text: "file", Models: []string{"imageedit"}, Source: &history.Source{Path: path}})
	if got, want := chainOf(t, w, file.Answers[0].ID), "cat.png .imageedit"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var known *api.Error
	if _, err := w.EditChain(t.Context(), 99); !errors.As(err, &known) || known.Code != api.CodeUsage {
		t.Errorf("an answer that never was: %v", err)
	}
}
