package cli

import (
	"context"
	"io"
	"testing"

	"confab/internal/safego"
)

// BenchmarkStart is everything confab itself does before the screen's first
// frame; it has to stay under 2 ms.
func BenchmarkStart(b *testing.B) {
	env := Env{Stdout: io.Discard, Stderr: io.Discard, Environ: []string{"HOME=" + b.TempDir(),
		"TERM=xterm-256color"}}
	b.ReportAllocs()
	for b.Loop() {
		a := newApp(env)
		safego.Go(nil, "themes", func() { a.shipped() }, nil)
		a.root()
		if err := a.load(context.Background()); err != nil {
			b.Fatal(err)
		}
		svc, err := a.service(serviceNeeds{save: true})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := a.screenOptions(context.Background(), svc, screenFlags{}); err != nil {
			b.Fatal(err)
		}
	}
}
