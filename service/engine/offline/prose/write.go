package prose

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// desk is what a voice writes with.
type desk struct {
	ask
	subject
	voice voice
	rng   *rand.Rand
}

// Write returns an answer to prompt under the instructions of system, in the
// voice of model. The same three give the same text.
func Write(model, prompt, system string) string {
	if model == "paraphrase" {
		return paraphrase(prompt)
	}
	d := newDesk(model, prompt, system)
	if d.json {
		return d.object(model)
	}
	if d.kind == say {
		return d.material + "\n\n" + d.voice.notice
	}
	if d.sentences > 0 || d.words > 0 {
		return d.short()
	}
	var out []string
	if role := d.roleLine(); role != "" {
		out = append(out, role)
	}
	out = append(out, d.body())
	if d.voice.chatty == 2 && d.kind != explain || d.kind == code {
		out = append(out, fmt.Sprintf("*You asked:* “%s”", plain(shorten(d.prompt, 160))))
	}
	out = append(out, d.voice.notice)
	return strings.Join(out, "\n\n")
}

func newDesk(model, prompt, system string) *desk {
	sum := sha256.Sum256([]byte(model + "\x00" + prompt + "\x00" + system))
	d := &desk{ask: read(prompt, system), voice: voiceOf(model)}
	d.rng = rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])))
	d.subject = subjectOf(d.ask)
	d.topic = plain(d.topic)
	return d
}

// body is the answer itself, by what was asked for.
func (d *desk) body() string {
	switch d.kind {
	case greet:
		return d.greeting()
	case code:
		return d.program()
	case list:
		return d.listing()
	case steps:
		return d.procedure()
	case compare:
		return d.comparison()
	case translate:
		return d.translation()
	case poem:
		return d.verses()
	case story:
		return d.tale()
	case letter:
		return d.mail()
	case sum:
		return d.opened("**" + strings.ReplaceAll(arithmetic(strings.ToLower(d.prompt)), "*", "×") + "**\n\nThis one was really worked out.")
	case summarise:
		return d.opened(summary(strings.ToValidUTF8(d.material[:min(len(d.material), mostText)], ""), 3))
	}
	return d.voice.explain(d)
}

func (d *desk) pick(from ...string) string { return from[d.rng.IntN(len(from))] }

// opened puts the voice's first and last words around a structured answer.
func (d *desk) opened(middle string) string {
	head := d.pick(d.voice.opener...)
	if strings.Contains(head, "%s") {
		head = fmt.Sprintf(head, d.topic)
	}
	out := middle
	if head != "" {
		out = head + "\n\n" + out
	}
	if tail := d.pick(d.voice.closer...); tail != "" {
		out += "\n\n" + tail
	}
	return out
}

// roleLine acknowledges the system prompt.
func (d *desk) roleLine() string {
	if d.system == "" {
		return ""
	}
	return fmt.Sprintf(d.voice.role, plain(shorten(d.system, 140)))
}

// quoted is the prompt as a line that cannot break the markdown around it.
func (d *desk) quoted() string { return "“" + plain(shorten(d.prompt, 120)) + "”" }

// plain takes from a foreign line what markdown would read as more than words.
func plain(s string) string {
	return strings.NewReplacer("|", "¦", "`", "'", "*", "∗", "_", " ", "[", "(", "]", ")", "<", "‹", ">", "›", "#", "＃").Replace(s)
}

// sentencesFor are statements of which any number can stand in a row.
func (d *desk) sentencesFor() []string {
	out := []string{d.what, d.why}
	if d.audience != "" {
		out = append(out, "Told to "+article(d.audience)+", it goes like this: "+lowerFirst(d.image))
	} else {
		out = append(out, d.image)
	}
	out = append(out, d.pitfall)
	for _, p := range d.parts {
		out = append(out, fmt.Sprintf("%s means this: %s.", p[0], p[1]))
	}
	out = append(out,
		"Begin with the smallest case and write down what you expect.",
		"Then change one thing and look again.",
		"If two explanations fit, take the one that is easier to test.",
		"Ask somebody who does it every day; they will start elsewhere.",
		"What is left open should be said openly.",
		"A short example is worth more than a long definition.",
		"Keep what works and drop the rest.",
		"The second attempt is usually half as long.",
		"Good notes make the next time easier.",
		"None of this replaces trying it.",
	)
	return out
}

