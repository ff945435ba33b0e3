package config_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/zalando/go-keyring"

	"confab/service/api"

	"confab/internal/config"
)

const sentinel = "SENTINEL-key-0123456789"

// keyFile writes a key file with the given rights.
func keyFile(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "it's a key")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	must(t, os.Chmod(path, mode))
	return path
}

// script writes a program for the key command.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tell key")
	must(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	return path
}

func ring(key string, err error) func(string, string) (string, error) {
	return func(service, user string) (string, error) {
		if service != config.KeyringService || user != config.KeyringUser {
			return "", fmt.Errorf("asked for %s of %s", user, service)
		}
		return key, err
	}
}

// withKey loads a configuration whose sources of the key are those given;
// empty ones are not set.
func withKey(t *testing.T, env string, command []string, keys func(string, string) (string, error),
	file string) config.Config {
	t.Helper()
	o := config.Sources{Home: t.TempDir(), Env: []string{"PATH=/usr/bin:/bin"}, Keyring: keys}
	if env != "" {
		o.Env = append(o.Env, "CONFAB_API_KEY="+env)
	}
	if command != nil {
		words := make([]string, len(command))
		for i, word := range command {
			words[i] = strconv.Quote(word)
		}
		o.Env = append(o.Env, "CONFAB_SERVICE_API_KEY_COMMAND=["+strings.Join(words, ",")+"]")
	}
	if keys != nil {
		o.Env = append(o.Env, "CONFAB_SERVICE_KEYRING=true")
	}
	if file != "" {
		o.Env = append(o.Env, "CONFAB_SERVICE_API_KEY_FILE="+file)
	}
	return load(t, o)
}

func TestKeyOrder(t *testing.T) {
	command := []string{script(t, "echo ' by-command '")}
	file := keyFile(t, "by-file\n", 0o600)
	keys := ring("by-keyring", nil)
	for _, tt := range []struct {
		name string
		c    config.Config
		want string
		from config.Source
	}{
		{"environment first", withKey(t, " by-env ", command, keys, file), "by-env", config.FromEnv},
		{"then command", withKey(t, "", command, keys, file), "by-command", config.FromCommand},
		{"then keyring", withKey(t, "", nil, keys, file), "by-keyring", config.FromKeyring},
		{"keyring without it", withKey(t, "", nil, ring("", keyring.ErrNotFound), file), "by-file", config.FromFile},
		{"then file", withKey(t, "", nil, nil, file), "by-file", config.FromFile},
		{"read-only file", withKey(t, "", nil, nil, keyFile(t, "by-file", 0o400)), "by-file", config.FromFile},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, from, err := tt.c.APIKey(context.Background())
			if err != nil || got != tt.want || from.Source != tt.from {
				t.Errorf("got %q from %s (%v), want %q from %s", got, from, err, tt.want, tt.from)
			}
		})
	}
}

func TestKeyFailures(t *testing.T) {
	good := keyFile(t, "by-file", 0o600)
	folder := t.TempDir()
	open := func(mode os.FileMode) config.Config { return withKey(t, "", nil, nil, keyFile(t, sentinel, mode)) }
	for _, tt := range []struct {
		name string
		c    config.Config
		want string
	}{
		{"no source", withKey(t, "", nil, nil, ""), "set CONFAB_API_KEY"},
		{"empty keyring, no file", withKey(t, "", nil, ring("", keyring.ErrNotFound), ""), "set CONFAB_API_KEY"},
		{"no keyring", withKey(t, "", nil, ring(sentinel, errors.New("dbus: "+sentinel)), good),
			"set service.keyring to false"},
		{"file for the group", open(0o640), `run chmod 600 '`},
		{"file for all", open(0o604), `it'\''s a key'`},
		{"file to write by all", open(0o602), `chmod 600`},
		{"missing file", withKey(t, "", nil, nil, "/nowhere/key"), "/nowhere/key does not exist."},
		{"folder", withKey(t, "", nil, nil, folder), "is a folder, not a file"},
		{"empty file", withKey(t, "", nil, nil, keyFile(t, " \n", 0o600)), "is empty"},
		{"huge file", withKey(t, "", nil, nil, keyFile(t, strings.Repeat("k", 8<<10+1), 0o600)), "is not one word"},
		{"two words", withKey(t, "", nil, nil, keyFile(t, sentinel+" x", 0o600)), "is not one word"},
		{"two lines", withKey(t, "", []string{script(t, "echo "+sentinel+"; echo x")}, nil, good), "is not one word"},
		{"escape", withKey(t, sentinel+"\x1b[0m", nil, nil, ""), "is not one word"},
		{"command fails",
			withKey(t, "", []string{script(t, "echo "+sentinel+`; printf 'no\033]0;x\n agent' >&2; exit 3`)}, nil,
				good), "ended with status 3: no␛]0;x agent."},
		{"command prints nothing", withKey(t, "", []string{script(t, "true")}, nil, good), "printed nothing"},
		{"command prints without end",
			withKey(t, "",
				[]string{script(t,
					"yes kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk | head -n 1000")}, nil, good),
			"printed more than a key"},
		{"no such command", withKey(t, "", []string{"confab-no-such-program", sentinel}, nil, good),
			"is not a program that can be found"},
		{"not executable", withKey(t, "", []string{good}, nil, good), "permission denied"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			key, _, err := tt.c.APIKey(context.Background())
			got := message(t, err)
			if key != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q and %q, want %q", key, got, tt.want)
			}
			if strings.Contains(fmt.Sprintf("%+v %v", err, got), sentinel) {
				t.Errorf("the error shows the key: %q", got)
			}
		})
	}
}

