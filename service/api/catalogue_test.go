package api_test

import (
	"slices"
	"strings"
	"testing"

	"confab/service/api"
)

func TestDefaultIsTheContractsCatalogue(t *testing.T) {
	models := api.Default().Models()
	kinds := map[api.ModelKind]int{}
	for _, m := range models {
		kinds[m.Kind]++
		if m.Slug == "" || m.About == "" || m.IsCustom {
			t.Errorf("incomplete: %+v", m)
		}
		if want := m.Kind == api.Text && m.Slug != "paraphrase"; m.TakesSystem != want {
			t.Errorf("%s takes a system prompt: %v, want %v", m.Slug, m.TakesSystem, want)
		}
	}
	if len(models) != 19 || kinds[api.Text] != 15 || kinds[api.Image] != 2 || kinds[api.Edit] != 2 {
		t.Errorf("got %d models, %v", len(models), kinds)
	}
	slow, _ := api.Default().Find("beta-3-235b-a22b-instruct-2507")
	if !slow.IsSlow || slow.Stage != "beta" || slow.Params != "235B" {
		t.Errorf("got %+v", slow)
	}
	if m, _ := api.Default().Find("sim-image"); m.DefaultAspect != "1:1" {
		t.Errorf("got default aspect %q", m.DefaultAspect)
	}
	if m, _ := api.Default().Find("diffusion-xl"); m.DefaultAspect != "" {
		t.Errorf("got default aspect %q, want none", m.DefaultAspect)
	}
	if _, ok := api.Default().Find("Delta"); ok {
		t.Error("found a slug in another case")
	}
	models[0].Slug = "changed"
	if api.Default().Models()[0].Slug == "changed" {
		t.Error("the catalogue can be changed from outside")
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		name     string
		patterns []string
		want     string
		code     api.Code
		says     string
	}{
		{"nothing", nil, "", "", ""},
		{"slug", []string{"delta"}, "delta", "", ""},
		{"glob", []string{"alpha*"}, "alpha3.1-8b alpha-3.3-70b-versatile alpha-4-scout-17b-16e-instruct", "", ""},
		{"glob with one character", []string{"phi-?"}, "phi-2", "", ""},
		{"order of patterns, each once", []string{"zeta", "*eta", "zeta"}, "zeta", "", ""},
		{"all of a kind", []string{"all-image"}, "diffusion-xl sim-image", "", ""},
		{"all edits", []string{"all-edit"}, "imageedit imageedit-lite", "", ""},
		{"spaces around", []string{" delta "}, "delta", "", ""},
		{"a slug that begins with all", []string{"allam-2-7b"}, "allam-2-7b", "", ""},
		{"near by letters", []string{"dleta"}, "", api.CodeUnknownModel,
			"No model is called “dleta”: did you mean delta"},
		{"of another kind", []string{"nomic-embed-text"}, "", api.CodeUnknownModel,
			"a model for embeddings answers no prompts"},
		{"near by case", []string{"PHI-2"}, "", api.CodeUnknownModel, "did you mean phi-2"},
		{"near by part", []string{"gamma"}, "", api.CodeUnknownModel, "gamma-4.7, gamma-4-7b-flash"},
		{"nothing near", []string{"qqqqqqqqqqqq"}, "", api.CodeUnknownModel, "list them with confab models."},
		{"glob of nothing", []string{"nix*"}, "", api.CodeUnknownModel, "No model matches “nix*”"},
		{"unknown kind", []string{"all-sound"}, "", api.CodeUnknownModel, "“all-sound”"},
		{"empty", []string{""}, "", api.CodeUnknownModel, "“”"},
		{"broken glob", []string{"alpha["}, "", api.CodeUsage, "brackets"},
		{"escapes", []string{"\x1b]0;x\adelta"}, "", api.CodeUnknownModel, "“delta”"},
		{"one bad among good", []string{"delta", "nope!"}, "", api.CodeUnknownModel, "“nope!”"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			models, err := api.Default().Match(tt.patterns...)
			var slugs []string
			for _, m := range models {
				slugs = append(slugs, m.Slug)
			}
			if got := strings.Join(slugs, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if api.CodeOf(err) != tt.code || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %s %q", err, tt.code, tt.says)
			}
			if err != nil {
				judgeSentence(t, err.(*api.Error).Message)
			}
		})
	}
	if all, err := api.Default().Match("all"); err != nil || len(all) != 19 {
		t.Errorf("all: got %d, %v", len(all), err)
	}
	if texts, err := api.Default().Match("all-text"); err != nil || len(texts) != 15 {
		t.Errorf("all-text: got %d, %v", len(texts), err)
	}
}

func TestOwnModels(t *testing.T) {
	own, err := api.Default().With(
		api.Model{Slug: "mine", Kind: api.Text, TakesSystem: true},
		api.Model{Slug: "draw:v1", Kind: api.Image, TakesSystem: true},
		api.Model{Slug: "delta", Kind: api.Text, IsSlow: true},
		api.Model{Slug: "zeta", Kind: api.Edit},
	)
	if err != nil {
		t.Fatalf("with: %v", err)
	}
	var slugs []string
	for _, m := range own.Models() {
		slugs = append(slugs, m.Slug)
	}
	if at := slices.Index(slugs, "mine"); at != 14 || slugs[at-1] != "paraphrase" {
		t.Errorf("mine stands at %d in %v", at, slugs)
	}
	if slugs[len(slugs)-1] != "zeta" || slices.Index(slugs, "draw:v1") != slices.Index(slugs, "sim-image")+1 ||
		len(slugs) != 21 {
		t.Errorf("got %v", slugs)
	}
	if m, _ := own.Find("delta"); !m.IsSlow || !m.IsCustom {
		t.Errorf("got %+v, want the user's", m)
	}
	if m, _ := own.Find("draw:v1"); m.TakesSystem {
		t.Error("a picture model takes a system prompt")
	}
	if m, _ := api.Default().Find("delta"); m.IsSlow {
		t.Error("the default catalogue was changed")
	}
	for _, bad := range []api.Model{
		{Slug: "", Kind: api.Text}, {Slug: "..", Kind: api.Text}, {Slug: "/a", Kind: api.Text}, {Slug: "a b",
			Kind: api.Text}, {Slug: "a\x1b[2J", Kind: api.Text},
		{Slug: strings.Repeat("x", 101), Kind: api.Text}, {Slug: "x", Kind: "sound"}, {Slug: "x"},
	} {
		if _, err := api.Default().With(bad); api.CodeOf(err) != api.CodeConfig {
			t.Errorf("%+v: got %v, want a config error", bad, err)
		} else {
			judgeSentence(t, err.(*api.Error).Message)
		}
	}
	if _, err := api.Default().With(api.Model{Slug: "x", Kind: api.Text},
		api.Model{Slug: "x", Kind: api.Text}); api.CodeOf(err) != api.CodeConfig {
		t.Errorf("twice: got %v", err)
	}
}
