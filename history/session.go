package history

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// AmbiguousNameError means that several sessions have the requested name.
type AmbiguousNameError struct {
	IDs []int64 // of these sessions, the last used first
}

func (e *AmbiguousNameError) Error() string { return "several sessions have this name" }

// maxSessionNameBytes bounds the result of [SessionName].
const maxSessionNameBytes = 60

// SessionName returns the default name of a session with this first prompt: the first line that is not blank, cut at
// a space.
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
	Name       string    `json:"name"`
	NameTurn   int64     `json:"-"` // the turn whose prompt gave the name; 0 for a name that a person gave
	Created    time.Time `json:"created"`
	Updated    time.Time `json:"updated"`
	Turns      int       `json:"turns"`
	Answers    int       `json:"answers"`
	Pictures   int       `json:"pictures"`
	ForkedFrom int64     `json:"forked_from,omitempty"` // id of the original session, 0 when this is no fork
	IsShared   bool      `json:"shared,omitempty"`      // all users of the database can read it
	Owner      string    `json:"owner,omitempty"`       // the user who shares the session; empty for one's own
}

// Page selects a part of a session by turn ids: the turns Before one, After one, or Around and including one. If all
// are zero, it selects the newest turns. Limit is the maximum number of turns; zero means 50. HasHidden includes the
// turns on branches that the session does not show. Beside selects a turn with all its siblings instead.
type Page struct {
	Beside    int64
	Before    int64
	After     int64
	Around    int64
	Limit     int
	HasHidden bool
}
