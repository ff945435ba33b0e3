package servers

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"time"

	"confab/history"
	"confab/internal/cli/logs"
	"confab/internal/metrics"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
)

// auditStderr is the value of ssh.audit that writes to standard error.
const auditStderr = "stderr"

// maxAuditPrompt is how many bytes of a prompt a line has at most.
const maxAuditPrompt = 16 << 10

// What lines of the audit stream are about.
const (
	auditEndOfAnswer  = "answer"
	auditLogin        = "login"
	auditRefusedLogin = "login_refused"
	auditQuota        = "quota"
)

// auditRecord is a line of the audit stream: an answer that has ended, or something else that a user did. Its field
// names are stable.
type auditRecord struct {
	Time         time.Time `json:"time"`
	Event        string    `json:"event"`
	User         string    `json:"user"`
	Key          string    `json:"key,omitempty"` // the fingerprint
	Certificate  string    `json:"certificate,omitempty"`
	From         string    `json:"from,omitempty"` // empty: the server or its operator did it
	What         string    `json:"what,omitempty"` // of other events than answers: "screen", "session 12"
	Kind         string    `json:"kind,omitempty"`
	Model        string    `json:"model,omitempty"`
	Engine       string    `json:"engine,omitempty"`
	InputTokens  int       `json:"input_tokens,omitempty"`
	OutputTokens int       `json:"output_tokens,omitempty"`
	Cost         float64   `json:"cost,omitempty"`
	Currency     string    `json:"currency,omitempty"`
	Milliseconds int64     `json:"elapsed_ms,omitempty"`
	Outcome      string    `json:"outcome"` // the state in which an answer ended; of other events done or refused
	Error        string    `json:"error,omitempty"`
	Prompt       string    `json:"prompt,omitempty"`
}

// auditLog writes the audit stream in the background. A nil one writes nothing.
type auditLog struct {
	lines *logs.Background
	file  *logs.AuditFile // nil for standard error
}

// newAuditLog opens what ssh.audit names.
func (a commands) newAuditLog() (*auditLog, error) {
	target := a.Config.SSH.Audit
	mask := func(line string) string { return a.Secrets.Masker().String(strings.TrimSuffix(line, "\n")) }
	dropped := func(lines int) string { return fmt.Sprintf(`{"dropped_lines":%d}`, lines) }
	switch target {
	case "":
		return nil, nil //nolint:nilnil // no stream is asked for
	case auditStderr:
		clean := func(line string) string { return termtext.Line(mask(line)) }
		return &auditLog{lines: logs.NewBackground(a.Err, clean, dropped)}, nil
	}
	file, err := logs.OpenAuditFile(target, a.Log)
	if err != nil {
		return nil, &api.Error{Code: api.CodeDisk, Message: "ssh.audit: " + termtext.Line(err.Error()), Err: err}
	}
	return &auditLog{logs.NewBackground(file, mask, dropped), file}, nil
}

// record writes a line. The time of a zero one is now.
func (l *auditLog) record(r auditRecord) {
	if l == nil {
		return
	}
	if r.Time.IsZero() {
		r.Time = time.Now()
	}
	r.Time = r.Time.UTC()
	line, err := json.Marshal(r)
	if err != nil {
		line = fmt.Appendf(nil, `{"error":%q}`, err) // no field can fail
	}
	_, _ = l.lines.Write(append(line, '\n')) // it only waits in memory
}

// reopen begins a new file after the old one was moved away.
func (l *auditLog) reopen() error {
	if l == nil || l.file == nil {
		return nil
	}
	l.lines.Flush()
	return l.file.Reopen()
}

// close writes the lines that wait.
func (l *auditLog) close() {
	if l == nil {
		return
	}
	l.lines.Close()
	if l.file != nil {
		l.file.Close()
	}
}

