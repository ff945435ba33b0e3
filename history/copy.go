package history

import "context"

// Copier is a store that can become a copy of another one.
type Copier interface {
	// CopyFrom copies the whole source with the same ids. It compares the rows of both stores by their hashes and
	// returns the number of rows per table. The source is not changed. An incomplete copy has the setting
	// [CopySetting]; the next call with the same name continues it, also after the process was killed.
	//
	// It refuses a store with another history, or with entries that the source lacks, with a [SetupError] unless
	// Replaces is set. Nobody else may use the store during the copy. Others may write to the source; CopyFrom copies
	// that too, but gives up when the writing does not end.
	CopyFrom(ctx context.Context, source Store, o CopyOptions) ([]CopiedRows, error)
}

// CopyOptions are the choices of [Copier].
type CopyOptions struct {
	Name     string             // of the source: its path or address without secrets
	Replaces bool               // delete entries of the store that the source lacks
	Progress func(CopyProgress) // called after every page of rows; may be nil
	// Finish is called when all rows are equal. The copy is complete once it returns nil; a nil Finish is skipped.
	Finish func() error
}

// CopyProgress is the state of one pass through all rows. Passes repeat until one finds nothing to copy.
type CopyProgress struct {
	Pass        int // from 1
	Table       string
	Done, Total int // rows of all tables
}

// CopiedRows is the content of a table.
type CopiedRows struct {
	Table  string `json:"kind"`
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"` // the exclusive or of the hashes of all rows
}

// CopySetting is the setting of a store that is an incomplete copy. Its value is the name of the source.
const CopySetting = "copied from"
