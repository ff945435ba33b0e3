package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"confab/service/engine"
)

// listedModel is a model of a list. Its kind is empty where it neither writes texts nor makes pictures.
type listedModel struct {
	engine.Model
	owner   string // who made it, by which servers can be told apart
	created string // when, which changes when a name gets another model
}

// The names of models that are for something else than texts. Most servers tell no kind.
var (
	picturePattern = regexp.MustCompile(`(?i)dall-e|gpt-image|stable-?diffusion|sdxl|\bsd-?[123x]|flux|qwen-image|` +
		`imagen-|midjourney|kandinsky|pixart|playground-v|hidream`)
	otherPattern = regexp.MustCompile(`(?i)embed|\bbge-|\be5-|\bgte-|minilm|rerank|colbert|whisper|transcribe|` +
		`\btts\b|tts-|-tts|text-to-speech|speech|kokoro|piper|bark\b|moderation|clip-vit|\bvad\b|sora-|davinci-002|` +
		`babbage-002|realtime`)
)

// kindOf guesses the kind of a model from its name.
func kindOf(name string) engine.ModelKind {
	switch {
	case otherPattern.MatchString(name):
		return ""
	case picturePattern.MatchString(name):
		return engine.KindImage
	}
	return engine.KindText
}

// describe returns what an entry of a list says, in the words of llama.cpp, vLLM, LM Studio, OpenRouter and gateways.
func describe(o object) listedModel {
	id := o.text("id")
	m := listedModel{owner: o.text("owned_by"), created: string(o["created"])}
	m.Name, m.Kind = id, kindOf(id)
	meta, top := objectOf(o["meta"]), objectOf(o["top_provider"])
	m.ContextTokens = cmp.Or(top.count("context_length"), o.count("max_model_len", "loaded_context_length",
		"context_length", "context_window", "max_context_length"), meta.count("n_ctx"))
	price := objectOf(o["pricing"])
	m.InputPrice, m.OutputPrice = perMillion(price["prompt"]), perMillion(price["completion"])
	m.addKind(cmp.Or(o.text("type"), o.text("task")))
	m.addCapabilities(listOf(o["capabilities"]))
	about := objectOf(o["architecture"])
	if out := listOf(about["output_modalities"]); len(out) > 0 && !slices.ContainsFunc(out, isWord("text")) {
		m.Kind = ""
		if slices.ContainsFunc(out, isWord("image")) {
			m.Kind = engine.KindImage
		}
	}
	m.HasVision = m.HasVision || slices.ContainsFunc(listOf(about["input_modalities"]), isWord("image"))
	return m
}

// addKind adds a kind in the words of LM Studio and gateways.
func (m *listedModel) addKind(word string) {
	switch strings.ToLower(word) {
	case "vlm":
		m.Kind, m.HasVision = engine.KindText, true
	case "llm", "chat", "text-generation":
		m.Kind = engine.KindText
	case "embeddings", "embedding", "rerank", "audio", "tts", "transcription", "moderation":
		m.Kind = ""
	case "image", "image-generation", "text-to-image":
		m.Kind = engine.KindImage
	}
}

// addCapabilities adds a list of capabilities in the words of Ollama and llama.cpp.
func (m *listedModel) addCapabilities(list []json.RawMessage) {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.ContainsFunc(list, isWord(w)) })
	}
	switch {
	case has("completion", "chat"):
		m.Kind = engine.KindText
	case has("image", "image_generation"):
		m.Kind = engine.KindImage
	case has("embedding", "embeddings", "audio_speech", "audio_transcription", "rerank"):
		m.Kind = ""
	}
	m.HasVision = m.HasVision || has("vision", "multimodal")
}

func isWord(word string) func(json.RawMessage) bool {
	return func(raw json.RawMessage) bool { return string(raw) == `"`+word+`"` }
}

// perMillion converts the price of a token to that of a million; 0 if there is none.
func perMillion(raw json.RawMessage) float64 {
	n, ok := numberOf(raw)
	if !ok || n <= 0 || n > 1 {
		return 0
	}
	return math.Round(n*1e12) / 1e6
}

// modelDetails keeps what a server says of models in further answers.
type modelDetails struct {
	mu    sync.Mutex
	shown map[string]object // of Ollama, by name and time of creation
}

// maxShown and parallelShown bound the requests to Ollama for the details of models.
const (
	maxShown      = 200
	parallelShown = 4
)

