package cli

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// jsonFlag adds the flag that prints a JSON object for each of something.
func (a *app) jsonFlag(fl *pflag.FlagSet, of string) {
	fl.BoolVar(&a.flags.json, "json", false, "print one JSON object per "+of)
}

// quietFlag adds the flag that prints less.
func (a *app) quietFlag(fl *pflag.FlagSet, usage string) {
	fl.BoolVarP(&a.flags.quiet, "quiet", "q", false, usage)
}

// yesFlag adds the flag that does something without asking.
func (a *app) yesFlag(fl *pflag.FlagSet, usage string) {
	fl.BoolVarP(&a.flags.yes, "yes", "y", false, usage)
}

// numberVar adds a flag that takes a whole number within bounds; what to holds is its default. A flag that takes 0 for
// "not given" refuses a 0 that is given.
func numberVar(fl *pflag.FlagSet, to *int, name, short string, least, most int, usage string) {
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

// timeoutVar adds the flag of a time to wait, which is never 0 when it is given.
func timeoutVar(fl *pflag.FlagSet, to *time.Duration, usage string) {
	fl.Func("timeout", usage, func(text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d < shortestTimeout {
			return fmt.Errorf("it takes a time with its unit, such as 90s or 5m")
		}
		*to = d
		return nil
	})
}

// spreadsheetVar adds the flag that keeps spreadsheet programs from evaluating answers.
func spreadsheetVar(fl *pflag.FlagSet, to *bool) {
	fl.BoolVar(to, "spreadsheet-safe", false,
		"put an apostrophe before cells of a CSV that a spreadsheet program would carry out as formulas")
}
