package diff

import "strings"

// byLines walks through two texts. It calls same with each run of lines that is in both, and with their number, and
// differ with lines of the first text and those in their place in the second. Only lines that anchor accepts are looked
// for in the other text.
func byLines(a, b string, anchor func(string) bool, same func(text string, n int), differ func(a, b []string)) {
	linesA, linesB := split(a), split(b)
	ids := make(tokenIDs, len(linesA))
	loose := rune(0)
	number := func(lines []string) []rune {
		out := make([]rune, len(lines))
		for i, l := range lines {
			if !anchor(l) {
				loose--
				out[i] = loose
				continue
			}
			out[i] = ids.of(l)
		}
		return out
	}
	var i, j int
	for _, m := range align(number(linesA), number(linesB), &budget{steps: maxCost / 4, rounds: maxRounds}) {
		if i < m.a || j < m.b {
			differ(linesA[i:m.a], linesB[j:m.b])
		}
		if m.n > 0 {
			same(strings.Join(linesA[m.a:m.a+m.n], ""), m.n)
		}
		i, j = m.a+m.n, m.b+m.n
	}
}

// split returns the lines of a text, each with its end.
func split(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.SplitAfter(s, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}

// lineGroups compares by words. What is too much for it is first divided at
// lines that stand in both texts; blank ones and rules say nothing there.
func (c *comparison) lineGroups(a, b string) {
	head, tail := commonLines(a, b)
	c.same(a[:head], countWords(a[:head]))
	middleA, middleB := a[head:len(a)-tail], b[head:len(b)-tail]
	if !c.words(middleA, middleB, false) {
		same := func(text string, _ int) { c.same(text, countWords(text)) }
		byLines(middleA, middleB, isWord, same, func(linesA, linesB []string) {
			groupA, groupB := strings.Join(linesA, ""), strings.Join(linesB, "")
			if !c.words(groupA, groupB, true) {
				c.coarse = true
				c.removed(groupA, countWords(groupA))
				c.added(groupB, countWords(groupB))
			}
		})
	}
	c.same(a[len(a)-tail:], countWords(a[len(a)-tail:]))
}

// commonLines returns the bytes of the whole lines with which both texts begin
// and end.
func commonLines(a, b string) (head, tail int) {
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			head = i + 1
		}
	}
	if head == len(a) && head == len(b) {
		return head, 0
	}
	for n := 1; n <= len(a)-head && n <= len(b)-head && a[len(a)-n] == b[len(b)-n]; n++ {
		atA := len(a)-n == head || a[len(a)-n-1] == '\n'
		atB := len(b)-n == head || b[len(b)-n-1] == '\n'
		if atA && atB {
			tail = n
		}
	}
	return head, tail
}
