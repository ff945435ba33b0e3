package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
)

// TestDeletedTextIsInNoFile deletes a turn that was sent with later ones, as messages and in their prompts, and that
// named the session. Requests are rebuilt from the rest.
func TestDeletedTextIsInNoFile(t *testing.T) {
	w := newWorld(t, func(o *service.Options) {
		o.Backend.Extensions = func(model string) api.Extensions {
			return api.Extensions{TakesMessages: model == "delta"}
		}
	})
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		body, err := r.Body("")
		response := answerTo(r)
		if r.Model.Kind == api.Text {
			response.Text = "Fine."
		}
		return response, api.Exchange{Method: "POST", Status: 200, Total: time.Second, RequestBody: string(body)}, err
	}
	ctx := t.Context()
	first := w.send(t, service.Prompt{Text: "vanishing question", Models: []string{"delta", "zeta"}})
	p := service.Prompt{Session: first.Session, Text: "stays", Models: []string{"delta", "zeta"}, HasContext: true}
	second := w.send(t, p)
	picture := w.send(t, service.Prompt{Session: first.Session, Text: "a fox", Models: []string{"sim-image"}})
	p.Text = "stays too"
	third := w.send(t, p)
	must(t, w.SaveDraft(ctx, first.Session, service.Draft{Text: "a draft"}))
	requests := func(turn history.Turn, want ...string) {
		t.Helper()
		for _, a := range turn.Answers {
			e, isWhole, err := w.Exchange(ctx, a.ID)
			if err != nil || isWhole != (len(want) == 3) {
				t.Errorf("%s: is whole: %v, %v", a.Model, isWhole, err)
			}
			for _, text := range []string{"vanishing question", "stays", "stays too"} {
				isThere := strings.Contains(string(e.RequestBody), text)
				if isWanted := strings.Contains(strings.Join(want, ","), text); isThere != isWanted {
					t.Errorf("%s: %q is in the request: %v, want %v", a.Model, text, isThere, isWanted)
				}
			}
		}
	}
	requests(third, "vanishing question", "stays", "stays too")
	must(t, errorOf(w.DeleteTurn(ctx, first.ID)))
	must(t, errorOf(w.Purge(ctx, 0)))
	requests(third, "stays", "stays too")
	if found := grep(t, w.dir, "vanishing"); len(found) > 0 {
		t.Errorf("found in %v", found)
	}
	if found := grep(t, w.dir, "stays"); len(found) == 0 {
		t.Error("nothing is found at all")
	}
	out := filepath.Join(t.TempDir(), "session.json")
	must(t, errorOf(w.Exporter().Write(ctx, export.Request{Session: first.Session, As: "json", Path: out})))
	exported, err := os.ReadFile(out)
	if err != nil || bytes.Contains(exported, []byte("vanishing")) || !json.Valid(exported) {
		t.Errorf("exported %s, %v", exported, err)
	}

	// A repetition omits it.
	before := len(w.client.requests())
	again := w.again(t, second.Answers[0].ID, false)
	r := w.client.requests()[before]
	if a := again.Answers[1]; len(r.Messages) != 0 || r.Prompt != "stays" || len(a.SentTurns.Turns) != 0 {
		t.Errorf("sent %+v, stored %+v", r.Messages, a.SentTurns)
	}
	if path := picture.Answers[0].Picture.Path; len(grep(t, filepath.Dir(path), `"a fox`)) == 0 {
		t.Error("the file beside the picture lacks its prompt")
	}
}
