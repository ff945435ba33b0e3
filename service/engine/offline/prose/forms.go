package prose

import (
	"fmt"
	"strings"
)

// The forms in which the voices explain something.

func (d *desk) example() string {
	if d.audience != "" && !strings.Contains(strings.ToLower(d.image), d.audience) {
		return "As one would say to " + article(d.audience) + ", " + lowerFirst(d.image)
	}
	return d.image
}

func (d *desk) bullets(mark string, n int) string {
	var out []string
	for i, p := range d.parts[:min(n, len(d.parts))] {
		m := mark
		if m == "1." {
			m = fmt.Sprintf("%d. ", i+1)
		}
		out = append(out, fmt.Sprintf("%s**%s**: %s", m, p[0], p[1]))
	}
	return strings.Join(out, "\n")
}

func (d *desk) table(left, right string) string {
	out := fmt.Sprintf("| %s | %s |\n|---|---|", left, right)
	for _, p := range d.parts {
		out += fmt.Sprintf("\n| %s | %s |", p[0], p[1])
	}
	return out
}

func quick(d *desk) string {
	return fmt.Sprintf("%s %s\n\n%s\n\n**In short:** %s", d.what, d.why, d.bullets("- ", 3), lowerFirst(d.example()))
}

func terse(d *desk) string {
	s := d.what
	if d.rng.IntN(2) == 0 {
		s += " " + d.pitfall
	}
	if d.system != "" {
		return s
	}
	return s + " Re: " + d.quoted()
}

func chatter(d *desk) string {
	return d.opened(fmt.Sprintf("%s Honestly, %s\n\n* %s\n* %s", d.what, lowerFirst(d.example()), d.parts[0][0]+": "+d.parts[0][1], d.parts[1][0]+": "+d.parts[1][1]))
}

func sketch(d *desk) string {
	return fmt.Sprintf("### %s\n\n%s\n\n```text\n%s\n```\n\n%s\n\n### Watch out\n\n%s", upperFirst(d.topic), d.what, d.diagram(), d.bullets("- ", 4), d.pitfall)
}

// diagram draws the parts as boxes in a row below one another.
func (d *desk) diagram() string {
	width := 0
	for _, p := range d.parts {
		width = max(width, len([]rune(p[0])))
	}
	var out []string
	for i, p := range d.parts {
		pad := strings.Repeat(" ", width-len([]rune(p[0])))
		if i > 0 {
			out = append(out, strings.Repeat(" ", width/2+1)+"│")
		}
		out = append(out, "[ "+p[0]+pad+" ]──► "+shorten(p[1], 44))
	}
	return strings.Join(out, "\n")
}

func paragraphs(d *desk) string {
	p := d.parts
	return fmt.Sprintf("%s %s\n\n%s\n\nTwo words come up again and again. **%s** is the first: %s. **%s** is the second: %s. Once these are clear, the rest follows: %s (%s) and %s (%s).\n\n> %s",
		fmt.Sprintf(d.pick("The question was %s", "You asked: %s"), d.quoted()), d.what, d.why,
		p[0][0], p[0][1], p[1][0], p[1][1], strings.ToLower(p[2][0]), p[2][1], strings.ToLower(p[3][0]), p[3][1], d.example()+" "+d.pitfall)
}

func experts(d *desk) string {
	return d.opened(fmt.Sprintf("**The engineer** (expert 3)\n%s Look first at *%s*: %s.\n\n**The teacher** (expert 7)\n%s\n\n**The sceptic** (expert 12)\n%s\n\n| expert | would stress | weight |\n|:--|:--|--:|\n| engineer | %s | 0.4%d |\n| teacher | %s | 0.3%d |\n| sceptic | %s | 0.1%d |",
		d.what, strings.ToLower(d.parts[0][0]), d.parts[0][1], d.example(), d.pitfall,
		d.parts[0][0], d.rng.IntN(10), d.parts[1][0], d.rng.IntN(10), d.parts[3][0], d.rng.IntN(10)))
}

func courteous(d *desk) string {
	return d.opened(fmt.Sprintf("%s\n\n%s\n\n%s If I may add a picture: %s", d.what, d.bullets("1.", 4), d.why, lowerFirst(d.example())))
}

func checklist(d *desk) string {
	out := d.pick(d.voice.opener...)
	out = fmt.Sprintf(out, d.topic) + "\n"
	for _, p := range d.parts {
		out += fmt.Sprintf("\n- [x] **%s**: %s", p[0], p[1])
	}
	out += "\n\n**Answer.** " + d.what + " " + d.why + "\n\n**Illustration.** " + d.example()
	return out + "\n\n**Not to be forgotten.** " + d.pitfall + "\n\n" + d.pick(d.voice.closer...)
}