// withDetails adds what a server tells of its models elsewhere than in the list of OpenAI's API.
func (c *client) withDetails(ctx context.Context, models []listedModel) []listedModel {
	root, hasVersion := strings.CutSuffix(c.baseURL, "/v1/")
	isOf := func(owner string) bool {
		return slices.ContainsFunc(models, func(m listedModel) bool { return m.owner == owner })
	}
	switch {
	case !hasVersion:
	case slices.ContainsFunc(models, listedModel.isOfOllama):
		c.addShown(ctx, root, models)
	case isOf("llamacpp"):
		props := c.object(ctx, http.MethodGet, root+"/props", nil)
		for i := range models {
			if len(models) == 1 { // else it is a router, whose properties are of none
				settings := objectOf(props["default_generation_settings"])
				models[i].ContextTokens = cmp.Or(settings.count("n_ctx"), models[i].ContextTokens)
			}
			models[i].HasVision = models[i].HasVision || string(objectOf(props["modalities"])["vision"]) == "true"
		}
	case isOf("organization_owner"):
		all := c.object(ctx, http.MethodGet, root+"/api/v0/models", nil)
		for _, one := range listOf(all["data"]) {
			said := describe(objectOf(one))
			if i := slices.IndexFunc(models, func(m listedModel) bool { return m.Name == said.Name }); i >= 0 {
				models[i].Model = said.Model
				models[i].ContextTokens = objectOf(one).count("loaded_context_length") // others may get less
			}
		}
	}
	return models
}

// isOfOllama reports whether a model has a tag and belongs to the namespace in its name: llama3:8b to library, and
// hf.co/me/llama3:Q4 to me.
func (m listedModel) isOfOllama() bool {
	parts := strings.Split(m.Name, "/")
	namespace := "library"
	if n := len(parts); n > 1 {
		namespace = parts[n-2]
	}
	return strings.Contains(parts[len(parts)-1], ":") && m.owner == namespace
}

// addShown adds what Ollama tells of each model, and the context of those that are loaded. It does not tell the context
// of others, which depends on the memory of the machine.
func (c *client) addShown(ctx context.Context, root string, models []listedModel) {
	loaded := map[string]int{}
	for _, one := range listOf(c.object(ctx, http.MethodGet, root+"/api/ps", nil)["models"]) {
		loaded[objectOf(one).text("name")] = objectOf(one).count("context_length")
	}
	var all errgroup.Group
	all.SetLimit(parallelShown)
	for i := range models[:min(len(models), maxShown)] {
		all.Go(func() error {
			m := &models[i]
			shown := c.show(ctx, root, m.Name+" "+m.created, m.Name)
			m.addCapabilities(listOf(shown["capabilities"]))
			m.Size = engine.CleanLine(objectOf(shown["details"]).text("parameter_size"))
			m.ContextTokens = cmp.Or(loaded[m.Name], parameter(shown.text("parameters"), "num_ctx"))
			return nil
		})
	}
	_ = all.Wait() // none of them fails
}

// show returns what Ollama tells of a model, from memory if it told before.
func (c *client) show(ctx context.Context, root, key, name string) object {
	d := &c.details
	d.mu.Lock()
	shown, ok := d.shown[key]
	d.mu.Unlock()
	if ok {
		return shown
	}
	body, err := json.Marshal(map[string]string{"model": name})
	if err != nil {
		return nil
	}
	all := c.object(ctx, http.MethodPost, root+"/api/show", body)
	if all == nil {
		return nil
	}
	shown = object{}
	for _, field := range []string{"capabilities", "details", "parameters"} { // the others may be large
		shown[field] = all[field]
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shown == nil {
		d.shown = map[string]object{}
	}
	d.shown[key] = shown
	return shown
}

// parameter reads a whole number from the lines of a Modelfile's parameters; 0 if it is not there.
func parameter(lines, name string) int {
	for line := range strings.Lines(lines) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == name {
			n, _ := strconv.ParseInt(words[1], 10, 32) // 0 for what is no number
			return max(int(n), 0)
		}
	}
	return 0
}

// object sends a request and returns the object of the response, nil for any other.
func (c *client) object(ctx context.Context, method, url string, body []byte) object {
	key, err := c.options.Key(ctx)
	if err != nil {
		return nil
	}
	req, err := newRequest(ctx, method, url, key, body)
	if err != nil {
		return nil
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return nil
	}
	defer func() { _ = res.Body.Close() }() // it is read below
	b, err := io.ReadAll(io.LimitReader(res.Body, maxListBytes))
	if err != nil || res.StatusCode != http.StatusOK {
		return nil
	}
	return objectOf(bytes.TrimSpace(b))
}
