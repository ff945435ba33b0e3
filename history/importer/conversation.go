// Package importer reads the conversations that other programs keep, as sessions: the exports of ChatGPT and Claude,
// and the files of llm, aichat and crush. It judges files by their content and changes none. Files are foreign: their
// sizes are bounded, and what cannot be read is counted and left out.
package importer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/chat"
)

// The bounds of one conversation.
const (
	maxMessages = 20_000
	maxBytes    = 64 << 20 // as it is stored, and of its texts as a session
)

// Conversation is a conversation of another program.
type Conversation struct {
	Program string // its name for people
	Session history.ImportedSession
	// Files go with the prompts of turns, or are the pictures of answers. Their content is not yet in the session.
	Files []File
}

// File is a file of a conversation.
type File struct {
	Turn   int // index in the session
	Answer int // index in the turn; negative for a file that goes with the prompt
	Name   string
	Read   func(ctx context.Context) ([]byte, error)
}

// message is a message of a conversation, as all programs have them. One without a role is left out; what follows it
// follows the message before it.
type message struct {
	id, parent      string // no parent: the first
	role            chat.Role
	isSystem        bool // its text is the system prompt of what follows
	text, reasoning string
	model           string
	at              time.Time
	elapsed         time.Duration
	usage           chat.Usage
	finish          string
	failure         string // why there is no answer; empty for a whole one
	files           []File
}

// conversation is a conversation with its messages as a tree.
type conversation struct {
	program, id, name string
	model             string // of messages that name none
	updated           time.Time
	messages          []message
	current           string // the message that was shown last; empty for the last one
}

var errTooLarge = errors.New("the conversation is too large")

// builder makes a session of a conversation.
type builder struct {
	*conversation
	children map[string][]*message
	shown    map[string]bool // the messages on the path to the current one
	out      Conversation
	bytes    int
}

// build returns the conversation as a session: a user's message is a turn, and each way of replies to it up to the next
// one is an answer.
func (c *conversation) build() (Conversation, error) {
	b := builder{conversation: c, children: map[string][]*message{}, shown: map[string]bool{},
		out: Conversation{Program: c.program, Session: history.ImportedSession{Name: c.name}}}
	if len(c.messages) > maxMessages {
		return b.out, errTooLarge
	}
	byID := map[string]*message{}
	for i := range c.messages {
		m := &c.messages[i]
		if m.id != "" && byID[m.id] == nil {
			byID[m.id] = m
			c.updated = latest(c.updated, m.at)
		}
	}
	for i := range c.messages {
		if m := &c.messages[i]; byID[m.id] == m {
			parent := m.parent
			if byID[parent] == nil {
				parent = ""
			}
			b.children[parent] = append(b.children[parent], m)
		}
	}
	for m := byID[c.current]; m != nil && !b.shown[m.id]; m = byID[m.parent] {
		b.shown[m.id] = true
	}
	b.out.Session.Updated = c.updated
	b.follow("", -1, nil, "")
	if b.bytes > maxBytes {
		return b.out, errTooLarge
	}
	for i := range b.out.Session.Turns {
		t := &b.out.Session.Turns[i]
		if len(t.Answers) == 0 {
			t.Answers = []history.Answer{b.answer(history.KindText, history.Cancelled, &message{at: t.Created}, i)}
		}
		samples := map[string]int{}
		for j := range t.Answers {
			samples[t.Answers[j].Model]++
			t.Answers[j].Sample = samples[t.Answers[j].Model]
		}
	}
	return b.out, nil
}

// reply is a message of a reply, and those before it.
type reply struct {
	*message
	before *reply
}

