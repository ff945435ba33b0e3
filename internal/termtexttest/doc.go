// Package termtexttest holds test data on hostile text: payloads that attack a terminal, and a check of text for the
// terminal. Only tests import it.
package termtexttest