func TestKeyCommandIsNoShell(t *testing.T) {
	c := load(t, config.Sources{Home: "/h", Env: []string{"SEEN=yes",
		`CONFAB_SERVICE_API_KEY_COMMAND=["/bin/sh", "-c", "echo \"$1,$SEEN,${HOME-none}\"", "x", "$(id);b*"]`}})
	got, _, err := c.APIKey(context.Background())
	if want := "$(id);b*,yes,none"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestChildrenGetNoKey(t *testing.T) {
	c := load(t, config.Sources{Home: "/h", Env: []string{"B=2", "CONFAB_API_KEY=" + sentinel, "A=x=y"}})
	if got, want := fmt.Sprint(c.ChildEnv()), "[A=x=y B=2]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestKeyCommandIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	path := filepath.Join(t.TempDir(), "started")
	c := withKey(t, "", []string{script(t, "echo > '"+path+"'; exec sleep 60")}, nil, "")
	done := make(chan error)
	go func() {
		_, _, err := c.APIKey(ctx)
		done <- err
	}()
	for _, err := os.Stat(path); err != nil; _, err = os.Stat(path) {
		select {
		case err := <-done:
			t.Fatalf("ended early: %v", err)
		default:
		}
	}
	cancel()
	if err := <-done; api.CodeOf(err) != api.CodeCancelled {
		t.Errorf("got %v", err)
	}
}

func TestKeyringThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		c := load(t,
			config.Sources{Home: "/h", Env: []string{"CONFAB_SERVICE_KEYRING=1"},
				Keyring: func(string, string) (string, error) {
					<-end
					return sentinel, nil
				}})
		_, _, err := c.APIKey(t.Context())
		if !strings.Contains(message(t, err), "did not answer in time") {
			t.Errorf("got %v", err)
		}
		close(end)
		synctest.Wait()
	})
}

func TestKeyringThatPanics(t *testing.T) {
	c := withKey(t, "", nil, func(string, string) (string, error) { panic("dbus") }, "")
	if _, _, err := c.APIKey(t.Context()); !strings.Contains(message(t, err), "cannot be read") {
		t.Errorf("got %v", err)
	}
}

// TestKeyIsNeverShown formats everything that holds the key in every way.
func TestKeyIsNeverShown(t *testing.T) {
	file := keyFile(t, sentinel, 0o600)
	for name, c := range map[string]config.Config{
		"environment": withKey(t, sentinel, nil, nil, ""),
		"command":     withKey(t, "", []string{"printf", sentinel}, nil, ""),
		"keyring":     withKey(t, "", nil, ring(sentinel, nil), ""),
		"file":        withKey(t, "", nil, nil, file),
	} {
		t.Run(name, func(t *testing.T) {
			key, from, err := c.APIKey(context.Background())
			if err != nil || key != sentinel || string(from.Source) != name {
				t.Fatalf("got %q from %s, %v", key, from, err)
			}
			shown := c.Show()
			if !strings.Contains(shown, "# key: •••• from "+name) {
				t.Errorf("does not say where the key is from:\n%s", shown)
			}
			for _, s := range append(formatted(t, c), shown, from.String()) {
				if strings.Contains(s, "SENTINEL") {
					t.Errorf("shows the key: %s", s)
				}
			}
		})
	}
}

func formatted(t *testing.T, c config.Config) []string {
	t.Helper()
	var texts []string
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("Loaded", "config", c)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("Loaded", "config", c)
	for _, v := range []any{c, &c, struct{ config.Config }{c},
		map[string]*config.Config{"c": &c}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			texts = append(texts, fmt.Sprintf(verb, v))
		}
		j, err := json.Marshal(v)
		must(t, err)
		texts = append(texts, string(j))
	}
	return append(texts, log.String())
}
