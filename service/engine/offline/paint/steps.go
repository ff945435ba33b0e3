package paint

import (
	"reflect"
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

var scenes = sync.OnceValue(func() (book sceneBook) {
	if err := toml.Unmarshal(readData("scenes.toml"), &book); err != nil {
		panic("scenes.toml: " + err.Error()) // only a faulty build has it
	}
	return book
})

// drawSteps draws steps of scenes.toml.
func (s *scene) drawSteps(steps []string) {
	for _, step := range steps {
		s.drawStep(strings.Fields(step))
	}
}

// drawStep draws a step, which is another list or an exported method of scene, unless one of its conditions does not
// hold.
func (s *scene) drawStep(f []string) {
	for ; f[0] == "if" || f[0] == "chance"; f = f[2:] {
		if f[0] == "if" && !s.is(f[1]) || f[0] == "chance" && !s.chance(number(f[1])) {
			return
		}
	}
	if list, ok := scenes().Lists[f[0]]; ok {
		s.drawSteps(list)
		return
	}
	var args []reflect.Value
	for _, arg := range f[1:] {
		if unicode.IsLetter(rune(arg[0])) {
			args = append(args, reflect.ValueOf(arg))
			continue
		}
		digits, isScaled := strings.CutSuffix(arg, "*")
		v := number(digits)
		if isScaled {
			v *= s.strength
		}
		args = append(args, reflect.ValueOf(v))
	}
	reflect.ValueOf(s).MethodByName(f[0]).Call(args) // the tests draw every step
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
