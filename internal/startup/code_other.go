//go:build !linux

package startup

func releaseCode() {}
