package retouch

import (
	"image/color"
	"regexp"
	"strings"

	"confab/service/engine"
	"confab/service/engine/offline/paint"
)

// operation is something an instruction may name.
type operation struct {
	name  string // as a refusal lists it
	phase int
	words *regexp.Regexp
	make  func(clause) (func(*sheet) error, error)
}

// The phases of a plan.
const (
	shape = iota
	mood
	tone
	manner
	things
	edge
	frame
	words
)

// operations are all that is known, in the order in which a clause is searched.
func operations() []operation {
	always := func(f func(s *sheet, c clause)) func(clause) (func(*sheet) error, error) {
		return func(c clause) (func(*sheet) error, error) {
			return func(s *sheet) error { f(s, c); return nil }, nil
		}
	}
	op := func(name string, phase int, pattern string, f func(s *sheet, c clause)) operation {
		return operation{name, phase, regexp.MustCompile(`\b(?:` + pattern + `)\b`), always(f)}
	}
	out := []operation{
		{"caption “…”", words, regexp.MustCompile(`\b(?:caption(?:ed)?|text|title|label|write|writing|words|say(?:s|ing)?|reading)\b`), caption},
		{"border", frame, regexp.MustCompile(frameWords().String() + `|\b(?:polaroid|passe-?partout)\b`), always(func(s *sheet, c clause) { s.border(c) })},
		{"crop (square, 16:9 …)", shape, regexp.MustCompile(`\b(?:crop(?:ped)?|trim|square|zoom(?: in)?)\b|\b\d{1,2}:\d{1,2}\b`), crop},
		op("rotate (90 …)", shape, `rotate[ds]?|turn(?:ed)? (?:it )?(?:left|right|round|around|by|clockwise)|upside down|clockwise|counter-?clockwise`, func(s *sheet, c clause) { s.rotate(c) }),
		op("flip", shape, `flip(?:ped)?(?: (?:it )?(?:vertically|horizontally))?|flop`, func(s *sheet, c clause) { s.flip(!has(c.text, `horizontal(?:ly)?|sideways|flop`)) }),
		op("mirror", shape, `mirror(?:ed)?|reflect(?:ed)?`, func(s *sheet, c clause) { s.flip(has(c.text, `vertical(?:ly)?`)) }),
		op("half the size", shape, `half (?:the |its )?size|shrink|smaller`, func(s *sheet, _ clause) { s.halve() }),

		op("greyscale", tone, `gr[ae]y(?:scale)?|monochrome|desaturate[ds]?|colou?rless|noir|(?:remove|without|no|drop) (?:all |the )*(?:colou?rs?|saturation)`, func(s *sheet, _ clause) { s.grey() }),
		op("sepia", tone, `sepia|vintage|old(?:er)? photo(?:graph)?|antique|retro|aged|nostalgic`, func(s *sheet, c clause) { s.sepia(c.strength()) }),
		op("invert", tone, `invert(?:ed)?|negative`, func(s *sheet, _ clause) { s.invert() }),
		op("brighter", tone, `bright(?:er|en|ness)?|light(?:er|en)|expos(?:e|ure)`, func(s *sheet, c clause) { s.brighten(sign(!c.less()) * 0.22 * c.strength()) }),
		op("darker", tone, `dark(?:er|en|ness)?|dim(?:mer)?`, func(s *sheet, c clause) { s.brighten(sign(c.less()) * 0.24 * c.strength()) }),
		op("warmer", tone, `warm(?:er|th)?|hotter|cosy|cozy`, func(s *sheet, c clause) { s.temperature(sign(!c.less()) * c.strength()) }),
		op("cooler", tone, `cool(?:er)?|cold(?:er)?|bluish`, func(s *sheet, c clause) { s.temperature(sign(c.less()) * c.strength()) }),
		op("more or less contrast", tone, `contrast|punchy|punchier|dramatic|flatter`, func(s *sheet, c clause) {
			s.contrast(sign(!c.less() && !has(c.text, "flatter")) * 0.3 * c.strength())
		}),
		op("saturate", tone, `satur(?:ate[ds]?|ation)|vivid|colou?rful|vibran(?:t|ce)|richer|pop`, func(s *sheet, c clause) { s.saturate(sign(!c.less()) * 0.45 * c.strength()) }),
		op("tint (blue …)", tone, `(?:red|orange|yellow|green|teal|cyan|blue|purple|violet|pink|gold|golden|brown)(?:dish)? ?(?:tint|tone|hue|shade|cast|filter|wash)?`, func(s *sheet, c clause) {
			s.tint(colourIn(frameWords().ReplaceAllString(c.text, "")), c.strength())
		}),

		op("winter", mood, `winter|wintry|snow(?:y|ing|fall|-covered)?|frost(?:y)?|ic[ey]|frozen|christmas`, func(s *sheet, c clause) { s.winter(c.strength()) }),
		op("autumn", mood, `autumn(?:al)?|fall colou?rs|in (?:the )?fall|herbst`, func(s *sheet, c clause) { s.autumn(c.strength()) }),
		op("spring", mood, `spring|summer|lush|greener`, func(s *sheet, c clause) { s.green(c.strength()) }),
		op("sunset", mood, `sunset|dusk|golden hour|evening|sunrise|dawn`, func(s *sheet, c clause) { s.sunset(c.strength()) }),
		op("night", mood, `night(?:time)?|midnight|nocturnal|after dark`, func(s *sheet, c clause) { s.night(c.strength()) }),

		op("blur", manner, `blur(?:red|ry|s)?|soft(?:en|er)?|out of focus|dreamy`, func(s *sheet, c clause) { s.blur(c.strength()) }),
		op("sharpen", manner, `sharp(?:en|er|ness)?|crisp(?:er)?|clear(?:er)?`, func(s *sheet, c clause) { s.sharpen(c.strength()) }),
		op("pixelate", manner, `pixel(?:ate[ds]?|ated|s)?(?: ?art)?|mosaic|8-?bit|blocky|censor(?:ed)?`, func(s *sheet, c clause) { s.pixelate(c.strength()) }),
		op("posterise", manner, `poster(?:i[sz]e[ds]?)?|pop ?art|fewer colou?rs`, func(s *sheet, c clause) { s.posterise(4) }),
		op("cartoon", manner, `cartoon(?:ish|y)?|comic|anime`, func(s *sheet, _ clause) { s.cartoon() }),
		op("sketch", manner, `sketch(?:ed|y)?|pencil|drawing|drawn|edges|outlines?|charcoal|line art`, func(s *sheet, _ clause) { s.sketch() }),
		op("emboss", manner, `emboss(?:ed)?|relief`, func(s *sheet, _ clause) { s.emboss() }),
		op("neon", manner, `neon|cyberpunk|synthwave|glowing edges`, func(s *sheet, _ clause) { s.neon() }),
		op("grain", manner, `grain(?:y)?|noise|noisy|film`, func(s *sheet, c clause) { s.grain(c.strength()) }),
	}
	for _, m := range [][2]string{{"oil", `oil(?: ?paint(?:ing|ed)?)?|painting|painted|painterly|impressionist|van gogh|monet|brush ?strokes`}, {"watercolour", `water ?colou?r|aquarelle`}, {"ink", `ink(?: wash)?|sumi-?e`}} {
		out = append(out, touch(m[0], manner, m[1], m[0]))
	}
	out = append(out, touch("rain", things, `rain(?:y|ing)?|storm(?:y)?|downpour`, "rain"), touch("fog", things, `fog(?:gy)?|mist(?:y)?|haz[ey]`, "fog"))
	for _, t := range [][2]string{
		{"stars", `stars?|starry`}, {"moon", `moon(?:lit|light)?`}, {"sun", `sun(?:ny|shine)?`}, {"rainbow", `rainbows?`}, {"clouds", `clouds?|cloudy`}, {"birds", `birds?|(?:sea)?gulls?`},
		{"boat", `boats?|ships?|sailboats?`}, {"balloon", `(?:hot[- ]air )?balloons?`}, {"lighthouse", `lighthouses?`}, {"house", `houses?|cabins?|cottages?`}, {"castle", `castles?`}, {"tree", `trees?`},
		{"cat", `cats?|kittens?`}, {"fox", `fox(?:es)?`}, {"dog", `dogs?|pupp(?:y|ies)`}, {"rabbit", `rabbits?|bunn(?:y|ies)`}, {"deer", `deer|stags?`}, {"flower", `flowers?`}, {"butterfly", `butterfl(?:y|ies)`}, {"rocket", `rockets?`},
	} {
		out = append(out, touch("add "+t[0], things, t[1], t[0]))
	}
	return append(out, op("vignette", edge, `vignett(?:e[ds]?|ing)|dark corners`, func(s *sheet, c clause) { s.vignette(0.55 * c.strength()) }))
}

