package history

import (
	"context"
	"time"
)

// ImportStore adds sessions of other programs.
type ImportStore interface {
	// ImportSession adds in one transaction what the store lacks of a session: the turns with unknown origins, and the
	// answers of other turns of which it has none with that model and text. If isDry is set, it only returns what it
	// would add. The session is no more the last used than before; a new one follows those used here.
	ImportSession(ctx context.Context, s ImportedSession, isDry bool) (Import, error)
}

// ImportedSession is a session of another program.
type ImportedSession struct {
	Name    string // empty for the name that its first prompt gives
	Updated time.Time
	Turns   []ImportedTurn // none before the turn that it follows
	Shown   int            // index of the last turn of the path that the session shows
}

// ImportedTurn is a turn of a session of another program.
type ImportedTurn struct {
	Turn           // without ids
	Origin  string // unique among the turns of all programs; not empty
	Follows int    // index of the turn that it follows; negative for a first turn
}

// Import is what was added of a session; its field names are those of the command line's JSON.
type Import struct {
	Session int64 `json:"session,omitempty"` // 0 for a new one that was not added, because the import was dry
	IsNew   bool  `json:"new"`
	Turns   int   `json:"turns"`
	Answers int   `json:"answers"`
}

// IsNothing reports whether the store had everything.
func (i Import) IsNothing() bool { return i.Turns+i.Answers == 0 }
