package servers

import (
	"confab/history"
	"confab/internal/metrics"
)

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
