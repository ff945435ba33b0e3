package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"confab/internal/secret"
	"confab/service/api"
)

// DefaultTimeout is how long an upload may take when the options say nothing.
const DefaultTimeout = time.Minute

// maxOutput bounds what is read of a command's output, in bytes.
const maxOutput = 64 << 10

// filePlaceholder stands for the picture's path in an upload command.
const filePlaceholder = "{file}"

// CommandOptions is what a [Command] is made of.
type CommandOptions struct {
	// Args is the program and its arguments; no shell sees them. {file} is
	// replaced by the picture's path, which is added at the end when no
	// argument has it.
	Args    []string
	Environ []string       // what the program sees; variables with a secret are left out
	Mask    *secret.Masker // knows the secrets
	Timeout time.Duration  // 0 = DefaultTimeout
}

// Command publishes a picture by running a program of the user's, which
// uploads it and prints its URL as the last line.
type Command struct{ o CommandOptions }

// NewCommand returns a publisher that runs a program. The error is an
// [api.Error] of code config when there is none.
func NewCommand(o CommandOptions) (*Command, error) {
	if len(o.Args) == 0 || o.Args[0] == "" {
		return nil, &api.Error{Code: api.CodeConfig, Message: "The setting upload_command names no program; give the program and its arguments."}
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	return &Command{o: o}, nil
}

// Plan says what Publish would put where.
func (c *Command) Plan(path string) string {
	return fmt.Sprintf("%s will be uploaded by your command %s; who has the address it prints can fetch the picture until you remove it there.",
		filepath.Base(path), filepath.Base(c.o.Args[0]))
}

// Publish runs the program and returns the URL that it printed. Releasing does
// nothing: only the user's own service can take the picture back.
func (c *Command) Publish(ctx context.Context, path string) (string, func(), error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	args, placed := make([]string, 0, len(c.o.Args)+1), false
	for _, a := range c.o.Args[1:] {
		if strings.Contains(a, filePlaceholder) {
			a, placed = strings.ReplaceAll(a, filePlaceholder, path), true
		}
		args = append(args, a)
	}
	if !placed {
		args = append(args, path)
	}
	cmd := exec.CommandContext(ctx, c.o.Args[0], args...)
	cmd.Env = c.environ()
	cmd.WaitDelay = 2 * time.Second // children may hold its output open
	out, complaints := &bounded{left: maxOutput}, &bounded{left: maxOutput}
	cmd.Stdout, cmd.Stderr = out, complaints
	if err := cmd.Run(); err != nil {
		return "", nil, c.refused(ctx, err, complaints.String())
	}
	u, err := lastURL(out.String())
	if err != nil {
		return "", nil, &api.Error{Code: api.CodeImageUnreachable, Err: err,
			Message: "The upload command printed no http or https address as its last line; run it by hand to see what it prints."}
	}
	return u, func() {}, nil
}

// environ returns the variables that hold no secret. It is never nil, which
// would mean this program's own.
func (c *Command) environ() []string {
	env := []string{}
	for _, v := range c.o.Environ {
		name, value, _ := strings.Cut(v, "=")
		if name == "CONFAB_API_KEY" || c.o.Mask.String(value) != value {
			continue
		}
		env = append(env, v)
	}
	return env
}

// refused says why the program gave no address.
func (c *Command) refused(ctx context.Context, err error, complaints string) error {
	e := &api.Error{Code: api.CodeImageUnreachable, Err: err}
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		e.Code = api.CodeTimeout
		e.Message = fmt.Sprintf("The upload command took longer than %s; try again or give it more time.", c.o.Timeout)
	case ctx.Err() != nil:
		e.Code, e.Err = api.CodeCancelled, context.Cause(ctx)
		e.Message = "The upload was cancelled."
	case errors.As(err, &exit):
		said := short(lastLine(c.o.Mask.String(complaints)))
		if said == "" {
			said = "nothing that says why"
		}
		e.Message = fmt.Sprintf("The upload command ended with status %d and said: %s", exit.ExitCode(), said)
	case errors.Is(err, exec.ErrNotFound):
		e.Code = api.CodeConfig
		e.Message = fmt.Sprintf("The upload command %s was not found; check upload_command.", filepath.Base(c.o.Args[0]))
	default:
		e.Code = api.CodeConfig
		e.Message = fmt.Sprintf("The upload command %s could not be run; check upload_command.", filepath.Base(c.o.Args[0]))
	}
	return e
}

// lastURL returns the address in the last line that is not empty.
func lastURL(out string) (string, error) {
	line := lastLine(out)
	u, err := url.Parse(line)
	if err != nil {
		return "", errors.New("not an address")
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", errors.New("not an http or https address")
	}
	return line, nil
}

// lastLine returns the last line that is not empty.
func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// short returns the beginning of a line, for a sentence.
func short(line string) string {
	if runes := []rune(strings.ToValidUTF8(line, "?")); len(runes) > 200 {
		return string(runes[:200]) + "…"
	}
	return strings.ToValidUTF8(line, "?")
}

// bounded keeps the last bytes written to it.
type bounded struct {
	buf  bytes.Buffer
	left int
}

// Write never fails: a program that prints too much is not disturbed.
func (b *bounded) Write(p []byte) (int, error) {
	n := len(p)
	if n > b.left {
		p = p[n-b.left:]
	}
	if over := b.buf.Len() + len(p) - b.left; over > 0 {
		b.buf.Next(over)
	}
	b.buf.Write(p)
	return n, nil
}

func (b *bounded) String() string { return b.buf.String() }
