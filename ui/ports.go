package ui

import "context"

// Neighbours are servers of models that run on the person's own machine.
type Neighbours interface {
	// Find names those that are not in the configuration; empty for none. It
	// takes less than a second.
	Find(ctx context.Context) string
	// Take takes them into the configuration and says what that means.
	Take(ctx context.Context) (string, error)
}
