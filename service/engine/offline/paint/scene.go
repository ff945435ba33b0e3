package paint

// scene is a picture that is being composed.
type scene struct {
	*canvas
	spec         *sceneSpec
	pal          palette
	flat         bool    // the picture is a poster with hard edges and few tones
	horizon      float64 // in pixels from the top
	sunX, sunY   float64 // the middle of the sun or the moon
	sunRadius    float64
	isSunVisible bool            // the disc of the sun or the moon is drawn
	lightSide    float64         // the side the light comes from: -1 is left, 1 is right
	subjectLeft  bool            // the subject stands in the left half of the picture
	crest        crestLine       // the upper edge of the nearest ground
	drawn        map[string]bool // objects of the prompt that a layer has drawn
}

// crestLine returns the upper edge of a piece of ground at every x, in pixels.
type crestLine func(x float64) float64

// newScene decides what spec leaves open: the time of day, the palette, the horizon and the sun.
func newScene(c *canvas, spec *sceneSpec, flat bool) *scene {
	s := &scene{canvas: c, spec: spec, flat: flat, lightSide: 1, drawn: map[string]bool{}}
	s.crest = func(float64) float64 { return s.height * 0.97 }
	if spec.time == "" {
		spec.time = []string{"day", "dusk", "dawn", "day", "dusk"}[c.rng.IntN(5)]
		if spec.has("moon") || spec.weather["stars"] || spec.style == "neon" || spec.place == "space" {
			spec.time = "night"
		}
		isPale := spec.season == "winter" || spec.season == "spring"
		if isPale || spec.weather["rain"] || spec.weather["rainbow"] {
			spec.time = []string{"day", "dawn"}[c.rng.IntN(2)]
		}
	}
	if spec.style == "ink" {
		spec.time = "day" // ink is drawn on light paper
		spec.weather["fog"] = true
	}
	s.pal = choosePalette(spec, c.rng.IntN(6))
	s.horizon = s.height * c.uniform(0.55, 0.69)
	s.subjectLeft = c.chance(0.5)
	s.placeSun()
	return s
}

// placeSun decides where the sun or the moon stands, how large it is and whether it is seen.
func (s *scene) placeSun() {
	s.sunX = s.subjectX(s.uniform(0.62, 0.84))
	if s.sunX < s.width/2 {
		s.lightSide = -1
	}
	s.sunRadius = s.unit * s.uniform(34, 52)
	switch s.spec.time {
	case "night":
		s.sunY = s.height * s.uniform(0.14, 0.30)
		s.sunRadius *= 1.15
		s.isSunVisible = s.spec.has("moon") || s.chance(0.75)
	case "dusk", "dawn":
		s.sunY = s.horizon - s.unit*s.uniform(10, 120)
		s.isSunVisible = true
	default:
		s.sunY = s.height * s.uniform(0.12, 0.26)
		s.isSunVisible = s.spec.has("sun") || s.flat
	}
	weather := s.spec.weather
	if weather["storm"] || weather["rain"] || weather["fog"] && s.spec.time == "day" {
		s.isSunVisible = s.spec.has("sun", "moon")
	}
	if s.flat {
		s.sunRadius *= 1.7
	}
	if s.spec.style == "neon" {
		s.isSunVisible, s.sunRadius = true, s.unit*s.uniform(120, 165)
		s.sunX, s.sunY = s.width*s.uniform(0.36, 0.64), s.horizon-s.sunRadius*s.uniform(0.35, 0.6)
	}
}

// subjectX returns an x at the share t of the width, counted from the side of the subject.
func (s *scene) subjectX(t float64) float64 {
	if s.subjectLeft {
		return s.width * t
	}
	return s.width * (1 - t)
}

// sunlit returns c with a share of sunlight on it.
func (s *scene) sunlit(c rgb, share float64) rgb { return c.mix(s.pal.Sun.mul(s.pal.Ambient), share) }

// compose draws the whole scene, before a style changes its surface.
func (s *scene) compose() {
	switch s.spec.place {
	case "space":
		s.space()
		return
	case "portrait":
		s.portrait()
	case "abstract":
		s.abstract()
	default:
		s.landscape()
	}
	s.weather()
}

// weather draws fog, lightning, rain and snow over the scene.
func (s *scene) weather() {
	if s.spec.weather["fog"] {
		for i := range 4 {
			s.fogBank(s.horizon+s.unit*lerp(-90, 160, float64(i)/3), s.unit*s.uniform(50, 100), 0.42)
		}
	}
	if s.spec.weather["storm"] {
		s.drawFigure("lightning", figure{x: s.subjectX(s.uniform(0.6, 0.8)), y: s.horizon, size: s.horizon})
	}
	for _, falling := range []string{"rain", "snow"} {
		if s.spec.weather[falling] {
			s.scatter(falling, 1)
		}
	}
}
