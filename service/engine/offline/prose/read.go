package prose

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what sort of thing a prompt asks for.
type kind int

const (
	explain kind = iota
	greet
	code
	list
	steps
	compare
	translate
	poem
	story
	letter
	sum
	say
	summarise
)

// ask is what was read from a prompt and a system prompt.
type ask struct {
	prompt    string // one line of it
	system    string // one line of it
	kind      kind
	topic     string // what it is about, a few words
	a, b      string // the two things compared
	language  string // of code, lower case
	target    string // language to translate into
	material  string // what is to be translated, said or summarised
	count     int    // of list entries, 0 when not said
	words     int    // how long, 0 when not said
	most      bool   // words is a limit, not a target
	sentences int    // how many, 0 when not said
	json      bool
	audience  string // whom it is explained to
}

// read finds out what prompt and system ask for.
func read(prompt, system string) ask {
	focus := focusOf(prompt)
	a := ask{prompt: oneLine(focus), system: oneLine(system)}
	low := strings.ToLower(a.prompt)
	both := low + "\n" + strings.ToLower(a.system)
	a.limits(both)
	a.audience = group(low, `\bto (?:an? |the |my )?((?:five|six|ten)[- ]year[- ]old|child of \w+|[a-z]+)[.,;?!]*(?: (?:in|use|using|with)\b|$)`)
	a.language = languageIn(low)
	a.kind = a.kindOf(prompt, low)
	a.topic = a.subjectLine(low)
	return a
}

// subjectLine is the topic as it reads best for the kind.
func (a *ask) subjectLine(low string) string {
	switch {
	case a.kind == compare:
		return a.a + " and " + a.b
	case a.kind == sum:
		return "a sum"
	case a.kind == explain && match(low, `^(?:why|when|where|who|which|how|is|are|do|does|did|can|could|should|would|will) `) && len(low) < 70:
		return strings.TrimRight(lowerFirst(a.prompt), "?!. ")
	}
	t := topicOf(a.prompt)
	if t == "" {
		return "this"
	}
	if a.kind == steps && match(low, `^how (?:do|to|can|should|would)\b`) {
		return "how to " + t
	}
	return t
}

// focusOf is the part of a prompt that asks: the last line of "User:" of a
// conversation that was folded in, or the first paragraph.
func focusOf(prompt string) string {
	prompt = strings.TrimSpace(prompt)
	for _, who := range []string{"\nUser:", "\nuser:", "\nYou:", "\nyou:", "\nPrompt:"} {
		if i := strings.LastIndex("\n"+prompt, who); i >= 0 {
			rest := strings.TrimSpace(("\n" + prompt)[i+len(who):])
			if rest != "" {
				return first(rest, "\n\n")
			}
		}
	}
	paragraphs := strings.Split(prompt, "\n\n")
	for _, p := range paragraphs {
		if strings.Contains(p, "?") && len(p) < 400 {
			return p
		}
	}
	return paragraphs[0]
}

func first(s, sep string) string {
	before, _, _ := strings.Cut(s, sep)
	return before
}

// limits reads how long and in what form the answer is wanted.
func (a *ask) limits(both string) {
	number := func(pattern string) int { return numeral(group(both, pattern)) }
	const n = `(\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|a hundred)`
	if v := number(`(?:under|at most|below|max(?:imum)?(?: of)?|no more than|up to|fewer than|less than) ` + n + ` words`); v > 0 {
		a.words, a.most = v, true
	} else if v := number(n + `[- ]words?\b`); v > 0 {
		a.words = v
	}
	a.sentences = number(`\bin ` + n + ` (?:short |simple |single )?sentences?`)
	if strings.Contains(both, "one-liner") || strings.Contains(both, "single sentence") {
		a.sentences = 1
	}
	if strings.Contains(both, "one paragraph") && a.words == 0 {
		a.sentences = 4
	}
	if strings.Contains(both, "briefly") && a.words == 0 && a.sentences == 0 {
		a.sentences = 2
	}
	a.json = match(both, `\b(?:as|in|only|valid|reply with|return|output) json\b|\bjson (?:only|object|array)\b`)
	a.count = number(`\b` + n + ` (?:[a-z-]+ )?(?:ideas|names|tips|reasons|examples|ways|things|points|bullets|bullet points|items|facts|titles|questions|steps|options|words for|alternatives)`)
	if v := number(`\b(?:list|name|suggest|give me|write) ` + n + ` [a-z]`); v > 0 && a.count == 0 && a.words == 0 {
		a.count = v
	}
	if a.count > 20 {
		a.count = 20
	}
}

