package cli

import (
	"context"
	"slices"
	"strings"

	"confab/internal/config"
	"confab/internal/sshserver"
)

// sshReload is what SIGHUP does while confab ssh runs. Only the goroutine of the signals uses it.
type sshReload struct {
	app       *app
	load      func(context.Context) (config.Config, error)
	server    *sshserver.Server
	house     *house
	running   config.Config // as it was last loaded
	terminals []any         // the streams that were terminals at the start
}

// terminalsOf returns the streams that are terminals. Standard output does not count: the server writes nothing there.
func terminalsOf(e Env) []any {
	return slices.DeleteFunc([]any{e.Stdin, e.Stderr}, func(stream any) bool { return !isTerminal(stream) })
}

// hangup handles SIGHUP and tells whether the server goes on: it does not when its terminal was closed.
func (r *sshReload) hangup(ctx context.Context) (goesOn bool) {
	if slices.ContainsFunc(r.terminals, func(stream any) bool { return !isTerminal(stream) }) {
		return false
	}
	r.run(ctx)
	return true
}

// run reads the authorised keys and the configuration again. Of a configuration with an error nothing is used, and
// the keys are read all the same.
func (r *sshReload) run(ctx context.Context) {
	log := r.app.log
	cfg, err := r.load(ctx)
	if err != nil {
		log.Error("The configuration cannot be read again; it stays as it was", "error", sentence(err))
		r.server.Reload(sshLimits(r.running.SSH), r.running.SSH.Commands)
		return
	}
	var changed, later []string
	for _, name := range cfg.Changed(r.running) {
		if slices.Contains(reloadedSettings(), name) {
			changed = append(changed, name)
		} else {
			later = append(later, name)
		}
	}
	r.running = cfg
	r.server.Reload(sshLimits(cfg.SSH), cfg.SSH.Commands)
	r.house.changeQuotas(cfg.SSH)
	log.Info("Read the configuration again", "changed", strings.Join(changed, " "))
	if len(later) > 0 {
		log.Warn("Some settings have changed that need a restart", "settings", strings.Join(later, " "))
	}
}

// reloadedSettings are the settings that take effect without a restart.
func reloadedSettings() []string {
	return []string{
		"ssh.connections", "ssh.per_address", "ssh.per_minute", "ssh.per_user", "ssh.idle", "ssh.longest", "ssh.commands",
		"ssh.turns_at_once", "ssh.answers_a_day", "ssh.samples", "ssh.disk",
	}
}

// sshLimits returns the limits that the configuration sets.
func sshLimits(o config.SSH) sshserver.Limits {
	return sshserver.Limits{
		Connections: o.Connections, PerAddress: o.PerAddress, PerMinute: o.PerMinute, PerUser: o.PerUser,
		Idle: o.Idle, Longest: o.Longest,
	}
}

// currentQuotas returns the quotas of all users as they are now.
func (h *house) currentQuotas() config.SSH {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.quotas
}

// changeQuotas sets the quotas of all users.
func (h *house) changeQuotas(o config.SSH) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.quotas = o
	for _, t := range h.tenants {
		t.quota.change(o)
	}
}
