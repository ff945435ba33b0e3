package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"confab/internal/tomldoc"
	"confab/service"
	"confab/service/api"
	"confab/themes"
	"confab/ui/keys"
	"confab/ui/terminal"
)

// maxText bounds a file or standard input that holds a prompt, in bytes.
const maxText = 16 << 20

// maxTheme bounds the file of a theme, in bytes.
const maxTheme = 64 << 10

// keys returns the keys as configured.
func (a *app) keys() (keys.Map, error) {
	m := keys.Default()
	wanted := map[string][]string{}
	if k := a.cfg.UI.SendKey; k != "enter" {
		others := []string{"enter"}
		for _, e := range m.Entries(keys.Prompt) {
			if e.Effect == "new_line" {
				others = append(others, slices.DeleteFunc(slices.Clone(e.Keys), func(have string) bool { return have == k })...)
			}
		}
		wanted["send"], wanted["new_line"] = []string{k}, others
	}
	for effect, list := range a.cfg.Keys {
		wanted[effect] = list
	}
	if len(wanted) == 0 {
		return m, nil
	}
	m, err := m.Rebind(wanted)
	if err != nil {
		return keys.Map{}, &api.Error{Code: api.CodeConfig, Message: err.Error(), Err: err}
	}
	return m, nil
}

// palettes returns the shipped themes and the user's own, which win.
func (a *app) palettes() ([]themes.Palette, error) {
	all := slices.Clone(a.shipped())
	own, err := os.ReadDir(a.cfg.Paths.Themes)
	if err != nil {
		return all, nil //nolint:nilerr // without the folder there are none
	}
	for _, e := range own {
		if filepath.Ext(e.Name()) != ".toml" || e.IsDir() {
			continue
		}
		p, err := readTheme(filepath.Join(a.cfg.Paths.Themes, e.Name()))
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(have themes.Palette) bool { return have.Name == p.Name })
		all = append(all, p)
	}
	return all, nil
}

func readTheme(path string) (themes.Palette, error) {
	data, err := readBounded(path, maxTheme)
	if err != nil {
		return themes.Palette{}, err
	}
	p, err := themes.Parse(data)
	var wrong *tomldoc.Error
	if errors.As(err, &wrong) {
		return themes.Palette{}, &api.Error{Code: api.CodeConfig, Message: fmt.Sprintf("the theme %s, line %d: %s", terminal.Line(path), wrong.Line, wrong.Message), Err: err}
	}
	return p, err
}

// knownTheme refuses a configured theme that there is not.
func (a *app) knownTheme(all []themes.Palette) error {
	for _, chosen := range [][2]string{{"ui.theme", a.cfg.UI.Theme}, {"ui.theme_dark", a.cfg.UI.ThemeDark}, {"ui.theme_light", a.cfg.UI.ThemeLight}} {
		setting, name := chosen[0], chosen[1]
		if name == "auto" || slices.ContainsFunc(all, func(p themes.Palette) bool { return p.Name == name }) {
			continue
		}
		return &api.Error{Code: api.CodeConfig, Message: fmt.Sprintf("there is no theme %q (%s, %s); confab themes lists them", name, setting, a.cfg.Origin(setting))}
	}
	return nil
}

// chosen returns the slugs that patterns name, or those of the configuration
// when there are no patterns.
func (a *app) chosen(catalogue api.Catalogue, patterns []string) ([]string, error) {
	from := ""
	if len(patterns) == 0 {
		patterns = a.cfg.Models.Default
		from = fmt.Sprintf(" (models.default, %s)", a.cfg.Origin("models.default"))
	}
	var words []string
	for _, p := range patterns {
		words = append(words, strings.Split(p, ",")...) // no slug has a comma
	}
	models, err := catalogue.Match(words...)
	if err != nil {
		var known *api.Error
		if errors.As(err, &known) && from != "" {
			return nil, &api.Error{Code: api.CodeConfig, Message: said(known.Message) + from, Err: err}
		}
		return nil, err
	}
	slugs := make([]string, len(models))
	for i, m := range models {
		slugs[i] = m.Slug
	}
	return slugs, nil
}

// favouritesFirst puts the favourites before the other models of their kind.
func (a *app) favouritesFirst(models []api.Model) []api.Model {
	rank := func(m api.Model) int {
		if i := slices.Index(a.cfg.Models.Favourites, m.Slug); i >= 0 {
			return i
		}
		return len(a.cfg.Models.Favourites)
	}
	slices.SortStableFunc(models, func(x, y api.Model) int {
		kinds := []api.Kind{api.Text, api.Image, api.Edit}
		return cmp.Or(slices.Index(kinds, x.Kind)-slices.Index(kinds, y.Kind), rank(x)-rank(y))
	})
	return models
}

// infos returns models of which the history is not asked.
func infos(models []api.Model) []service.ModelInfo {
	all := make([]service.ModelInfo, len(models))
	for i, m := range models {
		all[i] = service.ModelInfo{Model: m}
	}
	return all
}

// session finds a session: s and its number, or else its name.
func (a *app) session(ctx context.Context, svc *service.Service, name string) (service.Session, error) {
	if kind, id, ok := reference(name); ok && kind == 's' {
		if s, err := svc.Session(ctx, id); err == nil || api.CodeOf(err) != api.CodeUsage {
			return s, err
		}
	}
	s, err := svc.SessionNamed(ctx, name)
	if err == nil || api.CodeOf(err) != api.CodeUsage {
		return s, err
	}
	if problem := a.storeProblem(ctx, svc); problem != nil {
		return service.Session{}, problem
	}
	return service.Session{}, usage("there is no session %q; confab history list shows them", name)
}

// reference reads s12, t34 or a56: a session, a turn or an answer.
func reference(s string) (kind byte, id int64, ok bool) {
	if len(s) < 2 || !strings.ContainsRune("sta", rune(s[0])) || s[1] < '1' || s[1] > '9' {
		return 0, 0, false
	}
	id, err := strconv.ParseInt(s[1:], 10, 64)
	return s[0], id, err == nil
}

// textOrFile returns the text of a flag: itself, or what stands in a file when
// it begins with @. @@ stands for an @.
func textOrFile(flag string) (string, error) {
	path, ok := strings.CutPrefix(flag, "@")
	if !ok {
		return flag, nil
	}
	if strings.HasPrefix(path, "@") {
		return path, nil
	}
	b, err := readBounded(path, maxText)
	if err != nil {
		return "", err
	}
	return asText(b, terminal.Line(path))
}

// readBounded reads a file of at most that many bytes.
func readBounded(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, notRead(path, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, usage("%s is a folder", terminal.Line(path))
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, notRead(path, err)
	}
	if int64(len(b)) > most {
		return nil, usage("the file %s is larger than %d MiB", terminal.Line(path), max(1, most>>20))
	}
	return b, nil
}

func notRead(path string, err error) error {
	why := "it cannot be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		why = "it may not be read"
	}
	return &api.Error{Code: api.CodeUsage, Message: fmt.Sprintf("the file %s: %s", terminal.Line(path), why), Err: err}
}
