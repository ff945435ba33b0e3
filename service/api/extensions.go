package api

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// String returns the value of [HeaderExtensions]; it is empty for none.
func (e Extensions) String() string {
	var names []string
	for _, f := range e.flags() {
		if *f.isOffered {
			names = append(names, f.name)
		}
	}
	if e.ContextTokens > 0 {
		names = append(names, fmt.Sprintf("context=%d", e.ContextTokens))
	}
	return strings.Join(names, ", ")
}

// extensionFlag is an extension that is offered or not, by its name in [HeaderExtensions].
type extensionFlag struct {
	name      string
	isOffered *bool
}

func (e *Extensions) flags() []extensionFlag {
	return []extensionFlag{{"stream", &e.Streams}, {"messages", &e.TakesMessages}, {"params", &e.TakesParams},
		{"images", &e.TakesImages}, {"usage", &e.CountsTokens}}
}

// extensionsOf reads [HeaderExtensions] and passes over what it does not know.
func extensionsOf(header http.Header) Extensions {
	var e Extensions
	for name := range strings.SplitSeq(strings.Join(header.Values(HeaderExtensions), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(name), "=")
		for _, f := range e.flags() {
			*f.isOffered = *f.isOffered || f.name == name
		}
		if n, err := strconv.ParseInt(value, 10, 32); name == "context" && err == nil && n > 0 {
			e.ContextTokens = int(n)
		}
	}
	return e
}
