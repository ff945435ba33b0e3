package history

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// AmbiguousNameError says that several sessions have the name that was looked for.
type AmbiguousNameError struct {
	IDs []int64 // of these sessions, the one used last first
}

func (e *AmbiguousNameError) Error() string { return "several sessions have this name" }

// maxSessionNameBytes bounds the result of [SessionName].
const maxSessionNameBytes = 60

// SessionName returns the name that a session without one gets from its first prompt: the first line that is not
// blank, cut at a space.
func SessionName(prompt string) string {
	for line := range strings.Lines(prompt) {
		name := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(line, ""),
			func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
		if name == "" {
			continue
		}
		if len(name) <= maxSessionNameBytes {
			return name
		}
		cut := maxSessionNameBytes
		for !utf8.RuneStart(name[cut]) {
			cut--
		}
		if space := strings.LastIndexByte(name[:cut+1], ' '); space > maxSessionNameBytes/2 {
			cut = space
		}
		return name[:cut] + "…"
	}
	return ""
}

// Session is an ordered list of turns with a name.
type Session struct {
	ID         int64     `json:"session"`
	Name       string    `json:"name"` // empty until named or until the first prompt names it
	NameTurn   int64     `json:"-"`    // the turn whose prompt gave the name; 0 for a name that a person gave
	Created    time.Time `json:"created"`
	Updated    time.Time `json:"updated"`
	Turns      int       `json:"turns"`
	Answers    int       `json:"answers"`
	Pictures   int       `json:"pictures"`
	ForkedFrom int64     `json:"forked_from,omitempty"` // session id, 0 when it is not a fork
	IsShared   bool      `json:"shared,omitempty"`      // all users of the database can read it
	Owner      string    `json:"owner,omitempty"`       // the user who shares it; empty for one's own session
}

// Page chooses a part of a session by the ids of its turns: those Before one, After one, or those Around one, which is
// among them. Without any of the three it is the newest. Limit is at most how many turns; zero stands for 50.
type Page struct {
	Before int64
	After  int64
	Around int64
	Limit  int
}
