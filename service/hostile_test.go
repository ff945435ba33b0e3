package service_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/internal/testserver"
	"confab/service"
	"confab/service/api"
)

// codes are the documented ones.
var codes = []api.Code{
	api.CodeUsage, api.CodeConfig, api.CodeUnauthorized, api.CodeUnknownModel, api.CodeBadRequest, api.CodeRateLimited,
	api.CodeQuota,
	api.CodeService,
	api.CodeNetwork, api.CodeTimeout, api.CodeCancelled, api.CodeBadResponse, api.CodeTooLarge, api.CodeBadImage,
	api.CodeImageUnreachable,
	api.CodeStore, api.CodeDisk,
}

// rawError matches text that people must not see.
var rawError = regexp.MustCompile(
	`goroutine |0x[0-9a-f]{6}|net/http|dial tcp|read tcp|\.go:\d|%!|EOF|unexpected end of JSON`,
)

// TestHostileService sends one prompt to all wrong behaviours at once, for texts and pictures, together with one
// right model.
func TestHostileService(t *testing.T) {
	for _, kind := range []api.ModelKind{api.Text, api.Image} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			server := testserver.New(t)
			server.Late = 50 * time.Millisecond
			behaviours := testserver.Names()
			var models []api.Model
			for _, name := range behaviours {
				models = append(models, api.Model{Slug: name, Kind: kind, TakesSystem: true})
			}
			catalogue, err := api.Catalogue{}.With(models...)
			must(t, err)
			limits := api.DefaultLimits()
			limits.FirstByte, limits.Silence = 400*time.Millisecond, 400*time.Millisecond
			limits.Whole = 800 * time.Millisecond
			limits.SlowFirstByte, limits.SlowWhole = time.Second, time.Second
			limits.JSON, limits.Image, limits.MaxWait = 512<<10, 2<<20, 50*time.Millisecond
			w := newWorld(t, func(o *service.Options) {
				o.Backend.Catalogue, o.Limits.Concurrency = func() api.Catalogue { return catalogue }, 24
				o.Backend.Connect = func(context.Context) (service.Connection, error) {
					c, err := api.NewClient(api.Options{BaseURL: server.URL, APIKey: sentinel, Limits: limits})
					return service.Connection{Client: c}, err
				}
			})
			turn := w.send(t, service.Prompt{Text: "an ordinary prompt", System: "be brief", Models: behaviours})
			checkHostile(t, w, turn)
			if kind == api.Image {
				checkHostileFiles(t, w, turn)
			}
			if found := grep(t, w.dir, sentinel); len(found) > 0 {
				t.Errorf("the key is in %v", found)
			}
			if !server.Await(10*time.Second, func() bool { return server.Open() == 0 }) {
				t.Fatalf("%d connections are still open", server.Open())
			}
		})
	}
}

// checkHostile checks each answer, shown and stored.
func checkHostile(t *testing.T, w *world, turn history.Turn) {
	t.Helper()
	done := 0
	rows := w.stored(t, turn.ID).Answers
	for i, a := range turn.Answers {
		stored := rows[i]
		switch {
		case a.State == history.Done:
			done++
		case a.State != history.Failed || a.Failure == nil || !slices.Contains(codes, api.Code(a.Failure.Code)):
			t.Errorf("%s: ended as %s %+v", a.Model, a.State, a.Failure)
			continue
		case len(a.Failure.Message) < 15 || strings.Contains(a.Failure.Message, sentinel) ||
			rawError.MatchString(a.Failure.Message):
			t.Errorf("%s: says %q", a.Model, a.Failure.Message)
		}
		if stored.State != a.State || stored.Text != a.Text || stored.HTTPStatus != a.HTTPStatus ||
			(stored.Failure == nil) != (a.Failure == nil) {
			t.Errorf("%s: shown %s, stored %s", a.Model, a.State, stored.State)
		}
		e, _, err := w.Exchange(t.Context(), a.ID)
		if err != nil || len(e.Head) > 2<<10+64 || strings.Contains(string(e.Head)+string(e.RequestBody), sentinel) {
			t.Errorf("%s: exchange with a head of %d bytes, %v", a.Model, len(e.Head), err)
		}
	}
	if done < 3 || done > len(turn.Answers)*3/4 {
		t.Errorf("%d of %d are done", done, len(turn.Answers))
	}
}

// checkHostileFiles checks that each picture has a file, and that there are no others.
func checkHostileFiles(t *testing.T, w *world, turn history.Turn) {
	t.Helper()
	want := 0
	root := filepath.Join(w.dir, "pictures")
	for _, a := range turn.Answers {
		if a.Picture == nil {
			continue
		}
		want += 2
		b, err := os.ReadFile(a.Picture.Path)
		if err != nil || isReceived(b, a.Picture.SHA256) == a.IsMasked || filepath.Dir(a.Picture.Path) != root {
			t.Errorf("%s: its picture is %s, %v", a.Model, a.Picture.Path, err)
		}
		if _, err := w.Files().CleanCopy(t.Context(), a.ID); err != nil {
			t.Errorf("%s: %v", a.Model, err)
		}
		if ext := filepath.Ext(a.Picture.Path); (ext == ".png") != (a.Picture.ContentType == "image/png") {
			t.Errorf("%s: %s is %s", a.Model, a.Picture.Path, a.Picture.ContentType)
		}
	}
	if got := w.files(t); len(got) != want {
		t.Errorf("%d files for %d pictures: %q", len(got), want/2, got)
	}
}
