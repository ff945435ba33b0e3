// Package format formats numbers, times and sizes for people, and measures texts.
package format
