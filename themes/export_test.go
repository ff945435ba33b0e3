package themes

// Keys returns the keys of a file.
func Keys() []string { return keys() }
