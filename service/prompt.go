package service

import (
	"cmp"
	"context"
	"crypto/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"confab/history"
	"confab/internal/format"
	"confab/service/api"
	"confab/service/problem"
	"confab/service/suite"
)

// MaxSamples is the maximum number of answers per model in one turn.
const MaxSamples = 100

// Prompt is a request of a person for answers.
type Prompt struct {
	Session     int64  // 0 means SessionName's, or a new one
	Beside      int64  // the turn that this one becomes a branch beside; 0: it follows the last turn
	SessionName string // with Session 0: the session of that name, added if missing
	Text        string
	Title       string // names a new session; empty: Text does
	System      string
	Models      []string // distinct slugs in display order
	Aspect      string   // "<w>:<h>"; empty means the model's default
	Nonce       history.Nonce
	Source      *history.Source // for edit models, and for text models that take pictures
	Samples     int             // answers per model; 0 means 1
	HasContext  bool            // send the session's earlier turns, see [Service.PreviewPrompt]
	Params      history.Params  // for text models
	Files       []history.File  // that go with the text, see [Service.ReadFiles]

	// Chat is the prompt as messages if Text contains these, as in prompts of suites.
	Chat *suite.Chat

	// The source of Text and System as set by [Combine], stored with the turn. Empty without variables.
	Vars           map[string]string // values by name
	Template       string
	SystemTemplate string
}

var aspectForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[1-9][0-9]{0,4}:[1-9][0-9]{0,4}$`)
})

// simulatedAspect is the greatest ratio of sides that the offline engine draws.
const simulatedAspect = 4

// isTooNarrow reports whether a valid ratio is outside of what the offline engine draws.
func isTooNarrow(aspect string) bool {
	wide, high, _ := strings.Cut(aspect, ":")
	w, errW := strconv.Atoi(wide)
	h, errH := strconv.Atoi(high)
	return errW == nil && errH == nil && (w > h*simulatedAspect || h > w*simulatedAspect)
}

// check returns the normalised prompt and its models, or an error. It masks the key in typed text, so that neither
// the store nor a model receives it.
func (s *Service) check(p Prompt) (Prompt, []api.Model, error) {
	p.Text, p.System, p.Title = s.o.Mask.String(p.Text), s.o.Mask.String(p.System), s.o.Mask.String(p.Title)
	p.Template, p.SystemTemplate = s.o.Mask.String(p.Template), s.o.Mask.String(p.SystemTemplate)
	p.Vars = s.o.Mask.StringMap(p.Vars)
	if strings.TrimSpace(p.Text) == "" {
		return p, nil, problem.Usage("the prompt is empty; write what the models should answer")
	}
	if len(p.Models) == 0 {
		return p, nil, problem.Usage("no model is chosen; mark at least one")
	}
	if p.Samples == 0 {
		p.Samples = 1
	}
	if most := cmp.Or(s.o.Limits.MaxSamples, MaxSamples); p.Samples < 0 || p.Samples > most {
		return p, nil, problem.Usage("%s asked for; ask for 1 to %d",
			format.Several(p.Samples, "sample was", "samples were"), most)
	}
	if p.Aspect = strings.TrimSpace(p.Aspect); p.Aspect != "" && !aspectForm().MatchString(p.Aspect) {
		return p, nil, problem.Usage("the aspect ratio must be two whole numbers such as 16:9")
	}
	switch p.Nonce.Mode {
	case "", history.NonceNone, history.NonceFresh:
		p.Nonce.Value = ""
	case history.NonceFixed:
		p.Nonce.Value = s.o.Mask.String(p.Nonce.Value)
		if p.Nonce.Value == "" {
			return p, nil, problem.Usage("a fixed nonce needs a value; give one or choose none or fresh")
		}
	default:
		return p, nil, problem.Usage("the nonce must be none, fixed or fresh")
	}

	var models []api.Model
	edits, draws := false, false
	for _, slug := range p.Models {
		if slices.ContainsFunc(models, func(m api.Model) bool { return m.Slug == slug }) {
			continue
		}
		m, err := s.model(slug)
		if err != nil {
			return p, nil, err
		}
		edits, draws = edits || m.Kind == api.Edit, draws || m.Kind == api.Image
		models = append(models, m)
	}
	// Other services check the ratio themselves.
	if draws && s.o.Backend.Endpoint().IsSimulated && isTooNarrow(p.Aspect) {
		return p, nil, problem.Usage("the simulated service draws pictures from 1:%d to %d:1, and %s was asked for; "+
			"choose "+
			"another aspect ratio", simulatedAspect, simulatedAspect, p.Aspect)
	}
	if p.Source != nil && *p.Source == (history.Source{}) {
		p.Source = nil
	}
	var err error
	if p.Files, err = s.checkFiles(p.Files); err != nil {
		return p, nil, err
	}
	if p.Source = s.SourceOf(p); edits && p.Source == nil {
		return p, nil, noSource(p.Files)
	}
	if p.Params, err = checkParams(p.Params, s.o.Mask); err != nil {
		return p, nil, err
	}
	return p, models, nil
}

// noSource returns the error of a prompt with these files for edit models that have no picture to start from.
func noSource(files []history.File) error {
	if n := len(picturesOf(files)); n > 1 {
		return problem.Usage("the edit models take one picture, and %d go with the prompt", n)
	}
	return problem.Usage("the edit models need a source picture; choose one of this session, a file or a URL")
}

func (s *Service) model(slug string) (api.Model, error) { return s.o.Backend.Catalogue().Get(slug) }

// answersOf returns the answers to request in display order, each with its sent prompt.
func (s *Service) answersOf(ctx context.Context, p Prompt, models []api.Model) ([]history.Answer, error) {
	var answers []history.Answer
	for _, m := range models {
		sent, _, err := s.conversation(ctx, p, m)
		if err != nil {
			return nil, err
		}
		var ignored []string
		if m.Kind == api.Text {
			ignored = ignoredParams(p.Params, s.Extensions(ctx, m).TakesParams)
		}
		for sample := 1; sample <= p.Samples; sample++ {
			a := history.Answer{
				Model: m.Slug, Kind: history.ModelKind(m.Kind), Sample: sample,
				State: history.Queued, Version: 1, Queued: s.o.Now(),
				SentTurns: sent.SentTurns, SentMessages: sent.SentMessages, SentPrompt: sent.SentPrompt,
				OmittedTurns: sent.OmittedTurns, Ignored: ignored,
			}
			if m.Kind == api.Image {
				a.SentNonce = sentNonce(p.Nonce)
			}
			answers = append(answers, a)
		}
	}
	return answers, nil
}

// sentNonce returns the nonce to send: a new random one if it must be fresh.
func sentNonce(n history.Nonce) string {
	switch n.Mode {
	case history.NonceFixed:
		return n.Value
	case history.NonceFresh:
		return strings.ToLower(rand.Text()[:10])
	}
	return ""
}

// request returns the request of an answer. It includes a system prompt only for models that take one, and only
// extensions that the service offers for the model.
func request(t history.Turn, a history.Answer, sent SentPrompt, m api.Model, offered api.Extensions) api.Request {
	r := api.Request{Model: m, Prompt: sent.Prompt}
	switch m.Kind {
	case api.Text:
		if m.TakesSystem {
			r.System = t.System
		}
		r.IsStreamed, r.Messages = offered.Streams, sent.Messages
		if offered.TakesParams {
			r.Params = t.Params
		}
	case api.Image:
		r.Aspect, r.Nonce = t.Aspect, a.SentNonce
	case api.Edit:
		r.ImageURL = a.SourceURL
	}
	return r
}

// PromptOf returns the prompt that repeats a turn in the same session.
func PromptOf(t history.Turn) Prompt {
	return Prompt{Session: t.Session, Text: t.Prompt, System: t.System, Models: t.Models(), Aspect: t.Aspect,
		Nonce: t.Nonce, Source: t.Source, Samples: t.Samples, HasContext: t.HasContext, Params: t.Params,
		Vars: t.Vars, Template: t.Template, SystemTemplate: t.SystemTemplate, Files: t.Files}
}

// turnOf returns the turn of a prompt.
func turnOf(p Prompt, session int64, source *history.Source, answers []history.Answer) history.Turn {
	nonce := p.Nonce
	if nonce.Mode == "" {
		nonce.Mode = history.NonceNone
	}
	var siblings []int64
	if p.Beside != 0 {
		siblings = []int64{p.Beside}
	}
	return history.Turn{
		Session: session, Siblings: siblings, Prompt: p.Text, Title: p.Title, System: p.System, Aspect: p.Aspect,
		Nonce:  nonce,
		Source: source, Samples: p.Samples, HasContext: p.HasContext, Params: p.Params,
		Vars: p.Vars, Template: p.Template, SystemTemplate: p.SystemTemplate, Files: p.Files, Answers: answers,
	}
}
