// Package termtexttest holds what the tests of the screen need to know about
// hostile text: payloads that attack a terminal, and a check of what may reach
// one. Only tests import it.
package termtexttest
