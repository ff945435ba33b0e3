package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

// TestEveryActionHasOneHandler compares the struct types of package action, without those that are fields of others or
// results of methods, with the cases of the switch that handles them.
func TestEveryActionHasOneHandler(t *testing.T) {
	handled := map[string]int{}
	for _, node := range parse(t, "actions.go") {
		ast.Inspect(node, func(n ast.Node) bool {
			if clause, ok := n.(*ast.CaseClause); ok {
				for _, of := range clause.List {
					if of, ok := of.(*ast.SelectorExpr); ok && of.X.(*ast.Ident).Name == "action" {
						handled[of.Sel.Name]++
					}
				}
			}
			return true
		})
	}
	actions, fields := map[string]bool{"Sequence": true}, map[string]bool{}
	for _, node := range parse(t, "action/*.go") {
		ast.Inspect(node, func(n ast.Node) bool {
			if method, ok := n.(*ast.FuncType); ok && method.Results != nil {
				if of, ok := method.Results.List[0].Type.(*ast.Ident); ok {
					fields[of.Name] = true
				}
			}
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if of, ok := spec.Type.(*ast.StructType); ok {
				actions[spec.Name.Name] = true
				for _, field := range of.Fields.List {
					of := field.Type
					if list, ok := of.(*ast.ArrayType); ok {
						of = list.Elt
					}
					if of, ok := of.(*ast.Ident); ok {
						fields[of.Name] = true
					}
				}
			}
			return true
		})
	}
	maps.DeleteFunc(actions, func(name string, _ bool) bool { return fields[name] && handled[name] == 0 })
	if len(actions) < 50 {
		t.Fatalf("found only %d actions", len(actions))
	}
	for _, name := range slices.Sorted(maps.Keys(actions)) {
		if handled[name] != 1 {
			t.Errorf("action.%s has %d cases in the switch of handle in actions.go", name, handled[name])
		}
		delete(handled, name)
	}
	if len(handled) > 0 {
		t.Errorf("cases of what are no actions: %v", handled)
	}
}

func parse(t *testing.T, pattern string) (files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}
