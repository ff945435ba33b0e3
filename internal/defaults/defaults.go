// Package defaults completes options that were set in part.
package defaults

import "reflect"

// Fill returns a struct whose fields are those of set, but those of defaults where set has a zero or a negative number.
// All fields are exported.
func Fill[T any](set, defaults T) T {
	to, from := reflect.ValueOf(&set).Elem(), reflect.ValueOf(defaults)
	for i := range to.NumField() {
		if f := to.Field(i); f.IsZero() || f.CanInt() && f.Int() < 0 {
			f.Set(from.Field(i))
		}
	}
	return set
}
