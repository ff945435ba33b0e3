package compose

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/action"
	"confab/ui/part"
)

// attachedMsg brings files for the prompt. Inserts says that their names are to be inserted, too.
type attachedMsg struct {
	files   []history.File
	inserts bool
}

// nameInPrompt returns the text by which a prompt names a file. A file without it in the prompt does not go along.
func nameInPrompt(f history.File) string { return "@" + termtext.Line(f.Name) }

// Attach reads files and puts them into the prompt.
func (c *Composer) Attach(a action.Attach) (action.Action, tea.Cmd) {
	if len(a.Files) > 0 {
		return c.attach(attachedMsg{a.Files, true})
	}
	return nil, part.Ask(c, func() (tea.Msg, error) {
		files, err := c.Service.ReadFiles(c.Ctx, a.Name)
		return attachedMsg{files, true}, err
	})
}

// TypeFileName shows in the prompt what is typed while the files are listed.
func (c *Composer) TypeFileName(a action.TypeFileName) (action.Action, tea.Cmd) {
	before, after := c.editor.area.Split()
	before, ok := strings.CutSuffix(before, "@"+c.fileName)
	if !ok {
		return nil, nil
	}
	if c.fileName = a.Text; !a.RemovesSign {
		before += "@" + a.Text
	}
	c.editor.area.ChangeMore(func() { c.editor.area.Join(before, after) })
	return action.DraftChanged{}, nil
}

// AttachPicture keeps a picture of the clipboard and puts it into the prompt.
func (c *Composer) AttachPicture(a action.AttachPicture) (action.Action, tea.Cmd) {
	return nil, part.Ask(c, func() (tea.Msg, error) {
		f, err := c.Service.NewFile(c.Ctx, "clipboard-"+c.Now().Format("150405")+".png", a.Picture)
		return attachedMsg{[]history.File{f}, true}, err
	})
}

// Paste puts a text into the prompt as the terminal's own pasting does.
func (c *Composer) Paste(a action.PasteText) (action.Action, tea.Cmd) {
	changed, cmd := c.Update(tea.PasteMsg{Content: a.Text})
	return action.Join(action.DraftChanged{}, changed), cmd
}

// attach adds files, each in place of one of the same name.
func (c *Composer) attach(msg attachedMsg) (action.Action, tea.Cmd) {
	var changed action.Action = action.DraftChanged{}
	for _, f := range msg.files {
		isSame := func(other history.File) bool { return other.Name == f.Name }
		c.files = append(slices.DeleteFunc(c.files, isSame), f)
		name := nameInPrompt(f)
		before, after := c.editor.area.Split()
		before, completes := strings.CutSuffix(before, "@"+c.fileName)
		if !msg.inserts || strings.Contains(c.Text(), name) && !completes {
			continue
		}
		if completes && c.fileName != "" {
			c.editor.area.ChangeMore(func() { c.editor.area.Join(before+"@", after) })
			c.fileName = ""
		}
		switch {
		case completes && !strings.HasPrefix(after, " "):
			name = name[1:] + " "
		case completes:
			name = name[1:]
		case c.editor.isBehindWord():
			name = " " + name + " "
		default:
			name += " "
		}
		inserted, _ := c.editor.update(tea.PasteMsg{Content: name})
		changed = action.Join(changed, inserted)
	}
	c.layout()
	return action.Sequence{changed, action.Relayout{}}, nil
}

// attached returns the files that the prompt names, in the order of their names in it.
func (c *Composer) attached() []history.File {
	if len(c.files) == 0 {
		return nil
	}
	return c.filesIn(textOf(c.content()))
}

// textOf returns the texts of prompts as one.
func textOf(contents ...[]service.Variant) string {
	var text strings.Builder
	for _, content := range contents {
		for _, v := range content {
			text.WriteString(v.Text + "\n")
		}
	}
	return text.String()
}

// filesIn returns the files that a text names, in the order of their names in it.
func (c *Composer) filesIn(text string) []history.File {
	found := slices.DeleteFunc(slices.Clone(c.files), func(f history.File) bool {
		return !strings.Contains(text, nameInPrompt(f))
	})
	slices.SortStableFunc(found, func(a, b history.File) int {
		return strings.Index(text, nameInPrompt(a)) - strings.Index(text, nameInPrompt(b))
	})
	return found
}

// describeFile returns the name and the size of a file, and of a text the estimated tokens.
func describeFile(f history.File) string {
	text := nameInPrompt(f) + " " + format.Size(f.Bytes)
	if f.Kind == history.TextFile {
		text += " " + format.EstimatedTokens(len(f.Text))
	}
	return text
}

// restoreFiles reads the files of a draft again: it has their names, and the copies of pictures.
func (c *Composer) restoreFiles(files []history.File) tea.Cmd {
	if len(files) == 0 {
		return nil
	}
	return part.Ask(c, func() (tea.Msg, error) {
		var read []history.File
		for _, f := range files {
			if f.Kind == history.PictureFile {
				read = append(read, f)
				continue
			}
			some, err := c.Service.ReadFiles(c.Ctx, f.Name)
			if err != nil {
				return nil, err
			}
			read = append(read, some...)
		}
		return attachedMsg{files: read}, nil
	})
}
