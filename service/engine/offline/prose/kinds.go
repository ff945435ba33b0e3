package prose

import (
	"fmt"
	"regexp"
	"strings"
)

func (d *desk) greeting() string {
	switch d.voice.chatty {
	case 0:
		return d.pick("Hello!", "Hi there! What shall we try?", "Hello. Ask away.")
	case 2:
		return "Hello, and welcome.\n\nThings worth trying here:\n\n1. ask for an explanation, a comparison, a list or a piece of code\n2. mark several models and send one prompt to all of them\n3. give a system prompt and see how each voice takes it\n\nWhat would you like to begin with?"
	}
	return d.pick("Hello! What would you like to talk about?", "Good to meet you. A question, a text, some code?", "Hello. Where shall we begin?")
}

// coined makes n names of two words.
func (d *desk) coined(n int) []string {
	first := []string{"Slow", "Third", "Copper", "North", "Quiet", "Paper", "Blue", "Early", "Second", "Open", "Little", "Salt", "Amber", "Stone", "Wild"}
	last := []string{"Harbour", "Lamp", "Kettle", "Fox", "Corner", "Window", "Orchard", "Ledger", "Morning", "Bridge", "Compass", "Thread", "Acorn", "Lantern", "Door"}
	d.rng.Shuffle(len(first), func(i, j int) { first[i], first[j] = first[j], first[i] })
	d.rng.Shuffle(len(last), func(i, j int) { last[i], last[j] = last[j], last[i] })
	var out []string
	for i := range min(n, len(first)) {
		switch (i + n) % 3 {
		case 0:
			out = append(out, "The "+first[i]+" "+last[i])
		case 1:
			out = append(out, first[i]+" "+last[i])
		default:
			out = append(out, last[i]+" & "+last[(i+5)%len(last)])
		}
	}
	return out
}

// entries makes n list entries about the topic.
func (d *desk) entries(n int) []string {
	t := d.topic
	low := strings.ToLower(d.prompt)
	if match(low, `\bnames?\b.* for\b|\btitles?\b`) {
		return d.coined(n)
	}
	pool := []string{
		"The smallest version of " + t + " that could work", "What an expert on " + t + " would drop first", "A question about " + t + " that nobody asks",
		"Twice as much of " + t + ", at half the price", t + " for people in a hurry", t + " by hand, without any tool", "The opposite of " + t + ", to see what is lost",
		"How a child would explain " + t, "One habit that makes " + t + " easier", "A mistake with " + t + " worth making once", t + ", told backwards", "What " + t + " looks like in ten years",
		"A place where " + t + " is missing", "The cheapest test of " + t, "Somebody to ask about " + t, "A name for " + t + " that sticks", t + " on one page", "The boring part of " + t + ", done first", "A rule for " + t + ", and when to break it", t + " in the dark, in the rain, on a Monday",
	}
	if d.known && match(low, `\b(?:facts?|reasons?|tips?|points?|things|steps?|rules?)\b`) {
		head := []string{d.what, d.why, d.pitfall}
		for _, p := range d.parts {
			head = append(head, fmt.Sprintf("**%s**: %s", p[0], p[1]))
		}
		pool = append(head, pool...)
	} else {
		d.rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	}
	for i := range pool {
		pool[i] = upperFirst(pool[i])
	}
	return pool[:min(n, len(pool))]
}

func (d *desk) listing() string {
	n := d.count
	if n == 0 {
		n = []int{3, 5, 7}[d.voice.chatty]
	}
	return d.opened(d.marked(d.entries(n)))
}

// marked writes entries with the marks of the voice.
func (d *desk) marked(entries []string) string {
	var out []string
	if d.voice.mark == "|" {
		out = append(out, "| no. | entry |", "|--:|:--|")
	}
	for i, e := range entries {
		switch d.voice.mark {
		case "|":
			out = append(out, fmt.Sprintf("| %d | %s |", i+1, e))
		case "1.":
			out = append(out, fmt.Sprintf("%d. %s", i+1, e))
		default:
			out = append(out, d.voice.mark+e)
		}
	}
	return strings.Join(out, "\n")
}

func (d *desk) procedure() string {
	all := []string{
		"Say in one line what will be true when it is done.",
		"Lay out what is needed, and put away what is not.",
		"Do the smallest part that shows a result.",
		"Compare the result with the line from the first step.",
		"Do the rest, one part at a time.",
		"Let somebody else try it without your help.",
		"Write down what you would do otherwise next time.",
	}
	n := []int{4, 5, 7}[d.voice.chatty]
	if d.count > 0 {
		n = min(d.count, len(all))
	}
	if d.known {
		for i, p := range d.parts {
			if i+1 < n {
				all[i+1] = fmt.Sprintf("**%s**: %s.", p[0], p[1])
			}
		}
	}
	list := d.marked(all[:n])
	if !strings.HasPrefix(list, "1.") && d.voice.mark != "|" {
		list = ""
		for i, s := range all[:n] {
			list += fmt.Sprintf("%d. %s\n", i+1, s)
		}
		list = strings.TrimRight(list, "\n")
	}
	return d.opened(list)
}

