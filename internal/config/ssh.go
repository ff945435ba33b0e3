package config

import (
	"net"
	"net/netip"
	"time"
)

// SSH is how the screen is served by `confab ssh`.
type SSH struct {
	Listen         string
	AuthorizedKeys string // a file, or a folder; empty: authorized_keys beside the configuration file
	HostKey        string // a file; empty: ssh_host_key in the state folder
	Service        string // "operator", "own"
	Commands       []string
	LocalFiles     bool
	Connections    int
	PerAddress     int
	PerMinute      int
	PerUser        int
	Idle           time.Duration
	Longest        time.Duration
	TurnsAtOnce    int
	AnswersADay    int
	Samples        int
	Disk           int64
	MetricsListen  string // empty: none
}

func sshTable() []Setting {
	return []Setting{
		{Name: "ssh.listen", Type: Text, Default: `"127.0.0.1:2222"`, check: checkListen,
			About: "Where confab ssh listens, as host:port. Any address but loopback can be reached from other " +
				"machines.",
			field: func(s *Settings) any { return &s.SSH.Listen }},
		{Name: "ssh.authorized_keys", Type: Folder, Default: `""`, Example: `"/etc/confab/keys"`,
			About: "Who may log in: a file in the form of OpenSSH's authorized_keys, or a folder with one such " +
				"file for each user, named like the user. Empty: authorized_keys beside this file. In a file each " +
				"key is a user of its own, unless the option environment=\"CONFAB_USER=anna\" before it names " +
				"the user.",
			field: func(s *Settings) any { return &s.SSH.AuthorizedKeys }},
		{Name: "ssh.host_key", Type: Folder, Default: `""`, Example: `"/var/lib/confab/ssh_host_key"`,
			About: "The key by which clients know the server; made at the first start. Empty: ssh_host_key in the " +
				"state folder.",
			field: func(s *Settings) any { return &s.SSH.HostKey }},
		{Name: "ssh.service", Type: Choice, Default: `"operator"`, Choices: []string{"operator", "own"},
			About: "Whose service and key users ask with. \"operator\": those of this file; nobody can read the " +
				"key. \"own\": those of the file config.toml in the user's folder, which you write; without one, " +
				"the embedded service.",
			field: func(s *Settings) any { return &s.SSH.Service }},
		{Name: "ssh.commands", Type: List, Default: `[]`, Example: `["ask"]`, check: checkCommand,
			About: "What may be run without the screen: \"ask\" or nothing.",
			field: func(s *Settings) any { return &s.SSH.Commands }},
		{Name: "ssh.local_files", Type: Switch, Default: `false`,
			About: "Let users name files of this machine by path, everything that the account of the server can " +
				"read or write. Off: only those in their own folder.",
			field: func(s *Settings) any { return &s.SSH.LocalFiles }},
		{Name: "ssh.connections", Type: Number, Default: `32`, Min: 1, Max: 10000,
			About: "How many connections of users there may be at once. Those of whoever has not logged in yet are " +
				"counted apart.",
			field: func(s *Settings) any { return &s.SSH.Connections }},
		{Name: "ssh.per_address", Type: Number, Default: `4`, Min: 1, Max: 10000,
			About: "How many of them from one address, and how many from there that have not logged in yet.",
			field: func(s *Settings) any { return &s.SSH.PerAddress }},
		{Name: "ssh.per_minute", Type: Number, Default: `10`, Min: 1, Max: 10000,
			About: "How many new connections a minute from one address.",
			field: func(s *Settings) any { return &s.SSH.PerMinute }},
		{Name: "ssh.per_user", Type: Number, Default: `4`, Min: 1, Max: 1000,
			About: "How many screens and commands one user may have at once.",
			field: func(s *Settings) any { return &s.SSH.PerUser }},
		{Name: "ssh.idle", Type: Duration, Default: `"30m"`, Min: ms(10 * time.Second), Max: ms(30 * 24 * time.Hour),
			About: "How long a screen stays open without a key pressed. The user is warned a minute before.",
			field: func(s *Settings) any { return &s.SSH.Idle }},
		{Name: "ssh.longest", Type: Duration, Default: `"24h"`, Min: ms(10 * time.Second),
			Max:   ms(365 * 24 * time.Hour),
			About: "How long a login may last in all.",
			field: func(s *Settings) any { return &s.SSH.Longest }},
		{Name: "ssh.turns_at_once", Type: Number, Default: `4`, Min: 1, Max: 1000,
			About: "How many turns of one user may be answered at once. A suite does not count, and the " +
				"combinations of a prompt's variables count as one.",
			field: func(s *Settings) any { return &s.SSH.TurnsAtOnce }},
		{Name: "ssh.answers_a_day", Type: Number, Default: `1000`, Min: 1, Max: 10000000,
			About: "How many answers one user may ask for from midnight to midnight, UTC: each model, sample and " +
				"combination of variables is one, each call of a suite, and each answer that is run again.",
			field: func(s *Settings) any { return &s.SSH.AnswersADay }},
		{Name: "ssh.samples", Type: Number, Default: `10`, Min: 1, Max: 100,
			About: "How many samples of each model one user may ask for at once, in a turn or a suite.",
			field: func(s *Settings) any { return &s.SSH.Samples }},
		{Name: "ssh.disk", Type: Size, Default: `"1GiB"`, Min: 1 << 20, Max: 1 << 50,
			About: "How much one user may keep: history, pictures, drafts, exports.",
			field: func(s *Settings) any { return &s.SSH.Disk }},
		{Name: "ssh.metrics_listen", Type: Text, Default: `""`, Example: `"127.0.0.1:9222"`, check: checkLoopback,
			About: "Where /metrics (for Prometheus) and /healthz are served, on loopback only. Empty: nowhere.",
			field: func(s *Settings) any { return &s.SSH.MetricsListen }},
	}
}

func checkCommand(s string) string {
	if s != "ask" {
		return `must be "ask", the only command that can be allowed`
	}
	return ""
}

func checkLoopback(s string) string {
	if wrong := checkListen(s); wrong != "" || s == "" {
		return wrong
	}
	host, _, err := net.SplitHostPort(s)
	if ip, parsing := netip.ParseAddr(host); err != nil || host != "localhost" && (parsing != nil || !ip.IsLoopback()) {
		return `must be an address of this machine only, such as "127.0.0.1:9222"`
	}
	return ""
}
