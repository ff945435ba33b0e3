package suite

import (
	"maps"
	"slices"
)

// MapTexts returns a copy of a value as JSON has it with its texts replaced.
func mapTexts(value any, replace func(text string) (any, error)) (any, error) {
	var err error
	switch v := value.(type) {
	case string:
		return replace(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			if out[i], err = mapTexts(item, replace); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if out[key], err = mapTexts(v[key], replace); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}
