package compare

// SetToss replaces chance, for tests.
func (v *View) SetToss(randIntn func(n int) int) { v.randIntn = randIntn }
