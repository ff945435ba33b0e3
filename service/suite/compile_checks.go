package suite

import (
	"cmp"
)

// compileChecks compiles the checks of the tests, and those of the defaults once.
func (s *Suite) compileChecks() error {
	defaults, err := s.Default.compile("")
	if err != nil {
		return err
	}
	for i := range s.Tests {
		t := &s.Tests[i]
		own, err := t.compile(s.Default.notJudged)
		if err != nil {
			return err
		}
		switch {
		case t.skipsDefaults:
		case t.notJudged != "":
			t.checks = skipped(defaults, t.notJudged)
		default:
			t.checks = defaults[:len(defaults):len(defaults)]
		}
		t.checks = append(t.checks, own...)
	}
	return nil
}

// compile returns the compiled checks of a test or the defaults alone.
func (t Test) compile(notJudged string) ([]Check, error) {
	out := make([]Check, len(t.written))
	for i, c := range t.written {
		c.skip = cmp.Or(c.skip, t.notJudged, notJudged)
		var err error
		if out[i], err = newCheck(c); err != nil {
			return nil, inFile(t.file, errorAt(c.line, "%s", err))
		}
	}
	return out, nil
}

// skipped returns the checks as skipped for a reason.
func skipped(checks []Check, reason string) []Check {
	out := make([]Check, len(checks))
	for i, c := range checks {
		out[i] = c.skipped(reason)
	}
	return out
}
