package suite

import (
	"cmp"
	"slices"
)

// compileChecks compiles the checks of the tests, and those of the defaults once.
func (s *Suite) compileChecks() error {
	defaults, err := s.Default.compile("", "")
	if err != nil {
		return err
	}
	for i := range s.Tests {
		t := &s.Tests[i]
		own, err := t.compile(s.Default.notJudged, s.Default.grader)
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
		t.checks = withThreshold(append(t.checks, own...), cmp.Or(t.threshold, s.Default.threshold))
	}
	return nil
}

// compile returns the compiled checks of a test or the defaults alone.
func (t Test) compile(notJudged, grader string) ([]Check, error) {
	var out []Check
	for _, spec := range t.written {
		spec = spec.withGrader(cmp.Or(t.grader, grader))
		compile := func(spec checkSpec) ([]Check, error) {
			c, err := newCheck(spec)
			return []Check{c}, err
		}
		if spec.Type == setType {
			compile = compileSet
		}
		checks, err := compile(spec)
		if err != nil {
			return nil, inFile(t.file, errorAt(spec.line, "%s", err))
		}
		if reason := cmp.Or(t.notJudged, notJudged); reason != "" {
			checks = skipped(checks, reason)
		}
		out = append(out, checks...)
	}
	return out, nil
}

// withGrader names the grader of a check, and of the checks of a set, that name none.
func (s checkSpec) withGrader(grader string) checkSpec {
	s.grader, s.parts = cmp.Or(s.grader, grader), slices.Clone(s.parts)
	for i, part := range s.parts {
		s.parts[i] = part.withGrader(s.grader)
	}
	return s
}

// skipped returns the checks as skipped for a reason.
func skipped(checks []Check, reason string) []Check {
	out := make([]Check, len(checks))
	for i, c := range checks {
		out[i] = c.skipped(reason)
	}
	return out
}
