package service_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/internal/chat"
	"confab/service"
	"confab/service/api"
)

func TestAgain(t *testing.T) {
	w := newWorld(t)
	turn := w.send(t, service.Prompt{
		Text:   "fox",
		Models: []string{"sim-image", "delta"},
		Nonce:  history.Nonce{Mode: history.NonceFresh},
	})
	first := turn.Answers[0]

	again := w.again(t, first.ID, false)
	fresh := w.again(t, first.ID, true)

	if len(again.Answers) != 3 || len(fresh.Answers) != 4 {
		t.Fatalf("got %d, then %d answers, want 3 and 4", len(again.Answers), len(fresh.Answers))
	}
	same, other := fresh.Answers[1], fresh.Answers[2]
	switch {
	case same.Model != "sim-image" || same.Sample != 2 || same.State != history.Done ||
		same.SentNonce != first.SentNonce || same.Picture.SHA256 != first.Picture.SHA256:
		t.Errorf("the same again is %+v", same)
	case other.Sample != 3 || other.State != history.Done || other.SentNonce == first.SentNonce ||
		other.Picture.SHA256 == first.Picture.SHA256:
		t.Errorf("a fresh one is %+v", other)
	case fresh.Answers[0].Version != first.Version || fresh.Answers[0].Picture.Path != first.Picture.Path:
		t.Errorf("the first one changed to %+v", fresh.Answers[0])
	}
	if got := w.stored(t, turn.ID); len(got.Answers) != 4 {
		t.Errorf("stored %d answers", len(got.Answers))
	}
}

func TestResumeRunsWhatFailed(t *testing.T) {
	w := newWorld(t)
	failing := map[string]bool{"delta": true, "zeta": true}
	w.client.fails(func(r api.Request) bool { return failing[r.Model.Slug] })
	turn := w.send(t, service.Prompt{Text: "x", Models: []string{"delta", "zeta", "phi-2"}, Samples: 2})
	delete(failing, "delta")
	resume := func() (history.Turn, error) {
		turn, events, err := w.Resume(t.Context(), turn.ID)
		if err != nil {
			return turn, err
		}
		return follow(turn, events), nil
	}
	got, err := resume()
	must(t, err)
	var line []string
	for _, a := range got.Answers {
		line = append(line, fmt.Sprintf("%s.%d:%s", a.Model, a.Sample, a.State))
	}
	want := "delta.1:failed delta.2:failed delta.3:done delta.4:done zeta.1:failed zeta.2:failed zeta.3:failed " +
		"zeta.4:failed phi-2.1:done phi-2.2:done"
	if strings.Join(line, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(line, " "), want)
	}
	delete(failing, "zeta")
	if got, err = resume(); err != nil || len(got.Answers) != 12 {
		t.Errorf("got %d answers (%v), want 12: as many as are missing", len(got.Answers), err)
	}
	_, err = resume()
	wantCode(t, err, api.CodeUsage)
}

// contextHead precedes earlier turns in a prompt.
const contextHead = "This is our conversation so far. Answer only the last message.\n\n"

// sent returns the prompt that was sent for an answer.
func (w *world) sent(t *testing.T, turn history.Turn, a history.Answer) string {
	t.Helper()
	if len(a.SentTurns.Turns) == 0 {
		return cmp.Or(a.SentPrompt, turn.Prompt)
	}
	e, _, err := w.Exchange(t.Context(), a.ID)
	var body struct{ Prompt string }
	must(t, errors.Join(err, json.Unmarshal(e.RequestBody, &body)))
	return body.Prompt
}

func TestContextIsFolded(t *testing.T) {
	w := newWorld(t)
	first := w.send(t, service.Prompt{Text: "My name is Ana", Models: []string{"delta", "zeta"}})
	drawn := w.send(t, service.Prompt{Session: first.Session, Text: "A picture", Models: []string{"sim-image"}})
	p := service.Prompt{Session: first.Session, Text: "What is my name?",
		Models:     []string{"delta", "zeta", "phi-2", "sim-image"},
		HasContext: true}
	picture := "## Me\n\nA picture\n\n## You\n\n[picture " + filepath.Base(drawn.Answers[0].Picture.Path) + "]\n\n"
	want := contextHead + "## Me\n\nMy name is Ana\n\n## You\n\ndelta says: My name is Ana\n\n" + picture +
		"## Me\n\nWhat is my name?"
	if got, err := w.PreviewPrompt(t.Context(), p, "delta"); err != nil || got.Prompt != want {
		t.Errorf("would send %q (%v), want %q", got.Prompt, err, want)
	}
	turn := w.send(t, p)
	for _, a := range turn.Answers {
		switch a.Model {
		case "delta", "zeta":
			if sent := w.sent(t, turn, a); !strings.Contains(sent, a.Model+" says: My name is Ana") ||
				strings.Count(sent, "## You") != 2 {
				t.Errorf("%s was sent %q", a.Model, sent)
			}
		case "phi-2": // it has no answer: the first answer replaces it
			if sent := w.sent(t, turn, a); sent != want {
				t.Errorf("%s was sent %q", a.Model, sent)
			}
		default:
			if a.SentPrompt != "" || !a.SentTurns.IsZero() {
				t.Errorf("%s was sent %q", a.Model, a.SentPrompt)
			}
		}
	}
	sent := map[string]string{}
	for _, r := range w.client.requests()[3:] {
		sent[r.Model.Slug] = r.Prompt
	}
	if sent["delta"] != want || sent["phi-2"] != want || sent["sim-image"] != p.Text {
		t.Errorf("sent %q", sent)
	}
	w.again(t, turn.Answers[0].ID, false)
	all := w.client.requests()
	if got := all[len(all)-1].Prompt; got != want {
		t.Errorf("again sent %q, want exactly what was sent", got)
	}
}

