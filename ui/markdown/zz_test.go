package markdown_test

import (
	"fmt"
	"os"
	"testing"

	"confab/themes"
	"confab/ui/markdown"
)

func TestZZ(t *testing.T) {
	f := os.Getenv("ZZ")
	if f == "" {
		t.Skip()
	}
	b, _ := os.ReadFile(f)
	s := themes.New(themes.Default(true))
	_ = s
	r := markdown.NewRenderer(s, 60)
	for _, bl := range markdown.Split(string(b)) {
		for _, l := range r.Block(bl) {
			fmt.Println(l + "|")
		}
		fmt.Println()
	}
}
