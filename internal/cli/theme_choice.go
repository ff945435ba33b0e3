package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"confab/internal/config"
	"confab/internal/fileio"
	"confab/internal/termtext"
	"confab/internal/tomldoc"
	"confab/service/problem"
	"confab/themes"
)

// chooseStyles returns the styles of what is printed on a terminal. Its background is not asked for: without a theme of
// the person's choice the terminal's own colors are legible on any.
func (a *app) chooseStyles() *themes.Styles {
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
	broken   []brokenTheme
}

// brokenTheme is a file of the themes folder that cannot be used.
type brokenTheme struct {
	name    string // of the file, without its ending
	problem string // a clause with file and line
}

// readThemes reads the user's themes. A file that is broken does not keep the others from being used.
func (a *app) readThemes() themeList {
	list := themeList{palettes: slices.Clone(a.shipped())}
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
			list.broken = append(list.broken, brokenTheme{name, problem})
			continue
		}
		list.palettes = slices.DeleteFunc(list.palettes, func(have themes.Palette) bool { return have.Name == p.Name })
		list.palettes = append(list.palettes, p)
	}
	return list
}

// readTheme reads the file of a theme, or says what is wrong with it.
func readTheme(path string) (p themes.Palette, problem string) {
	name := filepath.Base(path)
	data, err := fileio.ReadSettings(path, maxTheme)
	if err != nil {
		return p, "the file " + termtext.Line(name) + " " + fileio.ReadProblem(err, maxTheme)
	}
	p, err = themes.Parse(data)
	var wrong *tomldoc.Error
	switch {
	case errors.As(err, &wrong) && wrong.Line > 0:
		problem = fmt.Sprintf("the theme %s, line %d: %s", termtext.Line(name), wrong.Line, wrong.Message)
	case err != nil:
		problem = fmt.Sprintf("the theme %s: %s", termtext.Line(name), err)
	}
	return p, problem
}

// has tells whether there is a theme of that name; "auto" counts as one.
func (l themeList) has(name string) bool {
	return name == "auto" || slices.ContainsFunc(l.palettes, func(p themes.Palette) bool { return p.Name == name })
}

// missing says why there is no theme of that name, with the end of a sentence that says what to do.
func (l themeList) missing(name string) (why, hint string) {
	for _, b := range l.broken {
		if b.name == name {
			return b.problem, ""
		}
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
	for _, b := range list.broken {
		if !slices.Contains(chosen, b.name) || list.has(b.name) {
			sentences = append(sentences, b.problem+"; it is skipped")
		}
	}
	return sentences
}
