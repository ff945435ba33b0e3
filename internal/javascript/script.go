package javascript

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"modernc.org/quickjs"

	"confab/internal/subprocess"
)

// Script is the body of a function of output and context.
type Script struct {
	Body    string         `json:"body"`
	Output  string         `json:"output"`
	Context map[string]any `json:"context,omitempty"`
}

// Result is what a script returned: whether something passed, a score, or both with a reason.
type Result struct {
	Passed *bool    `json:"passed"`
	Score  *float64 `json:"score"`
	Reason string   `json:"reason"`

	Failure     string `json:"failure"`     // why the script returned nothing of this
	Unsupported string `json:"unsupported"` // what it needs and has only in Node.js
	IsStopped   bool   `json:"stopped"`     // it needed too much time or memory
}

// childArgument makes the program evaluate the script on its standard input.
const childArgument = "internal-evaluate-javascript"

// maxWait bounds the time of the process of a script. Its engine stops most scripts after [maxTime], but none within a
// long call of a built-in function.
const maxWait = 5 * time.Second

// Interpreter is a program that serves a script, with its arguments: this one. Without it, nothing is evaluated.
type Interpreter []string

// ThisProgram returns the interpreter that this program is; none if its file is not known.
func ThisProgram() Interpreter {
	program, err := os.Executable()
	if err != nil {
		return nil
	}
	return Interpreter{program, childArgument}
}

// IsChild reports whether the arguments of the program say that it was started by [Interpreter.Run], for [Serve].
func IsChild(args []string) bool { return len(args) == 1 && args[0] == childArgument }

// Run evaluates a script in a process of its own, which has no environment and is killed if it takes too long. The
// error is [ErrLimit] or says why there is no such process.
func (i Interpreter) Run(ctx context.Context, s Script) (r Result, err error) {
	if len(i) == 0 {
		return r, errors.New("there is no interpreter here")
	}
	input, err := json.Marshal(s)
	if err != nil {
		return r, fmt.Errorf("encode the script: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	result, err := subprocess.Run(ctx, subprocess.Command{Args: i, Stdin: bytes.NewReader(input), MaxOutput: 1 << 20,
		WaitDelay: time.Second})
	if ctx.Err() != nil {
		return r, ErrLimit
	}
	if err == nil {
		err = json.Unmarshal(result.Output, &r)
	}
	switch {
	case err != nil:
		return r, fmt.Errorf("run the script: %w", err)
	case r.IsStopped:
		return r, ErrLimit
	}
	return r, nil
}

//go:embed run.js
var runner string

// Serve reads a script, evaluates it and writes its result.
func Serve(in io.Reader, out io.Writer) error {
	input, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	vm, err := newVM()
	if err != nil {
		return err
	}
	defer vm.Close() //nolint:errcheck // the process ends
	_, err = vm.Eval(runner, quickjs.EvalGlobal)
	if err == nil {
		_, err = vm.Call("start", string(input))
	}
	if err == nil {
		_, err = vm.ExecutePendingJobs()
	}
	var result any
	if err == nil {
		result, err = vm.Call("finish")
	}
	text, isText := result.(string)
	var e *quickjs.Error
	switch {
	case errors.As(err, &e) && e.Name != "InternalError" && e.Message != "":
		b, _ := json.Marshal(Result{Failure: e.Error()}) // texts marshal
		text = string(b)
	case err != nil || !isText:
		text = `{"stopped":true}`
	}
	_, err = io.WriteString(out, text)
	return err
}
