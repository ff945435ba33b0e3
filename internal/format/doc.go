// Package format returns numbers, times and sizes as people read them, and measures the size of texts.
package format
