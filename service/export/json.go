package export

import (
	"encoding/json"
	"io"
)

// JSONL writes one JSON object for each answer, each on a line of its own.
func JSONL(out io.Writer, run Run, o Options) error {
	for _, c := range run.Cells {
		if err := encodeJSON(out, NewLineRecord(run, c, o), ""); err != nil {
			return err
		}
	}
	return nil
}

// encodeJSON writes a value and a line break. Nothing is escaped for HTML: the file holds the text as it is.
func encodeJSON(out io.Writer, v any, indent string) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}
