package service

import (
	"context"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/chat"
	"confab/service/api"
	"confab/service/problem"
	"confab/service/suite"
)

// MaxContext bounds a prompt with its context, in bytes; the prompt itself is never cut.
const MaxContext = 256 << 10

// The form in which earlier turns are folded into a prompt. It is plain text that people can read too.
const (
	contextHead = "This is our conversation so far. Answer only the last message.\n\n"
	contextCut  = "[Earlier messages are left out, the conversation is too long.]\n\n"
	contextMe   = "## Me\n\n"
	contextYou  = "## You\n\n"
)

// SentPrompt is what goes to a model for a prompt.
type SentPrompt struct {
	Prompt       string         // the exact text
	Messages     []chat.Message // before it, where the service takes messages
	OmittedTurns int            // earlier turns that do not go along, because the conversation is too long
}

// OmittedText says how many earlier turns do not go along, and why; empty for none.
func (p SentPrompt) OmittedText() string {
	if p.OmittedTurns == 0 {
		return ""
	}
	return history.OmittedTurns(p.OmittedTurns).Explained()
}

// PreviewPrompt returns exactly what would be sent to a model. Without context, or for a model that makes pictures,
// that is the prompt itself. With context the session's earlier turns go along, the oldest first: what was asked and
// what was answered (the winner of the turn, else the first that this model gave, else the first of all). They are
// messages where the service takes them, and stand before the prompt in its text where it does not. Turns that nobody
// has answered are left out, and so are the oldest ones once the whole is larger than the model's context, as far as
// that is known, or than [MaxContext].
func (s *Service) PreviewPrompt(ctx context.Context, p Prompt, model string) (SentPrompt, error) {
	m, err := s.model(model)
	if err != nil {
		return SentPrompt{}, err
	}
	p.Text = s.o.Mask.String(p.Text)
	return s.conversation(ctx, p, m)
}

// conversation returns the prompt with what goes before it.
func (s *Service) conversation(ctx context.Context, p Prompt, m api.Model) (SentPrompt, error) {
	if p.Chat != nil && m.Kind == api.Text {
		return s.sentChat(ctx, *p.Chat, m), nil
	}
	if !p.HasContext || p.Session == 0 || m.Kind != api.Text {
		return SentPrompt{Prompt: p.Text}, nil
	}
	offered := s.Extensions(ctx, m)
	size := MaxContext - len(contextHead) - len(contextCut) - len(contextMe)
	if offered.TakesMessages && offered.ContextTokens > 0 {
		size = min(size, offered.ContextTokens*bytesPerToken*3/4) // the rest is for the answer
	}
	messages, omitted, err := s.earlier(ctx, p.Session, m.Slug, size-len(p.Text)-len(p.System))
	if err != nil || offered.TakesMessages || len(messages)+omitted == 0 {
		return SentPrompt{Prompt: p.Text, Messages: messages, OmittedTurns: omitted}, err
	}
	return SentPrompt{Prompt: joinMessages(messages, omitted > 0, p.Text), OmittedTurns: omitted}, nil
}

// sentChat returns what goes to a model for a prompt that is written as messages. A model that takes no system prompt
// gets that before the first message.
func (s *Service) sentChat(ctx context.Context, c suite.Chat, m api.Model) SentPrompt {
	messages := slices.Clone(c.Messages)
	if c.System != "" && !m.TakesSystem {
		if len(messages) == 0 {
			c.Prompt = c.System + "\n\n" + c.Prompt
		} else {
			messages[0].Content = c.System + "\n\n" + messages[0].Content
		}
	}
	switch {
	case s.Extensions(ctx, m).TakesMessages:
		return SentPrompt{Prompt: c.Prompt, Messages: messages}
	case len(messages) == 0:
		return SentPrompt{Prompt: c.Prompt}
	}
	return SentPrompt{Prompt: joinMessages(messages, false, c.Prompt)}
}

// bytesPerToken is a cautious estimate for text in any language.
const bytesPerToken = 3

// earlier returns the answered turns of a session as messages, the oldest first: as many of the newest as fit into
// that many bytes. It counts those that do not.
func (s *Service) earlier(ctx context.Context, session int64, model string, size int) (messages []chat.Message,
	omitted int, err error) {
	store, err := s.history(ctx)
	if err != nil {
		return nil, 0, err
	}
	page := history.Page{Limit: 50}
	for {
		turns, err := store.Turns(ctx, session, page)
		if err != nil {
			return nil, 0, problem.Store(err)
		}
		for _, t := range slices.Backward(turns) {
			answer, ok := ContextAnswer(t, model)
			if !ok {
				continue
			}
			size -= len(contextMe) + len(t.Prompt) + len(contextYou) + len(answer.Text) + 4
			if size < 0 {
				omitted, err = store.AnsweredTurns(ctx, session, t.ID+1)
				slices.Reverse(messages)
				return messages, omitted, problem.Store(err)
			}
			messages = append(messages, chat.Message{Role: chat.RoleAssistant, Content: answer.Text},
				chat.Message{Role: chat.RoleUser, Content: t.Prompt})
		}
		if len(turns) < page.Limit {
			slices.Reverse(messages)
			return messages, 0, nil
		}
		page.Before = turns[0].ID
	}
}

// joinMessages returns a conversation as one text, for services that take no messages.
func joinMessages(messages []chat.Message, isCut bool, prompt string) string {
	var b strings.Builder
	b.WriteString(contextHead)
	if isCut {
		b.WriteString(contextCut)
	}
	for _, m := range messages {
		head := contextMe
		if m.Role == chat.RoleAssistant {
			head = contextYou
		}
		b.WriteString(head + m.Content + "\n\n")
	}
	return b.String() + contextMe + prompt
}

// ContextAnswer returns the answer of a turn with which the conversation goes on: the winner, else the first that the
// model gave, else the first of all.
func ContextAnswer(t history.Turn, model string) (answer history.Answer, ok bool) {
	rank := 0
	for _, a := range t.Answers {
		if a.State != history.Done || a.Kind != history.KindText || a.Text == "" {
			continue
		}
		better := 1
		if a.Model == model {
			better = 2
		}
		if a.IsWinner {
			better = 3
		}
		if better > rank {
			answer, rank = a, better
		}
	}
	return answer, rank > 0
}
