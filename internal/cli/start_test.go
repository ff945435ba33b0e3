package cli_test

import (
	"context"
	"io"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/safego"
)

// BenchmarkStart is everything confab itself does before the screen's first
// frame; it has to stay under 2 ms.
func BenchmarkStart(b *testing.B) {
	env := console.Env{Stdout: io.Discard, Stderr: io.Discard, Environ: []string{"HOME=" + b.TempDir(),
		"TERM=xterm-256color"}}
	b.ReportAllocs()
	for b.Loop() {
		a := app.New(env)
		safego.Go(nil, "themes", func() { a.Shipped() }, nil)
		cli.Root(a)
		if err := a.Load(context.Background()); err != nil {
			b.Fatal(err)
		}
		svc, err := a.Service(app.ServiceNeeds{Save: true})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := a.ScreenOptions(context.Background(), svc, app.ScreenFlags{}); err != nil {
			b.Fatal(err)
		}
	}
}
