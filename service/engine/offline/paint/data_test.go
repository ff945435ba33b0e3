package paint

import (
	"slices"
	"strings"
	"testing"
)

// TestDataFilesAreWellFormed evaluates every line of the embedded files. Reading an invalid one panics.
func TestDataFilesAreWellFormed(t *testing.T) {
	for name := range scenes().Palettes {
		p := newPalette(0, "day", name)
		if p.colors["sun"] == p.colors["ground"] || p.glare == 0 || len(p.sky) < 3 {
			t.Errorf("the palette %s is incomplete: %+v", name, p)
		}
	}
	lights := []*sceneSpec{{time: "day", weather: map[string]bool{}}, {time: "night", season: "winter"}}
	given := map[string]rgb{} // colours that the code passes to figures
	parts := strings.Fields("rock ring leaf-color star cloud plumage skin hair shadow collar coat chest " +
		"blade shine leaf light disc sand wall lamp crop inner eyes nose iris blush lips")
	for _, name := range parts {
		given[name] = rgb{1, 1, 1}
	}
	for _, spec := range lights {
		for name := range drawings() {
			s := newScene(newCanvas(t.Context(), 40, 40, 1), spec, false)
			before := slices.Clone(s.pix)
			s.drawFigure(name, figure{x: 20, y: 30, size: 20, colors: given})
			if slices.Equal(before, s.pix) && !strings.HasPrefix(name, "cloud") {
				t.Errorf("the figure %s draws nothing", name)
			}
		}
	}
	book := scenes()
	for _, lists := range []map[string][]string{book.Places, book.Lists, book.Styles, book.Effects} {
		for _, list := range lists {
			for _, step := range list {
				spec := &sceneSpec{place: "hills", weather: map[string]bool{}, objects: []object{{name: "bird"}}}
				s := newScene(newCanvas(t.Context(), 40, 40, 1), spec, false)
				f := strings.Fields(step)
				for f[0] == "if" || f[0] == "chance" {
					f = f[2:]
				}
				s.drawStep(f)
			}
		}
	}
	for _, k := range scenes().Standing {
		if _, ok := drawings()[k.Name]; !ok && k.Name != "tree" {
			t.Errorf("scenes.toml names %q, which no figure draws", k.Name)
		}
	}
	kinds := strings.Fields("time season weather place style color home object")
	for word, entries := range vocabulary() {
		for _, e := range entries {
			if kind, value, _ := strings.Cut(e, ":"); !slices.Contains(kinds, kind) || value == "" {
				t.Errorf("vocabulary.txt says %q of %q", e, word)
			}
		}
	}
}

func TestMalformedFiguresAreNoticed(t *testing.T) {
	for _, line := range []string{"#ffffff hexagon 1 2", "#ffffff rect 1 two 3 4", "red rect 0 0 1 1",
		"v:#ffffff rect 0 0 1 1"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is accepted", line)
				}
			}()
			s := newScene(newCanvas(t.Context(), 9, 9, 1), &sceneSpec{time: "day", weather: map[string]bool{}}, false)
			shape := readShape(strings.Fields(line))
			s.drawShape(&shape, newPath(), colorBox{pal: s.pal, named: s.pal.colors}, 1)
		}()
	}
}
