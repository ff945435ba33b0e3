package suite

import (
	"maps"
	"slices"
)

func (r *schemaRun) fitsObject(object map[string]any, v any, seen evaluated) error {
	properties, isObject := v.(map[string]any)
	if !isObject {
		return nil
	}
	if err := fitsCount(object, "Properties", len(properties)); err != nil {
		return err
	}
	if err := hasAll(properties, object["required"]); err != nil {
		return err
	}
	named, _ := object["properties"].(map[string]any)
	expressions, _ := object["patternProperties"].(map[string]any)
	sources := slices.Sorted(maps.Keys(expressions))
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if part, ok := object["propertyNames"]; ok {
			if err := r.fitsWithin(part, name, name, evaluated{}); err != nil {
				return err
			}
		}
		part, isKnown := named[name]
		if isKnown {
			if err := r.fitsWithin(part, properties[name], name, seen); err != nil {
				return err
			}
		}
		for _, source := range sources {
			switch matched, err := r.matches(source, name); {
			case err != nil:
				return err
			case matched:
				isKnown = true
				if err := r.fitsWithin(expressions[source], properties[name], name, seen); err != nil {
					return err
				}
			}
		}
		if part, ok := object["additionalProperties"]; ok && !isKnown {
			if err := r.fitsWithin(part, properties[name], name, seen); err != nil {
				return err
			}
		}
	}
	return r.fitsDependencies(object, properties, seen)
}

func (r *schemaRun) fitsDependencies(object, properties map[string]any, seen evaluated) error {
	for _, keyword := range []string{"dependencies", "dependentRequired", "dependentSchemas"} {
		wanted, _ := object[keyword].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(wanted)) {
			if _, ok := properties[name]; !ok {
				continue
			}
			var err error
			if _, isList := wanted[name].([]any); isList {
				err = hasAll(properties, wanted[name])
			} else {
				err = r.fitsHere(wanted[name], properties, seen)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// hasAll checks that an object has the properties of a list.
func hasAll(properties map[string]any, names any) error {
	list, _ := names.([]any)
	for _, name := range list {
		if _, ok := properties[name.(string)]; !ok {
			return misfit("the property %s is missing", quoted(name.(string)))
		}
	}
	return nil
}

// fitsBranches applies references and the schemas of allOf, anyOf, oneOf, not and if.
func (r *schemaRun) fitsBranches(object map[string]any, v any, seen evaluated) error {
	for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if target, ok := object[keyword].(schemaTarget); ok {
			if err := r.fitsHere(target.schema, v, seen); err != nil {
				return err
			}
		}
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		branches, _ := object[keyword].([]any)
		fitting, first := 0, error(nil)
		for _, branch := range branches {
			switch err := r.fitsHere(branch, v, seen); {
			case err == nil:
				fitting++
			case first == nil:
				first = err
			}
		}
		switch {
		case keyword == "allOf" && first != nil, keyword == "anyOf" && fitting == 0 && first != nil:
			return first
		case keyword == "oneOf" && len(branches) > 0 && fitting != 1:
			return misfit("%d schemas of oneOf fit", fitting)
		}
	}
	if branch, ok := object["not"]; ok && r.fitsHere(branch, v, evaluated{}) == nil {
		return misfit("the schema of not fits")
	}
	if condition, ok := object["if"]; ok {
		next := "then"
		if r.fitsHere(condition, v, seen) != nil {
			next = "else"
		}
		if branch, ok := object[next]; ok {
			return r.fitsHere(branch, v, seen)
		}
	}
	return nil
}

// fitsRest applies the schemas for properties and items that nothing else has judged.
func (r *schemaRun) fitsRest(object map[string]any, v any, seen evaluated) error {
	if part, ok := object["unevaluatedProperties"]; ok {
		properties, _ := v.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if seen[name] {
				continue
			}
			if err := r.fitsWithin(part, properties[name], name, seen); err != nil {
				return err
			}
		}
	}
	if part, ok := object["unevaluatedItems"]; ok {
		items, _ := v.([]any)
		for i, item := range items {
			if seen[i] {
				continue
			}
			if err := r.fitsWithin(part, item, i, seen); err != nil {
				return err
			}
		}
	}
	return nil
}
