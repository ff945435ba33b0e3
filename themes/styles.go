package themes

import (
	"image/color"
	"sync"

	"charm.land/bubbles/v2/textarea"
	"charm.land/lipgloss/v2"
	"github.com/lucasb-eyer/go-colorful"

	"confab/internal/termtext"
)

// Styles is everything that is drawn, made from one [Palette]. It is a value
// that nobody changes: another theme is another Styles. Names say the role,
// never the color.
type Styles struct {
	Name    string
	Dark    bool
	Palette Palette

	// Background and Foreground are the theme's own, for painting the whole
	// screen where the terminal's background is of the other brightness; nil
	// is the terminal's own. No style sets the background by itself.
	Background color.Color
	Foreground color.Color

	// NoItalics has what would be in italics underlined: GNU screen, and what
	// calls itself that, swaps the colors of italics instead.
	NoItalics bool
	// IsTrueColor tells that the terminal shows all colors, which gradients need.
	IsTrueColor bool
	// Emoji are those of several characters that the terminal draws as one.
	Emoji termtext.Emoji
	// ScreenReader has states said in words and the screen drawn without figures.
	ScreenReader bool

	Text    Style // ordinary text
	Strong  Style // text to be seen first: titles, names of models
	Muted   Style // facts beside the text: times, counts
	Faint   Style // hints, placeholders, rules
	Accent  Style // what is chosen or active
	Success Style
	Warning Style
	Danger  Style
	Info    Style
	Link    Style

	Heading Style // headings within text
	Code    Style // code within a line
	Rule    Style // lines between things, outside of borders

	Border        Style // border of a pane without focus
	BorderFocused Style // border of the pane with focus (heavy lines)
	Title         Style // title in a border
	TitleFocused  Style

	Key      Style // a key's name in footer and help
	KeyText  Style // what that key does
	Badge    Style // short labels: beta, slow, custom, offline
	Selected Style // the row under the cursor of the list with the focus: a bar over its full width
	// SelectedMark is the mark at the start of that row. It is seen only where the bar has no color of its own.
	SelectedMark Style
	// SelectedIdle is behind that row where the list has no focus and text beside it has a Surface. It has a background
	// only.
	SelectedIdle Style
	// SelectedText is text selected with the mouse or in an editor.
	SelectedText Style
	Match        Style // the part of a text that a search found
	// MatchSelected is Match in the row under the cursor.
	MatchSelected Style
	Marked        Style // the mark of a chosen model
	You           Style // the bar and name of the person's own prompts
	Progress      Style // the filled part of a progress bar

	// Surface, Prompt and Overlay have a background only, none where the palette names none: Surface is behind code and
	// the focused row of a table, Prompt behind what the person wrote, Overlay behind dialogs. See [Style.Behind].
	Surface Style
	Prompt  Style
	Overlay Style

	// Removed and Added are what a difference takes out and puts in. Without backgrounds of their own they need signs
	// beside the color, see [Styles.HasTints].
	Removed Style
	Added   Style
	// RemovedCurrent and AddedCurrent are those of the change that a person stands on.
	RemovedCurrent Style
	AddedCurrent   Style

	Editor textarea.Styles

	Cursor color.Color // of the real cursor; nil is the terminal's own

	models   func() *modelSet
	gradient func() []string
}

// New makes the styles of a palette. It costs a few microseconds and asks
// neither a file nor the terminal; a color that is none is the terminal's
// own. What must be told apart is also bold or swapped, so that it survives a
// terminal without colors. Nothing is underlined: lipgloss v2.0.6 draws
// underlined text rune by rune, which tears clusters of runes and costs ten
// times the bytes.
func New(p Palette) *Styles {
	plain := lipgloss.NewStyle()
	text := withForeground(plain, p.Ordinary())
	accent := withForeground(plain, p.Focus)
	person := withForeground(plain, p.Person)
	muted := withForeground(plain, p.Muted)
	selected := plain.Reverse(true)
	if p.FocusText != "" {
		selected = withBackground(withForeground(plain, p.FocusText), p.Focus)
	}
	s := &Styles{
		Name: p.Name, Dark: p.Dark, Palette: p,
		Background: terminalColor(p.Background), Foreground: terminalColor(p.Text),

		Text: NewStyle(text), Strong: NewStyle(text.Bold(true)), Muted: NewStyle(muted),
		Faint: NewStyle(withForeground(plain, p.Faint)), Accent: NewStyle(accent),
		Success: NewStyle(withForeground(plain, p.Success)), Warning: NewStyle(withForeground(plain, p.Warning)),
		Danger: NewStyle(withForeground(plain, p.Danger)), Info: NewStyle(withForeground(plain, p.Info)),
		Link:    NewStyle(withForeground(plain, p.Link)),
		Heading: NewStyle(withForeground(plain, p.Heading).Bold(true)),
		Code:    NewStyle(withBackground(withForeground(plain, p.Code.String), p.Surface)),
		Rule:    NewStyle(withForeground(plain, p.Border)),

		Border: NewStyle(withForeground(plain, p.Border)), BorderFocused: NewStyle(accent),
		Title: NewStyle(muted), TitleFocused: NewStyle(accent.Bold(true)),

		Key: NewStyle(text.Bold(true)), KeyText: NewStyle(muted),
		Badge:        NewStyle(withBackground(muted, p.Surface)),
		Selected:     NewStyle(selected.Bold(true)),
		SelectedMark: NewStyle(accent.Inherit(selected)), MatchSelected: NewStyle(selected.Bold(true)),
		SelectedIdle: NewStyle(withBackground(plain, p.idle())),
		SelectedText: NewStyle(highlightStyle(p.Selection, p.SelectionText, p.Text)),
		Match:        NewStyle(highlightStyle(p.Match, p.MatchText, p.Text).Bold(true)),
		Marked:       NewStyle(accent.Bold(true)), You: NewStyle(person.Bold(true)), Progress: NewStyle(accent),
		Removed: tintStyle(p.Removed, p.Text, p.Danger), Added: tintStyle(p.Added, p.Text, p.Success),
		RemovedCurrent: p.currentStyle(p.Removed, p.Danger), AddedCurrent: p.currentStyle(p.Added, p.Success),
		Surface: NewStyle(withBackground(plain, p.Surface)),
		Prompt:  NewStyle(withBackground(plain, p.Prompt)),
		Overlay: NewStyle(withBackground(plain, p.Overlay)),

		Cursor: terminalColor(p.Focus),
	}
	s.models = sync.OnceValue(p.modelSet)
	s.gradient = sync.OnceValue(p.gradient)
	s.Editor = editorStyles(s)
	return s
}

