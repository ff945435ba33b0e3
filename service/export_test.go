package service

// Bounds and delays of this package, for tests that reach them.
const (
	MaxRequestBody      = maxRequestBody
	MaxUnsavedServed    = maxUnsavedServed
	PartialSaveInterval = partialSaveInterval
	RunningMarkDelay    = runningMarkDelay
	SimulatedAspect     = simulatedAspect
	TurnsPage           = turnsPage
)
