package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"confab/internal/chat"
	"confab/internal/netaddr"
	"confab/service/api"
	"confab/service/engine"
)

// route answers one request and writes to c what it understood of it.
func (s *Server) route(w http.ResponseWriter, r *http.Request, c *apiCall) error {
	if s.Access.IsOwnerOnly && (!netaddr.NamesThisMachine(r.Host) || isProxied(r)) {
		return refuse(http.StatusMisdirectedRequest, api.CodeBadRequest, "Without keys this service answers to "+
			"localhost and loopback addresses only, not to other names, and not through a proxy.")
	}
	path := r.URL.Path
	if isOperationsPath(path) {
		return s.serveOperations(w, r)
	}
	rest, ok := strings.CutPrefix(path, "/api/")
	family, slug, hasSlug := strings.Cut(rest, "/")
	if !ok || !hasSlug || family != "llm" && family != "generative" {
		return notFound()
	}
	if err := s.parseRequest(w, r, family, slug, c); err != nil {
		return err
	}
	switch c.model.Kind {
	case api.Text:
		return s.serveText(w, r, c)
	case api.Image:
		return s.serveImage(w, r, c)
	default:
		return s.serveEdit(w, r, c)
	}
}

func (s *Server) serveText(w http.ResponseWriter, r *http.Request, c *apiCall) error {
	system, err := c.text("systemprompt")
	if err != nil {
		return err
	}
	if !c.model.TakesSystem {
		system = ""
	}
	extra, err := c.extensionFields(s.TakesExtra)
	if err != nil {
		return err
	}
	request := engine.TextRequest{Model: c.model.Slug, Prompt: c.prompt, System: system, Messages: extra.messages,
		Params: extra.params}
	isStream := acceptsStream(r)
	if isStream && c.features.Streams {
		return s.streamText(w, r, c, request, extra.images)
	}
	t, err := s.text(r.Context(), c, request, extra.images)
	if err != nil {
		return err
	}
	var body api.TextBody
	body.Status, body.Data.Text, body.Data.Model = http.StatusOK, t.Text, c.model.Slug
	if isStream || !extra.isEmpty() {
		body.Data.Reasoning, body.Data.Finish = t.Reasoning, t.Finish
		if t.Usage != (chat.Usage{}) {
			body.Data.Usage = &t.Usage
		}
	} else { // the contract has no field for it
		t.Note = strings.TrimSpace(finishNote(t.Finish) + " " + t.Note)
	}
	if t.Picture != nil {
		body.Data.Image = "data:" + engine.PictureType(t.Picture) + ";base64," +
			base64.StdEncoding.EncodeToString(t.Picture)
	}
	out := bytes.NewBuffer(make([]byte, 0, len(t.Text)+len(t.Text)/16+128))
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	s.sendAnswer(w, c, engine.Picture{Bytes: out.Bytes(), ContentType: "application/json", Facts: t.Facts})
	return nil
}

// finishNote says why a model stopped writing, unless it came to its end.
func finishNote(f chat.FinishReason) string {
	switch {
	case f == chat.FinishLength:
		return "The answer was cut at the engine's limit of tokens."
	case f.IsFilter():
		return "The engine's filter left something out."
	case f == chat.FinishRefusal:
		return "The model refused to answer."
	case f.IsCut():
		return fmt.Sprintf("The engine stopped with %q.", f)
	}
	return ""
}

// text has the engine answer, as soon as there is a place for it.
func (s *Server) text(
	ctx context.Context, c *apiCall, request engine.TextRequest, imageURLs []string,
) (t engine.Text, err error) {
	release, err := s.texts.acquire(ctx)
	if err != nil {
		return t, err
	}
	defer release()
	memory := &reservation{memory: s.memory}
	defer memory.release()
	if request.Images, err = decodeImages(ctx, imageURLs, memory); err != nil {
		return t, err
	}
	if t, err = s.Engine.Text(ctx, request); err != nil {
		return t, fmt.Errorf("answer with text: %w", err)
	}
	c.usage = t.Usage
	return t, nil
}

func (s *Server) serveImage(w http.ResponseWriter, r *http.Request, c *apiCall) error {
	aspect, err := c.text("aspect_ratio")
	if err != nil {
		return err
	}
	nonce, err := c.text("nonce")
	if err != nil {
		return err
	}
	aspect = cmp.Or(strings.TrimSpace(aspect), c.model.DefaultAspect, "1:1")
	if _, _, err := engine.ParseAspect(aspect); err != nil {
		return fmt.Errorf("judge aspect ratio: %w", err)
	}
	request := engine.ImageRequest{Model: c.model.Slug, Prompt: c.prompt, Aspect: aspect, Nonce: nonce}
	p, isReused, err := s.cache.get(r.Context(), keyOf(request, c.key),
		func(ctx context.Context) (engine.Picture, error) {
			release, err := s.pictures.acquire(ctx)
			if err != nil {
				return engine.Picture{}, err
			}
			defer release()
			return s.Engine.Image(ctx, request)
		})
	if err != nil {
		return fmt.Errorf("answer with a picture: %w", err)
	}
	if isReused {
		w.Header().Set(api.HeaderCache, "HIT")
	}
	s.sendAnswer(w, c, p)
	return nil
}

func (s *Server) serveEdit(w http.ResponseWriter, r *http.Request, c *apiCall) error {
	address, err := c.required("imageUrl")
	if err != nil {
		return err
	}
	release, err := s.pictures.acquire(r.Context())
	if err != nil {
		return err
	}
	defer release()
	memory := &reservation{memory: s.memory}
	defer memory.release()
	source, err := s.source(r.Context(), address, memory)
	if err != nil {
		return err
	}
	p, err := s.Engine.Edit(r.Context(), engine.EditRequest{Model: c.model.Slug, Prompt: c.prompt, Source: source})
	if err != nil {
		return fmt.Errorf("edit a picture: %w", err)
	}
	s.sendAnswer(w, c, p)
	return nil
}

// sendAnswer sends a success, with headers that say as printable ASCII who made it. It does not wait for ever for the
// client to read it.
func (s *Server) sendAnswer(w http.ResponseWriter, c *apiCall, a engine.Picture) {
	c.facts = a.Facts
	for name, value := range map[string]string{
		api.HeaderEngine: a.Engine, api.HeaderModel: a.Model, api.HeaderNote: a.Note,
	} {
		value = strings.Map(func(r rune) rune {
			if r < ' ' || r > '~' {
				return '?'
			}
			return r
		}, value)
		if value != "" {
			w.Header().Set(name, value[:min(len(value), 400)])
		}
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.Limits.Write))
	send(w, http.StatusOK, a.ContentType, a.Bytes)
}
