package config

import "strings"

// replacement returns what a setting that earlier releases had was taken out for, as the end of a sentence; "" for a
// name that never was one. Those of engines and routes are named like "engines.urls".
func replacement(setting string) string {
	if strings.HasPrefix(setting, "serve.groups") {
		setting = "serve.groups"
	}
	instead := map[string]string{
		"service.public_url": "use service.upload_command, or keep pictures in a bucket (pictures.url), whose signed " +
			"links a remote service can fetch",
		"serve.tls_cert":     "a reverse proxy in front does TLS, see serving.md",
		"serve.quota":        "serve.rate and serve.parallel limit keys; LiteLLM keeps budgets, see serving.md",
		"serve.metrics_addr": "serve.health_addr has /healthz and /readyz, and the log has what was answered",
		"engines.urls":       "an engine has one url; the router of LiteLLM or vLLM spreads requests, see serving.md",
		"routes.fallback":    "a route has one engine; LiteLLM falls back to others, see serving.md",
	}
	instead["service.public_listen"] = instead["service.public_url"]
	instead["serve.tls_key"] = instead["serve.tls_cert"]
	instead["serve.groups"] = instead["serve.quota"]
	instead["routes.fallback_model"] = instead["routes.fallback"]
	if instead[setting] == "" {
		return ""
	}
	return "was taken out; " + instead[setting]
}