func (a *ask) kindOf(prompt, low string) kind {
	switch {
	case match(low, `^(?:hi|hello|hey|good (?:morning|evening|day)|hallo|bonjour|hola|ciao|moin|servus|こんにちは|你好)[\s!,.]*(?:there|you|all|everyone)?[\s!.?]*$`):
		return greet
	case group(low, `(?:reply|answer|respond) with (?:only |just |exactly )?(?:the (?:word|text) )?["“']?(.+)$`) != "":
		a.material = trimQuotes(group(a.prompt, `(?i)(?:reply|answer|respond) with (?:only |just |exactly )?(?:the (?:word|text) )?(.+)$`))
		if len(a.material) < 80 && !a.json {
			return say
		}
	case group(low, `^(?:please )?(?:say|repeat(?: after me)?|echo)[: ]+(.+)$`) != "":
		a.material = trimQuotes(group(a.prompt, `(?i)^(?:please )?(?:say|repeat(?: after me)?|echo)[: ]+(.+)$`))
		return say
	}
	if t := group(low, `\b(?:in|into|to) (english|german|french|spanish|italian|portuguese|japanese|chinese|korean|dutch|russian|arabic|latin|polish)\b`); t != "" && strings.Contains(low, "translat") || t != "" && match(low, `how do (?:you|i) say`) {
		a.target = t
		a.material = material(prompt)
		return translate
	}
	if match(low, `^(?:please )?(?:summari[sz]e|tl;?dr|sum up)\b`) && len(material(prompt)) > 60 {
		a.material = material(prompt)
		return summarise
	}
	if arithmetic(low) != "" {
		return sum
	}
	switch {
	case a.language != "" && match(low, `\b(?:write|code|function|program|script|implement|class|snippet|query|regex|example|how|show|fix)\b`),
		match(low, `\b(?:function|program|script|code|regex|snippet|sql query|unit test)\b`) && match(low, `\b(?:write|give|show|make|create|implement|need|generate|code)\b`):
		return code
	case match(low, `\b(?:compare|versus|vs\.?|difference between|better[,:]? |pros and cons)\b`):
		a.a, a.b = pair(a.prompt)
		if a.b != "" {
			return compare
		}
	}
	switch {
	case match(low, `\b(?:haiku|poem|limerick|sonnet|verse|rhyme|lyrics|song)\b`):
		return poem
	case match(low, `\b(?:story|tale|scene|fable)\b`):
		return story
	case match(low, `\b(?:e-?mail|letter|reply to|message to|apology|cover letter|invitation)\b`):
		return letter
	case match(low, `^how (?:do|to|can|should|would)\b|\b(?:steps|step by step|guide|recipe|instructions|plan|checklist|tutorial)\b`):
		return steps
	case a.count > 0, match(low, `^(?:please )?(?:list|name|suggest|brainstorm|give me)\b|\b(?:ideas|bullet points|examples of|names for)\b`):
		return list
	}
	return explain
}

// material is what a prompt gives to be worked on: the text in quotes, after a
// colon or after the first line.
func material(prompt string) string {
	prompt = strings.TrimSpace(prompt)
	if m := group(prompt, `["“«「]([^"”»」]{2,})["”»」]`); m != "" {
		return m
	}
	if head, rest, ok := strings.Cut(prompt, ":"); ok && len(head) < 160 && strings.TrimSpace(rest) != "" {
		return strings.TrimSpace(rest)
	}
	if head, rest, ok := strings.Cut(prompt, "\n"); ok && len(head) < 160 && strings.TrimSpace(rest) != "" {
		return strings.TrimSpace(rest)
	}
	return strings.TrimSpace(regexp.MustCompile(`(?i)^(?:please )?(?:translate|summari[sz]e|how do (?:you|i) say)(?: this| the following)?|(?:in|into|to) (?:english|german|french|spanish|italian|portuguese|japanese|chinese|korean|dutch|russian|arabic|latin|polish)\b.*$`).ReplaceAllString(prompt, ""))
}

// pair finds the two things of a comparison.
func pair(prompt string) (string, string) {
	s := regexp.MustCompile(`(?i)^.*?\b(?:compare|difference between|pros and cons of|better[,:]?)\s+`).ReplaceAllString(prompt, "")
	s = cutTail(s)
	m := regexp.MustCompile(`(?i)^(.{1,50}?)\s+(?:versus|vs\.?|and|or|with|to)\s+(.{1,50}?)[.?!]*$`).FindStringSubmatch(s)
	if m == nil {
		return "", ""
	}
	return bare(m[1]), bare(m[2])
}

