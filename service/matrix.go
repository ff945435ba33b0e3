package service

import (
	"cmp"
	"context"
	"errors"
	"reflect"
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

// matrixOf returns the turns that were sent together with one, as the combinations of one template's values, in their
// order and each combination once; only the turn itself when it has no template.
func (s *Service) matrixOf(ctx context.Context, turn int64) ([]history.Turn, error) {
	at, err := s.Turn(ctx, turn)
	if err != nil || at.Template == "" {
		return []history.Turn{at}, err
	}
	var matrix []history.Turn
	seen := map[string]bool{} // values
	hasTurn := false
	err = s.EachTurn(ctx, at.Session, func(t history.Turn) error {
		values := variable.Key(t.Vars)
		// The same matrix may have been sent again at once.
		if len(matrix) == 0 || seen[values] || !wereSentTogether(matrix[len(matrix)-1], t) {
			if hasTurn {
				return errMatrixComplete
			}
			matrix, seen = nil, map[string]bool{}
		}
		matrix = append(matrix, t)
		seen[values] = true
		hasTurn = hasTurn || t.ID == turn
		return nil
	})
	if errors.Is(err, errMatrixComplete) {
		err = nil
	}
	return matrix, err
}

// errMatrixComplete ends the reading of a session.
var errMatrixComplete = errors.New("the matrix is complete")

// wereSentTogether tells whether the second of two turns that follow each other was sent with the first: of one
// template, to the same models, with the same settings, without a pause.
func wereSentTogether(a, b history.Turn) bool {
	return a.Template == b.Template && a.SystemTemplate == b.SystemTemplate && a.Aspect == b.Aspect &&
		a.Nonce == b.Nonce && a.Samples == b.Samples && reflect.DeepEqual(a.Source, b.Source) &&
		slices.Equal(a.Models(), b.Models()) && b.Created.Sub(a.Created).Abs() <= matrixPause
}

// suiteDocument is a turn, with its matrix, as a suite.
func (s *Service) suiteDocument(ctx context.Context, w export.Request) (export.Document, error) {
	if w.Turn == 0 {
		return export.Document{}, problem.Usage("only a turn can be written as a suite")
	}
	turns, err := s.matrixOf(ctx, w.Turn)
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
	title := cmp.Or(t.Template, t.Prompt)
	return export.Document{Title: title, Ext: ".yaml", Write: export.WriteBytes(text)}, nil
}
