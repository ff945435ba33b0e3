// Package compose is where the next turn is made: the panes of the prompt, the system prompt and the models, the drafts
// of what is written in them, the detection of pastes, and the sending.
package compose

import (
	"slices"

	"confab/history"
	"confab/service"
	"confab/ui/part"
)

// Env is what the parts of this package are made with.
type Env struct {
	part.Env
	Prompt *Prompt
	System *System
	Models *Models
	Turns  func() []history.Turn // those that the conversation shows, oldest first
	// IsSaving tells whether the store takes drafts.
	IsSaving func() bool
}

// Mark marks models, and shows the settings for their kinds.
func (e Env) Mark(slugs []string) {
	e.Models.SetMarked(slugs)
	e.Prompt.HasVisionModel = e.hasVisionModel()
	e.Prompt.SetKinds(e.Models.Kinds())
}

// hasVisionModel tells whether a marked text model looks at pictures.
func (e Env) hasVisionModel() bool {
	return slices.ContainsFunc(e.Models.Marked(), func(slug string) bool {
		info, ok := e.Models.Info(slug)
		return ok && info.Offers.TakesImages
	})
}

// Composed returns the next turn as it would be sent; ok is false without a text.
func (e Env) Composed() (p service.Prompt, ok bool) {
	s, kinds := e.Prompt.Settings(), e.Models.Kinds()
	p = service.Prompt{Session: e.Session().ID, Text: e.Prompt.Text(), System: e.System.Text(),
		Models: e.Models.Marked(), Samples: s.Samples, HasContext: s.HasContext}
	if kinds[history.KindImage] > 0 {
		p.Aspect, p.Nonce = s.Aspect, s.Nonce
	}
	if kinds[history.KindText] > 0 {
		p.Params = s.Params
	}
	if kinds[history.KindEdit] > 0 || e.hasVisionModel() {
		p.Source = s.Source
	}
	return p, !e.Prompt.IsEmpty()
}

// Draft returns what is written and not sent.
func (e Env) Draft() service.Draft {
	draft := e.Prompt.Settings()
	if e.Prompt.IsEmpty() && e.System.IsEmpty() && draft.Source == nil {
		return service.Draft{}
	}
	draft.Text, draft.System, draft.Models = e.Prompt.Text(), e.System.Text(), e.Models.Marked()
	return draft
}
