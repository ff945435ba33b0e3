package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/internal/cli/answertext"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
	"confab/service/problem"
)

// Entry is a session, a turn or an answer that was named.
type Entry struct {
	Session history.Session
	Turn    history.Turn   // of a turn, and of an answer
	Answer  history.Answer // of an answer
	Kind    byte           // 's', 't' or 'a'
}

// Entry finds what a word of the call names.
func (a *App) Entry(ctx context.Context, svc *service.Service, word string) (Entry, error) {
	kind, id, ok := Reference(word)
	if ok && kind != 's' {
		e, err := Entry{Kind: kind}, error(nil)
		turn := id
		if kind == 'a' {
			e.Answer, err = svc.Answer(ctx, id)
			turn = e.Answer.Turn
		}
		if err == nil {
			e.Turn, err = svc.Turn(ctx, turn)
		}
		if api.CodeOf(err) != api.CodeUsage {
			return e, err
		}
	}
	s, err := a.Session(ctx, svc, word)
	var several *history.AmbiguousNameError
	if api.CodeOf(err) == api.CodeUsage && !errors.As(err, &several) {
		return Entry{},
			problem.Usage("there is no entry %q in the history; confab history list and search show their names", word)
	}
	return Entry{Kind: 's', Session: s}, err
}

// Session finds a session: s and its number, or else its name.
func (a *App) Session(ctx context.Context, svc *service.Service, name string) (history.Session, error) {
	if kind, id, ok := Reference(name); ok && kind == 's' {
		if s, err := svc.Session(ctx, id); err == nil || api.CodeOf(err) != api.CodeUsage {
			return s, err
		}
	}
	s, err := svc.SessionNamed(ctx, name)
	if !errors.Is(err, history.ErrNotFound) {
		return s, err
	}
	if problem := svc.StoreProblem(); problem != nil {
		return history.Session{}, problem
	}
	return history.Session{}, problem.Usage("there is no session %q; confab history list shows them", name)
}

// LastSession returns the session that was used last. Without one it says so, or why the history could not be opened.
func (a *App) LastSession(ctx context.Context, svc *service.Service) (history.Session, error) {
	s, err := svc.LastSession(ctx)
	if api.CodeOf(err) != api.CodeUsage {
		return s, err
	}
	if problem := svc.StoreProblem(); problem != nil {
		return s, problem
	}
	return s, problem.Usage("there is no session yet")
}

// Reference reads s12, t34 or a56: a session, a turn or an answer.
func Reference(s string) (kind byte, id int64, ok bool) {
	if len(s) < 2 || !strings.ContainsRune("sta", rune(s[0])) || s[1] < '1' || s[1] > '9' {
		return 0, 0, false
	}
	id, err := strconv.ParseInt(s[1:], 10, 64)
	return s[0], id, err == nil
}

// Describe names an entry for the question whether to delete it.
func (e Entry) Describe() string {
	switch e.Kind {
	case 's':
		return fmt.Sprintf("session s%d %q (%s)", e.Session.ID, termtext.Line(e.Session.Name),
			format.Count(e.Session.Turns, "turn"))
	case 't':
		return fmt.Sprintf("turn t%d (%s)", e.Turn.ID, format.Count(len(e.Turn.Answers), "answer"))
	}
	return fmt.Sprintf("answer a%d of %s", e.Answer.ID, e.Answer.Model)
}

// Request names the entry in a request for its export.
func (e Entry) Request(r *export.Request) {
	switch e.Kind {
	case 's':
		r.Session = e.Session.ID
	case 't':
		r.Turn = e.Turn.ID
	case 'a':
		r.Answer = e.Answer.ID
	}
}

// TextWriter returns how the text of an answer is printed: as markdown where text may be styled, cleaned on any other
// terminal, and as it comes elsewhere. Over SSH the other end may be a terminal without saying so: ssh HOST ask has no
// pseudo-terminal, and its client prints what comes.
func (a *App) TextWriter(isRaw bool) answertext.Writer {
	switch {
	case isRaw:
	case a.Out.Styled:
		return answertext.Markdown(answertext.Terminal{Print: a.PrintStyled, Styles: a.Styles(), Size: a.Out.Size,
			HasNoCursor: !a.Out.Terminal || a.Out.Profile <= colorprofile.NoTTY})
	case a.Out.Terminal, a.SSHUser != nil:
		return answertext.Clean(a.Print)
	}
	return answertext.Plain(a.Print)
}
