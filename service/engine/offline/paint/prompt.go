package paint

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// sceneSpec is what a prompt says about the scene to draw. Empty fields are open.
type sceneSpec struct {
	time    string // dawn, day, dusk, night
	season  string // winter, autumn, spring, summer
	place   string // sea, lake, mountains, hills, forest, city, desert, meadow, space, portrait, abstract
	style   string // oil, watercolour, ink, neon, pencil, poster, pixel, photo
	weather map[string]bool
	objects []object
	colors  []rgb
	caption string // words to be written into the picture
}

// object is something the prompt names, with the colour that stands before it, if any.
type object struct {
	name     string
	home     string // the place where it is usually found
	plural   bool
	color    rgb
	hasColor bool
}

// count returns n if the prompt names the object in the plural, or else 1.
func (o object) count(n int) int {
	if o.plural {
		return n
	}
	return 1
}

// find returns the named object of the scene.
func (s *sceneSpec) find(name string) (object, bool) {
	i := slices.IndexFunc(s.objects, func(o object) bool { return o.name == name })
	if i < 0 {
		return object{}, false
	}
	return s.objects[i], true
}

// has reports whether the scene is one of the times, seasons, places, styles and weathers, or contains one of the
// objects, that are named. An object with an "s" asks for several of it.
func (s *sceneSpec) has(words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		isNamed := func(o object) bool { return o.name == word || o.plural && o.name+"s" == word }
		return s.weather[word] || slices.Contains([]string{s.time, s.season, s.place, s.style}, word) ||
			slices.ContainsFunc(s.objects, isNamed)
	})
}

// parsePrompt finds the words it knows in a prompt. All other words change nothing but the seed.
func parsePrompt(prompt string) *sceneSpec {
	s := &sceneSpec{weather: map[string]bool{}}
	prompt, s.caption = splitCaption(prompt)
	var places []string
	var color rgb
	colorIndex := -9
	for i, word := range splitWords(prompt) {
		entries, plural := lookUp(word)
		home := ""
		for _, e := range entries {
			kind, value, _ := strings.Cut(e, ":")
			switch kind {
			case "time":
				s.time = value
			case "season":
				if s.season == "winter" && strings.HasPrefix(word, "fall") {
					continue // as in "snow falls in winter"
				}
				s.season = value
			case "weather":
				s.weather[value] = true
			case "place":
				places = append(places, value)
			case "style":
				s.style = value
			case "color":
				color, colorIndex = parseColor(value), i
				s.colors = append(s.colors, color)
			case "home":
				home = value
			case "object":
				if !s.has(value) {
					s.objects = append(s.objects, object{value, home, plural, color, i-colorIndex <= 2})
				}
			}
		}
	}
	s.place = s.choosePlace(places)
	return s
}

// choosePlace returns one of the places that the prompt names, or the place where its objects are usually found.
func (s *sceneSpec) choosePlace(places []string) string {
	isNamed := func(list ...string) bool {
		return slices.ContainsFunc(places, func(place string) bool { return slices.Contains(list, place) })
	}
	if len(places) > 0 && s.has("boat", "fish") && !isNamed("sea", "city", "space", "portrait", "abstract") {
		return "lake"
	}
	byPriority := "space portrait city desert sea lake forest mountains hills meadow abstract"
	for place := range strings.FieldsSeq(byPriority) {
		if isNamed(place) {
			return place
		}
	}
	for _, o := range s.objects {
		if o.home != "" {
			return o.home
		}
	}
	switch {
	case s.weather["snow"], s.season == "winter":
		return "mountains"
	case s.weather["rain"], s.style == "neon":
		return "city"
	case s.time != "", s.season != "", len(s.objects) > 0, len(s.weather) > 0:
		return "hills"
	}
	return "abstract"
}

// splitCaption separates quoted words from a prompt that asks for writing.
func splitCaption(prompt string) (rest, caption string) {
	asks := regexp.MustCompile(`(?i)say|text|word|title|read|letter|sign|poster|caption|writ`)
	quoted := regexp.MustCompile(`"([^"]*)"|“([^”]*)”|«([^»]*)»|「([^」]*)」`)
	if m := quoted.FindStringSubmatch(prompt); m != nil && asks.MatchString(prompt) {
		caption = strings.Join(strings.Fields(strings.Join(m[1:], "")), " ")
		return strings.Replace(prompt, m[0], " ", 1), caption
	}
	return prompt, ""
}

// splitWords returns the first words of a prompt in lower case. Every ideograph is a word.
func splitWords(prompt string) []string {
	return regexp.MustCompile(`\p{Han}|[^\P{L}\p{Han}]+`).FindAllString(strings.ToLower(prompt), 400)
}

// vocabulary maps every known word to its entries "kind:value".
var vocabulary = sync.OnceValue(func() map[string][]string {
	m := make(map[string][]string, 400)
	for _, f := range dataLines("vocabulary.txt") {
		i := slices.Index(f, "=")
		for _, word := range f[i+1:] {
			m[word] = f[:i]
		}
	}
	return m
})

// lookUp returns the entries of a word, or of the word it is a form of.
func lookUp(word string) (entries []string, plural bool) {
	if e, ok := vocabulary()[word]; ok {
		return e, word == "mountains" || word == "stars" || word == "birds"
	}
	plurals := [][2]string{{"ies", "y"}, {"ves", "f"}, {"xes", "x"}, {"ches", "ch"}, {"shes", "sh"}, {"s", ""}}
	others := [][2]string{{"ly", ""}, {"y", ""}, {"y", "e"}, {"ing", ""}, {"ed", ""}}
	for i, ending := range append(plurals, others...) {
		stem, ok := strings.CutSuffix(word, ending[0])
		if plural = i < len(plurals); !ok || !plural && len(stem) <= 3 {
			continue
		}
		if e, ok := vocabulary()[stem+ending[1]]; ok {
			return e, plural
		}
	}
	return nil, false
}
