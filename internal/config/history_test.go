package config_test

import (
	"strings"
	"testing"

	"confab/internal/config"
)

func TestHistoryPassword(t *testing.T) {
	command, file := script(t, "echo by-command"), keyFile(t, "by-file\n", 0o600)
	for want, env := range map[string][]string{
		"by-env":     {"CONFAB_HISTORY_PASSWORD=by-env", "CONFAB_HISTORY_PASSWORD_FILE=" + file},
		"by-command": {"CONFAB_HISTORY_PASSWORD_COMMAND=['" + command + "']", "CONFAB_HISTORY_PASSWORD_FILE=" + file},
		"by-file":    {"CONFAB_HISTORY_PASSWORD_FILE=" + file},
		"":           nil,
	} {
		c := load(t, config.Sources{Home: t.TempDir(), Env: append(env, "PATH=/usr/bin:/bin")})
		got, err := c.HistoryPassword(t.Context())
		if err != nil || got != want {
			t.Errorf("%v: got %q, %v, want %q", env, got, err, want)
		}
		if want != "" && strings.Contains(strings.Join(c.ChildEnv(), " ")+c.Show(), want) {
			t.Errorf("%v: the password is shown, or passed on to other programs", env)
		}
	}
	file = keyFile(t, "x", 0o644)
	c := load(t, config.Sources{Home: t.TempDir(), Env: []string{"CONFAB_HISTORY_PASSWORD_FILE=" + file}})
	if _, err := c.HistoryPassword(t.Context()); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a file that others may read: %v", err)
	}
}

func TestDatabaseURL(t *testing.T) {
	for url, isFine := range map[string]bool{
		"":                                    true,
		"postgres://confab@db.example/confab": true,
		"postgresql://confab@a:1,b:2/confab?target_session_attrs=read-write&sslmode=verify-full": true,
		"postgres:///confab?host=/run/postgresql":                                                true,
		"postgres://confab:sentinel@db.example/confab":                                           false,
		"postgres://db.example/confab?password=sentinel":                                         false,
		"postgres://db.example/confab?sslpassword=sentinel":                                      false,
		"https://db.example/sentinel":                                                            false,
		"postgres://db.example/con fab":                                                          false,
	} {
		wrong := config.CheckDatabaseURL(url)
		if (wrong == "") != isFine || strings.Contains(wrong, "sentinel") {
			t.Errorf("%s: %q", url, wrong)
		}
	}
}
