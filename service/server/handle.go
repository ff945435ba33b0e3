package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"confab/internal/metrics"
	"confab/service/api"
	"confab/service/engine"
)

// The headers that tell where an answer comes from, for those who want to know.
const (
	EngineHeader = api.HeaderEngine
	ModelHeader  = api.HeaderModel
	NoteHeader   = api.HeaderNote
)

// setEngineHeaders writes who made an answer into its header, as printable ASCII.
func setEngineHeaders(h http.Header, f engine.Facts) {
	for _, one := range [...][2]string{{EngineHeader, f.Engine}, {ModelHeader, f.Model}, {NoteHeader, f.Note}} {
		value := strings.Map(func(r rune) rune {
			if r < ' ' || r > '~' {
				return '?'
			}
			return r
		}, one[1])
		if value != "" {
			h.Set(one[0], value[:min(len(value), 400)])
		}
	}
}

// CachedHeader says "true" on a picture that was made before; clients that know nothing of this program find the same
// in [api.HeaderCache].
const CachedHeader = "X-Confab-Cached"

// route answers one request and returns what it understood of it.
func (s *Server) route(w http.ResponseWriter, r *http.Request, c *call) error {
	if s.ownerOnly && (!metrics.NamesThisMachine(r.Host) || viaProxy(r)) {
		return &refusal{status: 421, code: string(api.CodeBadRequest),
			message: "Without keys this service answers to localhost and loopback addresses only, not to other " +
				"names, and not through a proxy."}
	}
	if name, ok := strings.CutPrefix(r.URL.Path, picturesPath); ok {
		if s.files == nil {
			return notFound()
		}
		return s.files.serve(w, r, name, s.limits.Write)
	}
	if ok, err := s.serveOperations(w, r); ok {
		return err
	}
	rest, ok := strings.CutPrefix(r.URL.Path, "/api/")
	family, slug, cut := strings.Cut(rest, "/")
	if !ok || !cut || family != "llm" && family != "generative" {
		return notFound()
	}
	var err error
	*c, err = s.parseRequest(w, r, family, slug)
	if err != nil {
		return err
	}
	switch c.model.Kind {
	case api.Text:
		return s.text(w, r, c)
	case api.Image:
		return s.image(w, r, c)
	default:
		return s.edit(w, r, c)
	}
}

func notFound() error {
	return &refusal{status: 404, code: string(api.CodeBadRequest), message: "There is nothing at this path."}
}

func (s *Server) text(w http.ResponseWriter, r *http.Request, c *call) error {
	system, err := c.text("systemprompt")
	if err != nil {
		return err
	}
	if !c.model.TakesSystem {
		system = ""
	}
	release, err := s.texts.acquire(r.Context())
	if err != nil {
		return err
	}
	defer release()
	t, err := s.engine.Text(r.Context(), engine.TextRequest{Model: c.model.Slug, Prompt: c.prompt, System: system})
	if err != nil {
		return fmt.Errorf("answer with text: %w", err)
	}
	type data struct {
		Text  string `json:"text"`
		Model string `json:"model"`
	}
	out := bytes.NewBuffer(make([]byte, 0, len(t.Text)+len(t.Text)/16+128))
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(struct {
		Status int  `json:"status"`
		Data   data `json:"data"`
	}{200, data{t.Text, c.model.Slug}}); err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	c.facts = t.Facts
	s.answer(w, "application/json", out.Bytes(), t.Facts)
	return nil
}

func (s *Server) image(w http.ResponseWriter, r *http.Request, c *call) error {
	aspect, err := c.text("aspect_ratio")
	if err != nil {
		return err
	}
	nonce, err := c.text("nonce")
	if err != nil {
		return err
	}
	if aspect = strings.TrimSpace(aspect); aspect == "" {
		aspect = c.model.DefaultAspect
	}
	if aspect == "" {
		aspect = "1:1"
	}
	if _, _, err := engine.ParseAspect(aspect); err != nil {
		return fmt.Errorf("judge aspect ratio: %w", err)
	}
	ask := engine.ImageRequest{Model: c.model.Slug, Prompt: c.prompt, Aspect: aspect, Nonce: nonce}
	p, reused, err := s.cache.get(r.Context(), keyOf(ask, s.identity(ask.Model, engine.KindImage), c.key),
		func(ctx context.Context) (engine.Picture, error) {
			release, err := s.work.acquire(ctx)
			if err != nil {
				return engine.Picture{}, err
			}
			defer release()
			return s.engine.Image(ctx, ask)
		})
	if err != nil {
		return fmt.Errorf("answer with a picture: %w", err)
	}
	if reused {
		w.Header().Set(CachedHeader, "true")
		w.Header().Set(api.HeaderCache, "HIT")
	}
	c.facts = p.Facts
	s.answer(w, p.ContentType, p.Bytes, p.Facts)
	return nil
}

func (s *Server) edit(w http.ResponseWriter, r *http.Request, c *call) error {
	source, err := c.required("imageUrl")
	if err != nil {
		return err
	}
	release, err := s.work.acquire(r.Context())
	if err != nil {
		return err
	}
	defer release()
	memory := &reservation{memory: s.fetch.memory}
	defer memory.release()
	b, err := s.source(r, source, memory)
	if err != nil {
		return err
	}
	p, err := s.engine.Edit(r.Context(), engine.EditRequest{Model: c.model.Slug, Prompt: c.prompt, Source: b})
	if err != nil {
		return fmt.Errorf("edit a picture: %w", err)
	}
	c.facts = p.Facts
	s.answer(w, p.ContentType, p.Bytes, p.Facts)
	return nil
}

// answer sends a success and does not wait for ever for the client to take it.
func (s *Server) answer(w http.ResponseWriter, contentType string, body []byte, f engine.Facts) {
	setEngineHeaders(w.Header(), f)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.limits.Write))
	send(w, http.StatusOK, contentType, body)
}

// identity tells the pictures of different engines apart, where the engine has several.
func (s *Server) identity(model string, k engine.Kind) string {
	if e, ok := s.engine.(interface {
		Identity(slug string, k engine.Kind) string
	}); ok {
		return e.Identity(model, k)
	}
	return ""
}
