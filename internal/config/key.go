package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/zalando/go-keyring"

	"confab/internal/fileio"
	"confab/internal/format"
	"confab/internal/safego"
	"confab/internal/subprocess"
	"confab/internal/termtext"
	"confab/service/api"
)

// The place of the key in the keyring, and limits of all sources of keys.
const (
	KeyringService = "confab"
	KeyringUser    = "api_key"
	keyWait        = 30 * time.Second
	maxKey         = 8 << 10 // bytes
)

// secret lists the sources of a secret. The first that is set counts.
type secret struct {
	what        string // for errors, such as "key of the pictures"
	variable    string // of the environment
	command     []string
	usesKeyring bool
	file        string
}

// source returns the source of the secret without reading it; the zero Origin without any.
func (s secret) source(env environment) Origin {
	switch {
	case strings.TrimSpace(env.get(s.variable)) != "":
		return Origin{Source: FromEnv, Name: s.variable}
	case len(s.command) > 0:
		return Origin{Source: FromCommand, Name: s.command[0]}
	case s.usesKeyring:
		return Origin{Source: FromKeyring}
	case s.file != "":
		return Origin{Source: FromFile, Name: s.file}
	}
	return Origin{}
}

// secretFrom returns a secret and its source, both empty where none is configured. A source that is set must not
// fail, except that a keyring may lack the key.
func (c Config) secretFrom(ctx context.Context, s secret) (text string, from Origin, err error) {
	switch from = s.source(c.env); from.Source {
	case FromEnv:
		text = strings.TrimSpace(c.env.get(s.variable))
	case FromCommand:
		text, err = c.keyOfCommand(ctx, s.command, "The command for the "+s.what+", "+clean(s.command[0])+",")
	case FromKeyring:
		if text, err = c.keyOfKeyring(ctx); text == "" && err == nil {
			s.usesKeyring = false
			return c.secretFrom(ctx, s)
		}
	case FromFile:
		text, err = keyOfFile(s.file)
	}
	if err != nil {
		return "", from, err
	}
	isBad := func(r rune) bool { return r == ' ' || !termtext.IsVisible(r) }
	if len(text) > maxKey || strings.ContainsFunc(text, isBad) {
		return "", from, failure("The %s from %s is not one word of printable characters.", s.what, from)
	}
	return text, from, nil
}

func (c Config) apiKey() secret {
	return secret{"key", "CONFAB_API_KEY", c.Service.APIKeyCommand, c.Service.Keyring, c.Service.APIKeyFile}
}

// KeySource returns the source of [Config.APIKey] without reading it; the zero Origin without any.
func (c Config) KeySource() Origin { return c.apiKey().source(c.env) }

// APIKey returns the key and its source, the first of environment, api_key_command, keyring and api_key_file. It may
// run a program or wait for the keyring for 30 seconds, or until ctx ends.
//
// A source that is set must not fail, except that a keyring may lack the key, so that no other key is used in
// silence. Errors are [*api.Error] of code config or cancelled, and never hold the key.
func (c Config) APIKey(ctx context.Context) (key string, from Origin, err error) {
	key, from, err = c.secretFrom(ctx, c.apiKey())
	if err == nil && key == "" {
		err = failure("There is no key for the service: set CONFAB_API_KEY, or "+
			"service.api_key_command, keyring or api_key_file in %s.", clean(c.Paths.ConfigFile))
	}
	return key, from, err
}

// ChildEnv returns the environment for programs that confab starts, without keys and passwords.
func (c Config) ChildEnv() []string {
	var list []string
	for _, name := range c.env.names() {
		engines := slices.ContainsFunc(c.Engines, func(e Engine) bool { return e.KeyEnv == name })
		if !engines && !slices.Contains([]string{"CONFAB_API_KEY", historyPassword, picturesKey}, name) {
			list = append(list, name+"="+c.env.get(name))
		}
	}
	return list
}

// keyOfCommand returns the key that a program prints. Errors begin with name and hold the cleaned end of its standard
// error, never its output.
func (c Config) keyOfCommand(ctx context.Context, argv []string, name string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyWait)
	defer cancel()
	r, err := subprocess.Run(ctx, subprocess.Command{Args: argv, Env: c.ChildEnv(), MaxOutput: maxKey,
		IsForeground: true, WaitDelay: 2 * time.Second})
	var exit *exec.ExitError
	key := strings.TrimSpace(string(r.Output))
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", failure("%s did not end within %d seconds.", name, int(keyWait.Seconds()))
	case ctx.Err() != nil:
		return "", cancelled(ctx.Err())
	case errors.As(err, &exit) && clean(r.ErrorOutput) != "":
		return "", failure("%s ended with status %d: %s.", name, exit.ExitCode(), clean(r.ErrorOutput))
	case exit != nil:
		return "", failure("%s ended with status %d.", name, exit.ExitCode())
	case errors.Is(err, exec.ErrNotFound):
		return "", failure("%s is not a program that can be found.", name)
	case err != nil:
		return "", failure("%s cannot be run: %s.", name, reason(err))
	case r.IsTruncated:
		return "", failure("%s printed more than a key.", name)
	case key == "":
		return "", failure("%s printed nothing.", name)
	}
	return key, nil
}

