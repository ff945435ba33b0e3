package service

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
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

// MaxSamples is how many answers may be asked of one model in one turn.
const MaxSamples = 100

// Prompt is what a person wants sent.
type Prompt struct {
	Session     int64  // 0 = SessionName's, or a new one
	SessionName string // with Session 0: the session of that name, made when there is none
	Text        string
	System      string
	Models      []string // slugs, in the order in which they are to stand; each once
	Aspect      string   // "<w>:<h>"; empty = the model's default
	Nonce       history.Nonce
	Source      *history.Source // picture for edit models, and for text models that look at pictures
	Samples     int             // answers of each model; 0 = 1
	HasContext  bool            // the session's earlier turns go along, see [Service.PreviewPrompt]
	Params      history.Params  // for text models

	// Chat is the prompt as messages where Text is written so, as prompts of suites may be.
	Chat *suite.Chat

	// What Text and System were filled in from, as [Fill] sets it: it is kept with the turn. Empty without variables.
	Vars           map[string]string // values by name
	Template       string
	SystemTemplate string

	// Of prompts that [Fill] made of one template, which are sent one right after the other: how many come after this
	// one, and whether it comes after another. The first is refused when there are not enough answers left for all.
	LaterPrompts  int
	IsLaterPrompt bool
}

// aspectForm is a ratio such as 16:9.
var aspectForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[1-9][0-9]{0,4}:[1-9][0-9]{0,4}$`)
})

// simulatedAspect is the longest side over the shortest that the offline engine draws.
const simulatedAspect = 4

// isTooNarrow tells whether a ratio, which has its form, is beyond what the offline engine draws.
func isTooNarrow(aspect string) bool {
	wide, high, _ := strings.Cut(aspect, ":")
	w, errW := strconv.Atoi(wide)
	h, errH := strconv.Atoi(high)
	return errW == nil && errH == nil && (w > h*simulatedAspect || h > w*simulatedAspect)
}

// check returns the prompt made ready and its models, or says what is wrong with it. The key is masked in what a person
// typed, so that it reaches neither the store nor a model as part of a prompt.
func (s *Service) check(p Prompt) (Prompt, []api.Model, error) {
	p.Text, p.System = s.o.Mask.String(p.Text), s.o.Mask.String(p.System)
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
	// A service elsewhere knows best what it takes.
	if draws && s.o.Backend.Endpoint.IsSimulated && isTooNarrow(p.Aspect) {
		return p, nil, problem.Usage("the simulated service draws pictures from 1:%d to %d:1, and %s was asked for; "+
			"choose "+
			"another aspect ratio", simulatedAspect, simulatedAspect, p.Aspect)
	}
	if p.Source != nil && *p.Source == (history.Source{}) {
		p.Source = nil
	}
	if edits && p.Source == nil {
		return p, nil, problem.Usage("the edit models need a source picture; choose one of this session, a file or " +
			"a URL")
	}
	if err := checkParams(p.Params); err != nil {
		return p, nil, err
	}
	return p, models, nil
}

// model returns the catalogue's entry.
func (s *Service) model(slug string) (api.Model, error) {
	m, ok := s.o.Backend.Catalogue.Find(slug)
	if !ok {
		return api.Model{},
			problem.New(api.CodeUnknownModel, nil, "there is no model %q in the catalogue; 'confab models' lists them",
				slug)
	}
	return m, nil
}

// answersOf returns the answers to ask for, in the order in which they stand, with what goes to each model.
func (s *Service) answersOf(ctx context.Context, p Prompt, models []api.Model) ([]history.Answer, error) {
	var answers []history.Answer
	for _, m := range models {
		sent, _, err := s.conversation(ctx, p, m)
		if err != nil {
			return nil, err
		}
		var ignored []string
		if m.Kind == api.Text {
			ignored = ignoredParams(p.Params, s.Extensions(ctx, m))
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

// sentNonce returns the nonce to send: a new random one when it is to be fresh.
func sentNonce(n history.Nonce) string {
	switch n.Mode {
	case history.NonceFixed:
		return n.Value
	case history.NonceFresh:
		return strings.ToLower(rand.Text()[:10])
	}
	return ""
}

// request returns what is sent for an answer. A system prompt goes only to models that take one, and what the service
// does not offer for the model stays away.
func request(t history.Turn, a history.Answer, sent SentPrompt, m api.Model, offered api.Extensions) api.Request {
	r := api.Request{Model: m, Prompt: sent.Prompt}
	switch m.Kind {
	case api.Text:
		if m.TakesSystem {
			r.System = t.System
		}
		r.IsStreamed, r.Messages = offered.Streams, sent.Messages
		if offered.TakesParams {
			r.Params = t.Params.Values()
		}
	case api.Image:
		r.Aspect, r.Nonce = t.Aspect, a.SentNonce
	case api.Edit:
		r.ImageURL = a.SourceURL
	}
	return r
}

// PromptOf returns the prompt that asks what a turn asked, in the same session.
func PromptOf(t history.Turn) Prompt {
	return Prompt{Session: t.Session, Text: t.Prompt, System: t.System, Models: t.Models(), Aspect: t.Aspect,
		Nonce: t.Nonce, Source: t.Source, Samples: t.Samples, HasContext: t.HasContext, Params: t.Params,
		Vars: t.Vars, Template: t.Template,
		SystemTemplate: t.SystemTemplate}
}

// turnOf returns the turn that a prompt makes.
func turnOf(p Prompt, session int64, source *history.Source, answers []history.Answer) history.Turn {
	nonce := p.Nonce
	if nonce.Mode == "" {
		nonce.Mode = history.NonceNone
	}
	return history.Turn{
		Session: session, Prompt: p.Text, System: p.System, Aspect: p.Aspect, Nonce: nonce,
		Source: source, Samples: p.Samples, HasContext: p.HasContext, Params: p.Params,
		Vars: p.Vars, Template: p.Template, SystemTemplate: p.SystemTemplate, Answers: answers,
	}
}

// Fill returns a prompt for every combination of the variables' values, with the values in the place of the variables
// of its text and system prompt, and {{{{ and }}}} made literal braces. Where there are variables, it keeps what it
// was filled in from. A variable without a value is an error (usage) that names it.
func Fill(p Prompt, values map[string][]string) ([]Prompt, error) {
	if !strings.Contains(p.Text+p.System, "{{") && !strings.Contains(p.Text+p.System, "}}") {
		return []Prompt{p}, nil
	}
	names := suite.Variables(p.Text, p.System)
	used := map[string][]string{}
	for _, name := range names {
		used[name] = values[name]
	}
	combinations := []map[string]string{{}}
	if len(names) > 0 {
		combinations = suite.Combinations(used, names)
	}
	var out []Prompt
	for _, with := range combinations {
		one := p
		var errs [2]error
		one.Text, errs[0] = suite.Expand(p.Text, with)
		one.System, errs[1] = suite.Expand(p.System, with)
		if len(names) > 0 {
			one.Vars, one.Template, one.SystemTemplate = with, p.Text, p.System
		}
		if err := errors.Join(errs[0], errs[1]); err != nil {
			return nil, missing(names, values)
		}
		out = append(out, one)
	}
	if len(out) == 0 {
		return nil, missing(names, values)
	}
	for i := range out {
		out[i].LaterPrompts, out[i].IsLaterPrompt = len(out)-1-i, i > 0
	}
	return out, nil
}

// missing is the error that names the variables without a value.
func missing(names []string, values map[string][]string) error {
	var without []string
	for _, name := range names {
		if len(values[name]) == 0 {
			without = append(without, "{{"+name+"}}")
		}
	}
	return &api.Error{Code: api.CodeUsage,
		Message: "These variables have no value: " + strings.Join(without, ", ") + "."}
}
