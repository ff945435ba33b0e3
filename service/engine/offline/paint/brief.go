package paint

import (
	"slices"
	"strings"
	"unicode"
)

// brief is what was read from a prompt.
type brief struct {
	time    string // dawn, day, dusk, night, or ""
	season  string // winter, autumn, spring, summer, or ""
	place   string // sea, lake, mountains, hills, forest, city, desert, meadow, space, portrait, abstract
	style   string // oil, watercolour, ink, neon, pencil, poster, pixel, photo, or ""
	weather map[string]bool
	things  []thing
	colours []rgb
	letters string // words to be written into the picture
}

// thing is an object of the scene, with the colour said before it, if any.
type thing struct {
	name  string
	many  bool
	hue   rgb
	hued  bool
	words int // place in the prompt
}

func (b *brief) has(name string) bool {
	return slices.ContainsFunc(b.things, func(t thing) bool { return t.name == name })
}

func (b *brief) take(name string) (thing, bool) {
	for _, t := range b.things {
		if t.name == name {
			return t, true
		}
	}
	return thing{}, false
}

// read finds the words it knows in prompt; the rest decides nothing but the
// seed.
func read(prompt string) *brief {
	b := &brief{weather: map[string]bool{}}
	prompt, b.letters = lettering(prompt)
	known := vocabulary()
	words := tokens(prompt)
	places := []string{}
	var hue rgb
	hued := -9
	for i, w := range words {
		entry, many := lookUp(known, w)
		if entry == "" {
			continue
		}
		for _, e := range strings.Fields(entry) {
			kind, value, _ := strings.Cut(e, ":")
			switch kind {
			case "time":
				b.time = value
			case "season":
				if b.season == "winter" && strings.HasPrefix(w, "fall") {
					continue // snow falls in winter
				}
				b.season = value
			case "weather":
				b.weather[value] = true
			case "place":
				places = append(places, value)
			case "style":
				b.style = value
			case "colour":
				hue, hued = named(value), i
				b.colours = append(b.colours, hue)
			case "thing":
				if !b.has(value) {
					b.things = append(b.things, thing{name: value, many: many, hue: hue, hued: i-hued <= 2, words: i})
				}
			}
		}
	}
	b.place = placeOf(places, b)
	return b
}

// placeOf decides between the places named, or guesses from the things.
func placeOf(places []string, b *brief) string {
	afloat := b.has("boat") || b.has("whale") || b.has("fish")
	dry := !slices.ContainsFunc(places, func(p string) bool { return p == "sea" || p == "lake" || p == "city" || p == "space" })
	switch {
	case b.has("whale") && dry:
		return "sea"
	case afloat && dry && len(places) > 0 && places[0] != "portrait" && places[0] != "abstract":
		return "lake"
	case afloat && dry && len(places) == 0:
		return "sea"
	}
	for _, strong := range []string{"space", "portrait", "city", "desert", "sea", "lake", "forest", "mountains", "hills", "meadow", "abstract"} {
		if slices.Contains(places, strong) {
			if strong == "mountains" && slices.Contains(places, "lake") {
				return "lake"
			}
			return strong
		}
	}
	for _, t := range b.things {
		switch t.name {
		case "lighthouse", "island":
			return "sea"
		case "bridge":
			return "lake"
		case "fox", "deer", "owl", "mushroom", "tent":
			return "forest"
		case "rocket", "planet", "astronaut":
			return "space"
		case "camel", "cactus", "pyramid":
			return "desert"
		case "balloon", "castle", "windmill", "dragon":
			return "hills"
		case "cat", "dog", "house", "tree", "flower", "bird", "butterfly", "rabbit", "horse", "sheep", "person", "rainbow":
			return "meadow"
		case "car", "robot":
			return "city"
		}
	}
	if b.weather["snow"] || b.season == "winter" {
		return "mountains"
	}
	if b.weather["rain"] || b.style == "neon" {
		return "city"
	}
	if b.time != "" || b.season != "" || len(b.things) > 0 || len(b.weather) > 0 {
		return "hills"
	}
	return "abstract"
}

// lettering takes quoted words out of the prompt where it asks for writing.
func lettering(prompt string) (rest, letters string) {
	lower := strings.ToLower(prompt)
	asks := false
	for _, w := range []string{"say", "text", "word", "title", "read", "letter", "sign", "poster", "caption", "written", "write"} {
		asks = asks || strings.Contains(lower, w)
	}
	for _, q := range [][2]string{{`"`, `"`}, {"“", "”"}, {"«", "»"}, {"「", "」"}} {
		_, after, found := strings.Cut(prompt, q[0])
		if !found {
			continue
		}
		inside, _, closed := strings.Cut(after, q[1])
		if !closed || strings.TrimSpace(inside) == "" {
			continue
		}
		if asks {
			letters = strings.Join(strings.Fields(inside), " ")
			return strings.Replace(prompt, q[0]+inside+q[1], " ", 1), letters
		}
	}
	return prompt, ""
}

// tokens are the words of a prompt in lower case; every ideograph is a word.
func tokens(prompt string) []string {
	const most = 400
	var out []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for _, r := range prompt {
		if len(out) >= most {
			break
		}
		switch {
		case unicode.Is(unicode.Han, r):
			end()
			out = append(out, string(r))
		case unicode.IsLetter(r):
			word.WriteRune(unicode.ToLower(r))
		default:
			end()
		}
	}
	end()
	return out
}

// lookUp finds w, or the word that w is a plural of.
func lookUp(known map[string]string, w string) (entry string, many bool) {
	if e, ok := known[w]; ok {
		return e, w == "mountains" || w == "stars" || w == "birds"
	}
	for _, end := range [][2]string{{"ies", "y"}, {"ves", "f"}, {"xes", "x"}, {"ches", "ch"}, {"shes", "sh"}, {"s", ""}} {
		if base, ok := strings.CutSuffix(w, end[0]); ok {
			if e, ok := known[base+end[1]]; ok {
				return e, true
			}
		}
	}
	for _, end := range [][2]string{{"ly", ""}, {"y", ""}, {"y", "e"}, {"ing", ""}, {"ed", ""}} {
		if base, ok := strings.CutSuffix(w, end[0]); ok && len(base) > 2 {
			if e, ok := known[base+end[1]]; ok {
				return e, false
			}
		}
	}
	return "", false
}

func named(colour string) rgb {
	switch colour {
	case "red":
		return hex(0xd9483b)
	case "orange":
		return hex(0xe8863a)
	case "yellow":
		return hex(0xf2c744)
	case "green":
		return hex(0x5f9e57)
	case "teal":
		return hex(0x2f9c95)
	case "blue":
		return hex(0x3f77c2)
	case "purple":
		return hex(0x7d56b3)
	case "pink":
		return hex(0xe98bb0)
	case "white":
		return hex(0xf4f1ea)
	case "black":
		return hex(0x24242c)
	case "grey":
		return hex(0x8b8f96)
	case "brown":
		return hex(0x8a5a3c)
	}
	return hex(0xd8aa4a) // gold
}
