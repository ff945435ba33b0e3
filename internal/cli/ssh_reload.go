package cli

import (
	"context"
	"slices"
	"strings"

	"confab/internal/config"
	"confab/internal/sshserver"
)

// sshReload reloads the keys and the configuration of a running confab ssh on SIGHUP. Only the goroutine of the
// signals uses it.
type sshReload struct {
	app            *app
	server         *sshserver.Server
	handler        *sshHandler
	current        config.Config // as last loaded
	startTerminals []any         // the streams that were terminals at the start
}

// terminalsOf returns the streams that are terminals. Standard output does not count: the server writes nothing there.
func terminalsOf(e Env) []any {
	return slices.DeleteFunc([]any{e.Stdin, e.Stderr}, func(stream any) bool { return !isTerminal(stream) })
}

// handleHangup handles SIGHUP. It reports false when the server must stop, because its terminal was closed.
func (r *sshReload) handleHangup(ctx context.Context) (continues bool) {
	if slices.ContainsFunc(r.startTerminals, func(stream any) bool { return !isTerminal(stream) }) {
		return false
	}
	r.reload(ctx)
	return true
}

// reload reads the authorised keys and the configuration again. When the configuration has an error, all of it stays
// as it was; the keys are read anyway.
func (r *sshReload) reload(ctx context.Context) {
	log := r.app.log
	fresh := newApp(r.app.env)
	fresh.flags, fresh.settings = r.app.flags, r.app.settings
	err := fresh.load(ctx)
	cfg := fresh.cfg
	if err != nil {
		log.Error("The configuration cannot be read again; it stays as it was", "error", sentence(err))
		r.server.Reload(sshLimits(r.current.SSH), r.current.SSH.Commands)
		return
	}
	var changed, needRestart []string
	for _, name := range cfg.Changed(r.current) {
		if slices.Contains(reloadedSettings(), name) {
			changed = append(changed, name)
		} else {
			needRestart = append(needRestart, name)
		}
	}
	r.current = cfg
	r.server.Reload(sshLimits(cfg.SSH), cfg.SSH.Commands)
	r.handler.setQuotaLimits(cfg.SSH)
	log.Info("Read the configuration again", "changed", strings.Join(changed, " "))
	if len(needRestart) > 0 {
		log.Warn("Some settings have changed that need a restart", "settings", strings.Join(needRestart, " "))
	}
}

// reloadedSettings returns the settings that take effect without a restart.
func reloadedSettings() []string {
	return []string{
		"ssh.connections", "ssh.per_address", "ssh.per_minute", "ssh.per_user", "ssh.idle", "ssh.longest",
		"ssh.commands",
		"ssh.turns_at_once", "ssh.answers_a_day", "ssh.samples", "ssh.disk",
	}
}

// sshLimits returns the limits that the configuration sets.
func sshLimits(o config.SSH) sshserver.Limits {
	return sshserver.Limits{
		MaxConnections: o.Connections, MaxPerAddress: o.PerAddress, MaxPerMinute: o.PerMinute, MaxPerUser: o.PerUser,
		IdleTimeout: o.Idle, MaxDuration: o.Longest,
	}
}

// currentQuotaLimits returns the quotas of all users as set now.
func (h *sshHandler) currentQuotaLimits() config.SSH {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.quotaLimits
}

// setQuotaLimits replaces the quotas of all users.
func (h *sshHandler) setQuotaLimits(o config.SSH) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.quotaLimits = o
	for _, t := range h.users {
		t.quota.setLimits(o)
	}
}
