package suite

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"confab/internal/errtext"
	"confab/service/check"
)

// prompts returns the prompts with those of files in their places. Each has a name of its own: its id, its label, the
// name of its file or its number, and a further number where several would have the same.
func (s Suite) prompts() ([]Prompt, error) {
	var out []Prompt
	for _, p := range s.Prompts {
		if _, ok := fileRef(p.Raw); !ok {
			out = append(out, p)
			continue
		}
		pieces := s.loaded.prompts[p.Raw]
		if pieces == nil {
			return nil, problem(p.Line, "the file %s was not read", quote(p.Raw))
		}
		for _, piece := range pieces {
			if piece.Line = p.Line; !strings.HasPrefix(p.ID, fileScheme) {
				piece.ID = p.ID
			}
			piece.Label = cmp.Or(p.Label, piece.Label)
			out = append(out, piece)
		}
	}
	count, next := map[string]int{}, map[string]int{}
	for i, p := range out {
		count[cmp.Or(p.ID, p.Label, strconv.Itoa(i+1))]++
	}
	for i := range out {
		p := &out[i]
		p.name = cmp.Or(p.ID, p.Label, strconv.Itoa(i+1))
		for base := p.name; count[base] > 1; {
			next[base]++
			if p.name = base + "#" + strconv.Itoa(next[base]); count[p.name] == 0 {
				count[p.name] = 1
				break
			}
		}
	}
	return out, nil
}

// names returns what a prompt may be called where tests and providers choose prompts.
func (p Prompt) names() []string { return []string{p.ID, p.Label, p.name} }

// checkNames refuses names of prompts and providers that the suite does not have: a test with a misspelt one would
// be asked of nothing and could not fail.
func (s Suite) checkNames() error {
	prompts, err := s.prompts()
	if err != nil {
		return err
	}
	var promptNames, providerNames []string
	for _, p := range prompts {
		promptNames = append(promptNames, p.names()...)
	}
	for _, p := range s.Providers {
		err = cmp.Or(err, checkChoice("the provider "+quote(p.ID), "prompt", p.Prompts, promptNames, p.Line))
		providerNames = append(providerNames, p.ID, p.Label)
	}
	for _, t := range append(s.cases(), s.defaults()) {
		err = cmp.Or(err, inFile(t.from, cmp.Or(
			checkChoice("a test", "prompt", t.Prompts, promptNames, t.Line),
			checkChoice("a test", "provider", t.Providers, providerNames, t.Line),
			s.checkPeers(t),
		)))
	}
	return err
}

// checkChoice refuses a name that none of those known fits.
func checkChoice(what, kind string, wanted, known []string, line int) error {
	for _, name := range wanted {
		if allowed([]string{name}, known...) {
			continue
		}
		if near := errtext.Nearest(name, known); near != "" {
			return problem(line, "%s is for the %s %s, which the suite does not have; did you mean %s?", what, kind,
				quote(name),
				near)
		}
		return problem(line, "%s is for the %s %s, which the suite does not have", what, kind, quote(name))
	}
	return nil
}

// checkPeers refuses same-as with a provider that the suite does not have.
func (s Suite) checkPeers(t Test) error {
	known := []string{"source"}
	for _, p := range s.Providers {
		_, slug, _ := slugOf(p.ID)
		known = append(known, p.ID, p.Label, slug)
	}
	for _, a := range t.Own {
		name, ok := a.Value.(string)
		if strings.TrimPrefix(a.Type, "not-") != "same-as" || !ok || slices.Contains(known, name) ||
			strings.Contains(name, "{{") {
			continue
		}
		if near := errtext.Nearest(name, known); near != "" {
			return problem(a.Line, "%s names %s, which is no provider of the suite; did you mean %s?", a.Type,
				quote(name), near)
		}
		return problem(a.Line, "%s names %s, which is no provider of the suite", a.Type, quote(name))
	}
	return nil
}

// skipped returns checks that are not judged, for a reason.
func skipped(checks []check.Check, reason string) []check.Check {
	out := make([]check.Check, len(checks))
	for i, c := range checks {
		out[i] = c.Skip(reason)
	}
	return out
}

// Unasked returns how many tests of the suite make none of the calls: no prompt and no model is for them.
func Unasked(s Suite, cells []Cell) int {
	asked := map[int]bool{}
	for _, c := range cells {
		asked[c.Test] = true
	}
	return len(s.cases()) - len(asked)
}
