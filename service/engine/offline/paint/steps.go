package paint

import (
	"strings"
	"sync"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

// sceneBook is the content of scenes.toml, which explains it.
type sceneBook struct {
	Places, Styles, Effects, Lists map[string][]string // of steps
	Schemes                        map[string][]string
	Palettes                       map[string]light
	Standing                       []standingObject
	Scatters                       map[string]scatter
	Filters                        map[string][]filter
}

var scenes = sync.OnceValue(func() sceneBook {
	var book sceneBook
	if err := toml.Unmarshal(readData("scenes.toml"), &book); err != nil {
		panic("paint: scenes.toml: " + err.Error())
	}
	return book
})

// drawSteps draws steps of scenes.toml.
func (s *scene) drawSteps(steps []string) {
	for _, step := range steps {
		s.drawStep(strings.Fields(step))
	}
}

// drawStep draws a step, unless one of its conditions does not hold.
func (s *scene) drawStep(f []string) {
	for ; f[0] == "if" || f[0] == "chance"; f = f[2:] {
		if f[0] == "if" && !s.is(f[1]) || f[0] == "chance" && !s.chance(number(f[1])) {
			return
		}
	}
	name, args := "", f[1:]
	if len(args) > 0 && unicode.IsLetter(rune(args[0][0])) {
		name, args = args[0], args[1:]
	}
	v := make([]float64, len(args))
	for i, text := range args {
		digits, isScaled := strings.CutSuffix(text, "*")
		if v[i] = number(digits); isScaled {
			v[i] *= s.strength
		}
	}
	if draw, ok := commands()[f[0]]; ok {
		draw(s, name, v)
	} else if list, ok := scenes().Lists[f[0]]; ok {
		s.drawSteps(list)
	} else {
		panic("paint: scenes.toml: nothing draws " + f[0])
	}
}

// is reports whether one of the conditions that are separated by "|" is true of the scene.
func (s *scene) is(conditions string) bool {
	for condition := range strings.SplitSeq(conditions, "|") {
		word, isNegated := strings.CutPrefix(condition, "!")
		holds := s.has(word)
		switch word {
		case "flat":
			holds = s.isFlat
		case "dark":
			holds = s.pal.isDark
		case "lit": // lamps are lit inside buildings
			holds = s.pal.isDark || s.has("dusk", "storm")
		case "sunlit":
			holds = s.isSunVisible
		case "foreground":
			holds = len(s.standingObjects()) > 0 || s.has("flower")
		}
		if holds != isNegated {
			return true
		}
	}
	return false
}

// commands returns what draws each step, from its name and its numbers.
func commands() map[string]func(s *scene, name string, v []float64) {
	plain := func(draw func(*scene)) func(*scene, string, []float64) {
		return func(s *scene, _ string, _ []float64) { draw(s) }
	}
	return map[string]func(s *scene, name string, v []float64){
		"gradient": plain((*scene).skyGradient), "rings": plain((*scene).sunRings),
		"starry-sky": plain((*scene).starrySky), "aurora": plain((*scene).aurora),
		"sun-or-moon": plain((*scene).sunOrMoon), "rainbow": plain((*scene).rainbow),
		"clouds": plain((*scene).clouds), "flat-clouds": plain((*scene).flatClouds), "mist": plain((*scene).mist),
		"lightning": plain((*scene).lightning), "headland": plain((*scene).headland),
		"lakeside": plain((*scene).lakeside), "skyline": plain((*scene).skyline), "parapet": plain((*scene).parapet),
		"shore": plain((*scene).shore), "sun-on-water": plain((*scene).sunReflection),
		"dunes": plain((*scene).dunes), "forest": plain((*scene).forest), "framing-tree": plain((*scene).framingTree),
		"standing": plain((*scene).groundObjects), "flowers": plain((*scene).foregroundFlowers),
		"birds": plain((*scene).birds), "flock": plain((*scene).flock), "space": plain((*scene).space),
		"portrait": plain((*scene).portrait), "abstract": plain((*scene).abstract),
		"watercolour": plain((*scene).watercolour), "ink": plain((*scene).inkWash),
		"pencil": plain((*scene).pencil), "margin": plain((*scene).posterMargin),

		"mountains": func(s *scene, _ string, v []float64) { s.mountainRange(v[0], s.uniform(v[1], v[2]), v[3]) },
		"fog":       func(s *scene, _ string, v []float64) { s.fogBank(s.horizon-s.unit*v[0], s.unit*v[1], v[2]) },
		"fog-at":    func(s *scene, _ string, v []float64) { s.fogBank(s.height*v[0], s.height*v[1], v[2]) },
		"hills":     func(s *scene, _ string, v []float64) { s.hills(int(v[0]), v[1]) },
		"water":     func(s *scene, _ string, v []float64) { s.water(v[0]) },
		"object":    (*scene).distantObject,
		"add":       (*scene).addObject,
		"flying":    func(s *scene, name string, _ []float64) { s.flyingObjects(name) },
		"scatter":   (*scene).scatter,
		"stars":     func(s *scene, _ string, v []float64) { s.stars(int(v[0]), s.height*v[1], v[2]) },
		"disc":      func(s *scene, _ string, v []float64) { s.disc(v[0], v[1], v[2]) },
		"time":      func(s *scene, name string, _ []float64) { s.time = name },
		"horizon":   func(s *scene, _ string, v []float64) { s.horizon = s.height * v[0] },
		"filter":    func(s *scene, name string, v []float64) { s.filter(scenes().Filters[name], v[0]) },
		"grain":     func(s *scene, _ string, v []float64) { s.grain(v[0]) },
		"vignette":  func(s *scene, _ string, v []float64) { s.vignette(v[0]) },
		"blur":      func(s *scene, _ string, v []float64) { s.blur(v[0]) },
		"bloom":     func(s *scene, _ string, v []float64) { s.bloom(float32(v[0])) },
		"pixelate":  func(s *scene, _ string, v []float64) { s.pixelate(max(7, v[0]), v[1]) },
		"brush":     func(s *scene, _ string, v []float64) { s.brush(v[0], v[1:]) },
	}
}
