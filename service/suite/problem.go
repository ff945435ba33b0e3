package suite

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"confab/internal/errtext"
	"confab/service/api"
)

// problem returns an error about a line of a suite. Its text becomes a sentence, unless it is a question already.
// With line 0 it names none.
func problem(line int, format string, args ...any) *api.Error {
	text := fmt.Sprintf(format, args...)
	if line > 0 {
		text = "line " + strconv.Itoa(line) + ": " + text
	}
	if !strings.HasSuffix(text, "?") {
		text += "."
	}
	first, size := utf8.DecodeRuneInString(text)
	return &api.Error{Code: api.CodeUsage, Message: string(unicode.ToUpper(first)) + text[size:]}
}

// inSuite makes an error of this package name the file of the suite.
func inSuite(name string, err *api.Error) *api.Error {
	out := *err
	first, size := utf8.DecodeRuneInString(out.Message)
	out.Message = fmt.Sprintf("The suite %s, %s", name, string(unicode.ToLower(first))+out.Message[size:])
	if !strings.HasPrefix(err.Message, "Line ") {
		out.Message = fmt.Sprintf("The suite %s: %s", name, string(unicode.ToLower(first))+err.Message[size:])
	}
	return &out
}

// yamlLine is how the YAML library names a line in its messages.
var yamlLine = regexp.MustCompile(`^(?:yaml: )+(?:line (\d+): )?`)

// notYAML words the library's message about a syntax error.
func notYAML(err error) *api.Error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	line := 0
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	p := problem(line, "this is not YAML (%s)", errtext.Cut(text))
	p.Err = err
	return p
}

// quote returns a text in quotes on one line, cut.
func quote(s string) string { return errtext.Quote(s) }

// inFile makes an error name the file that its line is in; an empty name stands for the suite itself. No error stays
// none.
func inFile(name string, err error) error {
	if err == nil {
		return nil
	}
	p := asProblem(err)
	if name == "" {
		return p
	}
	out := *p
	if rest, ok := strings.CutPrefix(p.Message, "Line "); ok {
		number, rest, _ := strings.Cut(rest, ":")
		out.Message = "Line " + number + " of " + name + ":" + rest
	} else {
		first, size := utf8.DecodeRuneInString(p.Message)
		out.Message = name + ": " + string(unicode.ToLower(first)) + p.Message[size:]
	}
	return &out
}

// asProblem returns the error as one for people, which it always is.
func asProblem(err error) *api.Error {
	var p *api.Error
	if errors.As(err, &p) {
		return p
	}
	p = problem(0, "it cannot be read")
	p.Err = err
	return p
}
