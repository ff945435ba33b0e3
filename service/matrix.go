package service

import (
	"context"
	"io"
	"slices"
	"time"

	"confab/history"
	"confab/service/export"
	"confab/service/problem"
	"confab/service/suite"
	"confab/service/variable"
)

// matrixPause is how long after another the turns of a matrix are sent at most.
// They are recorded one after the other, whatever their answers take.
const matrixPause = 10 * time.Second

// Matrix returns the turns that were sent together with one, as the
// combinations of one template's values, in their order; only itself when there
// are none.
func (s *Service) Matrix(ctx context.Context, turn int64) ([]history.Turn, error) {
	at, err := s.Turn(ctx, turn)
	if err != nil {
		return nil, err
	}
	all := []history.Turn{at}
	for at.Template != "" {
		page, err := s.Turns(ctx, at.Session, history.Page{Before: all[0].ID, Limit: turnsPage})
		if err != nil {
			return nil, err
		}
		from := len(page)
		for first := all[0]; from > 0 && sentTogether(page[from-1], first); from-- {
			first = page[from-1]
		}
		all = append(page[from:len(page):len(page)], all...)
		if from > 0 || len(page) < turnsPage {
			break
		}
	}
	for at.Template != "" {
		last := all[len(all)-1]
		page, err := s.Turns(ctx, at.Session, history.Page{After: last.ID, Limit: turnsPage})
		if err != nil {
			return nil, err
		}
		to := 0
		for ; to < len(page) && sentTogether(last, page[to]); to++ {
			last = page[to]
		}
		all = append(all, page[:to]...)
		if to < len(page) || len(page) < turnsPage {
			break
		}
	}
	return onceEach(all, turn), nil
}

// onceEach returns the part of turns of one template in which a turn is and no
// values are twice: the same matrix may have been sent again at once.
func onceEach(turns []history.Turn, id int64) []history.Turn {
	from := 0
	seen := map[string]bool{}
	for i, t := range turns {
		values := variable.Key(t.Vars)
		if seen[values] {
			if slices.ContainsFunc(turns[from:i], func(t history.Turn) bool { return t.ID == id }) {
				return turns[from:i]
			}
			from, seen = i, map[string]bool{}
		}
		seen[values] = true
	}
	return turns[from:]
}

// sentTogether tells whether the second of two turns that follow each other was
// sent with the first: of one template, to the same models, with the same
// settings, without a pause.
func sentTogether(a, b history.Turn) bool {
	pause := b.Created.Sub(a.Created)
	return a.Template == b.Template && a.SystemTemplate == b.SystemTemplate &&
		a.Aspect == b.Aspect && a.Nonce == b.Nonce && a.Samples == b.Samples &&
		sourceOf(a) == sourceOf(b) && slices.Equal(modelsOf(a), modelsOf(b)) &&
		pause.Abs() <= matrixPause
}

// sourceOf returns the source of a turn, empty when it has none.
func sourceOf(t history.Turn) history.Source {
	if t.Source == nil {
		return history.Source{}
	}
	return *t.Source
}

// modelsOf returns the models that a turn went to, in their order.
func modelsOf(t history.Turn) []string {
	var models []string
	for _, a := range t.Answers {
		if !slices.Contains(models, a.Model) {
			models = append(models, a.Model)
		}
	}
	return models
}

// suiteDocument is a turn, with its matrix, as a suite.
func (s *Service) suiteDocument(ctx context.Context, w export.Request) (export.Document, error) {
	if w.Turn == 0 {
		return export.Document{}, problem.Usage("only a turn can be written as a suite")
	}
	turns, err := s.Matrix(ctx, w.Turn)
	if err != nil {
		return export.Document{}, err
	}
	t := turns[0]
	switch {
	case len(t.Answers) == 0:
		return export.Document{},
			problem.Usage("the turn has no answers left, so it is not known which models it asked")
	case t.Nonce == history.Nonce{Mode: history.NonceFixed, Value: "new"} &&
		slices.ContainsFunc(t.Answers, func(a history.Answer) bool { return a.Kind == history.KindImage }):
		return export.Document{}, problem.Usage("the nonce new of this turn means a fresh one in a suite; send it " +
			"with another nonce first")
	}
	text, err := suite.FromTurns(turns...)
	if err != nil {
		return export.Document{}, problem.Store(err)
	}
	doc := export.Document{Title: t.Prompt, Ext: ".yaml"}
	if t.Template != "" {
		doc.Title = t.Template
	}
	doc.Write = func(_ context.Context, out io.Writer, _ string) error {
		_, err := out.Write(text)
		return err
	}
	return doc, nil
}
