package prose

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// The intents that need code. An intent is the kind of request in a prompt, and names the template of the answer.
const (
	explain    = "explain"
	code       = "code"
	steps      = "steps"
	comparison = "comparison"
	echo       = "echo"
)

// request is the parsed content of a prompt and a system prompt.
type request struct {
	Prompt, System string // as one line each
	Intent         string
	Topic          string // a few words
	Left, Right    string // the two sides of a comparison
	CodeLanguage   string
	Material       string // the text to repeat or summarise
	Count          int    // of list entries; this and the next are 0 if the prompt sets none
	Sentences      int    // of the whole answer
	WantsJSON      bool
}

// readRequest parses a prompt and a system prompt.
func (l *library) readRequest(prompt, system string) request {
	r := request{Prompt: oneLine(l.questionOf(prompt)), System: oneLine(system)}
	lower := strings.ToLower(r.Prompt)
	l.readLimits(&r, lower+"\n"+strings.ToLower(r.System))
	r.CodeLanguage = firstMatch(l.Languages, lower)
	r.Intent = l.readIntent(&r, prompt, lower)
	r.Topic = plain(l.topicFor(r, lower))
	return r
}

// antecedent returns the prompt itself, or the earlier one that it refers to with a word such as "that".
func (l *library) antecedent(r Request) string {
	for _, prompt := range slices.Backward(append(slices.Clone(r.Earlier), r.Prompt)) {
		lower := strings.ToLower(strings.TrimSpace(prompt))
		if !l.matches("refers_back", lower) && !l.matches("continues", lower) {
			return prompt
		}
	}
	return r.Prompt
}

// questionOf returns the question of a prompt: the last line "User:" of a repeated conversation, else the line below
// pasted lines, else the first short paragraph with a question mark, else the first paragraph.
func (l *library) questionOf(prompt string) string {
	if turn := l.capture("last_turn", prompt); turn != "" {
		prompt = turn
	}
	paragraphs := strings.Split(strings.TrimSpace(prompt), "\n\n")
	if last := paragraphs[len(paragraphs)-1]; strings.Contains(paragraphs[0], "\n") && !strings.Contains(last, "\n") {
		return last
	}
	isQuestion := func(p string) bool { return strings.Contains(p, "?") && len(p) < 400 }
	return paragraphs[max(0, slices.IndexFunc(paragraphs, isQuestion))]
}

// readLimits parses the requested length and form from the lower-case prompt and system prompt.
func (l *library) readLimits(r *request, text string) {
	number := func(pattern string) int {
		digits := l.capture(pattern, text)
		if n, err := strconv.Atoi(digits); err == nil {
			return n
		}
		return l.Numbers[digits]
	}
	r.Sentences = number("sentences")
	r.WantsJSON = l.matches("json", text)
	r.Count = min(cmp.Or(number("entries"), number("entries_verb")), 20)
}

// readIntent returns the intent of the prompt and sets its fields of r.
func (l *library) readIntent(r *request, prompt, lower string) string {
	if l.matches("greeting", lower) {
		return "greeting"
	}
	if reply := l.capture("reply_with", r.Prompt); reply != "" {
		if r.Material = trimQuotes(reply); len(r.Material) < 80 && !r.WantsJSON {
			return echo
		}
	} else if text := l.capture("echo", r.Prompt); text != "" {
		r.Material = trimQuotes(text)
		return echo
	}
	if l.matches("summary", lower) {
		if r.Material = l.materialOf(prompt); len(r.Material) > 60 {
			return "summary"
		}
	}
	if r.CodeLanguage != "" && l.matches("code_request", lower) ||
		l.matches("code_thing", lower) && l.matches("code_verb", lower) {
		return code
	}
	if l.matches("comparison", lower) {
		if r.Left, r.Right = l.sides(r.Prompt); r.Right != "" {
			return comparison
		}
	}
	if name := firstMatch(l.Intents, lower); name != "" {
		return name
	}
	if r.Count > 0 {
		return "list"
	}
	return explain
}

// firstMatch returns the name of the first pattern that matches, or "".
func firstMatch(patterns []namedPattern, s string) string {
	for _, p := range patterns {
		if p.Match.MatchString(s) {
			return p.Name
		}
	}
	return ""
}

// materialOf returns the text to work on: quoted text, the text after a colon or the first line, or else the prompt
// without the words of the task.
func (l *library) materialOf(prompt string) string {
	prompt = strings.TrimSpace(prompt)
	if text := l.capture("quoted", prompt); text != "" {
		return text
	}
	for _, sep := range []string{":", "\n"} {
		task, text, _ := strings.Cut(prompt, sep)
		if text = strings.TrimSpace(text); text != "" && len(task) < 160 {
			return text
		}
	}
	return strings.TrimSpace(l.remove("task_words", prompt))
}

// sides returns the two sides of a comparison.
func (l *library) sides(prompt string) (left, right string) {
	text := l.remove("topic_end", l.remove("compare_words", prompt))
	m := l.Patterns["pair"].FindStringSubmatch(text)
	if m == nil {
		return "", ""
	}
	return plain(l.trimTopic(m[1])), plain(l.trimTopic(m[2]))
}

// topicFor returns the topic in the form for the intent.
func (l *library) topicFor(r request, lower string) string {
	switch {
	case r.Intent == comparison:
		return r.Left + " and " + r.Right
	case r.Intent == explain && len(lower) < 70 && l.matches("question", lower):
		return strings.TrimRight(lowerFirst(r.Prompt), "?!. ")
	}
	topic := l.topicOf(r.Prompt)
	switch {
	case topic == "":
		return "this"
	case r.Intent == steps && l.matches("how_to", lower):
		return "how to " + topic
	}
	return topic
}

// topicOf returns the first sentence of a prompt without the words of the question and of the answer's form.
func (l *library) topicOf(prompt string) string {
	topic := before(before(strings.TrimSpace(prompt), "? "), ". ")
	for range 12 {
		topic = l.remove("topic_start", topic)
	}
	topic = l.trimTopic(l.remove("topic_end", topic))
	if words := strings.Fields(topic); len(words) > 8 {
		topic = strings.Join(words[:8], " ")
	}
	return shorten(topic, 60)
}

// trimTopic removes punctuation and an article.
func (l *library) trimTopic(s string) string {
	s = strings.Trim(strings.TrimSpace(s), ".,;:?!\"'“”`*_#>()[]{}|\\")
	return strings.TrimSpace(l.remove("article", s))
}

func trimQuotes(s string) string { return strings.Trim(strings.TrimSpace(s), "\"'“”‘’.") }