// noteAnswer counts and records an answer of a served user that has ended.
func (g *servedUser) noteAnswer(t history.Turn, a history.Answer) {
	g.quota.addUse(t, a)
	g.handler.metrics.count(g.user.id, a)
	r := g.newAuditRecord(auditEndOfAnswer)
	r.Time, r.Kind, r.Model, r.Engine = a.Ended, string(a.Kind), a.Model, a.Engine
	r.InputTokens, r.OutputTokens = a.Usage.InputTokens, a.Usage.OutputTokens
	r.Cost, r.Currency = a.Cost.Amount, a.Cost.Currency
	r.Milliseconds, r.Outcome = a.Elapsed.Milliseconds(), string(a.State)
	if a.Failure != nil {
		r.Error = a.Failure.Code
	}
	if g.handler.limits.Load().AuditPrompts {
		r.Prompt = t.Prompt
		if len(r.Prompt) > maxAuditPrompt {
			r.Prompt = strings.ToValidUTF8(r.Prompt[:maxAuditPrompt], "") + "…"
		}
	}
	g.handler.audit.record(r)
}

// newAuditRecord returns a record of something that the user of this session did.
func (g *servedUser) newAuditRecord(event string) auditRecord {
	v := g.session
	r := auditRecord{Event: event, User: v.User.ID, Key: v.User.Fingerprint, Certificate: v.User.Certificate,
		Outcome: string(history.Done)}
	if v.User.Fingerprint != "" { // else it is nobody's login
		r.From = v.RemoteAddr.String()
	}
	return r
}

// noteAction records what a user did besides asking.
func (g *servedUser) noteAction(event, what string) {
	r := g.newAuditRecord(event)
	r.What = what
	g.handler.audit.record(r)
}

// outcomeRefused is the outcome of what was not allowed.
const outcomeRefused = "refused"

// noteQuota records that a quota has refused something.
func (g *servedUser) noteQuota(err error) {
	r := g.newAuditRecord(auditQuota)
	r.Outcome, r.Error = outcomeRefused, string(api.CodeOf(err))
	g.handler.audit.record(r)
}

// NoteRefusal implements [sshserver.Handler].
func (h *sshHandler) NoteRefusal(login, key string, from net.Addr, why string) {
	h.audit.record(auditRecord{Event: auditRefusedLogin, User: login, Key: key, From: from.String(), What: why,
		Outcome: outcomeRefused})
}

// auditDeletedUser records that the operator has deleted a user.
func (a commands) auditDeletedUser(id string) error {
	l, err := a.newAuditLog()
	if err != nil {
		return err
	}
	l.record(auditRecord{Event: service.ActionDelete, User: id, What: "user", Outcome: string(history.Done)})
	l.close()
	return nil
}

// userMetrics counts the answers of served users, of which only so many are told apart. A nil one counts nothing.
type userMetrics struct {
	users                 *metrics.BoundedLabel
	answers, tokens, cost *metrics.Vec
}

func newUserMetrics(r *metrics.Registry, maxUsers int) *userMetrics {
	return &userMetrics{
		users: metrics.NewBoundedLabel(maxUsers),
		answers: r.Counter("confab_ssh_user_answers_total", "Answers of users that have ended, by their state.", "user",
			"state"),
		tokens: r.Counter("confab_ssh_user_tokens_total", "Tokens that engines counted, by user and kind.", "user",
			"kind"),
		cost: r.Counter("confab_ssh_user_cost_total", "Cost of answers by user and currency.", "user", "currency"),
	}
}

// count counts an answer that has ended.
func (m *userMetrics) count(id string, a history.Answer) {
	if m == nil {
		return
	}
	user := m.users.Value(id)
	m.answers.Inc(user, string(a.State))
	for kind, n := range map[string]int{"input": a.Usage.InputTokens, "output": a.Usage.OutputTokens} {
		if n > 0 {
			m.tokens.Add(float64(n), user, kind)
		}
	}
	if a.Cost.Amount > 0 {
		m.cost.Add(a.Cost.Amount, user, a.Cost.Currency)
	}
}
