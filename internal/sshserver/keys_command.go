package sshserver

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/subprocess"
)

// Limits of the program that knows authorised keys.
const (
	keysCommandTimeout = 5 * time.Second
	maxKeysCommands    = 4 // that run at the same time; more wait within their time
)

// keysCommand asks a program of the operator which keys a user has. It is never run by a shell.
type keysCommand struct {
	args  []string
	slots chan struct{} // holds one element for each running program
}

// newKeysCommand checks a program and its arguments.
func newKeysCommand(args []string, account int) (*keysCommand, error) {
	if len(args) == 0 {
		return nil, nil //nolint:nilnil // no program is set
	}
	_, info, err := trustedPath(args[0], account)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the program of authorised keys: %w", err)
	case !info.Mode().IsRegular() || info.Mode()&0o111 == 0:
		return nil, fmt.Errorf("the program of authorised keys %s is not a file that can be run", args[0])
	}
	for _, arg := range args {
		if _, problem := expandTokens(arg, nil); problem != "" {
			return nil, fmt.Errorf("the program of authorised keys: %s", problem)
		}
	}
	return &keysCommand{args, make(chan struct{}, maxKeysCommands)}, nil
}

// expandTokens replaces %u and the others in an argument. With nil values it only checks the argument.
func expandTokens(arg string, values map[byte]string) (expanded, problem string) {
	var b strings.Builder
	for i := 0; i < len(arg); i++ {
		if arg[i] != '%' {
			b.WriteByte(arg[i])
			continue
		}
		i++
		if i == len(arg) || !strings.Contains("uktf%", arg[i:i+1]) {
			return "", fmt.Sprintf("%q: only %%u, %%k, %%t, %%f and %%%% are understood here", arg)
		}
		if arg[i] == '%' {
			b.WriteByte('%')
		}
		b.WriteString(values[arg[i]])
	}
	return b.String(), ""
}

// findUser returns the user of a key when the program prints the key for the login.
func (k *keysCommand) findUser(ctx context.Context, login string, key gossh.PublicKey, g grant) (User, error) {
	if k == nil || !isUserName(login) || unacceptableKey(key) != "" {
		return User{}, errNotAuthorised
	}
	ctx, cancel := context.WithTimeout(ctx, keysCommandTimeout)
	defer cancel()
	select {
	case k.slots <- struct{}{}:
		defer func() { <-k.slots }()
	case <-ctx.Done():
		return User{}, errors.New("too many programs of authorised keys are running")
	}
	args := slices.Clone(k.args)
	for i, arg := range args[1:] {
		args[i+1], _ = expandTokens(arg, map[byte]string{
			'u': login, 't': key.Type(), 'f': gossh.FingerprintSHA256(key),
			'k': base64.StdEncoding.EncodeToString(key.Marshal()),
		})
	}
	if len(args) == 1 {
		args = append(args, login) // as OpenSSH does
	}
	result, err := subprocess.Run(ctx, subprocess.Command{
		Args: args, Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin"}, MaxOutput: maxKeyFile,
		Overflow: subprocess.Kill, WaitDelay: time.Second,
	})
	switch {
	case result.IsTruncated:
		return User{}, fmt.Errorf("the program of authorised keys printed more than %d bytes", maxKeyFile)
	case ctx.Err() != nil:
		return User{}, fmt.Errorf("the program of authorised keys: %w", ctx.Err())
	case err != nil:
		return User{}, fmt.Errorf("the program of authorised keys: %w: %s", err, result.ErrorOutput)
	}
	lines, _ := parseAuthorizedKeys("the output", login, result.Output)
	wire, now := string(key.Marshal()), time.Now()
	for _, l := range lines {
		if l.wire == wire && l.options.allow(g.from, now) {
			return l.user, nil
		}
	}
	return User{}, errNotAuthorised
}
