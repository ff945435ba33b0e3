package service

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/chat"
	"confab/service/api"
	"confab/service/problem"
	"confab/service/suite"
)

// MaxContext is the maximum size of a prompt with its context, in bytes. The prompt itself is never cut.
const MaxContext = 256 << 10

// The form of earlier turns within the text of a prompt. It is readable plain text.
const (
	contextHead = "This is our conversation so far. Answer only the last message.\n\n"
	contextCut  = "[Earlier messages are left out, the conversation is too long.]\n\n"
	contextMe   = "## Me\n\n"
	contextYou  = "## You\n\n"
)

// SentPrompt is what is sent to a model for a prompt.
type SentPrompt struct {
	Prompt       string         // the exact text
	Messages     []chat.Message // before the prompt, if the service takes messages
	OmittedTurns int            // earlier turns that are not sent, because the conversation is too long
	System       string         // empty for a model that takes none; set by [Service.PreviewPrompt] alone, as Pictures
	Pictures     []string       // names of those that go along, of earlier turns as well

	turns    []history.SentTurn // earlier turns that are sent
	pictures []history.File     // of the earlier turns and the prompt, the newest last
	slack    slack
}

// slack is by how many bytes a prompt may change before it is sent with other turns: it may grow by spare, and shrink
// by less than missing, which is what the newest omitted turn needs.
type slack struct{ spare, missing int }

