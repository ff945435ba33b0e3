package prose

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

const paraphraseNotice = "(Reworded by rules, not by a model: simulated by the offline engine.)"

// paraphrase rewrites or summarises the text given. It exchanges words and
// turns of phrase that mean the same and joins or cuts sentences; it adds
// nothing that the text does not say.
func paraphrase(prompt string) string {
	text, beyond := workOn(prompt), ""
	if len(text) > mostText { // a rewrite must not take seconds
		text, beyond = strings.ToValidUTF8(text[:mostText], ""), "\n\nWhat follows after the first 64 KiB was left out."
	}
	return reworked(prompt, text) + beyond + "\n\n" + paraphraseNotice
}

// mostText is how many bytes of a text are worked on.
const mostText = 64 << 10

// reworked does with text what the first words of prompt ask for.
func reworked(prompt, text string) string {
	low := strings.ToLower(first(strings.TrimSpace(prompt), "\n"))
	head := low[:min(len(low), 120)]
	switch {
	case match(head, `summar|tl;?dr|sum up|shorten|shorter|condense|key points|zusammenfass|résum`):
		n := max(1, min(5, len(sentencesOf(text))/3))
		if match(head, `one sentence|single sentence`) {
			n = 1
		}
		if match(head, `key points|bullet`) {
			var out []string
			for _, s := range best(text, min(5, n+2)) {
				out = append(out, "- "+s)
			}
			return strings.Join(out, "\n")
		}
		return summary(text, n)
	case match(head, `improve|correct|proofread|fix|polish`):
		return tidy(text)
	}
	return reword(text)
}

// workOn is the text that a prompt wants reworded: what follows an instruction
// and a colon or line break, what stands in quotes, or the whole prompt.
func workOn(prompt string) string {
	prompt = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, prompt))
	verb := `(?is)^(?:please |can you |could you )?(?:re-?write|re-?phrase|paraphrase|re-?word|summari[sz]e|sum up|shorten|condense|improve|correct|proofread|fix|polish|simplify|tl;?dr|make|give|turn)\b`
	if !match(prompt, verb) {
		return prompt
	}
	if m := group(prompt, `(?is)^[^:\n]{0,120}[:\n]\s*(.{3,})$`); m != "" {
		return strings.Trim(m, "\"“”")
	}
	if m := group(prompt, `["“«]([^"”»]{3,})["”»]`); m != "" {
		return m
	}
	rest := regexp.MustCompile(verb+`(?:\s+(?:this|that|the following|it|me|text|sentence|paragraph|into|more|shorter|simpler|clearer))*\s*`).ReplaceAllString(prompt, "")
	if strings.TrimSpace(rest) == "" {
		return prompt
	}
	return rest
}

// sentencesOf cuts text at the ends of sentences, also of Chinese and Japanese
// ones, and at line breaks.
func sentencesOf(text string) []string {
	var out []string
	var s strings.Builder
	end := func() {
		if t := strings.Join(strings.Fields(s.String()), " "); t != "" {
			out = append(out, t)
		}
		s.Reset()
	}
	runes := []rune(text)
	for i, r := range runes {
		if r == '\n' {
			end()
			continue
		}
		s.WriteRune(r)
		switch r {
		case '。', '！', '？':
			end()
		case '.', '!', '?':
			if i+1 < len(runes) && !unicode.IsSpace(runes[i+1]) {
				continue
			}
			if i+2 < len(runes) && unicode.IsLower(runes[i+2]) || abbreviated(s.String()) {
				continue // "e.g. this" goes on
			}
			end()
		}
	}
	end()
	return out
}

// abbreviated says whether s ends with a full stop that ends no sentence.
func abbreviated(s string) bool {
	last := strings.TrimSuffix(s[strings.LastIndexAny(s, " \t")+1:], ".")
	switch last {
	case "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "No", "vs", "etc", "e.g", "i.e":
		return true
	}
	return len(last) == 1 && last[0] >= 'A' && last[0] <= 'Z'
}

// best picks the n sentences whose words occur most in the text, in the order
// of the text.
func best(text string, n int) []string {
	all := sentencesOf(text)
	if len(all) <= n {
		return all
	}
	count := map[string]int{}
	for _, s := range all {
		for _, w := range content(s) {
			count[w]++
		}
	}
	type scored struct {
		at    int
		score float64
	}
	rank := make([]scored, len(all))
	for i, s := range all {
		words := content(s)
		sum := 0
		for _, w := range words {
			sum += count[w]
		}
		rank[i] = scored{i, float64(sum) / float64(len(words)+4)}
		if i == 0 {
			rank[i].score *= 1.6 // what a text is about, it tends to say first
		}
	}
	sort.SliceStable(rank, func(i, j int) bool { return rank[i].score > rank[j].score })
	rank = rank[:n]
	sort.Slice(rank, func(i, j int) bool { return rank[i].at < rank[j].at })
	var out []string
	for _, r := range rank {
		out = append(out, all[r.at])
	}
	return out
}

