package prose

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"confab/internal/format"
)

const paraphraseNotice = "(Reworded by rules, not by a model: simulated by the offline engine.)"

// paraphrase rewrites or summarises a text, as the first words of the prompt ask. It adds nothing that the
// text does not say.
func (l *library) paraphrase(prompt string) string {
	text, notice := l.textToRework(prompt), paraphraseNotice
	if len(text) > maxMaterial {
		notice = "What follows after the first 64 KiB was left out.\n\n" + notice
	}
	return l.rework(prompt, firstBytes(text, maxMaterial)) + "\n\n" + notice
}

func (l *library) rework(prompt, text string) string {
	task := firstBytes(strings.ToLower(before(strings.TrimSpace(prompt), "\n")), 120)
	if l.matches("rewrite_summary", task) {
		n := max(1, min(5, len(l.splitSentences(text))/3))
		if l.matches("rewrite_one_sentence", task) {
			n = 1
		}
		if l.matches("rewrite_points", task) {
			return "- " + strings.Join(l.keySentences(text, min(5, n+2)), "\n- ")
		}
		return l.summarise(text, n)
	}
	return l.reword(text)
}

// textToRework returns the text in a prompt: what follows an instruction and a colon or line break, what stands in
// quotes, or the whole prompt.
func (l *library) textToRework(prompt string) string {
	prompt = strings.TrimSpace(withoutControls(prompt))
	verb := l.Patterns["rewrite_verb"].FindString(prompt)
	if verb == "" {
		return prompt
	}
	if text := l.capture("after_colon", prompt); text != "" {
		return strings.Trim(text, "\"“”")
	}
	if text := l.capture("in_quotes", prompt); text != "" {
		return text
	}
	if text := l.remove("rewrite_object", prompt[len(verb):]); strings.TrimSpace(text) != "" {
		return text
	}
	return prompt
}

// splitSentences cuts text at line breaks and at the ends of sentences.
func (l *library) splitSentences(text string) []string {
	var out []string
	goesOn := false // the last sentence ended in an abbreviation
	for s := sentences.FromString(text); s.Next(); {
		words := strings.Fields(s.Value())
		if len(words) == 0 {
			continue
		}
		sentence := strings.Join(words, " ")
		if goesOn {
			out[len(out)-1] += " " + sentence
		} else {
			out = append(out, sentence)
		}
		last := strings.TrimSuffix(words[len(words)-1], ".")
		isInitial := len(last) == 1 && last[0] >= 'A' && last[0] <= 'Z'
		goesOn = isInitial || slices.Contains(l.Texts["abbreviations"], last)
	}
	return out
}

func (l *library) summarise(text string, n int) string {
	return strings.Join(l.keySentences(text, n), " ")
}

// keySentences returns the n sentences whose words occur most in the text, in the order of the text.
func (l *library) keySentences(text string, n int) []string {
	all := l.splitSentences(text)
	if len(all) <= n {
		return all
	}
	occurrences := map[string]int{}
	for _, s := range all {
		for _, word := range l.contentWords(s) {
			occurrences[word]++
		}
	}
	scores, order := make([]float64, len(all)), make([]int, len(all))
	for i, s := range all {
		words, sum := l.contentWords(s), 0
		for _, word := range words {
			sum += occurrences[word]
		}
		order[i], scores[i] = i, float64(sum)/float64(len(words)+4)
	}
	scores[0] *= 1.6 // a text tends to begin with what it is about
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	order = order[:n]
	slices.Sort(order)
	var out []string
	for _, i := range order {
		out = append(out, all[i])
	}
	return out
}

// contentWords returns the words of more than two letters that are no stopwords, in lower case.
func (l *library) contentWords(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.DeleteFunc(words, func(word string) bool {
		return utf8.RuneCountInString(word) <= 2 || slices.Contains(l.Texts["stopwords"], word)
	})
}

// reword replaces phrases and words by others of the same meaning.
func (l *library) reword(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = l.replaceWords(line)
	}
	reworded := strings.Join(lines, "\n")
	out := format.Capitalize(strings.TrimSpace(reworded))
	if reworded == text {
		return out + "\n\nNo rule for rewording applies to this text, so it stands as it was."
	}
	return out
}

// replaceWords exchanges the phrases and words of a line. A capital letter inside a sentence marks a name, which stays.
func (l *library) replaceWords(line string) string {
	var out strings.Builder
	end := 0
	for _, span := range l.replaceable.FindAllStringIndex(line, -1) {
		gap, words := line[end:span[0]], line[span[0]:span[1]]
		head := strings.TrimSpace(line[:span[0]])
		last, _ := utf8.DecodeLastRuneInString(head)
		startsSentence := head == "" || strings.ContainsRune(".!?:\"“", last)
		if first, _ := utf8.DecodeRuneInString(words); startsSentence || unicode.IsLower(first) {
			words = l.Replacements[strings.ToLower(words)]
			if unicode.IsUpper(first) {
				words = format.Capitalize(words)
			}
		}
		out.WriteString(gap + words)
		end = span[1]
	}
	return out.String() + line[end:]
}
