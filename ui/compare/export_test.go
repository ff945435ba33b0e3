package compare

// SetToss replaces chance, for tests.
func (c *Compare) SetToss(toss func(n int) int) { c.toss = toss }
