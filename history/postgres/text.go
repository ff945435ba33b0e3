package postgres

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// PostgreSQL texts cannot hold NUL or invalid UTF-8. Such bytes, and the bytes of an escapeMark itself, are encoded
// as escapeMark and two hexadecimal digits. The encoding is unique.
const escapeMark = '\uE002'

func encodeText(s string) string {
	if utf8.ValidString(s) && !strings.ContainsAny(s, "\x00"+string(escapeMark)) {
		return s
	}
	var b strings.Builder
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		if r != 0 && r != escapeMark && (r != utf8.RuneError || size > 1) {
			b.WriteString(s[:size])
		} else {
			for _, c := range []byte(s[:size]) {
				fmt.Fprintf(&b, "%c%02x", escapeMark, c)
			}
		}
		s = s[size:]
	}
	return b.String()
}

// decodeText reverses encodeText. It drops an incomplete mark at the end of a cut text.
func decodeText(s string) string {
	before, rest, found := strings.Cut(s, string(escapeMark))
	if !found {
		return s
	}
	var b strings.Builder
	for found {
		b.WriteString(before)
		digits := rest[:min(len(rest), 2)]
		if c, err := strconv.ParseUint(digits, 16, 8); err == nil && len(digits) == 2 {
			b.WriteByte(byte(c))
		}
		before, rest, found = strings.Cut(rest[len(digits):], string(escapeMark))
	}
	b.WriteString(before)
	return b.String()
}

// Arguments implements [sqlstore.Database]. It encodes texts and turns booleans into 0 or 1.
func (d *database) Arguments(args []any) []any {
	converted := make([]any, len(args))
	for i, a := range args {
		converted[i] = argument(a)
	}
	return converted
}

func argument(v any) any {
	if valuer, ok := v.(driver.Valuer); ok {
		value, err := valuer.Value()
		if err != nil {
			return v // the driver returns the same error
		}
		v = value
	}
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Pointer {
		r = r.Elem()
	}
	switch r.Kind() {
	case reflect.String:
		return encodeText(r.String())
	case reflect.Bool:
		if r.Bool() {
			return int64(1)
		}
		return int64(0)
	case reflect.Invalid:
		return nil
	}
	return r.Interface()
}

// Fields implements [sqlstore.Database]. It decodes texts.
func (d *database) Fields(into []any) []any {
	fields := make([]any, len(into))
	for i, field := range into {
		switch f := field.(type) {
		case sql.Scanner:
			fields[i] = decodingScanner{f}
		default:
			fields[i] = field
			if r := reflect.ValueOf(field).Elem(); r.Kind() == reflect.String {
				fields[i] = textField{r}
			}
		}
	}
	return fields
}

// decodingScanner decodes texts before it scans them.
type decodingScanner struct{ sql.Scanner }

// Scan implements [sql.Scanner].
func (s decodingScanner) Scan(from any) error {
	if text, ok := from.(string); ok {
		from = decodeText(text)
	}
	return s.Scanner.Scan(from)
}

// textField scans into a variable of a string type.
type textField struct{ reflect.Value }

// Scan implements [sql.Scanner].
func (f textField) Scan(from any) error {
	text, ok := from.(string)
	if !ok {
		return fmt.Errorf("a text is read as %T", from)
	}
	f.SetString(decodeText(text))
	return nil
}
