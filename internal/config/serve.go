package config

import (
	"net/netip"
	"time"
)

// Serve is how confab serve serves.
type Serve struct {
	Addr           string
	TLSCert        string
	TLSKey         string
	TrustedProxies []string
	MetricsAddr    string
	Keys           string // folder; empty: in the data folder
	Cache          string // folder; empty: in the data folder
	CacheSize      int64
	Rate           int
	Quota          int
	MaxBody        int64
	MaxConnections int
	MaxTexts       int
	MaxPictures    int
	MaxWaiting     int
	Drain          time.Duration
	Shutdown       time.Duration
	HealthInterval time.Duration
	Log            string // "text", "json", "off"
}

func serveTable() []Setting {
	return []Setting{
		{Name: "serve.addr", Type: Text, Default: `"127.0.0.1:4141"`, check: checkListen,
			About: "The address that confab serve listens on, as host:port.",
			field: func(s *Settings) any { return &s.Serve.Addr }},
		{Name: "serve.tls_cert", Type: Folder, Default: `""`, Example: `"/etc/confab/tls.crt"`,
			About: "The certificate for HTTPS, with its chain, as PEM. It is read again when the file changes.",
			field: func(s *Settings) any { return &s.Serve.TLSCert }},
		{Name: "serve.tls_key", Type: Folder, Default: `""`, Example: `"/etc/confab/tls.key"`,
			About: "The key of that certificate, as PEM. It is refused when others may read it: chmod 600, or 640 " +
				"where it is root's.",
			field: func(s *Settings) any { return &s.Serve.TLSKey }},
		{Name: "serve.trusted_proxies", Type: List, Default: `[]`, Example: `["10.0.0.0/8"]`, check: checkNetwork,
			About: "Networks of proxies in front of it; with any, keys are needed. Only what comes from them may " +
				"name the client's address (X-Forwarded-For).",
			field: func(s *Settings) any { return &s.Serve.TrustedProxies }},
		{Name: "serve.metrics_addr", Type: Text, Default: `""`, Example: `"127.0.0.1:4142"`, check: checkListen,
			About: "An address of its own for /metrics, /healthz and /readyz. Empty: /metrics is on the main " +
				"address, for this machine only.",
			field: func(s *Settings) any { return &s.Serve.MetricsAddr }},
		{Name: "serve.keys", Type: Folder, Default: `""`,
			About: "The folder of API keys that `confab serve keys` keeps, hashed. Empty: serve/keys in the data " +
				"folder.",
			field: func(s *Settings) any { return &s.Serve.Keys }},
		{Name: "serve.cache", Type: Folder, Default: `""`,
			About: "The folder in which pictures are kept by nonce. Empty: serve/cache in the data folder.",
			field: func(s *Settings) any { return &s.Serve.Cache }},
		{Name: "serve.cache_size", Type: Size, Default: `"1GiB"`, Min: 0, Max: 1 << 44,
			About: "How much that folder may hold; the pictures used longest ago go first. 0: nothing is kept on " +
				"the disk.",
			field: func(s *Settings) any { return &s.Serve.CacheSize }},
		{Name: "serve.rate", Type: Number, Default: `0`, Min: 0, Max: 1000000,
			About: "Requests a minute for each key that has no rate of its own. 0: no limit.",
			field: func(s *Settings) any { return &s.Serve.Rate }},
		{Name: "serve.quota", Type: Number, Default: `0`, Min: 0, Max: 1000000000,
			About: "Requests a day (UTC) for each key that has no quota of its own. 0: no limit.",
			field: func(s *Settings) any { return &s.Serve.Quota }},
		{Name: "serve.max_body", Type: Size, Default: `"1MiB"`, Min: 1 << 10, Max: 64 << 20,
			About: "The largest request.",
			field: func(s *Settings) any { return &s.Serve.MaxBody }},
		{Name: "serve.max_connections", Type: Number, Default: `20000`, Min: 1, Max: 1000000,
			About: "Connections at a time; more wait to be taken.",
			field: func(s *Settings) any { return &s.Serve.MaxConnections }},
		{Name: "serve.max_texts", Type: Number, Default: `10000`, Min: 1, Max: 1000000,
			About: "Texts at work at a time.",
			field: func(s *Settings) any { return &s.Serve.MaxTexts }},
		{Name: "serve.max_pictures", Type: Number, Default: `64`, Min: 1, Max: 100000,
			About: "Pictures and edits at work at a time.",
			field: func(s *Settings) any { return &s.Serve.MaxPictures }},
		{Name: "serve.max_waiting", Type: Number, Default: `1000`, Min: 1, Max: 1000000,
			About: "Requests that wait for those; more are refused with 429.",
			field: func(s *Settings) any { return &s.Serve.MaxWaiting }},
		{Name: "serve.drain", Type: Duration, Default: `"0s"`, Min: 0, Max: ms(10 * time.Minute),
			About: "How long /readyz says no before it stops taking requests, so that a load balancer can look away.",
			field: func(s *Settings) any { return &s.Serve.Drain }},
		{Name: "serve.shutdown", Type: Duration, Default: `"30s"`, Min: ms(time.Second), Max: ms(time.Hour),
			About: "How long running requests may take to end when it is stopped.",
			field: func(s *Settings) any { return &s.Serve.Shutdown }},
		{Name: "serve.health_interval", Type: Duration, Default: `"10s"`, Min: ms(time.Second), Max: ms(time.Hour),
			About: "How often engines are asked whether they are up.",
			field: func(s *Settings) any { return &s.Serve.HealthInterval }},
		{Name: "serve.log", Type: Choice, Default: `"text"`, Choices: []string{"text", "json", "off"},
			About: "One line per request on standard error, without prompts and keys.",
			field: func(s *Settings) any { return &s.Serve.Log }},
	}
}

func checkNetwork(s string) string {
	if _, err := netip.ParsePrefix(s); err == nil {
		return ""
	}
	if _, err := netip.ParseAddr(s); err == nil {
		return ""
	}
	return `must be addresses or networks such as "10.0.0.0/8"`
}
