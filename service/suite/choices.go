package suite

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// namePrompts gives each prompt a name of its own: its id, its label, the name of its file or its number, and a further
// number where several would have the same.
func namePrompts(prompts []Prompt) {
	count, next := map[string]int{}, map[string]int{}
	for i, p := range prompts {
		prompts[i].name = cmp.Or(p.ID, p.Label, strconv.Itoa(i+1))
		count[prompts[i].name]++
	}
	for i := range prompts {
		p := &prompts[i]
		for base := p.name; count[base] > 1; {
			next[base]++
			if p.name = base + "#" + strconv.Itoa(next[base]); count[p.name] == 0 {
				count[p.name] = 1
				break
			}
		}
	}
}

// names returns what a prompt may be called where tests and providers choose prompts.
func (p Prompt) names() []string { return []string{p.ID, p.Label, p.name} }

// orDefaults returns the names that a test lists, else those of the defaults.
func orDefaults(own, defaults []string) []string {
	if len(own) > 0 {
		return own
	}
	return defaults
}

// isInList reports whether a list of names has one of these; an empty list has
// every one, and a name may end in * for all that begin like it.
func isInList(list []string, names ...string) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(want string) bool {
		begin, isOpen := strings.CutSuffix(want, "*")
		return slices.ContainsFunc(names, func(name string) bool {
			return name != "" && (name == want || isOpen && strings.HasPrefix(name, begin))
		})
	})
}

// checkNames refuses names of prompts and providers that the suite does not have: a test with a misspelt one would
// be asked of nothing and could not fail.
func (s Suite) checkNames() error {
	var prompts, providers []string
	peers := []string{"source"}
	for _, p := range s.Prompts {
		prompts = append(prompts, p.names()...)
	}
	for _, p := range s.Providers {
		providers = append(providers, p.ID, p.Label)
		peers = append(peers, p.ID, p.Label, ProviderName(p.ID))
	}
	for _, p := range s.Providers {
		if err := checkChoice("the provider "+quote(p.ID), "prompt", p.Prompts, prompts, p.Line); err != nil {
			return err
		}
	}
	for _, t := range append(slices.Clone(s.Tests), s.Default) {
		if err := inFile(t.file, cmp.Or(
			checkChoice("a test", "prompt", t.Prompts, prompts, t.line),
			checkChoice("a test", "provider", t.Providers, providers, t.line),
			checkPeers(t, peers),
		)); err != nil {
			return err
		}
	}
	return nil
}

// checkChoice refuses a name that none of those known fits.
func checkChoice(what, kind string, wanted, known []string, line int) error {
	for _, name := range wanted {
		if !isInList([]string{name}, known...) {
			return unknownName(line, name, known, "%s is for the %s %s, which the suite does not have", what, kind,
				quote(name))
		}
	}
	return nil
}

// checkPeers refuses same-as with a provider that the suite does not have.
func checkPeers(t Test, known []string) error {
	for _, c := range t.written {
		name, ok := c.Value.(string)
		if ok && c.name() == "same-as" && !slices.Contains(known, name) &&
			!strings.Contains(name, "{{") {
			return unknownName(c.line, name, known, "%s names %s, which is no provider of the suite", c.Type,
				quote(name))
		}
	}
	return nil
}

// countUnused returns how many tests of the suite make none of the calls: no prompt and no model is for them.
func countUnused(s Suite, cells []Call) int {
	asked := map[int]bool{}
	for _, c := range cells {
		asked[c.TestIndex] = true
	}
	return len(s.Tests) - len(asked)
}