// topicOf takes the question words and the wishes about form off a prompt.
func topicOf(prompt string) string {
	s := strings.TrimSpace(prompt)
	s = first(strings.ReplaceAll(strings.ReplaceAll(s, "? ", "\x00"), ". ", "\x00"), "\x00")
	lead := regexp.MustCompile(`(?i)^(?:please|can you|could you|would you|i want you to|i need you to|i need|i'd like|help me(?: to| with)?|explain(?: to me)?|again|what(?:'s| is| are| was| were| does| do)|who (?:is|was|are)|why (?:is|are|do|does|did)|how (?:do|does|can|should|would)(?: i| you| we)?|how to|tell me(?: more)?|describe|discuss|define|write|give me|show me|make|create|generate|list|name|suggest|brainstorm|implement|code|draft|compose|summari[sz]e|some|me|about|an?|the|short|brief|long|detailed|simple|\d{1,3}|one|two|three|four|five|six|seven|ten|ideas (?:for|about)|names for|tips (?:for|on)|reasons (?:to|for|why)|examples of|facts about|(?:poem|haiku|story|essay|limerick|song|text|paragraph|email|letter|article|tale|function|program|script|steps|guide|recipe|list)(?: (?:about|on|of|for|that|which|to))?|in (?:go|python|javascript|typescript|rust|sql|bash|java|c|ruby))\s+`)
	for range 12 {
		t := lead.ReplaceAllString(s, "")
		if t == s {
			break
		}
		s = t
	}
	s = bare(cutTail(s))
	words := strings.Fields(s)
	if len(words) > 8 {
		s = strings.Join(words[:8], " ")
	}
	return shorten(s, 60)
}

// cutTail drops wishes about form at the end of a sentence.
func cutTail(s string) string {
	return regexp.MustCompile(`(?i)[,;:]?\s+(?:in (?:one|two|three|\d+|a|simple|plain|short|under|about|at most|json|go|python|javascript|typescript|rust|sql|bash|java|english|german|french)\b|to an? |to my |for an? (?:child|beginner)|as (?:json|a table|a list|if)|using |step by step|please\b|briefly|with (?:an? )?(?:example|code|table)|in detail|and (?:how|why|when|what) ).*$`).ReplaceAllString(s, "")
}

func bare(s string) string {
	s = strings.Trim(strings.TrimSpace(s), ".,;:?!\"'“”`*_#>()[]{}|\\")
	return strings.TrimSpace(regexp.MustCompile(`(?i)^(?:an?|the)\s+`).ReplaceAllString(s, ""))
}

func trimQuotes(s string) string { return strings.Trim(strings.TrimSpace(s), "\"'“”‘’.") }

func languageIn(low string) string {
	for _, l := range []string{"python", "javascript", "typescript", "golang", "rust", "sql", "bash", "shell", "java", "ruby", "haskell", "html", "css"} {
		if match(low, `\b`+l+`\b`) {
			switch l {
			case "golang":
				return "go"
			case "shell":
				return "bash"
			}
			return l
		}
	}
	if match(low, `\bin go\b|\bgo (?:function|program|code|snippet|test|struct|code)\b|\ba go \w+`) {
		return "go"
	}
	if match(low, `\bin c\b`) {
		return "c"
	}
	return ""
}

func match(s, pattern string) bool { return regexp.MustCompile(pattern).MatchString(s) }

func group(s, pattern string) string {
	if m := regexp.MustCompile(pattern).FindStringSubmatch(s); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

func numeral(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	for i, w := range []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "", "twelve"} {
		if w != "" && w == s {
			return i
		}
	}
	switch s {
	case "twenty":
		return 20
	case "fifty":
		return 50
	case "a hundred":
		return 100
	}
	return 0
}

// oneLine makes a line of s that is safe inside markdown: no control
// characters, no line breaks, at most 2,000 runes.
func oneLine(s string) string {
	if len(s) > 8000 {
		s = strings.ToValidUTF8(s[:8000], "")
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	return shorten(strings.Join(strings.Fields(s), " "), 2000)
}

// shorten cuts s to n runes at a word and marks the cut.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)[:n-1]
	out := string(r)
	if i := strings.LastIndexByte(out, ' '); i > len(out)/2 {
		out = out[:i]
	}
	return strings.TrimRight(out, " ,;:") + "…"
}
