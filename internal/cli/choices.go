package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"confab/history"
	"confab/internal/config"
	"confab/internal/format"
	"confab/internal/regularfile"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/ui/keys"
)

// maxText bounds a file or standard input that holds a prompt, in bytes.
const maxText = 16 << 20

// keys returns the keys as configured.
func (a *app) keys() (keys.Map, error) {
	m := keys.Default()
	wanted := map[string][]string{}
	if k := a.cfg.UI.SendKey; k != "enter" {
		others := []string{"enter"}
		for _, e := range m.Entries(keys.Prompt) {
			if e.Command == "new_line" {
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
		return keys.Map{}, a.wrongKeys(err)
	}
	return m, nil
}

// wrongKeys names the place of what is wrong with the keys, as errors of other settings do.
func (a *app) wrongKeys(err error) *api.Error {
	message := err.Error()
	var wrong *keys.BindingError
	if errors.As(err, &wrong) {
		for _, name := range wrong.Names {
			if from := a.cfg.Origin("keys." + name); from.Source != config.FromDefault {
				message = strings.TrimPrefix(from.String(), string(config.FromFile)+" ") + ": " + message
				break
			}
		}
	}
	return &api.Error{Code: api.CodeConfig, Message: message, Err: err}
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
func (a *app) session(ctx context.Context, svc *service.Service, name string) (history.Session, error) {
	if kind, id, ok := reference(name); ok && kind == 's' {
		if s, err := svc.Session(ctx, id); err == nil || api.CodeOf(err) != api.CodeUsage {
			return s, err
		}
	}
	s, err := svc.SessionNamed(ctx, name)
	if !errors.Is(err, history.ErrNotFound) {
		return s, err
	}
	if problem := a.storeProblem(ctx, svc); problem != nil {
		return history.Session{}, problem
	}
	return history.Session{}, usage("there is no session %q; confab history list shows them", name)
}

// lastSession returns the session that was used last. Without one it says so, or
// why the history could not be opened.
func (a *app) lastSession(ctx context.Context, svc *service.Service) (history.Session, error) {
	s, err := svc.LastSession(ctx)
	if api.CodeOf(err) != api.CodeUsage {
		return s, err
	}
	if problem := a.storeProblem(ctx, svc); problem != nil {
		return s, problem
	}
	return s, usage("there is no session yet")
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
	return asText(b, termtext.Line(path))
}

// readBounded reads a regular file of at most that many bytes. Its errors are [*api.Error].
func readBounded(path string, most int64) ([]byte, error) {
	b, err := regularfile.ReadSettings(path, most)
	if err != nil {
		return nil, notRead(path, most, err)
	}
	return b, nil
}

func notRead(path string, most int64, err error) *api.Error {
	what := "the file " + termtext.Line(path)
	var kind *regularfile.KindError
	switch {
	case errors.As(err, &kind):
		what = termtext.Line(path) + " " + kind.Error()
	case errors.Is(err, regularfile.ErrTooLarge):
		what += " is larger than " + format.Size(most)
	case errors.Is(err, fs.ErrNotExist):
		what += ": there is no such file"
	case errors.Is(err, fs.ErrPermission):
		what += ": it may not be read"
	default:
		what += ": it cannot be read"
	}
	return &api.Error{Code: api.CodeUsage, Message: what, Err: err}
}
