package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
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

// Where the keyring keeps the key, and how long a source may take to tell it.
const (
	KeyringService = "confab"
	KeyringUser    = "api_key"
	keyWait        = 30 * time.Second
	maxKey         = 8 << 10 // bytes
)

// KeySource returns where [Config.APIKey] would take the key from, without asking: the environment wins over
// api_key_command, that over the keyring, that over api_key_file. The zero Origin means that there is no source.
func (c Config) KeySource() Origin {
	switch {
	case c.environmentKey() != "":
		return Origin{Source: FromEnv, Name: "CONFAB_API_KEY"}
	case len(c.Service.APIKeyCommand) > 0:
		return Origin{Source: FromCommand, Name: c.Service.APIKeyCommand[0]}
	case c.Service.Keyring:
		return Origin{Source: FromKeyring}
	case c.Service.APIKeyFile != "":
		return Origin{Source: FromFile, Name: c.Service.APIKeyFile}
	}
	return Origin{}
}

// environmentKey returns the key that the environment holds, or "".
func (c Config) environmentKey() string { return strings.TrimSpace(c.env.get("CONFAB_API_KEY")) }

// APIKey returns the key and where it came from. It may run a program or wait for the keyring, up to 30 seconds; ctx
// ends that. The environment wins over api_key_command, that over the keyring, that over api_key_file; only a keyring
// without the key is passed over, any other failure of a source that is set is an error, so that no other key is used
// in silence. Errors are [*api.Error] of code config, or cancelled, and never hold the key.
func (c Config) APIKey(ctx context.Context) (key string, from Origin, err error) {
	from = c.KeySource()
	switch from.Source {
	case FromEnv:
		key = c.environmentKey()
	case FromCommand:
		command := c.Service.APIKeyCommand
		key, err = c.keyOfCommand(ctx, command, "The command for the key, "+clean(command[0])+",")
	case FromKeyring:
		key, err = c.keyOfKeyring(ctx)
		if err == nil && key == "" && c.Service.APIKeyFile != "" {
			from = Origin{Source: FromFile, Name: c.Service.APIKeyFile}
			key, err = keyOfFile(c.Service.APIKeyFile)
		}
	case FromFile:
		key, err = keyOfFile(c.Service.APIKeyFile)
	}
	if err != nil {
		return "", from, err
	}
	if key == "" {
		return "", Origin{}, failure("There is no key for the service: set CONFAB_API_KEY, or "+
			"service.api_key_command, keyring or api_key_file in %s.", clean(c.Paths.ConfigFile))
	}
	if !isOneWord(key) {
		return "", from, failure("The key from %s is not one word of printable characters.", from)
	}
	return key, from, nil
}

// ChildEnv is the environment for every program that confab starts: the passed one without the key, those of engines
// and of the pictures, and the password of the history.
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

// isOneWord reports whether a key is one word of printable characters.
func isOneWord(key string) bool {
	return len(key) <= maxKey &&
		!strings.ContainsFunc(key, func(r rune) bool { return r == ' ' || !termtext.IsVisible(r) })
}

// keyOfCommand returns the key that a program prints, which is run without a shell. Errors begin with the name of the
// command and hold what it wrote to its standard error, cleaned and shortened, but never what it printed.
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

// keyOfKeyring returns the empty key when the keyring has none.
func (c Config) keyOfKeyring(ctx context.Context) (string, error) {
	type answer struct {
		key string
		err error
	}
	ctx, cancel := context.WithTimeout(ctx, keyWait)
	defer cancel()
	// The library cannot be cancelled: it ends when the system answers, which
	// may be after the person closes a password dialog.
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

// keyOfFile reads the key from a file that nobody else may read. The rights
// are those of the opened file, so that it cannot be swapped in between.
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
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
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

// picturesKey is the variable with the key of the bucket.
const picturesKey = "CONFAB_PICTURES_KEY"

// PicturesKey returns the key of the bucket, empty when none is configured: the environment wins over key_command, that
// over key_file. Errors are those of [Config.APIKey].
func (c Config) PicturesKey(ctx context.Context) (string, error) {
	key := strings.TrimSpace(c.env.get(picturesKey))
	var err error
	switch {
	case key != "":
	case len(c.Pictures.KeyCommand) > 0:
		key, err = c.keyOfCommand(ctx, c.Pictures.KeyCommand, "The command for the key of the pictures")
	case c.Pictures.KeyFile != "":
		key, err = keyOfFile(c.Pictures.KeyFile)
	}
	if err == nil && !isOneWord(key) {
		err = failure("The key of the pictures is not one word of printable characters.")
	}
	return key, err
}

// EngineKey returns the key of an engine's server, empty when none is configured: key_env wins over key_command, that
// over key_file. A source that is set and has none is an error. Errors are those of [Config.APIKey].
func (c Config) EngineKey(ctx context.Context, e Engine) (string, error) {
	var key string
	var err error
	switch {
	case e.KeyEnv != "":
		if key = strings.TrimSpace(c.env.get(e.KeyEnv)); key == "" {
			return "", failure("The engine %s takes its key from %s, which is not set.", e.Name, e.KeyEnv)
		}
	case len(e.KeyCommand) > 0:
		key, err = c.keyOfCommand(ctx, e.KeyCommand, "The command for the key of the engine "+e.Name)
	case e.KeyFile != "":
		key, err = keyOfFile(e.KeyFile)
	}
	if err == nil && !isOneWord(key) {
		err = failure("The key of the engine %s is not one word of printable characters.", e.Name)
	}
	return key, err
}

// historyPassword is the variable of the environment that holds the password of the history's database.
const historyPassword = "CONFAB_HISTORY_PASSWORD"

// HistoryPassword returns the password of the history's database: that of the environment, else of password_command,
// else of password_file; empty without any, where those of PostgreSQL's own places count. Errors are those of
// [Config.APIKey].
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
