package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"confab/internal/config"
	"confab/internal/fileio"
	"confab/internal/termtext"
	"confab/service/problem"
	"confab/themes"
)

func (a *app) themesCommand() *cobra.Command {
	cmd := a.command("themes [NAME...]", "Show what themes look like", nil,
		func(_ context.Context, names []string) error {
			list := a.readThemes()
			for _, w := range a.themeWarnings(list) {
				a.warn("%s", w)
			}
			palettes, err := list.named(names)
			if err != nil {
				return err
			}
			if a.out.styled && a.out.profile >= colorprofile.ANSI {
				return a.printSamples(palettes)
			}
			t := newTextTable("theme", "for", "")
			for _, p := range palettes {
				t.add(p.Name, choose(p.Dark, "dark", "light"), p.About)
			}
			return a.printTable(t)
		})
	cmd.ValidArgsFunction = a.completion(a.themeCompletions)
	return cmd
}

// printSamples shows themes. Sixteen colors cannot show most of them; the screen then uses the terminal's own.
func (a *app) printSamples(palettes []themes.Palette) error {
	s, width := a.styles(), min(a.out.width(), 100)
	var b strings.Builder
	for _, p := range palettes {
		lines := themes.Sample(themes.New(p), width)
		if a.out.profile == colorprofile.ANSI && !p.IsSixteen() {
			lines = []string{s.Strong.On(p.Name) + "  " + s.Muted.On("drawn in the terminal's own sixteen colors")}
		}
		b.WriteString(strings.Join(lines, "\n") + "\n\n")
	}
	return a.printStyled(strings.TrimSuffix(b.String(), "\n"))
}

// styles returns the styles of printed text. Without a chosen theme these are the terminal's own colors, which are
// legible on any background.
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

// maxTheme is the largest size of a theme file in bytes.
const maxTheme = 64 << 10

// themeList holds the shipped themes, the user's, which replace shipped ones of the same name, and broken files.
type themeList struct {
	palettes []themes.Palette
	broken   map[string]string // a clause with file and line, by the names of themes
}

// readThemes returns all themes. A broken file does not affect the others.
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

// named returns the palettes of names, all for none.
func (l themeList) named(names []string) (palettes []themes.Palette, err error) {
	if len(names) == 0 {
		return l.palettes, nil
	}
	for _, name := range names {
		at := slices.IndexFunc(l.palettes, func(p themes.Palette) bool { return p.Name == name })
		if at < 0 {
			why, hint, _ := l.missing(name)
			return nil, problem.Usage("%s%s", why, hint)
		}
		palettes = append(palettes, l.palettes[at])
	}
	return palettes, nil
}

func (l themeList) has(name string) bool {
	return name == "auto" || slices.ContainsFunc(l.palettes, func(p themes.Palette) bool { return p.Name == name })
}

// missing returns why a theme cannot be used, what the user can do, and the end of a warning that says what is used
// instead.
func (l themeList) missing(name string) (why, hint, instead string) {
	const byDefault = ", so the default is used"
	if problem := l.broken[name]; problem != "" {
		return problem, "", byDefault
	}
	if now, clause := themes.Successor(name); now != "" {
		return "the theme " + name + " was taken out", "; " + now + " " + cmp.Or(clause, "replaces it"),
			", so " + now + " is used"
	}
	names := []string{"auto"}
	for _, p := range l.palettes {
		names = append(names, p.Name)
	}
	why, hint = "there is no theme "+termtext.Quote(name), "; confab themes lists them"
	if near := termtext.NearestName(name, names); near != "" {
		hint = "; did you mean " + near + "?"
	}
	return why, hint, byDefault + hint
}

// chosenThemes returns the settings that choose themes, with their values.
func (a *app) chosenThemes() (settings, names []string) {
	return []string{"ui.theme", "ui.theme_dark", "ui.theme_light"},
		[]string{a.config.UI.Theme, a.config.UI.ThemeDark, a.config.UI.ThemeLight}
}

// checkThemes warns of chosen themes that do not exist; one that a flag names is an error. It reads the themes folder
// only if the settings are not the defaults.
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
		why, hint, instead := list.missing(name)
		if a.config.Origin(settings[i]).Source == config.FromFlag {
			return problem.Usage("%s%s", why, hint)
		}
		a.config.Warnings = append(a.config.Warnings,
			fmt.Sprintf("%s%s (%s, %s)", why, instead, settings[i], a.config.Origin(settings[i])))
	}
	return nil
}

// themeWarnings returns a sentence for each broken file that no setting names.
func (a *app) themeWarnings(list themeList) (sentences []string) {
	_, chosen := a.chosenThemes()
	for _, name := range slices.Sorted(maps.Keys(list.broken)) {
		if !slices.Contains(chosen, name) || list.has(name) {
			sentences = append(sentences, list.broken[name]+"; it is skipped")
		}
	}
	return sentences
}
