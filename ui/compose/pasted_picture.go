package compose

import (
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/part"
)

// pastedTextMsg returns a pasted text that looked like the path of a picture.
type pastedTextMsg string

// picturePath returns the path of a picture in a pasted text, empty for another text. Terminals paste the path of a
// dropped file in quotes, or as a URL.
func picturePath(pasted string) string {
	path := strings.Trim(strings.TrimSpace(pasted), `'"`)
	path = strings.TrimPrefix(path, "file://")
	isPicture := slices.Contains([]string{".png", ".jpg", ".jpeg"}, strings.ToLower(filepath.Ext(path)))
	if !isPicture || strings.ContainsAny(path, "\n\r") || strings.Contains(path, "://") {
		return ""
	}
	return path
}

// takesPictures reports whether a marked model takes pictures.
func (c *Composer) takesPictures() bool {
	return c.hasVisionModel() || c.Models.Kinds()[history.KindEdit] > 0
}

// takePicture makes the picture of a pasted path the source of the prompt, or inserts the text.
func (c *Composer) takePicture(path, pasted string) tea.Cmd {
	return func() tea.Msg {
		source, err := c.Service.Files().CheckSource(c.Ctx, &history.Source{Path: path})
		if err != nil {
			return part.Result{To: c, Msg: pastedTextMsg(pasted)}
		}
		return part.Do(action.Compose{Source: source}, action.Notify{Severity: action.Info,
			Text:  "The picture " + termtext.Line(source.Name()) + " goes with the prompt.",
			While: func() bool { return c.settings.Source != nil }})
	}
}
