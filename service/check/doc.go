// Package check judges answers by yes/no tests that need no second model:
// promptfoo's deterministic asserts and confab's own checks of pictures.
//
// What an assert means is what promptfoo means by it; where confab is stricter or bounded, the function that judges
// says so. A check that confab does not know, or cannot judge fairly, is [Skipped] and never [Passed].
//
// It is pure: no file, no network, no clock.
package check
