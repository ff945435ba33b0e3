package part

import "confab/ui/keys"

// Unconverted is for panes that have no [Table] yet: none of their commands is refused.
type Unconverted struct{}

// Refusal implements [Commands].
func (Unconverted) Refusal(keys.Command) string { return "" }

// Offers implements [Commands].
func (Unconverted) Offers(keys.Command) bool { return true }
