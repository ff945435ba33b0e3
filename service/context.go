package service

import (
	"context"
	"slices"
	"strings"

	"confab/history"
	"confab/service/api"
	"confab/service/problem"
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

// Sent returns the exact prompt text that would be sent to a model. Without context, or for a model that makes
// pictures, that is the prompt itself. With context the session's earlier turns stand before it, oldest first: what was
// asked and what this model answered (the winner of several samples, else the first that is done). Turns that it has
// not answered are left out, and so are the oldest ones once the whole is larger than [MaxContext]; the text says so.
func (s *Service) Sent(ctx context.Context, p Prompt, model string) (string, error) {
	m, err := s.model(model)
	if err != nil {
		return "", err
	}
	p.Text = s.o.Mask.String(p.Text)
	return s.folded(ctx, p, m)
}

// folded returns the prompt with its context.
func (s *Service) folded(ctx context.Context, p Prompt, m api.Model) (string, error) {
	if !p.Context || p.Session == 0 || m.Kind != api.Text {
		return p.Text, nil
	}
	store, err := s.history(ctx)
	if err != nil {
		return "", err
	}
	last := contextMe + p.Text
	room := MaxContext - len(contextHead) - len(contextCut) - len(last)
	var blocks []string // newest first
	cut := false
	page := history.Page{Limit: 50}
	for !cut {
		turns, err := store.Turns(ctx, p.Session, page)
		if err != nil {
			return "", problem.Store(err)
		}
		for i := len(turns) - 1; i >= 0 && !cut; i-- {
			answer, ok := spoken(turns[i], m.Slug)
			if !ok {
				continue
			}
			block := contextMe + turns[i].Prompt + "\n\n" + contextYou + answer + "\n\n"
			if room -= len(block); room < 0 {
				cut = true
				break
			}
			blocks = append(blocks, block)
		}
		if len(turns) < page.Limit {
			break
		}
		page.Before = turns[0].ID
	}
	if len(blocks) == 0 && !cut {
		return p.Text, nil
	}
	slices.Reverse(blocks)
	head := contextHead
	if cut {
		head += contextCut
	}
	return head + strings.Join(blocks, "") + last, nil
}

// spoken returns what a model answered in a turn.
func spoken(t history.Turn, model string) (string, bool) {
	found, text := false, ""
	for _, a := range t.Answers {
		if a.Model != model || a.State != history.Done || a.Kind != history.KindText || a.Text == "" {
			continue
		}
		if a.Winner {
			return a.Text, true
		}
		if !found {
			found, text = true, a.Text
		}
	}
	return text, found
}