// TestPicturesAreRemembered draws a picture, edits it, and asks a model that sees about both.
func TestPicturesAreRemembered(t *testing.T) {
	w := newWorld(t, withExtensions(api.Extensions{TakesMessages: true, TakesImages: true}))
	drawn := w.send(t, service.Prompt{Text: "A cat", Models: []string{"sim-image"}})
	picture := drawn.Answers[0].Picture.Path
	w.send(t, service.Prompt{Session: drawn.Session, Text: "What is it?", Models: []string{"delta"},
		Source: &history.Source{Answer: drawn.Answers[0].ID, Path: picture}})
	p := service.Prompt{Session: drawn.Session, Text: "Which color?", Models: []string{"delta"}, HasContext: true}
	if m, err := w.Memories(t.Context(), p); err != nil || m[0].Turns != 2 || m[0].Pictures != 1 {
		t.Errorf("counted %+v, %v", m, err)
	}
	turn := w.send(t, p)
	all := w.client.requests()
	last := all[len(all)-1]
	if len(last.Images) != 1 {
		t.Errorf("%d pictures went along, want the one of both turns once", len(last.Images))
	}
	name := "[picture " + filepath.Base(picture) + "]"
	want := []chat.Message{{Role: chat.RoleUser, Content: "A cat"}, {Role: chat.RoleAssistant, Content: name},
		{Role: chat.RoleUser, Content: name + "\nWhat is it?"},
		{Role: chat.RoleAssistant, Content: "delta says: What is it?"}}
	if !slices.Equal(last.Messages, want) {
		t.Errorf("sent %q, want %q", last.Messages, want)
	}
	must(t, os.Remove(picture)) // a picture that is gone is named all the same
	w.again(t, turn.Answers[0].ID, false)
	if all = w.client.requests(); len(all[len(all)-1].Images) != 0 || !slices.Equal(all[len(all)-1].Messages, want) {
		t.Errorf("again sent %+v", all[len(all)-1])
	}
}

func TestContextIsBounded(t *testing.T) {
	w := newWorld(t)
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		return api.Response{Text: strings.Repeat("y", 10<<10), Status: 200}, api.Exchange{}, nil
	}
	p := service.Prompt{SessionName: "long", Models: []string{"delta"}}
	var session int64
	for i := range 60 {
		p.Text = fmt.Sprintf("question %02d", i)
		session = w.send(t, p).Session
	}
	sent, err := w.PreviewPrompt(t.Context(), service.Prompt{Session: session, Text: "now", HasContext: true}, "delta")
	got := sent.Prompt
	switch {
	case err != nil:
		t.Fatal(err)
	case len(got) > service.MaxContext || len(got) < service.MaxContext-(12<<10):
		t.Errorf("%d bytes, want just under %d", len(got), service.MaxContext)
	case !strings.HasPrefix(got, contextHead+"[Earlier messages are left out, the conversation is too long.]\n\n") ||
		!strings.HasSuffix(got, "## Me\n\nnow"):
		t.Errorf("it begins %.150q and ends %q", got, got[len(got)-20:])
	case strings.Contains(got, "question 00") || !strings.Contains(got, "question 59"):
		t.Error("not the oldest were dropped")
	case sent.OmittedTurns != 60-strings.Count(got, "question"):
		t.Errorf("%d turns are said to be left out of\n%s", sent.OmittedTurns, got)
	}
	// The parameter is stored with the answer and its repetitions.
	turn := w.send(t, service.Prompt{Session: session, Text: "now", Models: []string{"delta"}, HasContext: true})
	var omitted []int
	for _, a := range w.again(t, turn.Answers[0].ID, false).Answers {
		omitted = append(omitted, a.OmittedTurns)
	}
	if want := sent.OmittedTurns; !slices.Equal(omitted, []int{want, want}) {
		t.Errorf("left out %v turns, want %d", omitted, want)
	}
}

func TestContextTakesTheWinner(t *testing.T) {
	w := newWorld(t)
	n := 0
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		n++
		return api.Response{Text: fmt.Sprintf("try %d", n), Status: 200}, api.Exchange{}, nil
	}
	turn := w.send(t, service.Prompt{Text: "x", Models: []string{"delta"}})
	again := w.again(t, turn.Answers[0].ID, false)
	sent := func() string {
		t.Helper()
		got, err := w.PreviewPrompt(
			t.Context(),
			service.Prompt{Session: turn.Session, Text: "now", HasContext: true},
			"delta",
		)
		must(t, err)
		return got.Prompt
	}
	if got := sent(); !strings.Contains(got, "try 1") || strings.Contains(got, "try 2") {
		t.Errorf("without a winner: %q", got)
	}
	must(t, errorOf(w.Judge(t.Context(), again.Answers[1].ID, history.Unrated, true, "")))
	if got := sent(); !strings.Contains(got, "try 2") || strings.Contains(got, "try 1") {
		t.Errorf("with a winner: %q", got)
	}
}
