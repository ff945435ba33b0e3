package retouch

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"confab/service/engine"
)

// step is one operation of a plan.
type step struct {
	name  string
	phase int // earlier phases come first: shape, scene, tone, manner, things, edge, frame, words
	at    int // place in the instruction
	do    func(*sheet) error
}

// clause is a part of an instruction that asks for something.
type clause struct {
	text   string
	at     int
	quotes []string
}

// strength is how much of an effect is wanted: 1 is usual.
func (c clause) strength() float64 {
	switch {
	case has(c.text, `slight(?:ly)?|a bit|a little|subtle|subtly|gently|somewhat|soft(?:ly)? more`):
		return 0.5
	case has(c.text, `very|much|strong(?:ly)?|heav(?:y|ily)|a lot|extreme(?:ly)?|really|far`):
		return 1.7
	}
	return 1
}

func (c clause) less() bool {
	return has(c.text, `less|lower|reduce[ds]?|decrease[ds]?|drop|fewer|turn down`)
}

// number is the first number in the clause, or fallback.
func (c clause) number(fallback float64) float64 {
	if m := regexp.MustCompile(`(-?\d{1,4}(?:\.\d+)?)`).FindString(c.text); m != "" {
		if v, err := strconv.ParseFloat(m, 64); err == nil {
			return v
		}
	}
	return fallback
}

func has(text, words string) bool {
	return regexp.MustCompile(`\b(?:` + words + `)\b`).MatchString(text)
}

// parse makes a plan of an instruction, or says what could be asked instead.
func parse(instruction string) ([]step, error) {
	var plan []step
	known := operations()
	for _, c := range clauses(instruction) {
		steps, err := understand(c, known)
		if err != nil {
			return nil, err
		}
		plan = append(plan, steps...)
	}
	if len(plan) == 0 {
		return nil, cannot(instruction)
	}
	sort.SliceStable(plan, func(i, j int) bool {
		if plan[i].phase != plan[j].phase {
			return plan[i].phase < plan[j].phase
		}
		return plan[i].at < plan[j].at
	})
	return plan, nil
}

// understand finds the operations that a clause names.
func understand(c clause, known []operation) ([]step, error) {
	var out []step
	rest := c.text
	taking := has(rest, `remove|delete|erase|replace|swap|without|get rid of|cut out`)
	if taking && !has(rest, `colou?rs?|saturation`) {
		return nil, cannot(c.text)
	}
	for _, op := range known {
		spot := op.words.FindStringIndex(rest)
		if spot == nil {
			continue
		}
		s, err := op.make(c)
		if err != nil {
			return nil, err
		}
		out = append(out, step{op.name, op.phase, c.at*1000 + spot[0], s})
		if op.phase == words && len(c.quotes) == 0 {
			break // what follows are the words of the caption
		}
		rest = op.words.ReplaceAllStringFunc(rest, func(m string) string { return strings.Repeat(" ", len(m)) })
	}
	if len(out) == 0 && !filler(rest) {
		return nil, cannot(c.text)
	}
	return out, nil
}

// filler says whether a clause asks for nothing.
func filler(text string) bool {
	for _, w := range strings.Fields(text) {
		if !has(w, `please|make|it|this|the|a|an|and|then|now|also|picture|image|photo|nice|nicer|thanks?|you|can|could|to|of|with|in|on|for|so|that|look|looks|like|is|my|but|keep|all|rest|same`) {
			return false
		}
	}
	return true
}

// clauses cuts an instruction at commas, full stops, "and" and "then"; what
// stands in quotes is kept out of it.
func clauses(instruction string) []clause {
	var quotes []string
	text := regexp.MustCompile(`"([^"]*)"|“([^”]*)”|«([^»]*)»|‘([^’]*)’|(?:^|\s)'([^']+)'`).ReplaceAllStringFunc(instruction, func(m string) string {
		quotes = append(quotes, strings.Trim(strings.TrimSpace(m), "\"“”«»‘’'"))
		return fmt.Sprintf(" \x01%d ", len(quotes)-1)
	})
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, whole := range [][2]string{{"black and white", "greyscale"}, {"black & white", "greyscale"}, {"b&w", "greyscale"}, {"salt and pepper", "grain"}} {
		text = strings.ReplaceAll(text, whole[0], whole[1])
	}
	var out []clause
	for i, part := range regexp.MustCompile(`\s*(?:[,;!?]|\.(?:\s|$)|\band then\b|\bthen\b|\band\b|\bplus\b|\bund\b|\bet\b)\s*`).Split(text, -1) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		c := clause{at: i}
		for _, m := range regexp.MustCompile("\x01(\\d+)").FindAllStringSubmatch(part, -1) {
			if n, err := strconv.Atoi(m[1]); err == nil && n < len(quotes) {
				c.quotes = append(c.quotes, quotes[n])
			}
		}
		c.text = regexp.MustCompile("\x01\\d+").ReplaceAllString(part, "\x01")
		out = append(out, c)
	}
	return out
}

// cannot refuses and names what can be done.
func cannot(what string) error {
	what = strings.Join(strings.Fields(strings.ReplaceAll(what, "\x01", "…")), " ")
	if r := []rune(what); len(r) > 60 {
		what = string(r[:59]) + "…"
	}
	var names, added []string
	for _, op := range operations() {
		if thing, ok := strings.CutPrefix(op.name, "add "); ok {
			added = append(added, thing)
		} else {
			names = append(names, op.name)
		}
	}
	return &engine.Error{
		Status: 422, Code: "bad_request",
		Message: fmt.Sprintf("The offline engine cannot do %q. It can do: %s; and add a %s.", what, strings.Join(names, ", "), strings.Join(added, ", ")),
	}
}