// sha256 returns the hash of all that is sent to the model.
func (p SentPrompt) sha256() string {
	h := sha256.New()
	for _, m := range append(p.Messages[:len(p.Messages):len(p.Messages)], chat.Message{Content: p.Prompt}) {
		_, _ = fmt.Fprintf(h, "%s %d %s\n", m.Role, len(m.Content), m.Content) // writing to a hash never fails
	}
	for _, f := range p.pictures {
		_, _ = fmt.Fprintf(h, "picture %s\n", f.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// OmittedText returns how many earlier turns are not sent, and why; empty for none.
func (p SentPrompt) OmittedText() string {
	if p.OmittedTurns == 0 {
		return ""
	}
	return history.OmittedTurns(p.OmittedTurns).Explained()
}

// PreviewPrompt returns exactly what would be sent to a model. Without context, or for a model of pictures, that is
// the prompt. With context, it contains the session's earlier turns, the oldest first, each with one answer (the
// winner, else the model's first one, else the first; of a stopped one the text that came). They are messages if the
// service takes these, else a text before the prompt. It omits turns without a text, and the oldest ones if the size
// exceeds the model's context, if known, or [MaxContext].
func (s *Service) PreviewPrompt(ctx context.Context, p Prompt, model string) (SentPrompt, error) {
	m, err := s.model(model)
	if err != nil {
		return SentPrompt{}, err
	}
	p.Text = s.o.Mask.String(p.Text)
	if p.Files, err = s.checkFiles(p.Files); err != nil {
		return SentPrompt{}, err
	}
	_, sent, err := s.conversation(ctx, p, m)
	if m.TakesSystem {
		sent.System = p.System
	}
	if p.Source != nil && m.Kind != api.Image {
		sent.pictures = append([]history.File{{Name: p.Source.Name()}}, sent.pictures...)
	}
	if m.Kind == api.Edit || s.Extensions(ctx, m).TakesImages {
		for _, f := range sent.pictures {
			sent.Pictures = append(sent.Pictures, f.Name)
		}
	}
	return sent, err
}

// conversation returns what is sent to a model for a prompt, and an answer that records it.
func (s *Service) conversation(ctx context.Context, p Prompt, m api.Model) (a history.Answer, sent SentPrompt,
	err error) {
	if p.Chat != nil && m.Kind == api.Text {
		sent = s.sentChat(ctx, *p.Chat, m)
		a.SentMessages = sent.Messages
		if sent.Prompt != p.Text {
			a.SentPrompt = sent.Prompt
		}
		return a, sent, nil
	}
	own := history.Turn{Prompt: p.Text, Files: p.Files}
	if !p.HasContext || p.Session == 0 || m.Kind != api.Text {
		return a, joinSent(own, a, earlierTurns{}), nil
	}
	offered := s.Extensions(ctx, m)
	size := MaxContext - len(contextHead) - len(contextCut) - len(contextMe)
	if offered.ContextTokens > 0 {
		size = min(size, offered.ContextTokens*minBytesPerToken*3/4) // leaves a quarter for the answer
	}
	size -= len(SentText(p.Files, p.Text)) + len(p.System)
	earlier, omitted, err := s.earlier(ctx, p, m.Slug, size)
	if err != nil || len(earlier.messages)+omitted == 0 {
		return a, joinSent(own, a, earlierTurns{}), err
	}
	a.OmittedTurns = omitted
	a.SentTurns = history.SentTurns{Turns: earlier.turns, IsInPrompt: !offered.TakesMessages}
	sent = joinSent(own, a, earlier)
	sent.slack = earlier.slack
	a.SentTurns.SHA256 = sent.sha256()
	return a, sent, nil
}

// earlierTurns are earlier turns that are sent, the oldest first.
type earlierTurns struct {
	messages []chat.Message
	pictures []history.File
	turns    []history.SentTurn
	slack    slack
}

// add adds a turn with one of its answers after the others.
func (e *earlierTurns) add(t history.Turn, a history.Answer) {
	e.messages = append(e.messages, messagesOf(t, a)...)
	e.pictures = append(e.pictures, picturesOf(t.Files)...)
	if t.Source != nil && t.Source.Path != "" {
		e.pictures = append(e.pictures, history.File{Name: t.Source.Name(), Kind: history.PictureFile,
			Path: t.Source.Path})
	}
	if a.Picture != nil {
		e.pictures = append(e.pictures, history.File{Name: filepath.Base(a.Picture.Path), Kind: history.PictureFile,
			Path: a.Picture.Path})
	}
	e.turns = append(e.turns, history.SentTurn{Turn: t.ID, Answer: a.ID})
}

// joinSent joins the earlier turns, as messages or text, with the prompt, files and messages of the answer itself.
func joinSent(t history.Turn, a history.Answer, earlier earlierTurns) SentPrompt {
	sent := SentPrompt{Prompt: cmp.Or(a.SentPrompt, SentText(t.Files, t.Prompt)),
		Messages: append(earlier.messages, a.SentMessages...), OmittedTurns: a.OmittedTurns,
		turns: a.SentTurns.Turns, pictures: append(earlier.pictures, picturesOf(t.Files)...)}
	sent.pictures = withoutRepeats(sent.pictures)
	sent.pictures = sent.pictures[max(0, len(sent.pictures)-maxPictures):]
	if a.SentTurns.IsInPrompt {
		sent.Prompt, sent.Messages = joinMessages(sent.Messages, a.OmittedTurns > 0, sent.Prompt), nil
	}
	return sent
}

// withoutRepeats leaves out pictures that come again later: the source of an edit is the result of an earlier turn.
func withoutRepeats(pictures []history.File) (out []history.File) {
	for i, f := range pictures {
		isSame := func(other history.File) bool { return other.Path == f.Path }
		if f.Path == "" || !slices.ContainsFunc(pictures[i+1:], isSame) {
			out = append(out, f)
		}
	}
	return out
}

// sentPrompt rebuilds the sent prompt of an answer from the turns that the history still holds.
func (s *Service) sentPrompt(ctx context.Context, t history.Turn, a history.Answer) (SentPrompt, error) {
	if len(a.SentTurns.Turns) == 0 {
		return joinSent(t, a, earlierTurns{}), nil
	}
	answers := map[int64]int64{}
	for _, t := range a.SentTurns.Turns {
		answers[t.Turn] = t.Answer
	}
	var sent earlierTurns
	page := history.Page{Around: a.SentTurns.Turns[0].Turn, Limit: turnsPage, HasHidden: true}
	for isLast := false; !isLast; {
		read, err := s.Turns(ctx, t.Session, page)
		if err != nil {
			return SentPrompt{}, err
		}
		for _, earlier := range read {
			if answer, ok := earlier.Answer(answers[earlier.ID]); ok && earlier.ID < t.ID {
				sent.add(earlier, answer)
			}
			page.Around, page.After = 0, earlier.ID
		}
		isLast = len(read) < page.Limit || page.After >= t.ID
	}
	a.SentTurns.Turns = sent.turns
	return joinSent(t, a, sent), nil
}

// messagesOf returns an earlier turn as messages, in which pictures are named.
func messagesOf(t history.Turn, a history.Answer) []chat.Message {
	asked, answered := pictureTitles(t.Files)+SentText(t.Files, t.Prompt), a.Text
	if t.Source != nil {
		asked = pictureTitle(t.Source.Name()) + asked
	}
	if a.Picture != nil {
		answered = strings.TrimSpace(pictureTitle(filepath.Base(a.Picture.Path)))
	}
	return []chat.Message{{Role: chat.RoleUser, Content: asked}, {Role: chat.RoleAssistant, Content: answered}}
}

// sentChat returns what is sent for a prompt written as messages. The system prompt is joined to the first message if
// the model takes none.
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

// minBytesPerToken is a conservative estimate for text in any language.
const minBytesPerToken = 3

// earlier returns the newest answered turns before a prompt that fit into size bytes, and counts the omitted ones.
func (s *Service) earlier(ctx context.Context, p Prompt, model string, size int) (sent earlierTurns, omitted int,
	err error) {
	store, err := s.history(ctx)
	if err != nil {
		return sent, 0, err
	}
	type sentTurn struct {
		history.Turn
		answer history.Answer
	}
	var newest []sentTurn
	defer func() {
		for _, t := range slices.Backward(newest) {
			sent.add(t.Turn, t.answer)
		}
	}()
	page := history.Page{Before: p.Beside, Limit: 50}
	for {
		turns, err := store.Turns(ctx, p.Session, page)
		if err != nil {
			return sent, 0, problem.Store(err)
		}
		for _, t := range slices.Backward(turns) {
			answer, ok := ContextAnswer(t, model)
			if !ok {
				continue
			}
			asked := messagesOf(t, answer)
			needed := len(contextMe) + len(asked[0].Content) + len(contextYou) + len(asked[1].Content) + 4
			if needed > size {
				sent.slack.missing = needed - size
				omitted, err = store.AnsweredTurns(ctx, p.Session, t.ID+1)
				return sent, omitted, problem.Store(err)
			}
			size -= needed
			sent.slack.spare = size
			newest = append(newest, sentTurn{t, answer})
		}
		if len(turns) < page.Limit {
			return sent, 0, nil
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

// ContextAnswer returns the answer of a turn that a conversation continues from: the winner, else the model's first
// one, else the first. Of these, it prefers a text to a picture, and one that is done to one that was stopped and has a
// text. AnsweredTurns of history/sqlstore counts the turns that have one.
func ContextAnswer(t history.Turn, model string) (answer history.Answer, ok bool) {
	rank := 0
	for _, a := range t.Answers {
		isText := a.Kind == history.KindText && a.Text != ""
		if !a.State.HasEnded() || !isText && a.Picture == nil {
			continue
		}
		better := 1
		if a.State == history.Done {
			better++
		}
		if a.Model == model {
			better += 2
		}
		if isText {
			better += 4
		}
		if a.IsWinner {
			better += 8
		}
		if better > rank {
			answer, rank = a, better
		}
	}
	return answer, rank > 0
}
