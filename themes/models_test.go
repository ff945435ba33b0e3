package themes_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"confab/themes"

	"charm.land/lipgloss/v2"
	"github.com/lucasb-eyer/go-colorful"
)

func slugs(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("model-%d", i))
	}
	return out
}

// modelsOf returns the colors of models of a palette.
func modelsOf(p themes.Palette) []string {
	return slices.DeleteFunc(slices.Clone(p.Models[:]), func(c string) bool { return c == "" })
}

func TestAModelHasOneColor(t *testing.T) {
	s, other := themes.New(themes.Default(true)), themes.New(themes.Default(true))
	colors := map[string]bool{}
	for _, slug := range slugs(100) {
		got := s.ModelStyle(slug).Prefix
		if got == "" || got != other.ModelStyle(slug).Prefix {
			t.Errorf("%s has %q", slug, got)
		}
		colors[got] = true
	}
	if len(colors) != themes.ModelColors {
		t.Errorf("100 models have %d colors", len(colors))
	}
}

func TestModelsOfATurnAreToldApart(t *testing.T) {
	for _, p := range themes.Shipped() {
		s := themes.New(p)
		all := slugs(15)
		styles := s.ModelStyles(all)
		n := len(modelsOf(p))
		for i := range all {
			for j := range i {
				if i-j < n && styles[i].Prefix == styles[j].Prefix {
					t.Errorf("%s: models %d and %d have the same color", p.Name, j, i)
				}
			}
		}
		if again := s.ModelStyles(all); !slices.EqualFunc(styles, again, hasSamePrefix) {
			t.Errorf("%s: other colors the second time", p.Name)
		}
	}
}

func hasSamePrefix(a, b themes.Style) bool { return a.Prefix == b.Prefix }

func TestAModelKeepsItsColorWhereNoOtherHasIt(t *testing.T) {
	s := themes.New(themes.Default(true))
	taken := map[string]bool{}
	var together []string
	for _, slug := range slugs(30) {
		if c := s.ModelStyle(slug).Prefix; !taken[c] {
			taken[c] = true
			together = append(together, slug)
		}
	}
	for i, st := range s.ModelStyles(together) {
		if st.Prefix != s.ModelStyle(together[i]).Prefix {
			t.Errorf("%s moved", together[i])
		}
	}
	one := slugs(12)
	other := slices.Clone(one)
	slices.Reverse(other)
	mirrored := s.ModelStyles(other)
	for i, st := range s.ModelStyles(one) {
		if st.Prefix != mirrored[len(one)-1-i].Prefix {
			t.Errorf("%s has another color where the models stand in another order", one[i])
		}
	}
	repeated := s.ModelStyles([]string{"a", "b", "a"})
	if repeated[0].Prefix != repeated[2].Prefix {
		t.Error("two answers of one model have different colors")
	}
}

// TestModelsOfTheCatalogueHaveDifferentColors asks for as many colors as there are, which stay in small turns.
func TestModelsOfTheCatalogueHaveDifferentColors(t *testing.T) {
	s := themes.New(themes.Default(true))
	catalogue := slugs(19)
	s.SetModels(catalogue)
	seen := map[string]string{}
	for _, slug := range catalogue[:themes.ModelColors] {
		c := s.ModelStyle(slug).Prefix
		if seen[c] != "" {
			t.Errorf("%s has the color of %s", slug, seen[c])
		}
		seen[c] = slug
	}
	turn := []string{catalogue[9], catalogue[2], catalogue[11], catalogue[5]}
	for i, style := range s.ModelStyles(turn) {
		if style.Prefix != s.ModelStyle(turn[i]).Prefix {
			t.Errorf("%s has another color in a turn", turn[i])
		}
	}
}

