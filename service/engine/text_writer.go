package engine

import (
	"slices"
	"strings"
)

// ReasoningTags enclose the reasoning at the beginning of a model's text. An empty Open means that the model starts
// with reasoning and writes only Close.
type ReasoningTags struct{ Open, Close string }

// TextWriter joins and emits the parts of an answer and separates the reasoning at the beginning of its text. Parts
// may end anywhere, even inside a tag.
type TextWriter struct {
	Emit func(Part)      // may be nil
	Tags []ReasoningTags // in addition to known ones

	text, reasoning strings.Builder
	state           writerState
	regions         []region // set at the first part
	loose           []string // closing tags that need no opening one
	closers         []string // tags that end the region
	isAnswer        bool     // the region is the answer, not reasoning
	skipsSpace      bool     // drop the leading white space of the next text
	held            string   // received, but possibly the beginning of a tag
	searched        int      // bytes of held without the beginning of a tag
}

// writerState is the position of a [TextWriter] in the text.
type writerState int

const (
	beforeText writerState = iota
	inRegion
	inText
)

// region is a part of a text that begins with a tag.
type region struct {
	open     string
	closers  []string
	isAnswer bool
}

// WriteReasoning adds reasoning that the server separated.
func (w *TextWriter) WriteReasoning(s string) { w.put(Part{Reasoning: s}) }

// WriteText adds a part of the text.
func (w *TextWriter) WriteText(s string) {
	if w.regions == nil {
		w.regions = append(ownRegions(w.Tags), knownRegions()...)
		w.loose = []string{"</think>", "</thinking>", "[/THINK]", "◁/think▷"}
		for _, t := range w.Tags {
			w.loose = append(w.loose, t.Close)
		}
		if i := slices.IndexFunc(w.Tags, func(t ReasoningTags) bool { return t.Open == "" }); i >= 0 {
			w.state, w.closers, w.skipsSpace = inRegion, []string{w.Tags[i].Close}, true
		}
	}
	w.held += s
	for w.step() {
	}
}

// step processes the next piece of held; it returns false if it needs more.
func (w *TextWriter) step() bool {
	if w.skipsSpace {
		w.held = trimSpaceLeft(w.held)
		w.skipsSpace = w.held == ""
	}
	switch w.state {
	case beforeText:
		return w.begin()
	case inRegion:
		return w.readRegion()
	}
	return w.readText()
}

// begin processes a tag at the beginning.
func (w *TextWriter) begin() bool {
	rest := trimSpaceLeft(w.held)
	for _, r := range w.regions {
		if hasPrefixFold(rest, r.open) {
			w.held, w.closers, w.isAnswer = rest[len(r.open):], r.closers, r.isAnswer
			w.state, w.skipsSpace = inRegion, !r.isAnswer
			return true
		}
	}
	if slices.ContainsFunc(w.regions, func(r region) bool { return hasPrefixFold(r.open, rest) }) {
		return false // needs more to decide
	}
	w.state = inText
	return true
}

// readRegion reads up to the tag that closes the region.
func (w *TextWriter) readRegion() bool {
	at, length := indexAny(w.held, w.closers)
	if at >= 0 {
		w.putRegion(w.held[:at])
		w.held = w.held[at+length:]
		w.state, w.skipsSpace = beforeText, true
		return true
	}
	n := len(w.held) - beginningOfAny(w.closers, w.held)
	w.putRegion(w.held[:n])
	w.held = w.held[n:]
	return false
}

func (w *TextWriter) putRegion(s string) {
	if w.isAnswer {
		w.put(Part{Text: s})
	} else {
		w.put(Part{Reasoning: s})
	}
}