func (d *desk) comparison() string {
	a, b := plain(d.a), plain(d.b)
	rows := [][3]string{
		{"best when", "you know it already", "you start afresh"}, {"first hour", "quick", "slower"}, {"after a year", "limits show", "pays back"},
		{"cost", "mostly at the start", "mostly later"}, {"help", "many answers, some old", "fewer answers, newer"}, {"regret", "kept too long", "chosen too early"},
	}
	if d.rng.IntN(2) == 0 {
		for i := range rows {
			rows[i][1], rows[i][2] = rows[i][2], rows[i][1]
		}
	}
	rows = rows[:[]int{3, 5, 6}[d.voice.chatty]]
	out := fmt.Sprintf("| | %s | %s |\n|:--|:--|:--|", a, b)
	for _, r := range rows {
		out += fmt.Sprintf("\n| %s | %s | %s |", r[0], r[1], r[2])
	}
	if d.known {
		out += "\n\n" + d.what + " " + d.why
	}
	verdict := fmt.Sprintf("**%s** if the deadline is near, **%s** if it is not.", a, b)
	switch d.voice.chatty {
	case 0:
		return out + "\n\n" + verdict
	case 2:
		return d.opened(fmt.Sprintf("## Side by side\n\n%s\n\n## For %s\n\nIt is what people reach for, and for that reason help is near.\n\n## For %s\n\nIt asks for more at first and gives it back later.\n\n## Verdict\n\n%s", out, a, b, verdict))
	}
	return d.opened(out + "\n\n" + verdict)
}

func (d *desk) verses() string {
	t := d.topic
	haiku := []string{
		fmt.Sprintf("*%s*\n\nA word on the screen,\nnobody at home behind it.\nStill, the cursor blinks.", t),
		fmt.Sprintf("*%s*\n\nSnow on the old roof.\nThe question waits by the door\nuntil it is spring.", t),
		fmt.Sprintf("*%s*\n\nOne lamp, far from shore:\nit says its name, and again,\nand the dark listens.", t),
		fmt.Sprintf("*%s*\n\nRain fills the buckets.\nEach drop has the same idea\nand its own small sound.", t),
	}
	if strings.Contains(strings.ToLower(d.prompt), "haiku") || d.voice.chatty == 0 {
		return strings.ReplaceAll(d.pick(haiku...), "\n", "  \n")
	}
	verse := []string{
		fmt.Sprintf("They asked me to sing of %s,\nwith meter and rhyme in good measure;\nI counted my feet,\nfound seven, not neat,\nand kept all the rest as a treasure.", t),
		fmt.Sprintf("O %s, of you I know little,\nyour rules are a riddle to me;\nmy lines have been whittled\nfrom words that are brittle,\nas far as a rule book can see.", t),
	}
	out := d.pick(verse...)
	if d.voice.chatty == 2 {
		out = verse[0] + "\n\n" + verse[1] + "\n\n" + haiku[2]
	}
	return "### " + upperFirst(t) + "\n\n" + strings.ReplaceAll(out, "\n", "  \n")
}

func (d *desk) tale() string {
	t := d.topic
	if a := group(d.prompt, `(?i)\b(an?|the) `+regexp.QuoteMeta(t)); a != "" {
		t = strings.ToLower(a) + " " + t
	}
	who := d.pick("a lighthouse keeper", "an apprentice baker", "a fox who could count", "the last librarian", "a tailor's daughter")
	parts := []string{
		fmt.Sprintf("There was once %s who had heard of %s and could not let go of the thought.", who, t),
		"Everybody gave advice. The miller said *begin with the end*; the ferryman said *begin with the river*; the smith said nothing and lent a lamp.",
		"So the night was spent walking. At the bridge a voice asked: “What will you do when you have found it?” There was no answer to that, and so the bridge stayed shut till morning.",
		fmt.Sprintf("By daylight, %s turned out to be smaller than told, and to fit into a coat pocket. It was carried home and shown to all who asked.", t),
		"The lamp was given back. The smith looked at it, still burning, and said: “Now you know why I kept it lit.”",
	}
	n := []int{2, 3, 5}[d.voice.chatty]
	if n == 3 {
		parts = []string{parts[0], parts[2], parts[3]}
	}
	out := strings.Join(parts[:n], "\n\n")
	if d.voice.chatty > 0 {
		out = "## " + upperFirst(d.topic) + "\n\n" + out
	}
	return out
}

func (d *desk) mail() string {
	body := d.pick(
		"thank you for your message about %s. We have read it with care.\n\nIn short: we will do what was agreed, and you will hear from us by Friday. Should anything be missing, one line is enough.",
		"I am writing about %s.\n\nWhat happened is on record, what follows is simple: we put it right at our cost, and we tell you when it is done.",
		"a quick word on %s: it is on the table, it has an owner, and it has a date.\n\nIf the date does not suit you, please say so now rather than later.",
	)
	out := fmt.Sprintf("**Subject:** %s\n\nDear …,\n\n"+body+"\n\nKind regards,\n…", upperFirst(d.topic), d.topic)
	if d.voice.chatty == 2 {
		return d.opened(out + "\n\n---\n\n*Variants:* shorter (drop the second paragraph), warmer (begin with thanks), firmer (name the date in the subject).")
	}
	return out
}
