package action

import "time"

// Severity is the importance of a notice.
type Severity int

// Info is a fact, Good a success, Warn what needs attention, Bad a failure.
const (
	Info Severity = iota
	Good
	Warn
	Bad
)

// What tells the person something.
type (
	// Notify shows a notice for a time, else for as long as it takes to read it, but not longer than While is true.
	Notify struct {
		Severity Severity
		Text     string
		For      time.Duration
		While    func() bool
	}
	// Unused says that a key does nothing where it was pressed. Why is a sentence that says what it would need, "" for
	// a key that has no command there.
	Unused struct{ Key, Why string }
	// Fail shows an error in one sentence; one of a screen that ends is not shown.
	Fail struct{ Err error }
	// Alert tells a person whose window is elsewhere that something has ended that took so long.
	Alert struct {
		Text   string
		Took   time.Duration
		Failed bool // not all of it succeeded
	}
)
