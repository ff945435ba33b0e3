package api

import (
	"net"
	"strings"
	"testing"
	"testing/synctest"
)

// TestNothingIsReadBeforeSomethingWasWritten holds back a service that speaks
// first: net/http would print what it says to the standard logger.
func TestNothingIsReadBeforeSomethingWasWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		c := (&attempt{}).connected(t.Context(), near)
		go func() {
			_, _ = far.Write([]byte("220 ready"))
			_, _ = far.Read(make([]byte, 4))
		}()
		read := ""
		go func() {
			b := make([]byte, 20)
			n, _ := c.Read(b)
			read = string(b[:n])
		}()
		synctest.Wait()
		if read != "" {
			t.Fatalf("read %q first", read)
		}
		if n, err := c.Write([]byte("POST")); n != 4 || err != nil {
			t.Errorf("write: %d, %v", n, err)
		}
		synctest.Wait()
		if read != "220 ready" {
			t.Errorf("got %q after the write", read)
		}
		_ = c.Close()
		if n, err := c.Write([]byte("more")); n != 4 || err != nil {
			t.Errorf("write to a closed connection: %d, %v; an answer may still be read", n, err)
		}
	})
}

// TestTheHeadEndsBeforeAKeyThatIsCut gives a body of many keys, of which the
// last one lies across what is looked at.
func TestTheHeadEndsBeforeAKeyThatIsCut(t *testing.T) {
	key := "sk-" + strings.Repeat("0123456789", 10) // masking makes so long a one shorter
	c, err := NewClient(Options{BaseURL: "https://service.example", APIKey: key})
	must(t, err)
	for shift := range len(key) {
		body := strings.Repeat("x", shift) + strings.Repeat(key+" ", 100)
		if head := c.head([]byte(body)); strings.Contains(head, "sk-") || !strings.Contains(head, "••••") {
			t.Errorf("shifted by %d: ends with %q", shift, head[len(head)-30:])
		}
	}
	if head := c.head([]byte("ends in sk-")); head != "ends in sk-" {
		t.Errorf("a whole body: got %q", head)
	}
}