func tables(d *desk) string {
	return fmt.Sprintf("| %s | |\n|---|---|\n| what | %s |\n| why | %s |\n| risk | %s |\n| picture | %s |\n\n%s\n\n%s",
		d.topic, d.what, d.why, d.pitfall, d.example(), d.table("part", "meaning"), d.pick(d.voice.closer...))
}

func textbook(d *desk) string {
	return fmt.Sprintf("**Exercise.** %s\n\n**Solution.** %s\n\n1. %s\n2. %s\n\n∎", d.quoted(), d.what, upperFirst(d.parts[0][1])+".", upperFirst(d.parts[1][1])+".")
}

func blunt(d *desk) string {
	return d.opened(fmt.Sprintf("%s That is the whole idea.\n\n> %s\n\nMost texts stop there. They should not: %s\n\n%s\n\nAnd what would *you* do with it?", d.what, d.example(), lowerFirst(d.pitfall), d.bullets("- ", 4)))
}

func polyglot(d *desk) string {
	return fmt.Sprintf("**Plan**\n\n1. read the request: %s\n2. collect what belongs to it\n3. answer, in more than one language\n\n## %s\n\n%s %s\n\n%s\n\n## 中文\n\n问题是关于“%s”。首先看它是什么，其次看为什么需要它，最后看容易出错的地方。例子要短，步骤要清楚。\n\n## 日本語\n\n「%s」について。まず全体を見て、次に部分を見ます。小さな例から始めると、分かりやすくなります。\n\n## Deutsch · Español\n\nAm Anfang steht ein kleines Beispiel, dann erst die Regel. — *Primero un ejemplo pequeño, después la regla.*\n\n%s",
		d.quoted(), upperFirst(d.topic), d.what, d.why, d.table("part · 部分", "meaning · 含义"), d.topic, d.topic, d.pick(d.voice.closer...))
}

func essay(d *desk) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nThe request reads %s It is taken literally first, then in context.\n\n## What it is\n\n%s %s\n\n## How it works\n\n", upperFirst(d.topic), d.quoted(), d.what, d.why)
	for i, p := range d.parts {
		fmt.Fprintf(&b, "%d. **%s.** %s. %s\n", i+1, p[0], upperFirst(p[1]), []string{"This comes first because the rest leans on it.", "It is easily overlooked.", "Here most of the work is done.", "In practice it is checked last."}[i%4])
	}
	fmt.Fprintf(&b, "\n## An analogy\n\n> %s\n\nAnalogies carry only so far: this one explains the order of things, not their cost.\n\n## Where it goes wrong\n\n%s A second source of error is haste: a small example, worked by hand, shows more than a large one that runs.\n\n## At a glance\n\n%s\n\n## Conclusion\n\nStart with *%s*, keep *%s* in view, and come back to the question once both are clear.",
		d.example(), d.pitfall, d.table("part", "in a few words"), strings.ToLower(d.parts[0][0]), strings.ToLower(d.parts[3][0]))
	return b.String()
}

func treatise(d *desk) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: a considered answer\n\n*Question as understood:* %s\n\n## 1. What would count as an answer\n\nAn answer should say what the thing is, what it is for, how one would notice being wrong, and what to do next. It should not be longer than it needs to be, although this one is.\n\n## 2. The thing itself\n\n%s\n\n%s\n\n## 3. Part by part\n", upperFirst(d.topic), d.quoted(), d.what, d.why)
	for i, p := range d.parts {
		fmt.Fprintf(&b, "\n### 3.%d %s\n\n%s. %s\n", i+1, p[0], upperFirst(p[1]), []string{
			"To see why it matters, leave it out in thought and ask what breaks first.",
			"Two readings are possible; the narrower one is meant, since the wider one could not be tested.",
			"It interacts with the part before it, and most surprises come from that seam.",
			"A careful reader may want to stop here and try it on a case of their own."}[(i+d.rng.IntN(2)*2)%4])
	}
	fmt.Fprintf(&b, "\n## 4. Seen from outside\n\n> %s\n\n## 5. Objections\n\n- *It is simpler than that.* Perhaps; then section 2 is enough.\n- *It is harder than that.* Surely; see the pitfall: %s\n- *It depends.* It does, on the parts named above, which is why they have names.\n\n## 6. A procedure\n\n```text\nread ──► restate ──► smallest case ──► compare ──► widen\n  ▲                                       │\n  └───────────── differs? ◄───────────────┘\n```\n\n## 7. Summary\n\n%s\n\n%s",
		d.example(), lowerFirst(d.pitfall), d.table("part", "gist"), d.pick(d.voice.closer...))
	return b.String()
}