// touch is an operation that paints something onto the picture.
func touch(name string, phase int, pattern, what string) operation {
	return operation{name, phase, regexp.MustCompile(`\b(?:` + pattern + `)\b`), func(clause) (func(*sheet) error, error) {
		return func(s *sheet) error { return paint.ApplyEffect(s.ctx, s.img, what, s.seed) }, nil
	}}
}

// caption finds the words to be set: in quotes, or after the verb.
func caption(c clause) (func(*sheet) error, error) {
	text := ""
	if len(c.quotes) > 0 {
		text = c.quotes[0]
	} else if m := regexp.MustCompile(`(?:caption(?:ed)?|text|title|label|says?|saying|reading|write)(?: it)?(?: with| of| as)?:? (.+)$`).FindStringSubmatch(c.text); m != nil {
		text = m[1]
	}
	if text = strings.TrimSpace(text); text == "" {
		return nil, &engine.Error{Status: 422, Code: "bad_request", Message: "A caption needs its words in quotes, as in: caption \"Hello\"."}
	}
	return func(s *sheet) error { return s.caption(text) }, nil
}

// crop reads the shape wanted.
func crop(c clause) (func(*sheet) error, error) {
	if m := regexp.MustCompile(`\d{1,2}(?:\.\d+)?:\d{1,2}(?:\.\d+)?`).FindString(c.text); m != "" {
		w, h, err := engine.ParseAspect(m)
		if err != nil {
			return nil, err
		}
		return func(s *sheet) error { s.crop(w / h); return nil }, nil
	}
	if has(c.text, "square") {
		return func(s *sheet) error { s.crop(1); return nil }, nil
	}
	return func(s *sheet) error { s.zoom(0.72); return nil }, nil
}

