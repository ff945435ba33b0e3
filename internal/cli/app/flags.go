package app

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// JsonFlag adds the flag that prints a JSON object for each of something.
func (a *App) JsonFlag(fl *pflag.FlagSet, of string) {
	fl.BoolVar(&a.Flags.Json, "json", false, "print one JSON object per "+of)
}

// QuietFlag adds the flag that prints less.
func (a *App) QuietFlag(fl *pflag.FlagSet, usage string) {
	fl.BoolVarP(&a.Flags.Quiet, "quiet", "q", false, usage)
}

// YesFlag adds the flag that does something without asking.
func (a *App) YesFlag(fl *pflag.FlagSet, usage string) {
	fl.BoolVarP(&a.Flags.Yes, "yes", "y", false, usage)
}

// NumberVar adds a flag that takes a whole number within bounds; what to holds is its default. A flag that takes 0 for
// "not given" refuses a 0 that is given.
func NumberVar(fl *pflag.FlagSet, to *int, name, short string, least, most int, usage string) {
	fl.FuncP(name, short, usage, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return fmt.Errorf("it takes a whole number from %d to %d", least, most)
		}
		*to = n
		return nil
	})
	fl.Lookup(name).DefValue = strconv.Itoa(*to)
}

// shortestTimeout is the least that a time-out may be: below it nothing can be answered.
const shortestTimeout = time.Millisecond

// TimeoutVar adds the flag of a time to wait, which is never 0 when it is given.
func TimeoutVar(fl *pflag.FlagSet, to *time.Duration, usage string) {
	fl.Func("timeout", usage, func(text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d < shortestTimeout {
			return fmt.Errorf("it takes a time with its unit, such as 90s or 5m")
		}
		*to = d
		return nil
	})
}

// SpreadsheetVar adds the flag that keeps spreadsheet programs from evaluating answers.
func SpreadsheetVar(fl *pflag.FlagSet, to *bool) {
	fl.BoolVar(to, "spreadsheet-safe", false,
		"put an apostrophe before cells of a CSV that a spreadsheet program would carry out as formulas")
}
