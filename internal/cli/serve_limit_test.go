package cli

import (
	"strings"
	"testing"

	"confab/service/server"
)

func TestWhatIsServedFitsTheFilesThereAre(t *testing.T) {
	for _, c := range []struct {
		files, connections, texts         int
		wantConnections, wantTexts, wants int
	}{
		{0, 20000, 10000, 20000, 10000, 0}, // nobody says
		{1 << 20, 20000, 10000, 20000, 10000, 0},
		{30064, 20000, 10000, 15000, 10000, 0}, // fewer idle connections, as many texts
		{20064, 20000, 10000, 10000, 10000, 0},
		{20000, 20000, 10000, 9968, 9968, 20064},
		{1024, 20000, 10000, 480, 480, 20064},
		{1024, 100, 300, 100, 300, 0},
	} {
		got, said := limitToOpenFiles(server.Limits{Connections: c.connections, Texts: c.texts}, c.files)
		if got.Connections != c.wantConnections || got.Texts != c.wantTexts || (said != "") != (c.wants > 0) {
			t.Errorf("%+v: %d connections, %d texts, %q", c, got.Connections, got.Texts, said)
		}
		if c.wants > 0 {
			for _, text := range []string{"serve.max_texts", "ulimit -n 20064"} {
				if !strings.Contains(said, text) {
					t.Errorf("%q is not in %q", text, said)
				}
			}
		}
	}
}