// TestNeighboursOfTheCatalogueDifferInHue asks that text models which stand near each other in the list, and those that
// are compared in the example of the first screen and in the pictures of the documentation, are not two shades of one
// color: their distances are measured in OKLab, with and without the lightness.
func TestNeighboursOfTheCatalogueDifferInHue(t *testing.T) {
	const models, near = 15, 3
	for _, p := range themes.Shipped() {
		if strings.HasPrefix(p.Name, "ansi16") {
			continue
		}
		s := themes.New(p)
		catalogue := slugs(models)
		s.SetModels(catalogue)
		least, leastHue, leastTogether := 0.08, 0.05, 0.075
		if p.Name == "catppuccin-mocha" { // has its own colors only, which are pastel
			least, leastHue, leastTogether = 0.05, 0.024, 0.037
		}
		check := func(x, y themes.Style, leastHue float64) {
			a, b := foreground(t, x), foreground(t, y)
			_, m, n := a.OkLab()
			_, x1, y1 := b.OkLab()
			if hue := math.Hypot(m-x1, n-y1); hue < leastHue || labDistance(a, b) < least {
				t.Errorf("%s: the models %s and %s are %.3f apart, %.3f without the lightness", p.Name, a.Hex(),
					b.Hex(), labDistance(a, b), hue)
			}
		}
		for i := range models {
			for j := max(i-near, 0); j < i; j++ {
				check(s.ModelStyle(catalogue[i]), s.ModelStyle(catalogue[j]), leastHue)
			}
		}
		for _, together := range [][]int{{0, 2, 9, 11}, {0, 2, 8, 10}} {
			styles := turnOf(s, catalogue, together)
			for i := range styles {
				for j := range i {
					check(styles[i], styles[j], leastTogether)
				}
			}
		}
	}
}

// turnOf returns the styles of models of the catalogue in a turn.
func turnOf(s *themes.Styles, catalogue []string, models []int) []themes.Style {
	var slugs []string
	for _, i := range models {
		slugs = append(slugs, catalogue[i])
	}
	return s.ModelStyles(slugs)
}

// TestModelColorsAreSeenAsColors asks that the dot of a model is not taken for text: it differs from it by its hue.
func TestModelColorsAreSeenAsColors(t *testing.T) {
	for _, p := range themes.Shipped() {
		if strings.HasPrefix(p.Name, "ansi16") {
			continue
		}
		text := parseColor(t, p.Text)
		for _, name := range modelsOf(p) {
			c := parseColor(t, name)
			l, chroma, _ := c.OkLch()
			isBlack := l < 0.39 && !strings.HasPrefix(p.Name, "high")
			leastChroma, fromText := 0.079, 0.118
			if p.Name == "catppuccin-mocha" { // has pastel colors
				leastChroma, fromText = 0.065, 0.065
			}
			if p.Name == "high-contrast-light" { // is dark
				leastChroma = 0.07
			}
			if chroma < leastChroma || labDistance(c, text) < fromText || isBlack {
				t.Errorf("%s: %s has the chroma %.3f, the lightness %.3f and is %.3f from the text %s", p.Name, name,
					chroma, l, labDistance(c, text), p.Text)
			}
		}
	}
}

func TestWithoutColorsModelsHaveNone(t *testing.T) {
	s := themes.New(themes.Palette{Name: "none"})
	for _, st := range append(s.ModelStyles(slugs(3)), (&themes.Styles{}).ModelStyle("a")) {
		if got := st.Render("x"); got != "x" {
			t.Errorf("got %q", got)
		}
	}
}

