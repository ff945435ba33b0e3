package suite

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// namePrompts sets a unique name for each prompt: its id, label, file name or number, with a number added to
// duplicates.
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

// names returns the names by which tests and providers can select a prompt.
func (p Prompt) names() []string { return []string{p.ID, p.Label, p.name} }

// orDefaults returns the names that a test lists, or else those of the defaults.
func orDefaults(own, defaults []string) []string {
	if len(own) > 0 {
		return own
	}
	return defaults
}

// isInList reports whether a list contains one of the names. An empty list contains all; an item may end in * to
// match a prefix.
func isInList(list []string, names ...string) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(want string) bool {
		begin, isOpen := strings.CutSuffix(want, "*")
		return slices.ContainsFunc(names, func(name string) bool {
			return name != "" && (name == want || isOpen && strings.HasPrefix(name, begin))
		})
	})
}

// checkNames refuses unknown prompts and providers: a test with a misspelt name would make no calls and could not
// fail.
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

// checkChoice refuses a name that matches no known one.
func checkChoice(what, kind string, wanted, known []string, line int) error {
	for _, name := range wanted {
		if !isInList([]string{name}, known...) {
			return unknownName(line, name, known, "%s is for the %s %s, which the suite does not have", what, kind,
				quote(name))
		}
	}
	return nil
}

// checkPeers refuses same-as with an unknown provider.
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

// countUnused returns the number of tests of the suite without calls.
func countUnused(s Suite, calls []Call) int {
	withCalls := map[int]bool{}
	for _, c := range calls {
		withCalls[c.TestIndex] = true
	}
	return len(s.Tests) - len(withCalls)
}
