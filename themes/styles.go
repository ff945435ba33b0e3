package themes

import (
	"image/color"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	"charm.land/lipgloss/v2"
)

// Styles is everything that is drawn, made from one [Palette]. It is a value
// that nobody changes: another theme is another Styles. Names say the role,
// never the colour.
type Styles struct {
	Name    string
	Dark    bool
	Palette Palette

	// Background and Foreground are the theme's own, for painting the whole
	// screen where the terminal's background is of the other brightness; nil
	// is the terminal's own. No style sets the background by itself.
	Background color.Color
	Foreground color.Color

	Text    lipgloss.Style // ordinary text
	Strong  lipgloss.Style // text to be seen first: titles, names of models
	Muted   lipgloss.Style // facts beside the text: times, counts
	Faint   lipgloss.Style // hints, placeholders, rules
	Accent  lipgloss.Style // what is chosen or active
	Success lipgloss.Style
	Warning lipgloss.Style
	Danger  lipgloss.Style
	Info    lipgloss.Style
	Link    lipgloss.Style

	Heading lipgloss.Style // headings within text
	Code    lipgloss.Style // code within a line
	Rule    lipgloss.Style // lines between things, outside of borders

	Border        lipgloss.Style // border of a pane without focus
	BorderFocused lipgloss.Style // border of the pane with focus (heavy lines)
	Title         lipgloss.Style // title in a border
	TitleFocused  lipgloss.Style

	Header   lipgloss.Style // the line at the top
	Footer   lipgloss.Style // the line at the bottom
	Key      lipgloss.Style // a key's name in footer and help
	KeyText  lipgloss.Style // what that key does
	Badge    lipgloss.Style // short labels: beta, slow, custom, offline
	Selected lipgloss.Style // the row under the cursor, foreground and background
	Match    lipgloss.Style // the part of a text that a search found
	Marked   lipgloss.Style // the mark of a chosen model
	You      lipgloss.Style // the bar and name of the person's own prompts
	Progress lipgloss.Style // the filled part of a progress bar

	Input  textinput.Styles
	Editor textarea.Styles
	Help   help.Styles

	Cursor color.Color // of the real cursor; nil is the terminal's own
}

// New makes the styles of a palette. It costs a few microseconds and asks
// neither a file nor the terminal; a colour that is none is the terminal's
// own. What must be told apart is also bold or swapped, so that it survives a
// terminal without colours. Nothing is underlined: lipgloss v2.0.6 draws
// underlined text rune by rune, which tears clusters of runes and costs ten
// times the bytes.
func New(p Palette) *Styles {
	plain := lipgloss.NewStyle()
	text := fore(plain, p.Ordinary())
	accent := fore(plain, p.Accent)
	muted := fore(plain, p.Muted)
	faint := fore(plain, p.Faint)
	s := &Styles{
		Name: p.Name, Dark: p.Dark, Palette: p,
		Background: colour(p.Background), Foreground: colour(p.Text),

		Text: text, Strong: text.Bold(true), Muted: muted, Faint: faint, Accent: accent,
		Success: fore(plain, p.Success), Warning: fore(plain, p.Warning),
		Danger: fore(plain, p.Danger), Info: fore(plain, p.Info),
		Link:    fore(plain, p.Link),
		Heading: fore(plain, p.Heading).Bold(true),
		Code:    back(fore(plain, p.Code.String), p.Surface),
		Rule:    fore(plain, p.Border),

		Border: fore(plain, p.Border), BorderFocused: accent,
		Title: muted, TitleFocused: accent.Bold(true),

		Header: text, Footer: muted, Key: text.Bold(true), KeyText: muted,
		Badge:    back(muted, p.Surface),
		Selected: on(p.Selection, p.SelectionText, p.Text).Bold(true),
		Match:    on(p.Match, p.MatchText, p.Text).Bold(true),
		Marked:   accent.Bold(true), You: accent.Bold(true), Progress: accent,

		Cursor: colour(p.Accent),
	}
	s.Input = inputStyles(s)
	s.Editor = editorStyles(s)
	s.Help = help.Styles{
		Ellipsis: faint,
		ShortKey: s.Key, ShortDesc: s.KeyText, ShortSeparator: faint,
		FullKey: s.Key, FullDesc: s.KeyText, FullSeparator: faint,
	}
	return s
}

func inputStyles(s *Styles) textinput.Styles {
	focused := textinput.StyleState{Text: s.Text, Placeholder: s.Faint, Suggestion: s.Faint, Prompt: s.Accent}
	blurred := focused
	blurred.Prompt = s.Muted
	return textinput.Styles{
		Focused: focused, Blurred: blurred,
		Cursor: textinput.CursorStyle{Color: s.Cursor, Blink: true},
	}
}

func editorStyles(s *Styles) textarea.Styles {
	plain := lipgloss.NewStyle()
	focused := textarea.StyleState{
		Base: plain, Text: s.Text, CursorLine: s.Text, Placeholder: s.Faint, Prompt: s.Accent,
		LineNumber: s.Faint, CursorLineNumber: s.Muted, EndOfBuffer: s.Faint,
		Selection: on(s.Palette.Selection, s.Palette.SelectionText, s.Palette.Text),
	}
	blurred := focused
	blurred.Prompt = s.Muted
	return textarea.Styles{
		Focused: focused, Blurred: blurred,
		Cursor: textarea.CursorStyle{Color: s.Cursor, Blink: true},
	}
}

// colour returns nil for the terminal's own.
func colour(name string) color.Color {
	if name == "" || !goodColour(name) {
		return nil
	}
	return lipgloss.Color(name)
}

func fore(s lipgloss.Style, name string) lipgloss.Style {
	if c := colour(name); c != nil {
		return s.Foreground(c)
	}
	return s
}

func back(s lipgloss.Style, name string) lipgloss.Style {
	if c := colour(name); c != nil {
		return s.Background(c)
	}
	return s
}

// on is text on a background of its own; where the palette names none, the
// terminal's foreground and background are swapped.
func on(background, text, otherwise string) lipgloss.Style {
	if colour(background) == nil {
		return lipgloss.NewStyle().Reverse(true)
	}
	if text == "" {
		text = otherwise
	}
	return back(fore(lipgloss.NewStyle(), text), background)
}
