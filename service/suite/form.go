package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"confab/internal/termtext"
)

// form describes the entries of a kind of mapping in a suite.
type form struct {
	what    string           // name of the mapping in errors
	fields  map[string]field // entries that confab reads, or notes as unsupported
	ignored []string         // promptfoo's entries that change neither requests nor verdicts
	isOpen  bool             // promptfoo passes other names on to the model; here they are noted
}

// field decodes an entry of a mapping.
type field func(e entry) error

// read decodes a mapping. An unknown name is an error, because a misspelt one would have no effect; names that begin
// with x- are the user's own.
func (d *decoder) read(n *yaml.Node, f form) error {
	found, err := entries(n, f.what)
	if err != nil {
		return err
	}
	for _, e := range found {
		if read, ok := f.fields[e.name]; ok {
			err = read(e)
		} else if !slices.Contains(f.ignored, e.name) && !strings.HasPrefix(e.name, "x-") {
			err = d.readUnknown(f, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) readUnknown(f form, e entry) error {
	if e.name == "$ref" {
		return errorAt(e.line, "$ref %s names nothing in this file, and confab follows no others", quote(e.value.Value))
	}
	near := termtext.NearestName(e.name, slices.Concat(f.ignored, slices.Collect(maps.Keys(f.fields))))
	switch {
	case near != "":
		return errorAt(e.line, "%s has no %s; did you mean %s?", f.what, quote(e.name), near)
	case f.isOpen:
		d.note(e.line, quote(e.name)+" is nothing this service takes and is not sent")
		return nil
	}
	return errorAt(e.line, "%s has no %s; names of your own begin with x-", f.what, quote(e.name))
}

func (d *decoder) note(line int, text string) {
	d.notes = append(d.notes, UnappliedSetting{Line: line, Text: text})
}

// noted returns a field that is not applied. The note begins with its name.
func (d *decoder) noted(rest string) field {
	return func(e entry) error {
		d.note(e.line, e.name+" "+rest)
		return nil
	}
}

// leftOut returns a nonempty field without which promptfoo would ask or judge less.
func (d *decoder) leftOut(rest string) field {
	return func(e entry) error {
		if !isNull(e.value) && (e.value.Kind != yaml.SequenceNode || len(e.value.Content) > 0) {
			d.notes = append(d.notes, UnappliedSetting{Line: e.line, Text: e.name + " " + rest, LeavesOut: true})
		}
		return nil
	}
}

// unjudged returns a field because of which checks are skipped for a reason with its name. It adds a note unless rest
// is empty.
func (d *decoder) unjudged(reason *string, format, rest string) field {
	return func(e entry) error {
		*reason = fmt.Sprintf(format, e.name)
		if rest != "" {
			d.note(e.line, e.name+" "+rest)
		}
		return nil
	}
}

// refused returns a field that is an error.
func refused(rest string) field {
	return func(e entry) error { return errorAt(e.line, "%s %s", e.name, rest) }
}

// limitField returns a field that decodes a number that may be absent.
func limitField(to **float64) field {
	return func(e entry) error {
		v, err := decodeNumber(e, 1e15)
		*to = &v
		return err
	}
}

func textField(to *string) field {
	return func(e entry) (err error) {
		*to, err = decodeText(e.value, e.name)
		return err
	}
}

func templateField(to *string) field {
	return func(e entry) (err error) {
		*to, err = decodeTemplate(e.value, e.name)
		return err
	}
}

func textsField(to *[]string) field {
	return listField(to, func(n *yaml.Node) (string, error) { return decodeText(n, "each of them") })
}

// listField returns a field that decodes a list; a single value is a list of one.
func listField[T any](to *[]T, decode func(*yaml.Node) (T, error)) field {
	return func(e entry) error {
		for _, item := range items(e.value) {
			v, err := decode(item)
			if err != nil {
				return err
			}
			*to = append(*to, v)
		}
		return nil
	}
}

// boolField decodes true or false; null is false.
func boolField(to *bool) field {
	return func(e entry) error {
		b, ok := scalar(e.value).(bool)
		if !ok && !isNull(e.value) {
			return errorAt(e.value.Line, "%s must be true or false", e.name)
		}
		*to = b
		return nil
	}
}

// wholeField decodes a whole number, or a duration in milliseconds.
func wholeField[T int | time.Duration](to *T, limit float64, unit T) field {
	return func(e entry) error {
		v, err := decodeNumber(e, limit)
		if err != nil {
			return err
		}
		n := int(v)
		if v != float64(n) {
			return errorAt(e.value.Line, "%s must be a whole number", e.name)
		}
		*to = T(n) * unit
		return nil
	}
}
