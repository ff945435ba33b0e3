//go:build !unix

package regularfile

const nonBlocking = 0
