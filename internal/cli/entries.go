package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
)

// entry is a session, a turn or an answer that was named.
type entry struct {
	session history.Session
	turn    history.Turn   // of a turn, and of an answer
	answer  history.Answer // of an answer
	kind    byte           // 's', 't' or 'a'
}

// entry finds what a word of the call names.
func (a *app) entry(ctx context.Context, svc *service.Service, word string) (entry, error) {
	kind, id, ok := reference(word)
	var err error
	switch {
	case ok && kind == 't':
		e := entry{kind: kind}
		if e.turn, err = svc.Turn(ctx, id); err == nil || api.CodeOf(err) != api.CodeUsage {
			return e, err
		}
	case ok && kind == 'a':
		e := entry{kind: kind}
		if e.answer, err = svc.Answer(ctx, id); err == nil {
			e.turn, err = svc.Turn(ctx, e.answer.Turn)
		}
		if err == nil || api.CodeOf(err) != api.CodeUsage {
			return e, err
		}
	}
	s, err := a.session(ctx, svc, word)
	var several *history.AmbiguousNameError
	if api.CodeOf(err) == api.CodeUsage && !errors.As(err, &several) {
		return entry{},
			usage("there is no entry %q in the history; confab history list and search show their names", word)
	}
	return entry{kind: 's', session: s}, err
}

// session finds a session: s and its number, or else its name.
func (a *app) session(ctx context.Context, svc *service.Service, name string) (history.Session, error) {
	if kind, id, ok := reference(name); ok && kind == 's' {
		if s, err := svc.Session(ctx, id); err == nil || api.CodeOf(err) != api.CodeUsage {
			return s, err
		}
	}
	s, err := svc.SessionNamed(ctx, name)
	if !errors.Is(err, history.ErrNotFound) {
		return s, err
	}
	if problem := a.storeProblem(ctx, svc); problem != nil {
		return history.Session{}, problem
	}
	return history.Session{}, usage("there is no session %q; confab history list shows them", name)
}

// lastSession returns the session that was used last. Without one it says so, or
// why the history could not be opened.
func (a *app) lastSession(ctx context.Context, svc *service.Service) (history.Session, error) {
	s, err := svc.LastSession(ctx)
	if api.CodeOf(err) != api.CodeUsage {
		return s, err
	}
	if problem := a.storeProblem(ctx, svc); problem != nil {
		return s, problem
	}
	return s, usage("there is no session yet")
}

// reference reads s12, t34 or a56: a session, a turn or an answer.
func reference(s string) (kind byte, id int64, ok bool) {
	if len(s) < 2 || !strings.ContainsRune("sta", rune(s[0])) || s[1] < '1' || s[1] > '9' {
		return 0, 0, false
	}
	id, err := strconv.ParseInt(s[1:], 10, 64)
	return s[0], id, err == nil
}

// describe names an entry for the question whether to delete it.
func (e entry) describe() string {
	switch e.kind {
	case 's':
		return fmt.Sprintf("session s%d %q (%s)", e.session.ID, termtext.Line(e.session.Name),
			format.Count(e.session.Turns, "turn"))
	case 't':
		return fmt.Sprintf("turn t%d (%s)", e.turn.ID, format.Count(len(e.turn.Answers), "answer"))
	}
	return fmt.Sprintf("answer a%d of %s", e.answer.ID, e.answer.Model)
}
