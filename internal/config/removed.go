package config

import "strings"

// replacement returns what a setting that earlier releases had was taken out for, as the end of a sentence; "" for a
// name that never was one. Those of engines and routes are named like "engines.urls".
func replacement(setting string) string {
	for _, table := range []string{"serve.groups", "ssh.groups"} {
		if strings.HasPrefix(setting, table+".") {
			setting = table
		}
	}
	const openSSH = "OpenSSH with ForceCommand confab has it, see ssh.md"
	instead := map[string]string{
		"service.public_url": "use service.upload_command, or keep pictures in a bucket (pictures.url), whose signed " +
			"links a remote service can fetch",
		"history.keep":       "confab history rm --before DATE deletes old sessions",
		"serve.tls_cert":     "a reverse proxy in front does TLS, see serving.md",
		"serve.quota":        "serve.rate and serve.parallel limit keys; LiteLLM keeps budgets, see serving.md",
		"serve.metrics_addr": "serve.health_addr has /healthz and /readyz, and the log has what was answered",
		"ssh.groups":         "ssh.answers_a_day, ssh.samples and ssh.disk hold for all; LiteLLM keeps budgets",
		"ssh.metrics_listen": "ssh.health_listen has /healthz and /readyz, and the log has logins and prompts",
		"ssh.per_address":    "ssh.connections and ssh.per_user limit users, wherever they come from",
		"ssh.longest":        "ssh.idle ends screens that nobody uses",
		"engines.urls":       "an engine has one url; the router of LiteLLM or vLLM spreads requests, see serving.md",
		"routes.fallback":    "a route has one engine; LiteLLM falls back to others, see serving.md",
	}
	for _, name := range []string{"revoked_keys", "authorized_keys_command", "audit", "audit_prompts"} {
		instead["ssh."+name] = openSSH
	}
	instead["service.public_listen"] = instead["service.public_url"]
	instead["serve.tls_key"] = instead["serve.tls_cert"]
	instead["serve.groups"] = instead["serve.quota"]
	instead["ssh.metrics_users"] = instead["ssh.metrics_listen"]
	instead["ssh.turns_at_once"] = "ssh.answers_a_day and ssh.samples limit users"
	instead["ssh.per_minute"] = instead["ssh.per_address"]
	instead["routes.fallback_model"] = instead["routes.fallback"]
	if instead[setting] == "" {
		return ""
	}
	return "was taken out; " + instead[setting]
}