// follow adds what follows a message: turn is the index of its turn, before the reply up to it. It reports whether the
// reply goes on.
func (b *builder) follow(id string, turn int, before *reply, system string) (goesOn bool) {
	for _, m := range b.children[id] {
		if b.bytes += len(m.text) + len(m.reasoning); b.bytes > maxBytes {
			return true
		}
		switch {
		case m.role == chat.RoleUser:
			b.follow(m.id, b.addTurn(m, turn, system), nil, system)
		case m.role == chat.RoleAssistant:
			goesOn = true
			in := turn
			if in < 0 {
				in = b.addTurn(&message{id: m.id, at: m.at}, turn, system)
			}
			for _, f := range m.files {
				picture := b.answer(history.KindImage, history.Done, m, in)
				f.Turn, f.Answer = in, b.addAnswer(in, picture, false)
				b.out.Files = append(b.out.Files, f)
			}
			if longer := (&reply{m, before}); !b.follow(m.id, in, longer, system) {
				b.addReply(in, longer)
			}
		case m.isSystem:
			goesOn = b.follow(m.id, turn, before, m.text) || goesOn
		default:
			goesOn = b.follow(m.id, turn, before, system) || goesOn
		}
	}
	return goesOn
}

func (b *builder) addTurn(m *message, follows int, system string) int {
	hash := sha256.Sum256([]byte(b.program + "\x00" + b.conversation.id + "\x00" + m.id))
	turns, at := b.out.Session.Turns, m.at
	if at.IsZero() {
		at = b.updated
	}
	t := history.ImportedTurn{Origin: hex.EncodeToString(hash[:16]), Follows: follows, Turn: history.Turn{
		Prompt: m.text, System: system, Created: at, HasContext: follows >= 0, Samples: 1,
		Nonce: history.Nonce{Mode: history.NonceNone}}}
	if b.current == "" || b.shown[m.id] {
		b.out.Session.Shown = len(turns)
	}
	for _, f := range m.files {
		f.Turn, f.Answer = len(turns), -1
		b.out.Files = append(b.out.Files, f)
	}
	b.out.Session.Turns = append(turns, t)
	return len(turns)
}

// addReply adds an answer of the messages of a reply.
func (b *builder) addReply(turn int, last *reply) {
	a := b.answer(history.KindText, history.Done, last.message, turn)
	a.Finish = chat.ParseFinishReason(last.finish)
	if last.failure != "" {
		a.State, a.Failure = history.Failed, &history.Failure{Code: "service", Message: last.failure}
	}
	var texts, thoughts []string
	for r := last; r != nil; r = r.before {
		if b.bytes += len(r.text) + len(r.reasoning) + 16; b.bytes > maxBytes { // many replies may have one beginning
			return
		}
		texts, thoughts = append(texts, r.text), append(thoughts, r.reasoning)
		a.Elapsed, a.Usage = a.Elapsed+r.elapsed, a.Usage.Plus(r.usage)
	}
	slices.Reverse(texts)
	slices.Reverse(thoughts)
	a.Text, a.Reasoning = joinTexts(texts), joinTexts(thoughts)
	if a.Text+a.Reasoning != "" || a.Failure != nil {
		b.addAnswer(turn, a, b.shown[last.id])
	}
}

func (b *builder) answer(kind history.ModelKind, state history.State, m *message, turn int) history.Answer {
	return history.Answer{Model: cmp.Or(m.model, b.model, strings.ToLower(b.program)), Kind: kind, State: state,
		Version: 1, Engine: b.program, Queued: b.out.Session.Turns[turn].Created, Ended: m.at}
}

// addAnswer adds an answer and returns its index. A text that the conversation went on with becomes the first, because
// the first is what goes along with later prompts.
func (b *builder) addAnswer(turn int, a history.Answer, isShown bool) int {
	t := &b.out.Session.Turns[turn]
	last := len(t.Answers)
	t.Answers = append(t.Answers, a)
	if isShown && t.Answers[0].Kind == history.KindText {
		t.Answers[0], t.Answers[last] = a, t.Answers[0]
	}
	return last
}

// joinTexts joins the texts that are not empty, with blank lines.
func joinTexts(texts []string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), "\n\n")
}
func latest(one, other time.Time) time.Time {
	if other.After(one) {
		return other
	}
	return one
}

// unixTime returns the time of a number of seconds, or of milliseconds where it would be millennia away otherwise; zero
// for none.
func unixTime(seconds float64) time.Time {
	if seconds > 1e11 {
		seconds /= 1000
	}
	if seconds <= 0 || seconds > 1e11 {
		return time.Time{}
	}
	return time.UnixMilli(int64(seconds * 1000)).UTC()
}

// parseTime returns the time of a text; zero for one that is none. A time without a zone is in UTC.
func parseTime(text string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}
