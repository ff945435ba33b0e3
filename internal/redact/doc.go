// Package redact keeps the API key out of what is shown, stored, logged and exported: a [Masker] finds it in whatever
// form a service may have echoed it and puts dots in its place. Every package may use it; it imports none.
package redact
