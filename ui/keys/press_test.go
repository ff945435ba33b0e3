package keys_test

import (
	"testing"

	"confab/ui"
	"confab/ui/keys"
)

func TestPressIsNamedAsItsKey(t *testing.T) {
	names := []string{"f24", "shift+enter", "ctrl+alt+a", "delete", "+", "ctrl++", "ä", "insert", "ctrl+space"}
	for _, e := range ui.Keys().All() {
		names = append(names, e.Keys...)
	}
	for _, name := range names {
		if msg, ok := keys.Parse(name); !ok || msg.String() != name {
			t.Errorf("the press of %q is named %q, %v", name, msg, ok)
		}
	}
	if _, ok := keys.Parse("no such key"); ok {
		t.Error("there is a press of what is no key")
	}
}
