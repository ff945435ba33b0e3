package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"confab/service"
)

func TestEveryActionHasOneHandler(t *testing.T) {
	handled := map[string]bool{}
	for of := range New(t.Context(), Options{Service: service.New(service.Options{})}).handlers {
		handled[of.Name()] = true
	}
	files, err := filepath.Glob("action/*.go")
	if err != nil {
		t.Fatal(err)
	}
	actions := 0
	for _, file := range files {
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range source.Decls {
			method, ok := d.(*ast.FuncDecl)
			if !ok || method.Recv == nil || method.Name.Name != "action" {
				continue
			}
			actions++
			if name := method.Recv.List[0].Type.(*ast.Ident).Name; !handled[name] {
				t.Errorf("nobody handles action.%s: add it to a function of actions.go", name)
			}
		}
	}
	if actions == 0 || actions != len(handled) {
		t.Errorf("%d actions and %d handlers", actions, len(handled))
	}
}