// keyOfKeyring returns "" when the keyring has no key.
func (c Config) keyOfKeyring(ctx context.Context) (string, error) {
	type answer struct {
		key string
		err error
	}
	ctx, cancel := context.WithTimeout(ctx, keyWait)
	defer cancel()
	// The library cannot be cancelled; it ends when the user closes a password dialog.
	answers := make(chan answer, 1)
	ask := c.keyring
	safego.Go(nil, "ask the keyring", func() {
		key, err := ask(KeyringService, KeyringUser)
		answers <- answer{strings.TrimSpace(key), err}
	}, func(err error) { answers <- answer{err: err} })
	select {
	case a := <-answers:
		if errors.Is(a.err, keyring.ErrNotFound) {
			return "", nil
		}
		if a.err != nil {
			return "", &api.Error{Code: api.CodeConfig, Message: "The system's keyring cannot be read; set " +
				"service.keyring to false to do without it.", Err: a.err}
		}
		return a.key, nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return "", cancelled(ctx.Err())
		}
		return "", &api.Error{Code: api.CodeConfig, Message: "The system's keyring did not answer in " +
			"time.", Err: context.Cause(ctx)}
	}
}

func cancelled(err error) error {
	return &api.Error{Code: api.CodeCancelled, Message: "Asking for the key was cancelled.", Err: err}
}

func systemKeyring(service, user string) (string, error) {
	key, err := keyring.Get(service, user)
	if err != nil {
		return "", fmt.Errorf("ask the keyring: %w", err)
	}
	return key, nil
}

// keyOfFile reads the key from a file that nobody else may read. It checks the opened file, which nobody can swap.
func keyOfFile(path string) (string, error) {
	f, err := fileio.Open(path)
	if err != nil {
		return "", readError("key file", path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", readError("key file", path, err)
	}
	if fileio.OthersMay(0o077, info) {
		return "", failure("The key file %s can be read by others on this machine: run chmod 600 %s, and think "+
			"about a new key.", clean(path), format.ShellWord(clean(path)))
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	if err != nil {
		return "", readError("key file", path, err)
	}
	key := strings.TrimSpace(string(data))
	if key == "" {
		return "", failure("The key file %s is empty.", clean(path))
	}
	return key, nil
}

const picturesKey = "CONFAB_PICTURES_KEY"

// PicturesKey returns the key of the bucket, the first of environment, key_command and key_file; empty without any.
// Errors are those of [Config.APIKey].
func (c Config) PicturesKey(ctx context.Context) (string, error) {
	key, _, err := c.secretFrom(ctx, secret{"key of the pictures", picturesKey, c.Pictures.KeyCommand, false,
		c.Pictures.KeyFile})
	return key, err
}

// EngineKey returns the key of an engine's server, the first of key_env, key_command and key_file; empty without any.
// A source that is set must not fail. Errors are those of [Config.APIKey].
func (c Config) EngineKey(ctx context.Context, e Engine) (string, error) {
	if e.KeyEnv != "" && strings.TrimSpace(c.env.get(e.KeyEnv)) == "" {
		return "", failure("The engine %s takes its key from %s, which is not set.", e.Name, e.KeyEnv)
	}
	key, _, err := c.secretFrom(ctx, secret{"key of the engine " + e.Name, e.KeyEnv, e.KeyCommand, false, e.KeyFile})
	return key, err
}

const historyPassword = "CONFAB_HISTORY_PASSWORD"

// HistoryPassword returns the password of the database, the first of environment, password_command and password_file;
// empty without any, so that PostgreSQL's own sources count. Errors are those of [Config.APIKey].
func (c Config) HistoryPassword(ctx context.Context) (string, error) {
	switch {
	case c.env.get(historyPassword) != "":
		return c.env.get(historyPassword), nil
	case len(c.History.PasswordCommand) > 0:
		return c.keyOfCommand(ctx, c.History.PasswordCommand, "The command for the password of the history")
	case c.History.PasswordFile != "":
		return keyOfFile(c.History.PasswordFile)
	}
	return "", nil
}

// CheckSecretFiles reads every file of a key or password, used or not, and returns the errors by setting; nil for
// none.
func (c Config) CheckSecretFiles() map[string]error {
	found := map[string]error{}
	for _, s := range c.all() {
		if path, isText := s.value.(*string); isText && s.is == "key_file" && *path != "" {
			_, found[s.name] = keyOfFile(*path)
		}
	}
	return found
}
