//go:build !unix

package fileio

const nonBlocking = 0
