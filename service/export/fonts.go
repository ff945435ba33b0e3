package export

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"maps"
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

	"confab/internal/fileio"
)

const (
	maxFontFiles = 5000     // that are looked at in search of a letter
	maxFonts     = 16       // that are opened
	maxFontBytes = 64 << 20 // of a font
)

// wideFonts begins the names of fonts with many scripts, the best ones first, as systems call their files; lower case,
// without what separates words.
var wideFonts = []string{
	"notosanscjk", "notosansmonocjk", "sourcehansans", "pingfang", "hiraginosansgb", "msyh", "msgothic", "malgun",
	"meiryo", "yugoth", "droidsansfallback", "wqy", "unifont", "arialunicode", "arialuni", "simsun", "notoserifcjk",
	"notosans", "dejavusans",
}

// fontFolders returns the folders in which systems keep their fonts.
func fontFolders() []string {
	folders := []string{"/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts",
		`C:\Windows\Fonts`}
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, filepath.Join(home, ".local/share/fonts"), filepath.Join(home, "Library/Fonts"))
	}
	return folders
}

// captionFonts draw the text of a contact sheet. The built-in font covers Latin, Greek and Cyrillic; for other letters
// a font of the machine is looked for. What no font has is drawn as a box.
type captionFonts struct {
	fonts   []captionFont
	folders []string // to be searched; nil when that is done
	files   []string // of fonts that are not opened yet
	buffer  sfnt.Buffer
}

// captionFont is a font in the size of captions.
type captionFont struct {
	font *sfnt.Font
	face font.Face
}

func newCaptionFonts(folders []string) (*captionFonts, error) {
	c := &captionFonts{folders: folders}
	if err := c.add(goregular.TTF); err != nil {
		return nil, fmt.Errorf("read the font: %w", err)
	}
	return c, nil
}

// add adds the first font of a file.
func (c *captionFonts) add(file []byte) error {
	all, err := opentype.ParseCollection(file)
	if err != nil {
		return err
	}
	f, err := all.Font(0)
	if err != nil {
		return err
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: captionPx, DPI: 72, Hinting: font.HintingFull})
	if err == nil {
		c.fonts = append(c.fonts, captionFont{f, face})
	}
	return err
}

// faceOf returns the first face that has the rune, else the built-in one.
func (c *captionFonts) faceOf(r rune) font.Face {
	for i := 0; i < len(c.fonts) || c.openNext(); i++ {
		if g, err := c.fonts[i].font.GlyphIndex(&c.buffer, r); err == nil && g != 0 {
			return c.fonts[i].face
		}
	}
	return c.fonts[0].face
}

// openNext adds the next font that the machine has; false when there is none.
func (c *captionFonts) openNext() bool {
	if c.folders != nil {
		c.files, c.folders = findFonts(c.folders), nil
	}
	for len(c.files) > 0 {
		file, err := fileio.Read(c.files[0], maxFontBytes)
		c.files = c.files[1:]
		if err == nil && c.add(file) == nil {
			return true
		}
	}
	return false
}

// findFonts returns the files of fonts with many scripts, the best ones first.
func findFonts(folders []string) []string {
	rank := map[string]int{} // by path
	seen := 0
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if seen++; seen > maxFontFiles {
				return filepath.SkipAll
			}
			if err != nil || !d.Type().IsRegular() {
				return nil //nolint:nilerr // what cannot be looked at holds no font
			}
			name := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(d.Name()))
			has := func(part string) bool { return strings.Contains(name, part) }
			family := slices.IndexFunc(wideFonts, func(begin string) bool { return strings.HasPrefix(name, begin) })
			isFont := slices.Contains([]string{".ttf", ".otf", ".ttc"}, filepath.Ext(name))
			if family < 0 || !isFont || has("italic") || has("oblique") {
				return nil
			}
			rank[path] = 2 * family
			if has("bold") || has("light") || has("black") || has("thin") {
				rank[path]++
			}
			return nil
		})
	}
	paths := slices.SortedFunc(maps.Keys(rank),
		func(a, b string) int { return cmp.Or(rank[a]-rank[b], strings.Compare(a, b)) })
	return paths[:min(len(paths), maxFonts)]
}

// width returns how wide a text is, in pixels.
func (c *captionFonts) width(text []rune) int {
	w := fixed.Int26_6(0)
	for _, r := range text {
		if advance, ok := c.faceOf(r).GlyphAdvance(r); ok {
			w += advance
		}
	}
	return w.Ceil()
}

// draw draws a line of text that is cut with … where it is too wide.
func (c *captionFonts) draw(on draw.Image, at image.Point, w int, text string, ink color.Color) {
	const longest = 300
	runes := []rune(oneLine(text))
	if len(runes) > longest {
		runes = append(runes[:longest], '…')
	}
	for len(runes) > 1 && c.width(runes) > w {
		runes = append(runes[:len(runes)-2], '…')
	}
	d := font.Drawer{Dst: on, Src: image.NewUniform(ink), Dot: fixed.P(at.X, at.Y)}
	for _, r := range runes {
		d.Face = c.faceOf(r)
		d.DrawString(string(r))
	}
}

// wrap breaks a text into at most so many lines of that width, between words where it can.
func (c *captionFonts) wrap(text string, w, most int) []string {
	rest := []rune(oneLine(text))
	var lines []string
	for len(rest) > 0 && len(lines) < most-1 && c.width(rest[:min(len(rest), 400)]) > w {
		n := 1
		for n < len(rest) && c.width(rest[:n+1]) <= w {
			n++
		}
		line := string(rest[:n])
		if blank := strings.LastIndexByte(line, ' '); n < len(rest) && rest[n] != ' ' && blank > 0 {
			line = line[:blank]
		}
		lines = append(lines, line)
		rest = []rune(strings.TrimLeft(string(rest)[len(line):], " "))
	}
	if len(rest) > 0 || len(lines) == 0 {
		lines = append(lines, string(rest))
	}
	return lines
}
