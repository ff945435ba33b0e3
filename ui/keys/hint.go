package keys

// Hint is what a footer or the bottom of a dialog shows of an effect.
type Hint struct {
	Key  string
	Text string
}

// Hints returns the hints of the effects that the scope has, in that order.
func (m Map) Hints(s Scope, effects ...Effect) []Hint {
	out := make([]Hint, 0, len(effects))
	for _, effect := range effects {
		if e, ok := m.Entry(s, effect); ok {
			out = append(out, Hint{Key: e.Keys[0], Text: e.Short})
		}
	}
	return out
}
