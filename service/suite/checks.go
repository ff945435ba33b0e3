package suite

import (
	"slices"

	"confab/service/check"
)

// spec returns the check of an assert with the value of the file it names.
func (s Suite) spec(a Assert, own bool, notJudged string) (check.Spec, error) {
	spec := check.Spec{Type: a.Type, Value: a.Value, Threshold: a.Threshold, Own: own, NotJudged: a.NotJudged}
	if spec.NotJudged == "" {
		spec.NotJudged = notJudged
	}
	ref, ok := fileRef(a.Value)
	if !ok || spec.NotJudged != "" {
		return spec, nil
	}
	value, known := s.loaded.values[ref]
	switch {
	case runsCode(ref):
		spec.NotJudged = "its value is a script, and confab runs none"
	case !known:
		return spec, problem(a.Line, "the file %s was not read", quote(ref))
	default:
		spec.Value = value
	}
	return spec, nil
}

// compile returns the checks that a test or the defaults have themselves.
func (s Suite) compile(t Test, notJudged string) ([]check.Check, error) {
	if t.NotJudged != "" {
		notJudged = t.NotJudged
	}
	out := make([]check.Check, 0, len(t.Assert)+len(t.Own))
	for i, a := range slices.Concat(t.Assert, t.Own) {
		spec, err := s.spec(a, i >= len(t.Assert), notJudged)
		if err != nil {
			return nil, inFile(t.from, err)
		}
		c, err := check.New(spec)
		if err != nil {
			return nil, inFile(t.from, problem(a.Line, "%s", err))
		}
		out = append(out, c)
	}
	return out, nil
}

// compiler compiles the checks of tests, those of the defaults only once.
type compiler struct {
	suite    Suite
	defaults Test
	shared   []check.Check
}

func (s Suite) compiler() (*compiler, error) {
	c := &compiler{suite: s, defaults: s.defaults()}
	var err error
	c.shared, err = s.compile(c.defaults, "")
	return c, err
}

// checks returns the checks of a test, the defaults' first.
func (c *compiler) checks(t Test) ([]check.Check, error) {
	own, err := c.suite.compile(t, c.defaults.NotJudged)
	switch {
	case err != nil || t.NoDefaults:
		return own, err
	case t.NotJudged == "" || t.NotJudged == c.defaults.NotJudged:
		return append(c.shared[:len(c.shared):len(c.shared)], own...), nil
	}
	shared, err := c.suite.compile(c.defaults, t.NotJudged)
	return append(shared, own...), err
}
