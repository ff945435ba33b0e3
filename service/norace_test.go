//go:build !race

package service_test

const underRace = false
