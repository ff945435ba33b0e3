package service

import (
	"context"
	"slices"

	"confab/service/api"
)

// Memory is what one model gets of the earlier turns with a prompt.
type Memory struct {
	Turns         int
	OmittedTurns  int // because the conversation is too long
	Pictures      int // of these turns that go along
	Tokens        int // estimated, of the turns
	ContextTokens int // of the model's context; 0 for unknown

	slack slack
}

// HoldsFor reports whether it stays the same for a prompt that is so many bytes longer, or shorter.
func (m Memory) HoldsFor(more int) bool {
	return m.Turns+m.OmittedTurns == 0 || (m.Turns == 0 || more <= m.slack.spare) &&
		(m.OmittedTurns == 0 || -more < m.slack.missing)
}

// Memories returns what each text model would get with a prompt, counted from what [Service.PreviewPrompt] returns.
func (s *Service) Memories(ctx context.Context, p Prompt) ([]Memory, error) {
	var memories []Memory
	alone := p
	alone.HasContext = false
	for _, slug := range p.Models {
		m, err := s.model(slug)
		if err != nil {
			return nil, err
		}
		if m.Kind != api.Text {
			continue
		}
		sent, err := s.PreviewPrompt(ctx, p, slug)
		if err != nil {
			return nil, err
		}
		bare, err := s.PreviewPrompt(ctx, alone, slug)
		if err != nil {
			return nil, err
		}
		isOwn := func(name string) bool { return slices.Contains(bare.Pictures, name) }
		memories = append(memories, Memory{Turns: len(sent.turns), OmittedTurns: sent.OmittedTurns,
			Pictures:      len(slices.DeleteFunc(sent.Pictures, isOwn)),
			Tokens:        (sent.size() - bare.size() + minBytesPerToken - 1) / minBytesPerToken,
			ContextTokens: s.Extensions(ctx, m).ContextTokens, slack: sent.slack})
	}
	return memories, nil
}

// size returns the bytes of the text and the messages.
func (p SentPrompt) size() int {
	size := len(p.Prompt)
	for _, m := range p.Messages {
		size += len(m.Content)
	}
	return size
}
