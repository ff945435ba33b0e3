package acceptance

import "testing"

func TestInATerminal(t *testing.T) {
	t.Skip("these tests drive a pseudo terminal and send signals as Unix has them")
}
