package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The security page names the tests that hold the program to it.
func TestSecurityPageNamesTests(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.isTest() {
				there[f.Name.Name] = true
			}
		}
	}
	named := regexp.MustCompile("`((Test|Fuzz)[A-Za-z0-9]+)`").FindAllSubmatch(page, -1)
	if len(named) < 50 {
		t.Errorf("only %d tests are named", len(named))
	}
	for _, n := range named {
		if !there[string(n[1])] {
			t.Errorf("there is no test %s", n[1])
		}
	}
}
