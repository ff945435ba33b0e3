package pictures

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"confab/internal/redact"
	"confab/internal/subprocess"
	"confab/service/api"
	"confab/service/problem"
)

// defaultTimeout is the default time-out of an upload.
const defaultTimeout = time.Minute

// maxOutput is the maximum size in bytes of a command's output.
const maxOutput = 64 << 10

// Placeholders for the picture's path in an upload command and its address in a withdraw command.
const (
	filePlaceholder = "{file}"
	urlPlaceholder  = "{url}"
)

// defaultOutputWait is how long a remaining child process may keep the output open by default.
const defaultOutputWait = 2 * time.Second

// UploadCommandOptions are the choices of [NewUploadCommand].
type UploadCommandOptions struct {
	// Args is the program and its arguments, run without a shell. {file} is replaced by the picture's path, which is
	// appended if no argument contains it.
	Args []string
	// Withdraw is the program with its arguments that withdraws the picture after the request. {url} is replaced by
	// the printed address, which is appended if no argument contains it. It may be empty.
	Withdraw []string
	Environ  []string       // environment of the programs; variables with a secret are removed
	Mask     *redact.Masker // knows the secrets
	Timeout  time.Duration  // of each run; 0 means DefaultTimeout
	// OutputWait is how long a remaining child process may keep the output open; 0 means 2 s.
	OutputWait time.Duration
	Log        *slog.Logger // nil discards
}

// UploadCommand publishes a picture by a program of the user, which uploads it and prints its URL as the last line.
type UploadCommand struct{ o UploadCommandOptions }

// NewUploadCommand returns a publisher that runs a program. The error is an [api.Error] of code config if there is
// none.
func NewUploadCommand(o UploadCommandOptions) (*UploadCommand, error) {
	if len(o.Args) == 0 || o.Args[0] == "" {
		return nil, problem.New(api.CodeConfig, nil,
			"the setting upload_command names no program; give the program and its arguments")
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	o.OutputWait = cmp.Or(o.OutputWait, defaultOutputWait)
	return &UploadCommand{o}, nil
}

// Plan describes what Publish would put where.
func (c *UploadCommand) Plan(path string) string {
	until := "you remove it there"
	if len(c.o.Withdraw) > 0 {
		until = "your command " + filepath.Base(c.o.Withdraw[0]) + " removes it there, right after the request"
	}
	return fmt.Sprintf("%s will be uploaded by your command %s; who has the address it prints can fetch the picture "+
		"until %s.",
		filepath.Base(path), filepath.Base(c.o.Args[0]), until)
}

// Publish runs the program and returns the printed URL. The release function runs Withdraw; without that, only the
// user can withdraw the picture.
func (c *UploadCommand) Publish(ctx context.Context, path string) (string, func(), error) {
	out, err := c.run(ctx, "upload", fill(c.o.Args, filePlaceholder, path))
	if err != nil {
		if u, bad := lastURL(out); bad == nil { // the upload was complete
			c.withdraw(ctx, u)
		}
		return "", nil, err
	}
	u, err := lastURL(out)
	if err != nil {
		return "", nil, problem.New(api.CodeImageUnreachable, err, "the upload command printed no http or https "+
			"address as its last line; run it by hand to see what it prints")
	}
	return u, sync.OnceFunc(func() { c.withdraw(ctx, u) }), nil
}

// withdraw withdraws a picture, even if the request was cancelled.
func (c *UploadCommand) withdraw(ctx context.Context, address string) {
	if len(c.o.Withdraw) == 0 {
		return
	}
	if _, err := c.run(context.WithoutCancel(ctx), "withdraw",
		fill(c.o.Withdraw, urlPlaceholder, address)); err != nil &&
		c.o.Log != nil {
		c.o.Log.Error("Could not take a published picture back", "address", address, "error", err)
	}
}

// fill replaces a placeholder by a value, which is appended if no argument contains the placeholder. It does not
// change the program itself.
func fill(words []string, placeholder, value string) []string {
	filled, placed := slices.Clone(words), false
	for i, word := range filled[1:] {
		if strings.Contains(word, placeholder) {
			filled[i+1], placed = strings.ReplaceAll(word, placeholder, value), true
		}
	}
	if !placed {
		filled = append(filled, value)
	}
	return filled
}

// run runs a program without a shell and returns the end of its output. What names the setting of the command. When
// ctx or the time-out ends, it kills the program and its children.
func (c *UploadCommand) run(ctx context.Context, what string, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	r, err := subprocess.Run(ctx, subprocess.Command{Args: args, Env: c.environ(), MaxOutput: maxOutput,
		Overflow: subprocess.KeepLast, WaitDelay: c.o.OutputWait})
	// A successful program may leave a child that keeps its output open.
	if err != nil && (!errors.Is(err, exec.ErrWaitDelay) || ctx.Err() != nil) {
		return string(r.Output), c.refused(ctx, what, args[0], err, r.ErrorOutput)
	}
	return string(r.Output), nil
}

// environ returns the variables without secrets.
func (c *UploadCommand) environ() []string {
	var env []string
	for _, v := range c.o.Environ {
		name, value, _ := strings.Cut(v, "=")
		if name == "CONFAB_API_KEY" || name == "CONFAB_PICTURES_KEY" || c.o.Mask.String(value) != value {
			continue
		}
		env = append(env, v)
	}
	return env
}

// refused returns the error for a failed program.
func (c *UploadCommand) refused(ctx context.Context, what, program string, err error, complaints string) error {
	name := filepath.Base(program)
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return problem.New(api.CodeTimeout, err, "the %s command took longer than %s; run it by hand to see why", what,
			c.o.Timeout)
	case ctx.Err() != nil:
		return problem.New(api.CodeCancelled, context.Cause(ctx), "the %s command was cancelled", what)
	case errors.As(err, &exit):
		said := cmp.Or(short(lastLine(c.o.Mask.String(complaints))), "nothing that says why")
		return &api.Error{Code: api.CodeImageUnreachable, Err: err,
			Message: fmt.Sprintf("The %s command ended with status %d and said: %s", what, exit.ExitCode(), said)}
	case errors.Is(err, exec.ErrNotFound):
		return problem.New(api.CodeConfig, err, "the %s command %s was not found; check %s_command", what, name, what)
	}
	return problem.New(api.CodeConfig, err, "the %s command %s could not be run; check %s_command", what, name, what)
}

// lastURL returns the address in the last line that is not empty.
func lastURL(out string) (string, error) {
	line := lastLine(out)
	u, err := url.Parse(line)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", errors.New("not an http or https address")
	}
	return line, nil
}

// lastLine returns the last line that is not empty.
func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// short returns the beginning of a line for a sentence.
func short(line string) string {
	if runes := []rune(strings.ToValidUTF8(line, "?")); len(runes) > 200 {
		return string(runes[:200]) + "…"
	}
	return strings.ToValidUTF8(line, "?")
}
