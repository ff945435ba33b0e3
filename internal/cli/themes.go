package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"confab/internal/config"
	"confab/internal/fileio"
	"confab/internal/termtext"
	"confab/service/problem"
	"confab/themes"
)

func (a *app) themesCommand() *cobra.Command {
	cmd := a.command("themes", "List the themes, or show one", a.noCommand,
		func(context.Context, []string) error {
			list := a.readThemes()
			for _, w := range a.themeWarnings(list) {
				a.warn("%s", w)
			}
			if a.out.styled && a.out.profile >= colorprofile.ANSI {
				return a.printSwatches(list.palettes)
			}
			t := newTextTable("theme", "for", "")
			for _, p := range list.palettes {
				t.add(p.Name, choose(p.Dark, "dark", "light"), p.About)
			}
			return a.printTable(t)
		})
	show := a.command("show [NAME...]", "Show what themes look like", nil,
		func(_ context.Context, names []string) error { return a.showThemes(names) })
	show.ValidArgsFunction = a.completion(a.themeCompletions)
	cmd.AddCommand(show)
	return cmd
}

// printSwatches lists themes with their colors. A terminal of sixteen colors cannot show those of most themes, and the
// screen uses its own in their place.
func (a *app) printSwatches(palettes []themes.Palette) error {
	s := a.styles()
	var b strings.Builder
	for _, p := range palettes {
		swatch := themes.Swatch(p)
		if a.out.profile == colorprofile.ANSI && !p.IsSixteen() {
			swatch = s.Muted.On("drawn in the terminal's own sixteen colors")
		}
		for _, line := range []string{s.Strong.On(p.Name) + "  " + s.Muted.On(p.About), "  " + swatch} {
			b.WriteString(ansi.Truncate(line, a.out.width(), "…") + "\n")
		}
	}
	return a.printStyled(b.String())
}

func (a *app) showThemes(names []string) error {
	list := a.readThemes()
	wanted := list.palettes
	if len(names) > 0 {
		wanted = nil
	}
	for _, name := range names {
		at := slices.IndexFunc(list.palettes, func(p themes.Palette) bool { return p.Name == name })
		if at < 0 {
			why, hint := list.missing(name)
			return problem.Usage("%s%s", why, hint)
		}
		wanted = append(wanted, list.palettes[at])
	}
	for i, p := range wanted {
		text := strings.Join(themes.Sample(themes.New(p), a.out.width()), "\n") + "\n"
		if i > 0 {
			text = "\n" + text
		}
		if err := a.printStyled(text); err != nil {
			return err
		}
	}
	return nil
}

// styles returns the styles of what is printed on a terminal. Its background is not asked for: without a theme of
// the person's choice the terminal's own colors are legible on any.
func (a *app) styles() *themes.Styles {
	name := a.config.UI.Theme
	if name == "" || name == "auto" {
		name = "ansi16-dark"
		if bg := a.env.Get("COLORFGBG"); strings.HasSuffix(bg, ";15") || strings.HasSuffix(bg, ";7") {
			name = "ansi16-light"
		}
	}
	return themes.New(themes.Pick(a.readThemes().palettes, name, true))
}

// maxTheme bounds the file of a theme, in bytes.
const maxTheme = 64 << 10

// themeList is what there is to choose from: the shipped themes and the user's own, which win over shipped ones of
// the same name, and the files that hold no theme.
type themeList struct {
	palettes []themes.Palette
	broken   map[string]string // a clause with file and line, by the names of themes
}

// readThemes reads the user's themes. A file that is broken does not keep the others from being used.
func (a *app) readThemes() themeList {
	list := themeList{slices.Clone(a.shipped()), map[string]string{}}
	files, err := os.ReadDir(a.config.Paths.Themes)
	if err != nil {
		return list // without the folder there are none
	}
	for _, file := range files {
		name, isTheme := strings.CutSuffix(file.Name(), ".toml")
		if !isTheme || file.IsDir() {
			continue
		}
		p, problem := readTheme(filepath.Join(a.config.Paths.Themes, file.Name()))
		if problem != "" {
			list.broken[name] = problem
			continue
		}
		list.palettes = slices.DeleteFunc(list.palettes, func(have themes.Palette) bool { return have.Name == p.Name })
		list.palettes = append(list.palettes, p)
	}
	return list
}

func readTheme(path string) (p themes.Palette, problem string) {
	name := filepath.Base(path)
	data, err := fileio.ReadSettings(path, maxTheme)
	if err != nil {
		return p, "the file " + termtext.Line(name) + " " + fileio.ReadProblem(err, maxTheme)
	}
	p, err = themes.Parse(data)
	var wrong *themes.ParseError
	switch {
	case errors.As(err, &wrong) && wrong.Line > 0:
		problem = fmt.Sprintf("the theme %s, line %d: %s", termtext.Line(name), wrong.Line, wrong.Message)
	case err != nil:
		problem = fmt.Sprintf("the theme %s: %s", termtext.Line(name), err)
	}
	return p, problem
}

// has reports whether there is a theme of that name; "auto" counts as one.
func (l themeList) has(name string) bool {
	return name == "auto" || slices.ContainsFunc(l.palettes, func(p themes.Palette) bool { return p.Name == name })
}

// missing says why there is no theme of that name, with the end of a sentence that says what to do.
func (l themeList) missing(name string) (why, hint string) {
	if problem := l.broken[name]; problem != "" {
		return problem, ""
	}
	names := []string{"auto"}
	for _, p := range l.palettes {
		names = append(names, p.Name)
	}
	why, hint = "there is no theme "+termtext.Quote(name), "; confab themes lists them"
	if near := termtext.NearestName(name, names); near != "" {
		hint = "; did you mean " + near + "?"
	}
	return why, hint
}

// chosenThemes returns the settings that choose a theme, with their values.
func (a *app) chosenThemes() (settings, names []string) {
	return []string{"ui.theme", "ui.theme_dark", "ui.theme_light"},
		[]string{a.config.UI.Theme, a.config.UI.ThemeDark, a.config.UI.ThemeLight}
}

// checkThemes warns of a chosen theme that there is not, in whose place the default is used. One that a flag names
// is an error. The themes folder is read only when something else than the defaults is chosen.
func (a *app) checkThemes() error {
	settings, names := a.chosenThemes()
	if names[0] == "auto" && names[1] == themes.DefaultDark && names[2] == themes.DefaultLight {
		return nil
	}
	list := a.readThemes()
	for i, name := range names {
		if name == "" || list.has(name) {
			continue
		}
		why, hint := list.missing(name)
		if a.config.Origin(settings[i]).Source == config.FromFlag {
			return problem.Usage("%s%s", why, hint)
		}
		a.config.Warnings = append(a.config.Warnings,
			fmt.Sprintf("%s, so the default is used%s (%s, %s)", why, hint, settings[i], a.config.Origin(settings[i])))
	}
	return nil
}

// themeWarnings returns a sentence for each broken file that no setting chooses.
func (a *app) themeWarnings(list themeList) (sentences []string) {
	_, chosen := a.chosenThemes()
	for _, name := range slices.Sorted(maps.Keys(list.broken)) {
		if !slices.Contains(chosen, name) || list.has(name) {
			sentences = append(sentences, list.broken[name]+"; it is skipped")
		}
	}
	return sentences
}