// frameWords is a frame with what stands right before it: "a thick black frame".
func frameWords() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:(?:an?|the|thin|thick|wide|narrow|broad|big|large|small|heavy|fine|red|orange|yellow|green|teal|cyan|blue|purple|violet|pink|gold|golden|brown|black|white|gr[ae]y|silver|cream|ivory|wood|wooden|polaroid)[ -])*(?:border|frame|bordered|framed)\b`)
}

func sign(yes bool) float64 {
	if yes {
		return 1
	}
	return -1
}

// colourIn is the first colour named.
func colourIn(text string) color.RGBA {
	for _, c := range []struct {
		words string
		rgb   color.RGBA
	}{
		{"red(?:dish)?", color.RGBA{200, 55, 45, 255}}, {"orange", color.RGBA{228, 128, 45, 255}}, {"yellow", color.RGBA{238, 200, 60, 255}}, {"green", color.RGBA{70, 145, 80, 255}},
		{"teal|cyan", color.RGBA{45, 155, 155, 255}}, {"blue", color.RGBA{50, 95, 190, 255}}, {"purple|violet", color.RGBA{125, 75, 175, 255}}, {"pink", color.RGBA{230, 130, 170, 255}},
		{"gold(?:en)?", color.RGBA{205, 160, 65, 255}}, {"brown|wood(?:en)?", color.RGBA{120, 80, 50, 255}}, {"black", color.RGBA{18, 18, 20, 255}}, {"gr[ae]y|silver", color.RGBA{140, 142, 148, 255}},
		{"cream|ivory", color.RGBA{244, 236, 218, 255}},
	} {
		if has(text, c.words) {
			return c.rgb
		}
	}
	return color.RGBA{250, 249, 246, 255}
}
