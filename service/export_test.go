package service

// Bounds and delays for tests.
const (
	MaxRequestBody      = maxRequestBody
	MaxUnsavedServed    = maxUnsavedServed
	PartialSaveInterval = partialSaveInterval
	RunningMarkDelay    = runningMarkDelay
	SimulatedAspect     = simulatedAspect
	TurnsPage           = turnsPage
)