func summary(text string, n int) string { return strings.Join(best(text, n), " ") }

func content(s string) []string {
	const stop = " the and that with this from have has had was were are for not but they their them its his her you your our will would can could been which what when who how than then there also into onto over under only some such very more most about after before because "
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if utf8.RuneCountInString(w) > 2 && !strings.Contains(stop, " "+w+" ") {
			out = append(out, w)
		}
	}
	return out
}

// reword exchanges words for others of the same meaning and joins short
// sentences that begin alike.
func reword(text string) string {
	table, phrases, word := synonyms(), turns(), regexp.MustCompile(`[\p{L}'’]+`)
	lines := strings.Split(text, "\n")
	changed := false
	for i, line := range lines {
		next := line
		for _, p := range phrases {
			next = p.find.ReplaceAllStringFunc(next, func(m string) string { return cased(p.find.ReplaceAllString(m, p.with), m) })
		}
		next = exchanged(next, table, word)
		next = joined(next)
		changed = changed || next != line
		lines[i] = next
	}
	out := upperFirst(strings.TrimSpace(strings.Join(lines, "\n")))
	if !changed {
		return out + "\n\nNo rule for rewording applies to this text, so it stands as it was."
	}
	return out
}

// exchanged replaces the words of a line. A capital letter inside a sentence
// marks a name, which stays.
func exchanged(line string, table map[string]string, word *regexp.Regexp) string {
	var out strings.Builder
	starts, at := true, 0
	for _, m := range word.FindAllStringIndex(line, -1) {
		gap, w := line[at:m[0]], line[m[0]:m[1]]
		starts = starts || strings.ContainsAny(gap, ".!?:\"“")
		out.WriteString(gap)
		at = m[1]
		r, _ := utf8.DecodeRuneInString(w)
		if s, ok := table[strings.ToLower(w)]; ok && (starts || unicode.IsLower(r)) {
			w = cased(s, w)
		}
		out.WriteString(w)
		starts = false
	}
	return out.String() + line[at:]
}

// joined joins two short sentences with the same subject: "It is old. It is
// slow." becomes "It is old and is slow."
func joined(line string) string {
	s := sentencesOf(line)
	if len(s) < 2 {
		return line
	}
	var out []string
	for i := 0; i < len(s); i++ {
		if i+1 < len(s) && len(s[i])+len(s[i+1]) < 120 && strings.HasSuffix(s[i], ".") {
			a, b := strings.Fields(s[i]), strings.Fields(s[i+1])
			if len(a) > 2 && len(b) > 2 && a[0] == b[0] && strings.Contains(" He She It They We You I ", " "+a[0]+" ") {
				out = append(out, strings.TrimSuffix(s[i], ".")+" and "+strings.Join(b[1:], " "))
				i++
				continue
			}
		}
		out = append(out, s[i])
	}
	return strings.Join(out, " ")
}

// tidy corrects what can be corrected without understanding: spacing, capital
// letters, doubled words, common slips.
func tidy(text string) string {
	slips := map[string]string{"teh": "the", "recieve": "receive", "definately": "definitely", "seperate": "separate", "occured": "occurred", "i": "I", "dont": "don't", "cant": "can't", "wont": "won't", "alot": "a lot", "untill": "until", "wich": "which", "becuase": "because"}
	word, early, late := regexp.MustCompile(`\p{L}+`), regexp.MustCompile(`\s+([,.;:!?])`), regexp.MustCompile(`([,;!?])(\p{L})`)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = early.ReplaceAllString(line, "$1")
		line = late.ReplaceAllString(line, "$1 $2")
		words := slices.CompactFunc(strings.Fields(line), func(a, b string) bool { return len(a) > 1 && strings.EqualFold(a, b) })
		line = word.ReplaceAllStringFunc(strings.Join(words, " "), func(w string) string {
			if s, ok := slips[strings.ToLower(w)]; ok {
				return cased(s, w)
			}
			return w
		})
		var out []string
		for _, s := range sentencesOf(line) {
			out = append(out, upperFirst(s))
		}
		lines[i] = strings.Join(out, " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// cased gives s the capital letter of like.
func cased(s, like string) string {
	if r, _ := utf8.DecodeRuneInString(like); unicode.IsUpper(r) {
		return upperFirst(s)
	}
	return s
}
