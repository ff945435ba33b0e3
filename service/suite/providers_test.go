package suite_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"confab/service/api"
	"confab/service/suite"
)

func modelsFor(t *testing.T, providers string, models map[string]string) ([]string, error) {
	t.Helper()
	all, err := api.Catalogue{}.With(api.Model{Slug: "delta", Kind: api.Text},
		api.Model{Slug: "gpt-4o", Kind: api.Text},
		api.Model{Slug: "llama3.2:3b", Kind: api.Text}, api.Model{Slug: "phi:latest", Kind: api.Text},
		api.Model{Slug: "echo", Kind: api.Text}, api.Model{Slug: "allam", Kind: api.Text},
		api.Model{Slug: "dall-e", Kind: api.Image})
	if err != nil {
		t.Fatal(err)
	}
	s := must(t, "prompts: [a]\nproviders: "+providers+"\n")
	s.Models = models
	cells, err := suite.Calls(s, all)
	var slugs []string
	for _, c := range cells {
		slugs = append(slugs, c.Provider+"="+c.Model.Slug)
	}
	return slugs, err
}

func TestProvidersOfPromptfoo(t *testing.T) {
	got, err := modelsFor(t, `
  - openai:gpt-4o
  - {id: openai:chat:gpt-4o, label: four}
  - openai:responses:gpt-4o: {label: nested}
  - openrouter:openai/gpt-4o
  - ollama:chat:llama3.2:3b
  - ollama:phi
  - echo
  - groq:allam
  - openai:image:dall-e
  - anthropic:messages:claude
  - 'exec:./answer.sh'
`, map[string]string{"anthropic:messages:claude": "delta", "exec:./answer.sh": "llm:delta"})
	want := []string{"openai:gpt-4o=gpt-4o", "four=gpt-4o", "nested=gpt-4o", "openrouter:openai/gpt-4o=gpt-4o",
		"ollama:chat:llama3.2:3b=llama3.2:3b", "ollama:phi=phi:latest", "echo=echo", "groq:allam=allam",
		"openai:image:dall-e=dall-e", "anthropic:messages:claude=delta",
		"exec:./answer.sh=delta"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

// TestUnknownProvidersAreOneError checks that all providers without a model are named at once, with the lines that
// name models for them.
func TestUnknownProvidersAreOneError(t *testing.T) {
	_, err := modelsFor(t, "[openai:gpt-9, 'all', 'file://p.py', echo, '*', all]",
		map[string]string{"openai:gpt-9": "gone"})
	var unknown *suite.UnknownProvidersError
	if api.CodeOf(err) != api.CodeUnknownModel || !errors.As(err, &unknown) {
		t.Fatalf("got %v", err)
	}
	want := "[suite.providers]\n\"openai:gpt-9\" = \"delta\"\n\"all\" = \"delta\"\n\"file://p.py\" = \"delta\"\n" +
		"\"*\" = \"delta\""
	if got := strings.Join(unknown.Lines(), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), `"file://p.py" = "delta"`) {
		t.Errorf("the error is %q", err)
	}
}
