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

// PostgreSQL takes neither NUL nor what is not UTF-8 into a text. Such bytes are spelled: escapeMark and two
// hexadecimal digits. So are the bytes of an escapeMark itself. Equal texts stay equal, and others stay others.
const escapeMark = '\uE002'

// encodeText spells a text as it is stored.
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

// decodeText returns the text that encodeText spelled. A mark without its digits, where a text was cut, is left out.
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

// Arguments implements [sqlstore.Database]: texts are spelled, and flags become 0 or 1.
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
			return v // the driver meets the same error and tells it
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

// Fields implements [sqlstore.Database]: texts are read as they were before they were spelled.
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

// decodingScanner scans texts in the form they had before they were spelled.
type decodingScanner struct{ sql.Scanner }

// Scan implements [sql.Scanner].
func (s decodingScanner) Scan(from any) error {
	if text, ok := from.(string); ok {
		from = decodeText(text)
	}
	return s.Scanner.Scan(from)
}

// textField is a variable of a type of strings.
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
