package clitest

import (
	"log"
	"log/slog"
)

// LogAsLibraries writes lines with a secret to Go's standard loggers, as libraries do that cannot return an error.
func LogAsLibraries(secret string) {
	log.Print("planted with " + secret)
	slog.Warn("planted too", "key", secret)
	log.New(log.Writer(), "http: ", log.Flags()).Print("planted as well")
}
