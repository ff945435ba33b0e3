package browse

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/part"
)

func (b *Browser) ShowEdits(a action.ShowChain) (action.Action, tea.Cmd) {
	now, styles := b.env.Now(), b.env.Styles()
	return nil, part.Then(func() (action.Action, error) {
		chain, err := b.env.Service.EditChain(b.env.Ctx, a.Answer)
		c := Config{
			Name: action.ListEdits,
			Texts: Texts{Title: "Edits", Empty: "No picture.", Verb: "go to",
				Placeholder: "prompt text or model"},
			Content: Content{Items: editItems(chain, a.Answer, now)},
			Preview: b.preview(previewer.picture),
		}
		if chain.IsCut {
			c.Title += fmt.Sprintf(" (the nearest %d)", len(chain.Links))
		}
		return action.ShowDialog{Dialog: NewList(c, b.env.Keys, styles)}, err
	})
}

// editItems returns an item for each link, with the lines of the tree before its title, and marks that of the answer.
func editItems(chain history.Chain, answer int64, now time.Time) []Item {
	items := make([]Item, len(chain.Links))
	for i, line := range treeLines(chain.Links) {
		l := chain.Links[i]
		if l.Source != nil {
			items[i] = sourceItem(*l.Source)
		} else {
			items[i] = linkItem(l, now)
			items[i].Marked = l.Answer.ID == answer
		}
		items[i].Title = line + items[i].Title
	}
	return items
}

func linkItem(l history.Link, now time.Time) Item {
	a := l.Answer
	item := Item{
		ID: a.ID, Title: termtext.Line(format.FirstLine(l.Turn.Prompt)), Facts: a.Model + "   " +
			strings.TrimPrefix(format.Day(l.Turn.Created, now), "today "),
		Detail: l.SessionName, Enter: goToTurn(l.Turn),
	}
	if a.Picture == nil { // an edit that failed or is under way
		item.Facts = a.Model + "   " + a.State.Word()
		return item
	}
	item.Key, item.File = a.Picture.Path, graphics.FileOf(a.Picture)
	item.Keys = pictureKeys(history.Source{Answer: a.ID, Path: a.Picture.Path})
	item.Keys[keys.ViewLarge] = action.ViewPictures{Album: PictureList{history.PictureHit{Turn: l.Turn, Answer: a,
		SessionName: l.SessionName}}}
	item.Keys[keys.Export] = action.ShowWrite{Answers: []int64{a.ID}}
	return item
}

// goToTurn closes all dialogs and shows a turn in its session.
func goToTurn(t history.Turn) action.Action {
	return action.Sequence{action.CloseDialog{All: true}, action.OpenSession{Session: t.Session, Turn: t.ID}}
}

// sourceItem returns the item of a source that is no answer of the history.
func sourceItem(source history.Source) Item {
	item := Item{Key: source.Path, File: graphics.FileOfSource(source),
		Title: termtext.Line(filepath.Base(source.Path)), Facts: "a file",
		Keys: pictureKeys(history.Source{Path: source.Path, URL: source.URL})}
	switch {
	case source.URL != "":
		item.Title, item.Facts = termtext.Line(source.URL), "a URL"
	case source.Answer != 0: // the file stays while the answer can be undeleted, or another answer has it
		item.Facts = "deleted"
		if source.Path == "" {
			item.Title, item.Keys = "a picture", nil
		}
	}
	return item
}

// pictureKeys returns the actions of keys on a picture on disk, or at a URL.
func pictureKeys(source history.Source) map[keys.Command]action.Action {
	target, what := source.Path, "the picture's path"
	if source.URL != "" {
		target, what = source.URL, "the URL"
	}
	return map[keys.Command]action.Action{
		keys.OpenPicture: action.Open{Target: target},
		keys.CopyPath:    action.Copy{Text: target, What: what, IsPath: source.URL == ""},
		keys.Edit:        useAsSource(source),
	}
}

// useAsSource makes a picture the source of the next edit and focuses the prompt.
func useAsSource(source history.Source) action.Action {
	return action.Sequence{action.CloseDialog{All: true}, action.Compose{Source: &source},
		action.Focus{Pane: action.PanePrompt}}
}

// maxEditIndent is the deepest indentation of a link, so that its title keeps some space.
const maxEditIndent = 8

// treeLines returns the tree lines before the links of a chain. Edits of the same picture share a vertical line.
func treeLines(links []history.Link) []string {
	out := make([]string, len(links))
	var follows []bool // by depth: another edit of the same picture is below
	for i := len(links) - 1; i >= 0; i-- {
		depth := links[i].Depth
		if n := depth + 1 - len(follows); n > 0 {
			follows = append(follows, make([]bool, n)...)
		}
		follows = follows[:depth+1]
		if first := max(depth-maxEditIndent, 0) + 1; depth > 0 {
			if first > 1 {
				out[i] = "… "
			}
			for _, has := range follows[first:depth] {
				if has {
					out[i] += "│"
				} else {
					out[i] += " "
				}
				out[i] += "  "
			}
			if follows[depth] {
				out[i] += "├─ "
			} else {
				out[i] += "└─ "
			}
		}
		follows[depth] = true
	}
	return out
}
