package markdown

// TailStart returns the byte from which a document is cut again when it grows.
func (d Document) TailStart() int { return d.resumption.at }
