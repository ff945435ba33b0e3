// Package startup keeps the garbage collector off until [ReleaseGC]. The packages that the screen links initialise
// some 10 MB of tables, during which the collector would run several times, and once more before the first frame.
//
// It imports nothing but the standard library, so that it is initialised early: Go initialises packages in the order of
// their import paths as soon as what they import is ready. [runtime/debug] comes after the lexers and styles of chroma,
// during which the collector runs twice.
package startup

import (
	"runtime/debug"
	"sync"
)

// gcPercent is the setting before, which the environment variable GOGC can change.
var gcPercent = debug.SetGCPercent(-1)

var release = sync.OnceFunc(func() { debug.SetGCPercent(gcPercent) })

// ReleaseGC lets the garbage collector run. Commands other than the screen call it before they do anything.
func ReleaseGC() { release() }

var compact = sync.OnceFunc(func() {
	release()
	debug.FreeOSMemory()
	releaseCode()
})

// Compact lets the garbage collector run and returns to the system the memory that only the start needed, once in the
// life of the process. The screen calls it when its start is over.
func Compact() { compact() }
