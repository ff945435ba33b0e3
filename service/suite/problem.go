package suite

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/problem"
)

// fileError is an error at a line of a suite or of a file that it names.
type fileError struct {
	file  string // as named in the suite; empty for the suite itself
	line  int    // 0 if unknown
	text  string // a clause in lower case
	code  api.Code
	cause error
}

// errorAt returns an error about a line of the suite.
func errorAt(line int, format string, args ...any) *fileError {
	return &fileError{line: line, text: fmt.Sprintf(format, args...), code: api.CodeUsage}
}

// inFile adds the file to an error that names none. It returns nil for nil.
func inFile(file string, err error) error {
	var e *fileError
	if errors.As(err, &e) && e.file == "" {
		out := *e
		out.file = file
		return &out
	}
	return err
}

// Error returns the error with its location.
func (e *fileError) Error() string {
	var where string
	switch {
	case e.line > 0 && e.file != "":
		where = fmt.Sprintf("line %d of %s: ", e.line, e.file)
	case e.line > 0:
		where = fmt.Sprintf("line %d: ", e.line)
	case e.file != "":
		where = e.file + ": "
	}
	return where + e.text
}

func (e *fileError) Unwrap() error { return e.cause }

// describeError returns an error as a sentence that names the suite; nil for nil.
func describeError(suite string, err error) error {
	if err == nil {
		return nil
	}
	var e *fileError
	if !errors.As(err, &e) {
		e = errorAt(0, "it cannot be read")
		e.cause = err
	}
	text := e.Error()
	switch {
	case suite != "" && e.line > 0:
		text = "the suite " + suite + ", " + text
	case suite != "":
		text = "the suite " + suite + ": " + text
	}
	out := problem.New(e.code, e.cause, "%s", text)
	if strings.HasSuffix(text, "?") {
		out.Message = strings.TrimSuffix(out.Message, ".")
	}
	return out
}

// yamlLine matches the line in messages of the YAML library.
var yamlLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:yaml: )+(?:line (\d+): )?`)
})

// notYAML rewords a syntax error of the YAML library.
func notYAML(err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	line := 0
	if m := yamlLine().FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	e := errorAt(line, "this is not YAML (%s)", termtext.Cut(text))
	e.cause = err
	return e
}

// unknownName returns an error that ends with the nearest known name, if one is near.
func unknownName(line int, name string, known []string, format string, args ...any) error {
	e := errorAt(line, format, args...)
	if near := termtext.NearestName(name, known); near != "" {
		e.text += "; did you mean " + near + "?"
	}
	return e
}

func quote(s string) string { return termtext.Quote(s) }
