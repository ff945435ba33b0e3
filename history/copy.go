package history

import "context"

// Copier is a store that can become a copy of another one.
type Copier interface {
	// CopyFrom copies all that the source holds, with the same ids, and returns what there is of every kind once the
	// rows of both are the same by their hashes. The source is not changed. Until the copy is complete,
	// it has the setting [CopySetting]; the next call with the same name goes on, also after the process was killed.
	//
	// A store that holds another history, or entries that the source does not have, is refused with a [SetupError]
	// unless Replaces is set. Nobody else may use the store meanwhile. What others write to the source is copied as
	// well, as long as there comes an end of it.
	CopyFrom(ctx context.Context, source Store, o CopyOptions) ([]CopiedRows, error)
}

// CopyOptions are the choices of [Copier].
type CopyOptions struct {
	Name     string             // of the source: its path or address, without secrets
	Replaces bool               // delete what the store holds and the source does not
	Progress func(CopyProgress) // called after every page of rows; nil tells nobody
	// Finish is called when all rows are the same. The copy is not complete before it returns nil; nil does nothing.
	Finish func() error
}

// CopyProgress tells how far a pass through all rows is. There are as many as it takes until one finds nothing to copy.
type CopyProgress struct {
	Pass        int // from 1
	Table       string
	Done, Total int // rows of all tables
}

// CopiedRows is what a store holds of a table.
type CopiedRows struct {
	Table  string `json:"kind"`
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"` // of the rows: the exclusive or of the hashes of all values of each
}

// CopySetting is the setting that a store has as long as it is an incomplete copy: the name of the source.
const CopySetting = "copied from"
