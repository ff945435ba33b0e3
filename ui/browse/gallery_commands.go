package browse

import (
	"fmt"
	"slices"
	"strings"

	"confab/history"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
)

// galleryCommands hints first at what acts on all marked pictures.
var galleryCommands = part.Table[*Gallery]{Scope: keys.Gallery, Bindings: slices.Concat([]part.Binding[*Gallery]{
	{Command: keys.Choose, Keys: "enter", Acts: true, Short: "go to", Long: "Go to the picture's turn",
		Rank: part.RankIf(1, (*Gallery).hasPicture),
		Do:   (*Gallery).choose},
	{Command: keys.ViewLarge, Keys: "alt+z", Short: "large", Refuses: (*Gallery).lacksPicture,
		Long: "Show the picture full screen",
		Rank: part.RankIf(5, (*Gallery).hasPicture),
		Do:   func(g *Gallery) action.Action { return action.ViewPictures{Album: g, At: g.at} }},
	{Command: "picture_left", Keys: "left", Short: "left", Long: "Previous picture",
		Do: moving(func(g *Gallery) bool { return g.moveTo(g.at - 1) })},
	{Command: "picture_right", Keys: "right", Short: "right", Long: "Next picture",
		Do: moving(func(g *Gallery) bool { return g.moveTo(g.at + 1) })},
}, cursorBindings[*Gallery]("home ctrl+home", "end ctrl+end", "facts"), []part.Binding[*Gallery]{
	{Command: "mark_picture", Keys: "tab", Acts: true, Short: "mark", Refuses: (*Gallery).lacksPicture,
		Long: "Mark or unmark the picture and go to the next",
		Rank: part.RankIf(6, (*Gallery).hasPicture), Do: (*Gallery).mark},
	{Command: "mark_when_empty", Keys: "space", Acts: true, WhenEmpty: true, Short: "mark",
		Long:    "The same, while the filter is empty",
		Refuses: (*Gallery).lacksPicture, Do: (*Gallery).mark},
	{Command: keys.MarkNone, Keys: "alt+0", Short: "unmark all", Long: "Unmark all pictures",
		Rank: part.RankIf(3, func(g *Gallery) bool { return g.hasPicture() && len(g.marks) > 0 }),
		Do:   (*Gallery).unmark},
	{Command: "larger_pictures", Keys: "+", WhenEmpty: true, Short: "larger",
		Long: "Larger pictures, while the filter is empty",
		Rank: part.RankIf(13, func(g *Gallery) bool { return g.canResize(1) }),
		Do:   func(g *Gallery) action.Action { return g.resize(1) }},
	{Command: "smaller_pictures", Keys: "-", WhenEmpty: true, Short: "smaller",
		Long: "Smaller pictures, while the filter is empty",
		Rank: part.RankIf(14, func(g *Gallery) bool { return g.canResize(-1) }),
		Do:   func(g *Gallery) action.Action { return g.resize(-1) }},
	{Command: keys.Export, Keys: "alt+w", Acts: true, Short: "export", Refuses: (*Gallery).lacksPicture,
		Long: "Export the marked pictures, or this one",
		Rank: func(g *Gallery) int {
			switch {
			case !g.hasPicture():
				return 0
			case len(g.marks) > 0:
				return 2
			}
			return 7
		},
		Do: func(g *Gallery) action.Action {
			answers, _ := g.chosen()
			return action.ShowWrite{Answers: answers}
		}},
	{Command: keys.OpenPicture, Keys: "alt+o", Acts: true, Short: "open", Long: "Open the picture in another program",
		Refuses: (*Gallery).lacksPicture, Rank: part.RankIf(10, (*Gallery).hasPicture), Do: onThumb(keys.OpenPicture)},
	{Command: keys.CopyPath, Keys: "alt+p", Acts: true, Short: "copy path", Refuses: (*Gallery).lacksPicture,
		Long: "Copy the paths of the marked pictures, or of this one",
		Rank: part.RankIf(11, (*Gallery).hasPicture), Do: (*Gallery).copyPaths},
	{Command: keys.FetchLine, Keys: "alt+s", Short: "scp command", Refuses: (*Gallery).lacksPicture,
		Long: "Copy links to the pictures in a bucket; over SSH: a command that fetches them",
		Rank: part.RankIf(6, func(g *Gallery) bool { return g.hasPicture() && g.look.IsRemote }),
		Do: func(g *Gallery) action.Action {
			_, paths := g.chosen()
			return action.FetchPictures{Paths: paths}
		}},
	{Command: keys.Edit, Keys: "alt+e", Acts: true, Short: "edit", Long: "Edit the picture",
		Refuses: (*Gallery).lacksPicture, Rank: part.RankIf(8, (*Gallery).hasPicture), Do: onThumb(keys.Edit)},
	{Command: keys.EditChain, Keys: "alt+t", Short: "edits", Refuses: (*Gallery).lacksPicture,
		Long: "History of the picture: its sources and its edits",
		Rank: part.RankIf(12, (*Gallery).hasPicture),
		Do:   func(g *Gallery) action.Action { return action.ShowChain{Answer: g.ids[g.at]} }},
	{Command: keys.Remove, Keys: "alt+x", Acts: true, Short: "delete", Refuses: (*Gallery).lacksPicture,
		Long: "Delete the marked pictures, or this one, with their files; undo restores them",
		Rank: part.RankIf(9, (*Gallery).hasPicture), Do: (*Gallery).confirmDelete},
	{Command: keys.Help, Keys: "?", WhenEmpty: true, Short: "help",
		Long:   "Help for pictures, while the filter is empty",
		Action: action.ShowHelp{Scope: keys.Gallery}},
	{Command: keys.Close, Keys: "esc", Short: "close", Long: "Close", Rank: part.Ranked[*Gallery](4),
		Do: func(g *Gallery) action.Action { return g.leave(nil) }},
})}

// Hints implements [action.Dialog].
func (g *Gallery) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	borders, _ = overlay.SplitHints(g.Commands.Hints(), g.listW) // the others are in the help
	return append(borders, nil), nil
}

func (g *Gallery) hasPicture() bool { return g.lacksPicture() == "" }

// lacksPicture refuses commands while no picture is under the cursor, or it is not read yet.
func (g *Gallery) lacksPicture() string {
	if _, ok := g.At(g.at); !ok {
		return ": nothing selected."
	}
	return ""
}

// canResize reports whether there is a layout with as many rows fewer.
func (g *Gallery) canResize(by int) bool {
	return g.n > 0 && g.filter.Value() == "" && g.layout.canHave(g.layout.rows-by)
}

// onThumb returns the action that a command has in lists of pictures.
func onThumb(command keys.Command) func(*Gallery) action.Action {
	return func(g *Gallery) action.Action {
		h, _ := g.At(g.at)
		return pictureKeys(history.Source{Answer: h.Answer.ID, Path: h.Answer.Picture.Path})[command]
	}
}

func (g *Gallery) copyPaths() action.Action {
	_, paths := g.chosen()
	if len(paths) < 2 {
		return onThumb(keys.CopyPath)(g)
	}
	return action.Copy{Text: strings.Join(paths, "\n"), What: fmt.Sprintf("the paths of %d pictures", len(paths))}
}