// TestNeighboursOfATurnLookDifferent asks that the colors of models are told apart by eye: neighbours in turns of
// fifteen, and every model from what has the focus and from errors.
func TestNeighboursOfATurnLookDifferent(t *testing.T) {
	for _, p := range themes.Shipped() {
		least := 0.088 // in OKLab; what is nearer looks alike in a dot
		fromSuccess := 0.095
		switch {
		case p.Name == "catppuccin-mocha":
			least, fromSuccess = 0.05, 0.065 // has its own colors only, which are pastel
		case strings.HasPrefix(p.Name, "confab"):
			fromSuccess = 0.03 // has green models
		}
		if strings.HasPrefix(p.Name, "ansi16") {
			if p.Focus != "" && slices.Contains(p.Models[:], p.Focus) || slices.Contains(p.Models[:], p.Danger) {
				t.Errorf("%s: a model has the color of the focus or of errors", p.Name)
			}
			continue
		}
		focus, s := parseColor(t, p.Focus), themes.New(p)
		_, _, hue := focus.OkLch()
		for _, name := range modelsOf(p) {
			if c := parseColor(t, name); hueDistance(c, hue) < 20 && labDistance(c, focus) < 0.12 {
				t.Errorf("%s: %s has nearly the hue of the focus %s", p.Name, name, p.Focus)
			}
		}
		for _, name := range modelsOf(p) {
			if d := labDistance(parseColor(t, name), parseColor(t, p.Danger)); d < 0.095 {
				t.Errorf("%s: %s is only %.3f from the color of errors %s", p.Name, name, d, p.Danger)
			}
			if d := labDistance(parseColor(t, name), parseColor(t, p.Success)); d < fromSuccess {
				t.Errorf("%s: %s is only %.3f from the color of success %s", p.Name, name, d, p.Success)
			}
		}
		nearest, where := 1.0, ""
		for turn := range 50 {
			var slugs []string
			for i := range 15 {
				slugs = append(slugs, fmt.Sprintf("model-%d-of-%d", i, turn))
			}
			styles := s.ModelStyles(slugs)
			for i := range styles[1:] {
				a, b := foreground(t, styles[i]), foreground(t, styles[i+1])
				if d := labDistance(a, b); d < nearest {
					nearest, where = d, a.Hex()+" and "+b.Hex()
				}
			}
		}
		if nearest < least {
			t.Errorf("%s: %s are %.3f apart", p.Name, where, nearest)
		}
	}
}

// foreground returns the color that a style writes in.
func foreground(t *testing.T, s themes.Style) colorful.Color {
	t.Helper()
	c, ok := colorful.MakeColor(s.Style.GetForeground())
	if !ok {
		t.Fatalf("%q has no color", s.Prefix)
	}
	return c
}

func labDistance(a, b colorful.Color) float64 {
	l, m, n := a.OkLab()
	x, y, z := b.OkLab()
	return math.Sqrt((l-x)*(l-x) + (m-y)*(m-y) + (n-z)*(n-z))
}

// TestYouAndTheModelsOfATurnAreToldApart asks that the person has no color of a model, and that four models, those of
// the example of the first screen, differ with the two common kinds of color blindness too.
func TestYouAndTheModelsOfATurnAreToldApart(t *testing.T) {
	for _, p := range themes.Shipped() {
		if strings.HasPrefix(p.Name, "ansi16") {
			if p.Person != "" && slices.Contains(p.Models[:], p.Person) {
				t.Errorf("%s: a model has the color of the person", p.Name)
			}
			continue
		}
		person := parseColor(t, p.Person)
		for _, name := range modelsOf(p) {
			if d := labDistance(parseColor(t, name), person); d < 0.095 {
				t.Errorf("%s: %s is only %.3f from the person's %s", p.Name, name, d, p.Person)
			}
		}
		least := 0.05
		switch {
		case strings.HasPrefix(p.Name, "high-contrast"): // made for it
			least = 0.065
		case p.Name == "catppuccin-mocha": // has its own colors only
			least = 0.02
		}
		s, catalogue := themes.New(p), slugs(15)
		s.SetModels(catalogue)
		colors := []string{p.Person}
		for _, style := range turnOf(s, catalogue, []int{0, 2, 9, 11}) {
			colors = append(colors, foreground(t, style).Hex())
		}
		for kind, seen := range colorBlindness() {
			for i, a := range colors {
				for _, b := range colors[:i] {
					if d := labDistance(asSeen(t, seen, a), asSeen(t, seen, b)); d < least {
						t.Errorf("%s, %s: %s and %s are only %.3f apart", p.Name, kind, a, b, d)
					}
				}
			}
		}
	}
}

func asSeen(t *testing.T, m [9]float64, c string) colorful.Color {
	v := transformColor(t, m, c)
	return colorful.Color{R: v[0] / 255, G: v[1] / 255, B: v[2] / 255}
}

