package config

import "strings"

// replacement returns what to use instead of a removed setting, as the end of a sentence; "" for other names.
// Settings of engines and routes are named like "engines.urls".
func replacement(setting string) (sentence string) {
	if parts := strings.SplitN(setting, ".", 3); len(parts) == 3 { // a key in a table of that name
		setting = parts[0] + "." + parts[1]
	}
	instead := ""
	switch setting {
	case "service.unrouted":
		instead = "offline.models = false leaves out the simulated models, which no engine answers"
	case "service.public_url", "service.public_listen":
		instead = "use service.upload_command, or keep pictures in a bucket (pictures.url), whose signed links a " +
			"remote service can fetch"
	case "history.keep":
		instead = "confab history rm --before DATE deletes old sessions"
	case "serve.tls_cert", "serve.tls_key":
		instead = "a reverse proxy in front does TLS, see serving.md"
	case "serve.cache", "serve.cache_size":
		instead = "confab serve keeps pictures by nonce in memory while it runs"
	case "serve.quota", "serve.groups":
		instead = "serve.rate and serve.parallel limit keys; LiteLLM keeps budgets, see serving.md"
	case "serve.metrics_addr", "serve.health_addr":
		instead = "serve.addr has /healthz and /readyz, and the log has what was answered"
	case "ssh.groups":
		instead = "ssh.answers_a_day, ssh.samples and ssh.disk hold for all; LiteLLM keeps budgets"
	case "ssh.metrics_listen", "ssh.metrics_users":
		instead = "ssh.health_listen has /healthz and /readyz, and the log has logins and prompts"
	case "ssh.per_address", "ssh.per_minute":
		instead = "ssh.connections and ssh.per_user limit users, wherever they come from"
	case "ssh.turns_at_once":
		instead = "ssh.answers_a_day and ssh.samples limit users"
	case "ssh.longest":
		instead = "ssh.idle ends screens that nobody uses"
	case "ssh.host_certificate", "ssh.revoked_keys", "ssh.authorized_keys_command", "ssh.audit", "ssh.audit_prompts":
		instead = "OpenSSH with ForceCommand confab has it, see ssh.md"
	case "engines.urls":
		instead = "an engine has one url; the router of LiteLLM or vLLM spreads requests, see serving.md"
	case "routes.fallback", "routes.fallback_model":
		instead = "a route has one engine; LiteLLM falls back to others, see serving.md"
	default:
		return ""
	}
	return "was taken out; " + instead
}
