package metrics

import "testing"

func TestBoundedLabel(t *testing.T) {
	l := NewBoundedLabel(2)
	for _, c := range []struct{ value, want string }{{"anna", "anna"}, {"bob", "bob"}, {"carla", OtherLabel},
		{"anna", "anna"}, {"dora", OtherLabel}, {OtherLabel, OtherLabel}} {
		if got := l.Value(c.value); got != c.want {
			t.Errorf("%s is %s, want %s", c.value, got, c.want)
		}
	}
	if got := NewBoundedLabel(0).Value("anna"); got != OtherLabel {
		t.Errorf("without a place it is %s", got)
	}
}
