package redact

import "io"

// writer masks a stream.
type writer struct {
	m    *Masker
	w    io.Writer
	held string // what may be the beginning of a secret
}

// Write masks and passes on what of b cannot be the beginning of a secret.
func (w *writer) Write(b []byte) (int, error) {
	if w.m == nil {
		return w.w.Write(b)
	}
	var out string
	out, w.held, _ = w.m.replace(w.held+string(b), false)
	if out == "" {
		return len(b), nil
	}
	if _, err := io.WriteString(w.w, out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Close passes on what was held back.
func (w *writer) Close() error {
	if w.held == "" {
		return nil
	}
	out, _ := w.m.mask(w.held)
	w.held = ""
	_, err := io.WriteString(w.w, out)
	return err
}
