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
	add := func(isOffered bool, name string) {
		if isOffered {
			names = append(names, name)
		}
	}
	add(e.Streams, "stream")
	add(e.TakesMessages, "messages")
	add(e.TakesParams, "params")
	add(e.TakesImages, "images")
	add(e.CountsTokens, "usage")
	add(e.ContextTokens > 0, fmt.Sprintf("context=%d", e.ContextTokens))
	return strings.Join(names, ", ")
}

// extensionsOf reads [HeaderExtensions] and passes over what it does not know.
func extensionsOf(header http.Header) Extensions {
	var e Extensions
	for name := range strings.SplitSeq(strings.Join(header.Values(HeaderExtensions), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(name), "=")
		switch name {
		case "stream":
			e.Streams = true
		case "messages":
			e.TakesMessages = true
		case "params":
			e.TakesParams = true
		case "images":
			e.TakesImages = true
		case "usage":
			e.CountsTokens = true
		case "context":
			if n, err := strconv.ParseInt(value, 10, 32); err == nil && n > 0 {
				e.ContextTokens = int(n)
			}
		}
	}
	return e
}