// HasTints tells whether the backgrounds of [Styles.Removed] and [Styles.Added] tell them from other text. A screen
// reader does not read backgrounds.
func (s *Styles) HasTints() bool {
	return s.Palette.Removed != "" && s.Palette.Added != "" && !s.ScreenReader
}

// tintStyle is that of text on a tinted background; where there is none, of text in another color.
func tintStyle(background, text, otherwise string) Style {
	if terminalColor(background) == nil {
		return NewStyle(withForeground(lipgloss.NewStyle(), otherwise))
	}
	return NewStyle(withBackground(withForeground(lipgloss.NewStyle(), text), background))
}

// currentStyle is stronger than [tintStyle] of a quiet tint: on a strong tint of its hue, or on the color itself where
// no other can be read. Where there are no tints, foreground and background are swapped.
func (p *Palette) currentStyle(quiet, name string) Style {
	if strong := p.strongTint(quiet); strong != "" {
		return tintStyle(strong, p.strongText(), name)
	}
	if c, isKnown := rgb(name); isKnown && quiet != "" {
		return tintStyle(name, mostReadable(c, p.base(), colorful.Color{}, colorful.Color{R: 1, G: 1, B: 1}), name)
	}
	return NewStyle(withForeground(lipgloss.NewStyle(), name).Bold(true).Reverse(true))
}

func editorStyles(s *Styles) textarea.Styles {
	plain := lipgloss.NewStyle()
	focused := textarea.StyleState{
		Base: plain, Text: s.Text.Style, CursorLine: s.Text.Style, Placeholder: s.Faint.Style, Prompt: s.Accent.Style,
		LineNumber: s.Faint.Style, CursorLineNumber: s.Muted.Style, EndOfBuffer: s.Faint.Style,
		Selection: s.SelectedText.Style,
	}
	blurred := focused
	blurred.Prompt = s.Muted.Style
	return textarea.Styles{
		Focused: focused, Blurred: blurred,
		Cursor: textarea.CursorStyle{Color: s.Cursor, Blink: true},
	}
}

// terminalColor returns nil for the terminal's own.
func terminalColor(name string) color.Color {
	if name == "" || !isColor(name) {
		return nil
	}
	return lipgloss.Color(name)
}

func withForeground(s lipgloss.Style, name string) lipgloss.Style {
	if name == Dim {
		return s.Faint(true)
	}
	if c := terminalColor(name); c != nil {
		return s.Foreground(c)
	}
	return s
}

func withBackground(s lipgloss.Style, name string) lipgloss.Style {
	if c := terminalColor(name); c != nil {
		return s.Background(c)
	}
	return s
}

// highlightStyle is that of text on a background of its own; where the palette names none, the
// terminal's foreground and background are swapped.
func highlightStyle(background, text, otherwise string) lipgloss.Style {
	if terminalColor(background) == nil {
		return lipgloss.NewStyle().Reverse(true)
	}
	if text == "" {
		text = otherwise
	}
	return withBackground(withForeground(lipgloss.NewStyle(), text), background)
}

// Dim returns a color as it is behind a dialog: nearer to the background. No color stands for ordinary text.
func (s *Styles) Dim(c color.Color) color.Color {
	const share = 0.45 // of the color
	switch {
	case c == nil && s.Foreground == nil:
		return nil
	case c == nil:
		c = s.Foreground
	}
	from, _ := colorful.MakeColor(c)
	return lipgloss.Color(s.Palette.base().BlendRgb(from, share).Clamped().Hex())
}
