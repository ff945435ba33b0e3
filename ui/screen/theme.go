package screen

import (
	"fmt"
	"image/color"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/graphics"
)

// Theme is what the palette of a screen depends on.
type Theme struct {
	Palettes        []themes.Palette
	Name            string // of a palette, or "auto": Dark or Light by the background
	Dark, Light     string
	Models          []string    // the catalogue, see [themes.Styles.SetModels]
	NoItalics       bool        // the terminal has none
	ScreenReader    bool        // words for states, and no gradients
	IsDark          bool        // the terminal's background is dark
	KeepsBackground bool        // the terminal's own is not painted over
	Terminal        color.Color // the terminal's background; nil for unknown
	Profile         colorprofile.Profile
	Emoji           termtext.Emoji // sequences that the terminal draws as one
	Cache           *StyleCache    // nil: none
}

// StyleCache shares styles among screens with the same models. It is safe for concurrent use.
type StyleCache struct{ styles sync.Map } // by [styleKey]

// styleKey is what styles depend on besides the models.
type styleKey struct {
	palette                              themes.Palette
	noItalics, screenReader, isTrueColor bool
	emoji                                termtext.Emoji
}

// IsAuto reports whether the palette depends on the terminal's background.
func (t Theme) IsAuto() bool { return t.Name == "" || t.Name == "auto" }

// Palette returns the colors to draw with. A terminal of sixteen colors gets a palette of its own colors, because the
// nearest ones to a theme's are often unreadable.
func (t Theme) Palette() themes.Palette {
	name := t.Name
	if t.IsAuto() {
		name = t.Light
		if t.IsDark {
			name = t.Dark
		}
	}
	p := themes.Pick(t.Palettes, name, t.IsDark)
	if t.Profile == colorprofile.ANSI && !p.IsSixteen() {
		few := "ansi16-light"
		if t.IsDark {
			few = "ansi16-dark"
		}
		return themes.Pick(t.Palettes, few, t.IsDark)
	}
	if t.Profile == colorprofile.ASCII || t.Profile == colorprofile.NoTTY {
		return themes.Palette{Name: p.Name, About: p.About, Dark: p.Dark}
	}
	return p
}

// PaintsBackground reports whether the background and the text of the palette are painted over the terminal's own. They
// are not before the terminal has told its own, which "auto" goes by.
func (t Theme) PaintsBackground() bool {
	return !t.KeepsBackground && t.Terminal != nil && t.Palette().Background != ""
}

// Background returns the color of the screen's background.
func (t Theme) Background() color.RGBA {
	if t.Terminal != nil && !t.PaintsBackground() {
		return color.RGBAModel.Convert(t.Terminal).(color.RGBA)
	}
	p := t.Palette()
	return p.BackgroundColor()
}

// Styles returns the styles of the palette, from the cache if there is one.
func (t Theme) Styles() *themes.Styles {
	key := styleKey{t.Palette(), t.NoItalics, t.ScreenReader, t.Profile == colorprofile.TrueColor && !t.ScreenReader,
		t.Emoji}
	cache := &sync.Map{}
	if t.Cache != nil {
		cache = &t.Cache.styles
	}
	if known, ok := cache.Load(key); ok {
		return known.(*themes.Styles)
	}
	s := themes.New(key.palette)
	s.SetModels(t.Models)
	s.NoItalics, s.ScreenReader, s.IsTrueColor = key.noItalics, key.screenReader, key.isTrueColor
	s.Emoji = key.emoji
	cache.Store(key, s)
	return s
}

// Update handles what the terminal reports about its colors, and queries whether it has more than its environment says.
// changed reports whether styles may have changed.
func (t *Theme) Update(msg tea.Msg) (changed bool, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		if msg.Color != nil {
			t.Terminal = msg.Color
			changed, t.IsDark = msg.IsDark() != t.IsDark, msg.IsDark()
			return changed, nil
		}
	case tea.ColorProfileMsg:
		if msg.Profile != t.Profile {
			t.Profile = msg.Profile
			return true, nil
		}
	case tea.ModeReportMsg:
		isThere := msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet
		if msg.Mode == ansi.ModeUnicodeCore && isThere && t.Emoji == termtext.SingleEmoji {
			t.Emoji = termtext.EmojiClusters
			return true, nil
		}
	case tea.TerminalVersionMsg:
		if e := emojiOfKitty(msg.Name); e > t.Emoji {
			t.Emoji = e
			return true, drawClusters
		}
	case tea.EnvMsg:
		if query := graphics.TrueColorQuery(t.Profile, msg.Getenv); query != "" {
			return false, tea.Batch(tea.Raw(query), tea.RequestCapability("RGB"), tea.RequestCapability("Tc"))
		}
	case uv.UnknownDcsEvent: // the answer to the query
		if graphics.IsTrueColor(string(msg)) {
			// Unchanged cells keep their colors until the screen is cleared.
			return false, tea.Sequence(func() tea.Msg {
				return tea.ColorProfileMsg{Profile: colorprofile.TrueColor}
			}, tea.ClearScreen)
		}
	}
	return false, nil
}

// emojiOfKitty returns the emoji of a version of kitty, which does not report mode 2027. Since 0.40 it draws clusters.
func emojiOfKitty(name string) termtext.Emoji {
	version, isKitty := strings.CutPrefix(name, "kitty(")
	var major, minor int
	if !isKitty {
		return termtext.SingleEmoji
	}
	if n, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err == nil && n == 2 && (major > 0 || minor >= 40) {
		return termtext.EmojiClusters
	}
	return termtext.EmojiVariants
}

func drawClusters() tea.Msg {
	return tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset}
}