func hueDistance(c colorful.Color, hue float64) float64 {
	_, _, h := c.OkLch()
	return min(max(h-hue, hue-h), 360-max(h-hue, hue-h))
}

func parseColor(t *testing.T, name string) colorful.Color {
	t.Helper()
	c, ok := colorful.MakeColor(lipgloss.Color(name))
	if !ok {
		t.Fatalf("%q is no color", name)
	}
	return c
}

// TestOldThemeFiles asks that a file of before there were layers, three accents and colors of models gets them.
func TestOldThemeFiles(t *testing.T) {
	for _, shipped := range themes.Shipped() {
		if strings.HasPrefix(shipped.Name, "ansi16") {
			continue
		}
		file := fmt.Sprintf("name = 'old'\ndark = %t\nbackground = %q\ntext = %q\naccent = %q\n", shipped.Dark,
			shipped.Background, shipped.Text, shipped.Focus)
		p, err := themes.Parse([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		if p.Focus != shipped.Focus {
			t.Errorf("%s: the accent is not the focus: %+v", shipped.Name, p)
		}
		readable := append(p.Models[:], p.Person, p.Focus, p.Text)
		for _, on := range []string{p.Background, p.Surface, p.Overlay} {
			for _, c := range readable {
				if got := contrast(t, c, on); got < 4.5 && c != p.Focus {
					t.Errorf("%s: %s on %s has %.2f", shipped.Name, c, on, got)
				}
			}
		}
		if contrast(t, p.FocusText, p.Focus) < 4.5 {
			t.Errorf("%s: %s on the focus %s", shipped.Name, p.FocusText, p.Focus)
		}
		if p.Surface == p.Overlay || p.Overlay == p.Background {
			t.Errorf("%s: layers are the same: %s, %s, %s", shipped.Name, p.Background, p.Overlay, p.Surface)
		}
	}
}

func TestThemesOfTheTerminalsOwnColorsGetNoOthers(t *testing.T) {
	p, err := themes.Parse([]byte("name = 'own'\ndark = true\naccent = '14'\n"))
	if err != nil || p.Surface != "" || p.Overlay != "" || p.FocusText != "" || p.Person != "14" || p.Models[0] == "" {
		t.Errorf("got %+v, %v", p, err)
	}
	for _, c := range modelsOf(p) {
		if len(c) > 2 || c == "14" {
			t.Errorf("got the color %q", c)
		}
	}
}

func TestGradient(t *testing.T) {
	s := themes.New(themes.Default(true))
	if got := s.Gradient("confab"); got != s.TitleFocused.On("confab") {
		t.Errorf("with few colors: %q", got)
	}
	s.IsTrueColor = true
	got := s.Gradient("confab")
	if strings.Count(got, "38;2;") != 6 || !strings.HasSuffix(got, "b\x1b[m") {
		t.Errorf("got %q", got)
	}
	if got := s.Gradient("e\u0301e\u0301"); !strings.Contains(got, "e\u0301") {
		t.Errorf("tears a cluster: %q", got)
	}
	if s.Gradient("") != "" {
		t.Error("an empty text is drawn")
	}
}

func BenchmarkModelStyles(b *testing.B) {
	s, all := themes.New(themes.Default(true)), slugs(15)
	for b.Loop() {
		_ = s.ModelStyles(all)
	}
}

// TestModelsAreSeenOnTheBar checks that the colors of models on the bar of the selected row can be told from it.
func TestModelsAreSeenOnTheBar(t *testing.T) {
	for _, p := range themes.Shipped() {
		s := themes.New(p)
		bar := s.Selected.GetBackground()
		if p.FocusText == "" {
			continue
		}
		for i, slug := range []string{"alpha", "beta", "gamma", "delta"} {
			if on := s.OnSelected(s.ModelStyle(slug)); themes.Contrast(on.GetForeground(), bar) < 2.9 {
				t.Errorf("%s: model %d has the contrast %.1f", p.Name, i, themes.Contrast(on.GetForeground(), bar))
			}
		}
	}
}
