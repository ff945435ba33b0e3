package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"confab/internal/format"
)

// paraphrase rewrites or summarises a text, as the first words of the prompt request. It adds no content.
func (l *library) paraphrase(prompt string) string {
	text, notice := l.textToRework(prompt), "(Reworded by rules, not by a model: simulated by the offline engine.)"
	if len(text) > maxMaterial {
		text = firstBytes(text, maxMaterial)
		notice = "What follows after the first 64 KiB was left out.\n\n" + notice
	}
	task := firstBytes(strings.ToLower(before(strings.TrimSpace(prompt), "\n")), 120)
	if !l.matches("rewrite_summary", task) {
		return l.reword(text) + "\n\n" + notice
	}
	all := l.splitSentences(text)
	n := max(1, min(5, len(all)/3))
	if l.matches("rewrite_points", task) {
		return "- " + strings.Join(all[:min(5, n+2, len(all))], "\n- ") + "\n\n" + notice
	}
	if l.matches("rewrite_one_sentence", task) {
		n = 1
	}
	return strings.Join(all[:min(n, len(all))], " ") + "\n\n" + notice
}

// textToRework returns the text in a prompt: the text after an instruction and a colon or line break, quoted text, or
// the whole prompt.
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

// splitSentences splits text at line breaks and ends of sentences.
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

// reword replaces phrases and words by synonyms.
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

// replaceWords replaces phrases and words of a line. It keeps names, which have a capital letter inside a sentence.
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
