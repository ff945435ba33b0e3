package app

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"confab/internal/config"
	"confab/service/api"
	"confab/ui/keys"
)

// Keys returns the keys of the screen as the configuration binds them.
func (a *App) Keys() (keys.Map, error) {
	m := keys.Default()
	wanted := map[string][]string{}
	if k := a.Config.UI.SendKey; k != "enter" {
		others := []string{"enter"}
		for _, e := range m.Entries(keys.Prompt) {
			if e.Command == "new_line" {
				others = append(others,
					slices.DeleteFunc(slices.Clone(e.Keys), func(have string) bool { return have == k })...)
			}
		}
		wanted["send"], wanted["new_line"] = []string{k}, others
	}
	maps.Copy(wanted, a.Config.Keys)
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
func (a *App) wrongKeys(err error) *api.Error {
	message := err.Error()
	var wrong *keys.BindingError
	if errors.As(err, &wrong) {
		for _, name := range wrong.Names {
			if from := a.Config.Origin("keys." + name); from.Source != config.FromDefault {
				message = strings.TrimPrefix(from.String(), string(config.FromFile)+" ") + ": " + message
				break
			}
		}
	}
	return &api.Error{Code: api.CodeConfig, Message: message, Err: err}
}
