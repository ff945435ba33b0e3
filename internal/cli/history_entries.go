package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
	"confab/service/problem"
)

// historyEntry is a session, a turn or an answer that was named.
type historyEntry struct {
	session history.Session
	turn    history.Turn   // of a turn, and of an answer
	answer  history.Answer // of an answer
	kind    byte           // 's', 't' or 'a'
}

// entry finds what a word of the call names.
func (a *app) entry(ctx context.Context, svc *service.Service, word string) (historyEntry, error) {
	kind, id, ok := parseReference(word)
	if ok && kind != 's' {
		e, err := historyEntry{kind: kind}, error(nil)
		turn := id
		if kind == 'a' {
			e.answer, err = svc.Answer(ctx, id)
			turn = e.answer.Turn
		}
		if err == nil {
			e.turn, err = svc.Turn(ctx, turn)
		}
		if api.CodeOf(err) != api.CodeUsage {
			return e, err
		}
	}
	s, err := a.session(ctx, svc, word)
	var several *history.AmbiguousNameError
	if api.CodeOf(err) == api.CodeUsage && !errors.As(err, &several) {
		return historyEntry{},
			problem.Usage("there is no entry %q in the history; confab history list and search show their names", word)
	}
	return historyEntry{kind: 's', session: s}, err
}

// session finds a session: s and its number, or else its name.
func (a *app) session(ctx context.Context, svc *service.Service, name string) (history.Session, error) {
	if kind, id, ok := parseReference(name); ok && kind == 's' {
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

// lastSession returns the session that was used last. Without one it says so, or why the history could not be opened.
func (a *app) lastSession(ctx context.Context, svc *service.Service) (history.Session, error) {
	s, err := svc.LastSession(ctx)
	if api.CodeOf(err) != api.CodeUsage {
		return s, err
	}
	if problem := svc.StoreProblem(); problem != nil {
		return s, problem
	}
	return s, problem.Usage("there is no session yet")
}

// parseReference reads s12, t34 or a56: a session, a turn or an answer.
func parseReference(s string) (kind byte, id int64, ok bool) {
	if len(s) < 2 || !strings.ContainsRune("sta", rune(s[0])) || s[1] < '1' || s[1] > '9' {
		return 0, 0, false
	}
	id, err := strconv.ParseInt(s[1:], 10, 64)
	return s[0], id, err == nil
}

// describe names an entry for the question whether to delete it.
func (e historyEntry) describe() string {
	switch e.kind {
	case 's':
		return fmt.Sprintf("session s%d %q (%s)", e.session.ID, termtext.Line(e.session.Name),
			format.Count(e.session.Turns, "turn"))
	case 't':
		return fmt.Sprintf("turn t%d (%s)", e.turn.ID, format.Count(len(e.turn.Answers), "answer"))
	}
	return fmt.Sprintf("answer a%d of %s", e.answer.ID, e.answer.Model)
}

// request names the entry in a request for its export.
func (e historyEntry) request(r *export.Request) {
	switch e.kind {
	case 's':
		r.Session = e.session.ID
	case 't':
		r.Turn = e.turn.ID
	case 'a':
		r.Answer = e.answer.ID
	}
}

// textWriter returns how the text of an answer is printed: as markdown where text may be styled, cleaned on any other
// terminal, and as it comes elsewhere. Over SSH the other end may be a terminal without saying so: ssh HOST ask has no
// pseudo-terminal, and its client prints what comes.
func (a *app) textWriter(isRaw bool) textWriter {
	switch {
	case isRaw:
	case a.out.styled:
		return newMarkdownText(markdownTerminal{print: a.printStyled, styles: a.styles(), size: a.out.size,
			hasNoCursor: !a.out.terminal || a.out.profile <= colorprofile.NoTTY})
	case a.out.terminal, a.sshUser != nil:
		return newCleanText(a.print)
	}
	return newPlainText(a.print)
}
