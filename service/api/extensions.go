package api

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// HeaderServerTiming names how long the parts of an answer took; [QueueTiming] is one of them.
const HeaderServerTiming = "Server-Timing"

// QueueTiming returns the value of [HeaderServerTiming] for a request that waited for a place.
func QueueTiming(waited time.Duration) string {
	return fmt.Sprintf("queue;dur=%.1f", float64(waited)/float64(time.Millisecond))
}

// queueWaitOf reads how long a request waited for a place from [HeaderServerTiming]; 0 when it is not named.
func queueWaitOf(header http.Header) time.Duration {
	for metric := range strings.SplitSeq(strings.Join(header.Values(HeaderServerTiming), ","), ",") {
		name, rest, _ := strings.Cut(metric, ";")
		if strings.TrimSpace(name) != "queue" {
			continue
		}
		for param := range strings.SplitSeq(rest, ";") {
			name, value, _ := strings.Cut(param, "=")
			ms, err := strconv.ParseFloat(strings.Trim(strings.TrimSpace(value), `"`), 64)
			if strings.TrimSpace(name) == "dur" && err == nil && ms > 0 && ms < 1e9 {
				return time.Duration(ms * float64(time.Millisecond))
			}
		}
	}
	return 0
}

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