// short keeps to a number of sentences or of words.
func (d *desk) short() string {
	all := d.sentencesFor()
	if d.voice.chatty == 2 { // voices differ also where there is little room
		all[0], all[1] = all[1], all[0]
	}
	if d.voice.mark == "|" {
		all[1], all[2] = all[2], all[1]
	}
	lead := ""
	if d.system != "" {
		lead = fmt.Sprintf(d.voice.role, plain(shorten(d.system, 60))) + "\n\n"
	}
	if d.sentences > 0 {
		return lead + d.flavour() + strings.Join(all[:min(d.sentences, len(all))], " ") + "\n\n" + d.voice.notice
	}
	want := d.words
	if d.most {
		want = want * 4 / 5
	}
	want = max(6, want-len(strings.Fields(d.voice.notice))-len(strings.Fields(lead)))
	var out strings.Builder
	out.WriteString(d.flavour())
	n := len(strings.Fields(out.String()))
	for i := 0; n < want; i++ {
		s := all[i%len(all)]
		words := strings.Fields(s)
		if n+len(words) > want+3 {
			if n > want*3/4 && n > 0 {
				break
			}
			words = words[:max(1, min(len(words), want-n))]
			s = strings.TrimRight(strings.Join(words, " "), ",;:.") + "."
		}
		if i > 0 && i%5 == 0 {
			out.WriteString("\n\n")
		} else if i > 0 {
			out.WriteString(" ")
		}
		out.WriteString(s)
		n += len(words)
	}
	return lead + out.String() + "\n\n" + d.voice.notice
}

// flavour is a word or two that tell the voices apart in short answers.
func (d *desk) flavour() string {
	switch {
	case d.voice.chatty == 0 && strings.Contains(d.voice.notice, "psst"):
		return "Easy: "
	case strings.HasPrefix(d.voice.notice, "Honesty"):
		return "Bluntly: "
	case strings.HasPrefix(d.voice.notice, "Footnote"):
		return "*Claim.* "
	case strings.HasPrefix(d.voice.notice, "**Status"):
		return "Done: "
	case strings.Contains(d.voice.notice, "离线"):
		return "简而言之, in short: "
	case strings.HasPrefix(d.voice.notice, "*With respect"):
		return "Gladly. "
	case strings.HasPrefix(d.voice.notice, "`"):
		return "**Expert 7.** "
	case strings.HasPrefix(d.voice.notice, "_("):
		return "**In short.** "
	case strings.HasPrefix(d.voice.notice, "*(A"):
		return "Put simply: "
	}
	return ""
}

// object answers in JSON and in nothing else, because programs will read it.
func (d *desk) object(model string) string {
	type point struct {
		Name string `json:"name"`
		Text string `json:"text"`
	}
	points := []point{}
	for _, p := range d.parts {
		points = append(points, point{p[0], p[1]})
	}
	if d.count > 0 {
		points = points[:0]
		for i, e := range d.entries(d.count) {
			points = append(points, point{fmt.Sprintf("%d", i+1), e})
		}
	}
	b, err := json.MarshalIndent(struct {
		Model   string  `json:"model"`
		Topic   string  `json:"topic"`
		Answer  string  `json:"answer"`
		Points  []point `json:"points"`
		Persona string  `json:"persona,omitempty"`
		Note    string  `json:"note"`
	}{model, d.topic, d.what, points, shorten(d.system, 140), "simulated by the offline engine"}, "", "  ")
	if err != nil {
		return "{}"
	}
	return string(b)
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

func lowerFirst(s string) string {
	if s == "" || len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

func upperFirst(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return s
	}
	return strings.ToUpper(string(r[0])) + string(r[1:])
}
