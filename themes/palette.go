package themes

// ModelColors is how many colors a palette has for models.
const ModelColors = 12

// Dim is a value of a palette instead of a color: the terminal's own text, dimmed.
const Dim = "dim"

// Palette is a theme as its file says it: colors by role, each "#rrggbb", an
// ANSI number "0" to "255", or empty for the terminal's own. Quiet text may be [Dim].
type Palette struct {
	Name  string `toml:"name"`
	About string `toml:"about"` // one line: what it is, what it was adapted from
	Dark  bool   `toml:"dark"`
	// OwnText draws ordinary text in the terminal's own color, which costs no
	// bytes; Text is then what is painted where the background is.
	OwnText bool `toml:"own_text"`

	Background string `toml:"background"` // painted only where the terminal's own is of the other brightness
	Text       string `toml:"text"`
	Muted      string `toml:"muted"`
	Faint      string `toml:"faint"`
	Border     string `toml:"border"`
	Focus      string `toml:"focus"`      // what has the focus: its frame, the bar of the selected row, the cursor
	FocusText  string `toml:"focus_text"` // text on the bar; empty swaps foreground and background
	Person     string `toml:"person"`     // what the person wrote
	Heading    string `toml:"heading"`
	Link       string `toml:"link"`
	Success    string `toml:"success"`
	Warning    string `toml:"warning"`
	Danger     string `toml:"danger"`
	Info       string `toml:"info"`
	Surface    string `toml:"surface"` // background of code, quoted prompts and badges
	Prompt     string `toml:"prompt"`  // background of what the person wrote
	Overlay    string `toml:"overlay"` // background of dialogs
	Removed    string `toml:"removed"` // background of what a difference takes out
	Added      string `toml:"added"`   // background of what a difference puts in
	// background of text selected with the mouse or in an editor; empty swaps foreground and background
	Selection string `toml:"selection"`
	Match     string `toml:"match"` // background of found text; empty swaps foreground and background

	SelectionText string `toml:"selection_text"` // text on Selection, empty for Text
	MatchText     string `toml:"match_text"`     // text on Match, empty for Text

	// Models are the colors of models. There may be fewer; the rest is empty then.
	Models [ModelColors]string `toml:"models"`

	Code struct {
		Text    string `toml:"text"`
		Comment string `toml:"comment"`
		Keyword string `toml:"keyword"`
		Name    string `toml:"name"` // functions and types
		String  string `toml:"string"`
		Number  string `toml:"number"`
	} `toml:"code"`
}

type role struct {
	key   string
	value *string
}

// roles lists the colors of a palette in the order in which files and
// previews show them.
func (p *Palette) roles() []role {
	return []role{
		{"background", &p.Background}, {"text", &p.Text}, {"muted", &p.Muted}, {"faint", &p.Faint},
		{"border", &p.Border}, {"focus", &p.Focus}, {"focus_text", &p.FocusText}, {"person", &p.Person},
		{"heading", &p.Heading}, {"link", &p.Link},
		{"success", &p.Success}, {"warning", &p.Warning}, {"danger", &p.Danger}, {"info", &p.Info},
		{"selection", &p.Selection}, {"selection_text", &p.SelectionText},
		{"match", &p.Match}, {"match_text", &p.MatchText}, {"surface", &p.Surface}, {"prompt", &p.Prompt},
		{"overlay", &p.Overlay},
		{"removed", &p.Removed}, {"added", &p.Added},
		{"code.text", &p.Code.Text}, {"code.comment", &p.Code.Comment}, {"code.keyword", &p.Code.Keyword},
		{"code.name", &p.Code.Name}, {"code.string", &p.Code.String}, {"code.number", &p.Code.Number},
	}
}

// Ordinary returns the color of ordinary text, "" for the terminal's own.
func (p Palette) Ordinary() string {
	if p.OwnText {
		return ""
	}
	return p.Text
}
