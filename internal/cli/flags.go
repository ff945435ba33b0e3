package cli

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// numberFlag is a whole number within bounds. A flag that takes 0 for "not given" refuses a 0 that is given.
type numberFlag struct {
	to       *int
	min, max int
}

// numberVar adds a flag that takes a number within bounds; what to holds is its default.
func numberVar(fl *pflag.FlagSet, to *int, name, short string, least, most int, usage string) {
	fl.VarP(&numberFlag{to, least, most}, name, short, usage)
}

// Set implements [pflag.Value].
func (f *numberFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < f.min || n > f.max {
		return fmt.Errorf("it takes a whole number from %d to %d", f.min, f.max)
	}
	*f.to = n
	return nil
}

// String implements [pflag.Value].
func (f *numberFlag) String() string {
	if f.to == nil {
		return "0"
	}
	return strconv.Itoa(*f.to)
}

// Type implements [pflag.Value].
func (f *numberFlag) Type() string { return "int" }

// timeoutFlag is a time to wait, which is never 0.
type timeoutFlag struct{ to *time.Duration }

// shortestTimeout is the least that a time-out may be: below it nothing can be answered.
const shortestTimeout = time.Millisecond

// Set implements [pflag.Value].
func (f timeoutFlag) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < shortestTimeout {
		return fmt.Errorf("it takes a time with its unit, such as 90s or 5m")
	}
	*f.to = d
	return nil
}

// String implements [pflag.Value].
func (f timeoutFlag) String() string {
	if f.to == nil {
		return "0s"
	}
	return f.to.String()
}

// Type implements [pflag.Value].
func (f timeoutFlag) Type() string { return "duration" }
