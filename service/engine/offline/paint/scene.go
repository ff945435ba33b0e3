package paint

// scene is a picture that is being composed.
type scene struct {
	*canvas
	*sceneSpec
	pal          palette
	isFlat       bool    // the picture is a poster with hard edges and few tones
	horizon      float64 // in pixels from the top
	sunX, sunY   float64 // the middle of the sun or the moon
	sunRadius    float64
	isSunVisible bool            // the disc of the sun or the moon is drawn
	lightSide    float64         // the side the light comes from: -1 is left, 1 is right
	subjectLeft  bool            // the subject stands in the left half of the picture
	crest        crestLine       // the upper edge of the nearest ground
	drawn        map[string]bool // objects of the prompt that a layer has drawn
	strength     float64         // of an effect; 1 for the scene of a prompt
}

// crestLine returns the upper edge of a piece of ground at every x, in pixels.
type crestLine func(x float64) float64

// newScene decides what spec leaves open: the time of day, the palette, the horizon and the sun.
func newScene(c *canvas, spec *sceneSpec, isFlat bool) *scene {
	s := &scene{canvas: c, sceneSpec: spec, isFlat: isFlat, lightSide: 1, drawn: map[string]bool{}, strength: 1}
	s.crest = func(float64) float64 { return s.height * 0.97 }
	if s.time == "" {
		s.time = []string{"day", "dusk", "dawn", "day", "dusk"}[c.rng.IntN(5)]
		if s.has("moon", "stars", "neon", "space") {
			s.time = "night"
		}
		if s.has("winter", "spring", "rain", "rainbow") {
			s.time = []string{"day", "dawn"}[c.rng.IntN(2)]
		}
	}
	if s.has("ink") {
		s.time = "day" // ink is drawn on light paper
		s.weather["fog"] = true
	}
	s.pal = choosePalette(spec, c.rng.IntN(6))
	s.horizon = s.height * c.uniform(0.55, 0.69)
	s.subjectLeft = c.chance(0.5)
	s.placeSun()
	return s
}

// surface returns the style that the picture gets.
func (s *scene) surface() string {
	if _, ok := scenes().Styles[s.style]; ok {
		return s.style
	} else if s.isFlat {
		return "flat"
	}
	return "painted"
}

// placeSun decides where the sun or the moon stands, how large it is and whether it is seen.
func (s *scene) placeSun() {
	s.sunX = s.subjectX(s.uniform(0.62, 0.84))
	if s.sunX < s.width/2 {
		s.lightSide = -1
	}
	s.sunRadius = s.unit * s.uniform(34, 52)
	switch s.time {
	case "night":
		s.sunY = s.height * s.uniform(0.14, 0.30)
		s.sunRadius *= 1.15
		s.isSunVisible = s.has("moon") || s.chance(0.75)
	case "dusk", "dawn":
		s.sunY = s.horizon - s.unit*s.uniform(10, 120)
		s.isSunVisible = true
	default:
		s.sunY = s.height * s.uniform(0.12, 0.26)
		s.isSunVisible = s.has("sun") || s.isFlat
	}
	if s.has("storm", "rain") || s.has("fog") && s.time == "day" {
		s.isSunVisible = s.has("sun", "moon")
	}
	if s.isFlat {
		s.sunRadius *= 1.7
	}
	if s.has("neon") {
		s.isSunVisible, s.sunRadius = true, s.unit*s.uniform(120, 165)
		s.sunX, s.sunY = s.width*s.uniform(0.36, 0.64), s.horizon-s.sunRadius*s.uniform(0.35, 0.6)
	}
}

// Horizon puts the horizon at a share of the height.
func (s *scene) Horizon(y float64) { s.horizon = s.height * y }

// subjectX returns an x at the share t of the width, counted from the side of the subject.
func (s *scene) subjectX(t float64) float64 {
	if s.subjectLeft {
		return s.width * t
	}
	return s.width * (1 - t)
}