// readText reads text outside of tags. If a closing tag has no opening one and there is no reasoning, the text before
// it was reasoning: for some models the prompt's template contains the opening tag.
func (w *TextWriter) readText() bool {
	if w.reasoning.Len() > 0 {
		w.put(Part{Text: w.held})
		w.held = ""
		return false
	}
	at, length := indexAny(w.held[w.searched:], w.loose)
	if at < 0 {
		n := len(w.held) - beginningOfAny(w.loose, w.held)
		w.put(Part{Text: w.held[:n]})
		w.held, w.searched = w.held[n:], 0
		return false
	}
	at += w.searched
	before := w.text.String() + w.held[:at]
	if w.isQuoted(before) {
		w.searched = at + length
		return true
	}
	w.held, w.searched = w.held[at+length:], 0
	hadText := w.text.Len() > 0
	w.text.Reset()
	w.put(Part{Reasoning: before, DropsText: hadText})
	w.state, w.skipsSpace = beforeText, true
	return true
}

// isQuoted reports whether the text only mentions the closing tag that follows it.
func (w *TextWriter) isQuoted(before string) bool {
	if strings.HasSuffix(before, "`") || strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "'") ||
		strings.Count(before, "```")%2 == 1 {
		return true
	}
	at, _ := indexAny(before, []string{"<think>", "<thinking>", "[THINK]"})
	return at >= 0
}

// Close adds the held text at the end of the answer.
func (w *TextWriter) Close() {
	held := w.held
	w.held = ""
	if w.state == inRegion {
		w.putRegion(held)
	} else {
		w.put(Part{Text: held})
	}
}

// put adds and emits a part.
func (w *TextWriter) put(p Part) {
	if p == (Part{}) {
		return
	}
	w.text.WriteString(p.Text)
	w.reasoning.WriteString(p.Reasoning)
	if w.Emit != nil {
		w.Emit(p)
	}
}

// Text returns the text so far.
func (w *TextWriter) Text() string { return w.text.String() }

// Reasoning returns the reasoning so far.
func (w *TextWriter) Reasoning() string { return w.reasoning.String() }

// Len returns the number of received bytes.
func (w *TextWriter) Len() int { return w.text.Len() + w.reasoning.Len() + len(w.held) }

// knownRegions returns the tags of known models.
func knownRegions() []region {
	all := ownRegions([]ReasoningTags{
		{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"},
		{"<reasoning>", "</reasoning>"}, {"<seed:think>", "</seed:think>"}, {"[THINK]", "[/THINK]"},
		{"◁think▷", "◁/think▷"}, {"<|START_THINKING|>", "<|END_THINKING|>"},
	})
	all = append(all, region{"<|START_RESPONSE|>", []string{"<|END_RESPONSE|>"}, true})
	for _, start := range []string{"", "assistant", "<|start|>assistant"} { // the channels of OpenAI's open models
		for _, channel := range []string{"analysis", "commentary"} {
			all = append(all, region{start + "<|channel|>" + channel + "<|message|>", []string{"<|end|>", "<|start|>"},
				false})
		}
		all = append(all, region{start + "<|channel|>final<|message|>", []string{"<|return|>", "<|end|>"}, true})
	}
	return all
}

func ownRegions(tags []ReasoningTags) []region {
	var all []region
	for _, t := range tags {
		if t.Open != "" {
			all = append(all, region{t.Open, []string{t.Close}, false})
		}
	}
	return all
}

func trimSpaceLeft(s string) string { return strings.TrimLeft(s, " \t\r\n") }

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// lowerASCII returns a text of the same length with ASCII letters in lower case.
func lowerASCII(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' }) {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// indexAny returns the position and length of the first of the tags, in any case; -1 for none.
func indexAny(s string, tags []string) (at, length int) {
	s, at = lowerASCII(s), -1
	for _, tag := range tags {
		if i := strings.Index(s, lowerASCII(tag)); tag != "" && i >= 0 && (at < 0 || i < at) {
			at, length = i, len(tag)
		}
	}
	return at, length
}

// beginningOfAny returns how many bytes at the end of s begin one of the tags, in any case.
func beginningOfAny(tags []string, s string) int {
	most := 0
	longest := 0
	for _, tag := range tags {
		longest = max(longest, len(tag))
	}
	s = lowerASCII(s[max(0, len(s)-longest):])
	for _, tag := range tags {
		tag = lowerASCII(tag)
		for n := min(len(tag)-1, len(s)); n > most; n-- {
			if strings.HasSuffix(s, tag[:n]) {
				most = n
			}
		}
	}
	return most
}
