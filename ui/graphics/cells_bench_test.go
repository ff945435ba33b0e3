package graphics_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"confab/internal/pixels"
	"confab/ui/graphics"

	"github.com/charmbracelet/colorprofile"
)

var full = graphics.CellOptions{Profile: colorprofile.TrueColor}

func BenchmarkRender(b *testing.B) {
	for _, px := range []int{1024, 4096} {
		img := scene(px, px)
		for name, o := range map[string]graphics.CellOptions{"quadrants": full,
			"256": {Profile: colorprofile.ANSI256}} {
			b.Run(fmt.Sprintf("%s-%d", name, px), func(b *testing.B) {
				bytes := 0
				for b.Loop() {
					c, _ := graphics.RenderCells(img, 80, 40, o)
					bytes = 0
					for _, l := range c.Lines {
						bytes += len(l)
					}
				}
				b.ReportMetric(float64(bytes), "bytes/picture")
			})
		}
	}
}

// files are the pictures the speed is judged by.
func files(b *testing.B) map[string][]byte {
	small, large := scene(1024, 1024), scene(4096, 4096)
	return map[string][]byte{"png-1024": encodePNG(b, small), "png-4096": encodePNG(b, large),
		"jpeg-4096": encodeJPEG(b, large)}
}

// BenchmarkWhole is decoding and drawing; BenchmarkChafa is the same by chafa,
// with the start of its process.
func BenchmarkWhole(b *testing.B) {
	for name, data := range files(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				img, err := pixels.Decode(b.Context(), data, 40e6)
				if err != nil {
					b.Fatal(err)
				}
				if _, ok := graphics.RenderCells(img, 80, 40, full); !ok {
					b.Fatal("not drawn")
				}
			}
		})
	}
}

func BenchmarkChafa(b *testing.B) {
	chafa, err := exec.LookPath("chafa")
	if err != nil {
		b.Skip("no chafa")
	}
	for name, data := range files(b) {
		path := filepath.Join(b.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if out, err := exec.Command(chafa, "-f", "symbols", "-s", "80x40", "-c", "full",
					path).CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
			}
		})
	}
}
