package offline_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/chat"
	"confab/service/engine"
	"confab/service/engine/offline"
)

func TestAnAnswerIsWrittenWordByWordInTheTimeOfItsModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := offline.New(offline.Options{Speed: 1})
		r := engine.TextRequest{Model: "oss-120b", Prompt: "What is DNS?"}
		began := time.Now()
		whole, err := e.Text(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		takes := time.Since(began)
		var at []time.Duration
		var joined engine.Part
		began = time.Now()
		r.Emit = func(p engine.Part) {
			if p.Reasoning != "" && joined.Text != "" {
				t.Error("reasoning comes after the text")
			}
			at = append(at, time.Since(began))
			joined.Text += p.Text
			joined.Reasoning += p.Reasoning
		}
		got, err := e.Text(t.Context(), r)
		if err != nil || !reflect.DeepEqual(got, whole) ||
			joined.Text != whole.Text || joined.Reasoning != whole.Reasoning {
			t.Fatalf("got %+v, %v, want %+v", got, err, whole)
		}
		if n := len(at); n != got.Usage.OutputTokens || at[0] != takes/10 || at[n-1] != takes ||
			time.Since(began) != takes || at[n/2] < takes/2 || at[n/2] > takes*6/10 {
			t.Errorf("%d parts from %v to %v, want %v", n, at[0], at[n-1], takes)
		}
		if u := got.Usage; u.InputTokens != 3 || u.ReasoningTokens != len(strings.Fields(got.Reasoning)) ||
			u.OutputTokens != len(strings.Fields(got.Text))+u.ReasoningTokens || got.Finish != chat.FinishStop {
			t.Errorf("usage %+v, finish %q", u, got.Finish)
		}
	})
}

func TestParametersOfTexts(t *testing.T) {
	ask := func(model string, p engine.Params) engine.Text {
		t.Helper()
		got, err := newInstantEngine().Text(t.Context(), engine.TextRequest{Model: model,
			Prompt: "Give me 5 names for a shop",
			Params: p})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	whole := ask("oss-20b", nil)
	for _, n := range []any{4, int64(4), 4.0} {
		got := ask("oss-20b", engine.Params{"max_tokens": n})
		if len(strings.Fields(got.Text)) != 4 || !strings.HasPrefix(whole.Text, got.Text) ||
			got.Finish != chat.FinishLength || got.Usage.OutputTokens != 4 || got.Note != "" {
			t.Errorf("at most 4 tokens: %+v", got)
		}
	}
	if got := ask("oss-120b", engine.Params{"max_tokens": 4}); len(strings.Fields(got.Text)) != 4 {
		t.Errorf("a model that reasons, at most 4 tokens: %+v", got)
	}
	word := strings.Fields(whole.Text)[3]
	for _, stop := range []any{word, []any{"no such words", word}} {
		if got := ask("oss-20b", engine.Params{"stop": stop}); strings.Contains(got.Text, word) || got.Text == "" ||
			got.Finish != chat.FinishStop {
			t.Errorf("stopped at %q: %+v", word, got)
		}
	}
	if a, b := ask("oss-20b", engine.Params{"seed": 1}), ask("oss-20b", engine.Params{"seed": 2.0}); a.Text == b.Text ||
		a.Text != ask("oss-20b", engine.Params{"seed": int64(1)}).Text {
		t.Error("the seed has no effect")
	}
	const note = "The offline engine takes no notice of temperature, top_p."
	got := ask("oss-20b", engine.Params{"top_p": 1, "temperature": 0.2, "seed": nil})
	if got.Note != note || got.Text != whole.Text {
		t.Errorf("the note is %q, want %q", got.Note, note)
	}
	for name, value := range map[string]any{"max_tokens": 0, "seed": 1.5, "stop": []any{1}} {
		_, err := newInstantEngine().Text(t.Context(),
			engine.TextRequest{Model: "m", Prompt: "p", Params: engine.Params{name: value}})
		var refused *engine.Error
		if !errors.As(err, &refused) || refused.Status != 400 || !strings.Contains(refused.Message, name) {
			t.Errorf("%s = %v: %v", name, value, err)
		}
	}
}

func TestEarlierMessagesAreMentioned(t *testing.T) {
	got, err := newInstantEngine().Text(t.Context(), engine.TextRequest{Model: "zeta", Prompt: "And what is DNS?",
		Messages: []chat.Message{{Role: chat.RoleUser, Content: "What is a rainbow?"},
			{Role: chat.RoleAssistant, Content: "Light in drops."}}})
	if err != nil || !strings.Contains(got.Text, "“What is a rainbow?”") || got.Usage.InputTokens != 4+4+3 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestPicturesAreDescribed(t *testing.T) {
	picture := func(left, right color.Color) []byte {
		img := image.NewRGBA(image.Rect(0, 0, 90, 60))
		draw.Draw(img, img.Rect, image.NewUniform(left), image.Point{}, draw.Src)
		draw.Draw(img, image.Rect(60, 0, 90, 60), image.NewUniform(right), image.Point{}, draw.Src)
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	blue, white := color.RGBA{20, 40, 220, 255}, color.White
	r := engine.TextRequest{Model: "delta", Prompt: "What is in this picture?", Images: [][]byte{picture(blue, white)}}
	got, err := newInstantEngine().Text(t.Context(), r)
	if err != nil || !strings.Contains(got.Text, "The picture is 90x60 pixels, mostly blue and white.") {
		t.Errorf("got %q, %v", got.Text, err)
	}
	r.Images = append(r.Images, picture(color.RGBA{90, 50, 10, 255}, color.RGBA{90, 50, 10, 255}))
	got, err = newInstantEngine().Text(t.Context(), r)
	if err != nil || !strings.Contains(got.Text, "Picture 2 is 90x60 pixels, mostly brown.") {
		t.Errorf("two pictures: %q, %v", got.Text, err)
	}
	r.Images = [][]byte{[]byte("<html>")}
	got, err = newInstantEngine().Text(t.Context(), r)
	var refused *engine.Error
	if !errors.As(err, &refused) || refused.Status != 422 || !reflect.DeepEqual(got, engine.Text{}) {
		t.Errorf("no picture: %+v, %v", got, err)
	}
}
