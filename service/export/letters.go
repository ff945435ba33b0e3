package export

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// maxFonts bounds how many files are looked at in search of letters.
const maxFonts = 5000

// wideFonts begins the names of fonts with many scripts, the best ones first, as systems call their files; lower case,
// without what parts words.
var wideFonts = []string{
	"notosanscjk", "notosansmonocjk", "sourcehansans", "pingfang", "hiraginosansgb", "msyh", "msgothic", "malgun",
	"meiryo", "yugoth",
	"droidsansfallback", "wqy", "unifont", "arialunicode", "arialuni", "simsun", "notoserifcjk", "notosans",
	"dejavusans",
}

// letters draw the text of a sheet: the built-in font covers Latin, Greek and Cyrillic; for others a font of the
// machine's is looked for. What none has is drawn as a box.
type letters struct {
	fonts   []lettering
	folders []string // where others may be; nil when they were looked for
	open    []*os.File
	buffer  sfnt.Buffer
}

// lettering is a font in the size of captions.
type lettering struct {
	font *sfnt.Font
	face font.Face
}

func newLetters(folders []string) (*letters, error) {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("read the font: %w", err)
	}
	l := &letters{folders: folders}
	return l, l.add(f)
}

func (l *letters) add(f *sfnt.Font) error {
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: captionPx, DPI: 72, Hinting: font.HintingFull})
	if err == nil {
		l.fonts = append(l.fonts, lettering{f, face})
	}
	return err
}

// Close closes the fonts that were opened.
func (l *letters) Close() {
	for _, f := range l.open {
		_ = f.Close() // it was only read
	}
}

// faceOf returns the first face that has the rune, else the built-in one.
func (l *letters) faceOf(r rune) font.Face {
	for i := 0; ; i++ {
		for i >= len(l.fonts) {
			if !l.another() {
				return l.fonts[0].face
			}
		}
		if g, err := l.fonts[i].font.GlyphIndex(&l.buffer, r); err == nil && g != 0 {
			return l.fonts[i].face
		}
	}
}

// another adds the next font that the machine has; false when there is none.
func (l *letters) another() bool {
	if len(l.folders) > 0 {
		l.folders = findFonts(l.folders)
	}
	for len(l.folders) > 0 {
		path := l.folders[0]
		l.folders = l.folders[1:]
		if l.load(path) == nil {
			return true
		}
	}
	return false
}

// load opens a font file, of a collection the first font.
func (l *letters) load(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	all, err := opentype.ParseCollectionReaderAt(file)
	if err == nil {
		var f *sfnt.Font
		if f, err = all.Font(0); err == nil {
			err = l.add(f)
		}
	}
	if err != nil {
		_ = file.Close() // it was only read
		return err
	}
	l.open = append(l.open, file)
	return nil
}

// findFonts returns the files of fonts with many scripts, the best ones first.
func findFonts(folders []string) []string {
	type candidate struct {
		path string
		rank int
	}
	var found []candidate
	seen := 0
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if seen++; seen > maxFonts {
				return filepath.SkipAll
			}
			if err != nil || !d.Type().IsRegular() {
				return nil //nolint:nilerr // what cannot be looked at holds no font
			}
			name := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(d.Name()))
			rank := slices.IndexFunc(wideFonts, func(begin string) bool { return strings.HasPrefix(name, begin) })
			ext := filepath.Ext(name)
			if rank < 0 || ext != ".ttf" && ext != ".otf" && ext != ".ttc" || strings.Contains(name, "italic") ||
				strings.Contains(name, "oblique") {
				return nil
			}
			rank *= 4
			if strings.Contains(name, "bold") || strings.Contains(name, "light") || strings.Contains(name, "black") ||
				strings.Contains(name, "thin") {
				rank++
			}
			found = append(found, candidate{path, rank})
			return nil
		})
	}
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Or(a.rank-b.rank, strings.Compare(a.path, b.path)) })
	paths := make([]string, 0, len(found))
	for _, c := range found[:min(len(found), 16)] {
		paths = append(paths, c.path)
	}
	return paths
}

// width returns how wide a text is, in pixels.
func (l *letters) width(text []rune) int {
	w := fixed.Int26_6(0)
	for _, r := range text {
		if advance, ok := l.faceOf(r).GlyphAdvance(r); ok {
			w += advance
		}
	}
	return w.Ceil()
}

// draw draws a line of text that is cut with … where it is too wide.
func (l *letters) draw(on draw.Image, at image.Point, w int, text string, c color.Color) {
	const longest = 300
	runes := []rune(oneLine(text))
	if len(runes) > longest {
		runes = append(runes[:longest], '…')
	}
	for len(runes) > 1 && l.width(runes) > w {
		runes = append(runes[:len(runes)-2], '…')
	}
	d := font.Drawer{Dst: on, Src: image.NewUniform(c), Dot: fixed.P(at.X, at.Y)}
	for _, r := range runes {
		d.Face = l.faceOf(r)
		d.DrawString(string(r))
	}
}

// wrap parts a text into at most so many lines of that width, between words where it can.
func (l *letters) wrap(text string, w, most int) []string {
	rest := []rune(oneLine(text))
	var lines []string
	for len(rest) > 0 && len(lines) < most-1 && l.width(rest[:min(len(rest), 400)]) > w {
		n := 1
		for n < len(rest) && l.width(rest[:n+1]) <= w {
			n++
		}
		if blank := lastBlank(rest[:n]); n < len(rest) && rest[n] != ' ' && blank > 0 {
			n = blank
		}
		lines = append(lines, string(rest[:n]))
		rest = []rune(strings.TrimLeft(string(rest[n:]), " "))
	}
	if len(rest) > 0 || len(lines) == 0 {
		lines = append(lines, string(rest))
	}
	return lines
}

// lastBlank returns where the last blank is, -1 when there is none.
func lastBlank(line []rune) int {
	for i := len(line) - 1; i >= 0; i-- {
		if line[i] == ' ' {
			return i
		}
	}
	return -1
}
