package service

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/redact"
	"confab/service/problem"
)

// ParamsText returns all set parameters on one line, such as "temperature 0.2, seed 7"; empty for none.
func ParamsText(params history.Params) string {
	var parts []string
	for _, p := range chat.Params() {
		if text := p.Format(params[p.Name]); text != "" {
			parts = append(parts, p.Name+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}

// checkParams returns the parameters as [chat.CheckParams] does. It refuses those that hold the key.
func checkParams(params history.Params, mask *redact.Masker) (history.Params, error) {
	checked, err := chat.CheckParams(params)
	if err != nil {
		return nil, problem.Usage("%s", err)
	}
	if b, err := json.Marshal(checked); err != nil || mask.String(string(b)) != string(b) {
		return nil, problem.Usage("the parameters hold the API key, which is sent without them; take it out")
	}
	return checked, nil
}

// ignoredParams returns the names of set parameters that the service does not take for a model.
func ignoredParams(params history.Params, takesParams bool) []string {
	if takesParams {
		return nil
	}
	return slices.Sorted(maps.Keys(params))
}
