package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const module = "confab/"

// layer says what a folder and everything below it may import of this module, and which packages of others it must not.
type layer struct {
	path      string
	imports   []string // layers; a layer's own folders are always allowed
	forbidden []string // import paths of other modules and of the standard library
	reason    string
}

var uiLibraries = []string{
	"charm.land/bubbletea", "charm.land/bubbles", "charm.land/lipgloss", "charm.land/glamour",
}

// ioPackages reach the network, databases and files.
var ioPackages = []string{"net/http", "database/sql", "modernc.org/sqlite", "os"}

// leaves may be imported by every layer and import none.
var leaves = []string{
	"internal/chat", "internal/fetch", "internal/fileio", "internal/format",
	"internal/httpclient", "internal/javascript", "internal/mdsyntax", "internal/netaddr",
	"internal/pixels",
	"internal/redact", "internal/safego", "internal/startup", "internal/subprocess",
	"internal/termtext",
}

var (
	noUI       = uiLibraries
	noUIAndSQL = append([]string{"database/sql"}, uiLibraries...)
)

// layers are all layers but the leaves. A package belongs to the layer with the longest path that contains it.
var layers = []layer{
	{"history", nil, append([]string{"net/http"}, noUIAndSQL...), "history is the lowest layer and no database"},
	{"history/storetest", []string{"history", "history/sqlstore"}, noUIAndSQL, "test support"},
	{"history/sqlstore", []string{"history"}, append([]string{"net/http", "modernc.org/sqlite"}, uiLibraries...),
		"it knows SQL, but no database"},
	{"history/sqlite", []string{"history", "history/sqlstore"}, append([]string{"net/http"}, uiLibraries...),
		"a store knows only history"},
	{"history/importer", []string{"history"}, append([]string{"net/http", "modernc.org/sqlite"}, uiLibraries...),
		"it reads files and knows no store"},
	{"history/postgres", []string{"history", "history/sqlstore"}, append([]string{"net/http", "modernc.org/sqlite"},
		uiLibraries...), "a store knows only history"},
	{"service/api", nil, noUIAndSQL, "the wire knows no turns and no screens"},
	{"service/engine", nil, append([]string{"net/http"}, noUIAndSQL...), "engines know no HTTP server and no turns"},
	{"service/engine/openai", []string{"service/engine"}, noUIAndSQL, "this engine is an HTTP client"},
	{"service/server", []string{"service/api", "service/engine"}, noUIAndSQL,
		"the server speaks the wire and asks engines"},
	{"service", []string{"history", "history/importer", "service/api"},
		append([]string{"modernc.org/sqlite"}, uiLibraries...), "the service imports no UI library"},
	{"themes", nil, ioPackages, "themes read no file"},
	{"ui", []string{"service", "service/api", "history", "themes"}, append([]string{"os/exec"}, ioPackages...),
		"the screen touches no HTTP, no SQL, no file, no environment and starts no program"},
	{"internal/config", []string{"service/api"}, noUI, "configuration knows only the codes of errors"},
	{"internal/desktop", []string{"service/api"}, noUI, "the screen reaches the desktop through an interface"},
	{"internal/terminput", nil, []string{"net/http", "database/sql", "modernc.org/sqlite"},
		"terminal input knows no screen"},
	{"internal/sshserver", []string{"internal/terminput"}, []string{"database/sql", "modernc.org/sqlite"},
		"the SSH server knows no turns"},
	{"internal/cli/clitest", []string{"internal/cli", "internal/testserver", "history/postgres",
		"service/engine/openai"}, nil, "test support"},
	{"internal/cli", []string{
		"docs", "history", "history/sqlite", "history/postgres",
		"service", "service/api", "service/engine", "service/engine/openai",
		"service/server", "themes", "ui", "internal/config", "internal/desktop", "internal/sshserver",
		"internal/terminput",
	}, nil, "the command line connects everything"},
	{"internal/testserver", nil, noUI, "test support"},
	{"internal/testflags", nil, noUI, "test support"},
	{"internal/s3test", nil, noUI, "test support"},
	{"internal/termtexttest", nil, noUI, "test support"},
	{"internal/acceptance", nil, noUI, "tests only"},
	{"internal/archtest", nil, nil, "tests only"},
	{"docs", nil, noUI, "the pages are text"},
	{"internal/demo", nil, noUI, "the pictures are of the built program"},
}

// layerOf returns the layer of a package path such as "ui/compose".
func layerOf(pkg string) (layer, bool) {
	var best layer
	for _, l := range layers {
		if isWithin(pkg, l.path) && len(l.path) > len(best.path) {
			best = l
		}
	}
	for _, leaf := range leaves {
		if isWithin(pkg, leaf) {
			best = layer{leaf, nil, uiLibraries, "leaves import no layer"}
		}
	}
	return best, best.path != ""
}

func isWithin(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }

// mayImport reports whether a package of layer l may import the package target of this module.
func mayImport(l layer, target string) bool {
	to, ok := layerOf(target)
	return ok && (to.path == l.path || slices.Contains(leaves, to.path) || slices.Contains(l.imports, to.path))
}

// source is a parsed file of the module.
type source struct {
	path string // relative to the module's root, with slashes
	file *ast.File
	set  *token.FileSet
}

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func sources(t *testing.T) []source {
	t.Helper()
	root := os.DirFS(filepath.Join("..", ".."))
	var out []source
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		b, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, b, parser.ParseComments)
		if err != nil {
			return err
		}
		out = append(out, source{name, file, set})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 50 {
		t.Fatalf("only %d files were found: the test does not see the module", len(out))
	}
	return out
}

func TestImports(t *testing.T) {
	for _, s := range sources(t) {
		pkg := path.Dir(s.path)
		if pkg == "." || s.isTest() {
			continue
		}
		l, ok := layerOf(pkg)
		if !ok {
			t.Errorf("%s belongs to no layer", s.path)
			continue
		}
		for _, imp := range s.file.Imports {
			target := strings.Trim(imp.Path.Value, `"`)
			if own, ok := strings.CutPrefix(target, module); ok {
				if !mayImport(l, own) {
					t.Errorf("%s imports %s: layer %s must not (%s)", s.path, own, l.path, l.reason)
				}
				continue
			}
			for _, bad := range l.forbidden {
				if target == bad || strings.HasPrefix(target, bad+"/") && bad != "os" {
					t.Errorf("%s imports %s: %s", s.path, target, l.reason)
				}
			}
		}
	}
}

// TestGivenLibrariesAreUsed holds the program to the libraries that it was decided to be built on: they stay, whatever
// they cost, and what they get wrong is handled around them.
func TestGivenLibrariesAreUsed(t *testing.T) {
	given := map[string]string{
		"charm.land/bubbletea/v2": "ui", "charm.land/bubbles/v2": "ui", "charm.land/glamour/v2": "ui/markdown",
		"github.com/atotto/clipboard": "internal/desktop",
		"github.com/jackc/pgx/v5":     "history/postgres", "github.com/minio/minio-go/v7": "service/pictures/s3",
	}
	all := sources(t)
	for library, folder := range given {
		if !slices.ContainsFunc(all, func(s source) bool {
			return !s.isTest() && isWithin(path.Dir(s.path), folder) &&
				slices.ContainsFunc(s.file.Imports, func(i *ast.ImportSpec) bool {
					return isWithin(strings.Trim(i.Path.Value, `"`), library)
				})
		}) {
			t.Errorf("%s is not used in %s any more", library, folder)
		}
	}
}

func TestMayImport(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     bool
	}{
		{"ui", "service", true}, {"ui/compose", "themes", true}, {"ui", "history", true}, {"ui", "service/server",
			false},
		{"service", "history", true}, {"service", "themes", false}, {"history", "service", false},
		{"service", "history/sqlite", false}, {"history/importer", "history/sqlite", false},
		{"ui", "history/sqlite", false}, {"internal/cli", "history/sqlite", true},
		{"history/sqlite", "history", true}, {"history", "history/sqlite", false},
		{"service/pictures", "service/api", true}, {"service/server", "history", false},
		{"service/engine/offline", "service/api", false}, {"themes", "internal/termtext", true},
		{"internal/termtext", "themes", false},
	} {
		l, _ := layerOf(tt.from)
		if got := mayImport(l, tt.to); got != tt.want {
			t.Errorf("%s may import %s: %v, want %v", tt.from, tt.to, got, tt.want)
		}
	}
}

// The screen takes its data types from history and service/api, and does nothing with either: what it wants done it
// asks of the service.
func TestScreenUsesTypesOnly(t *testing.T) {
	all := sources(t)
	refused := map[string]bool{"history.Store": true, "api.Client": true}
	for _, s := range all {
		dir := path.Dir(s.path)
		if s.isTest() || dir != "history" && dir != "service/api" {
			continue
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
				refused[path.Base(dir)+"."+f.Name.Name] = true
			}
		}
	}
	if !refused["history.ParseQuery"] {
		t.Fatal("the functions of history were not found")
	}
	delete(refused, "history.Apply") // pure
	for _, s := range all {
		if s.isTest() || !isWithin(path.Dir(s.path), "ui") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && refused[x.Name+"."+sel.Sel.Name] {
					t.Errorf("%s uses %s.%s; the screen asks the service", s.set.Position(n.Pos()), x.Name,
						sel.Sel.Name)
				}
			}
			return true
		})
	}
}

// What a pane or dialog can have beside what all have is an interface with a name, which those that implement it
// assert: after the rename of a method, one that is asserted without a name is never found, and nothing says so.
func TestOptionalInterfacesHaveNames(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() || !isWithin(path.Dir(s.path), "ui") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if assert, ok := n.(*ast.TypeAssertExpr); ok {
				if _, hasNoName := assert.Type.(*ast.InterfaceType); hasNoName {
					t.Errorf("%s asserts an interface without a name; see action.Layer", s.set.Position(n.Pos()))
				}
			}
			return true
		})
	}
}

// docs/architecture.md names every package in the first column of a table.
func TestArchitecturePageNamesEveryPackage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for i, part := range strings.Split(cells[1], "`") {
				if i%2 == 1 {
					named[part] = true
				}
			}
		}
	}
	exists := map[string]bool{"main.go": true}
	for _, s := range sources(t) {
		if pkg := path.Dir(s.path); pkg != "." {
			exists[pkg] = true
			if !named[pkg] {
				t.Errorf("docs/architecture.md does not name %s", pkg)
				named[pkg] = true
			}
		}
	}
	for name := range named {
		if strings.Contains(name, "/") && !exists[name] && !strings.Contains(name, ".") {
			t.Errorf("docs/architecture.md names %s, which does not exist", name)
		}
	}
}

// CONTRIBUTING.md names the files that a change touches.
func TestContributingPageNamesFilesThatExist(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for i, part := range strings.Split(string(page), "`") {
		if i%2 == 0 || !strings.Contains(part, "/") || strings.ContainsAny(part, " *%\n") ||
			part == "testing/synctest" {
			continue
		}
		checked++
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(part))); err != nil {
			t.Errorf("CONTRIBUTING.md names %s, which does not exist", part)
		}
	}
	if checked < 15 {
		t.Errorf("only %d paths were found", checked)
	}
}

// The lines past which a file, a function or an entry of a table has to be redesigned.
const (
	maxFile     = 350
	maxFunction = 70
	maxEntry    = 8
)

func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		if n := s.set.Position(s.file.End()).Line; n > maxFile {
			t.Errorf("%s has %d lines: split it before it grows", s.path, n)
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			var body *ast.BlockStmt
			switch f := n.(type) {
			case *ast.FuncDecl:
				body = f.Body
			case *ast.FuncLit:
				body = f.Body
			}
			if body != nil && s.lines(n) > maxFunction && !s.isTable(body.List) {
				t.Errorf("%s: a function has %d lines: split it", s.set.Position(n.Pos()), s.lines(n))
			}
			return true
		})
	}
}

// lines returns on how many lines a node stands.
func (s source) lines(n ast.Node) int {
	return s.set.Position(n.End()).Line - s.set.Position(n.Pos()).Line + 1
}

// isTable tells whether a body returns one literal, or is one switch of short cases and what is returned after it. Such
// a table may be long. Functions in it may not, see [TestSizes].
func (s source) isTable(body []ast.Stmt) bool {
	if len(body) == 0 || len(body) > 2 {
		return false
	}
	var cases []ast.Stmt
	switch first := body[0].(type) {
	case *ast.ReturnStmt:
		return len(first.Results) == 1 && isLiteral(first.Results[0])
	case *ast.SwitchStmt:
		cases = first.Body.List
	case *ast.TypeSwitchStmt:
		cases = first.Body.List
	}
	_, isReturn := body[len(body)-1].(*ast.ReturnStmt)
	return len(cases) > 0 && (len(body) == 1 || isReturn) &&
		!slices.ContainsFunc(cases, func(c ast.Stmt) bool { return s.lines(c) > maxEntry })
}

func isLiteral(e ast.Expr) bool {
	_, ok := e.(*ast.CompositeLit)
	return ok
}

// A long function is no table because it is one statement.
func TestLongStatementsAreNoTables(t *testing.T) {
	long := strings.Repeat("f()\n", maxFunction)
	entry := strings.Repeat("case 1:\nf()\n", maxFunction)
	for body, want := range map[string]bool{
		"return []int{\n1,\n2,\n}":             true,
		"switch x {\n" + entry + "}":           true,
		"switch x {\n" + entry + "}\nreturn":   true,
		"switch x {\n" + entry + "}\nf()":      false,
		"switch x {\ncase 1:\n" + long + "}":   false,
		"switch x.(type) {\n" + entry + "}":    true,
		"for {\n" + long + "}":                 false,
		"if x {\n" + long + "}":                false,
		"go func() {\n" + long + "}()":         false,
		"return func() {\n" + long + "}":       false,
		"return f(func() {\n" + long + "}), 1": false,
	} {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "x.go", "package x\nfunc g() {\n"+body+"\n}\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := file.Decls[0].(*ast.FuncDecl)
		if got := (source{set: set}).isTable(f.Body.List); got != want {
			t.Errorf("%.40q is a table: %v", body, got)
		}
	}
}

// The root model routes messages, lays out the panes and handles actions. It has grown by everything else before.
func TestRootOfTheScreenIsSmall(t *testing.T) {
	const maxLines, maxMethods = 1500, 70
	lines, methods := 0, 0
	for _, s := range sources(t) {
		if s.isTest() || path.Dir(s.path) != "ui" {
			continue
		}
		lines += s.set.Position(s.file.End()).Line
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				methods++
				if n := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line; n > maxFunction {
					lines -= n // the switch that hands actions on is a table
				}
			}
		}
	}
	if lines > maxLines || methods > maxMethods {
		t.Errorf("ui has %d lines and %d methods, at most %d and %d: give the subject to ui/screen or to a part", lines,
			methods, maxLines, maxMethods)
	}
}

func TestNoMutablePackageVariablesAndNoInit(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "init" && f.Recv == nil {
				t.Errorf("%s has an init function", s.path)
			}
			ast.Inspect(d, func(n ast.Node) bool {
				assign, ok := n.(*ast.AssignStmt)
				if !ok || assign.Tok == token.DEFINE {
					return true
				}
				for _, left := range assign.Lhs {
					if id, ok := left.(*ast.Ident); ok && packageVariable(s.file, id) {
						t.Errorf("%s: the package variable %s is assigned to", s.set.Position(id.Pos()), id.Name)
					}
				}
				return true
			})
		}
	}
}

// packageVariable tells whether an identifier is resolved, within its file, to
// a variable of the package.
func packageVariable(file *ast.File, id *ast.Ident) bool {
	if id.Obj == nil || id.Obj.Kind != ast.Var {
		return false
	}
	spec, ok := id.Obj.Decl.(*ast.ValueSpec)
	if !ok {
		return false
	}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR && slices.Contains(g.Specs, ast.Spec(spec)) {
			return true
		}
	}
	return false
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"main.go", "ui", "service", "history", "themes", "go.mod", "go.sum", "README.md", "internal",
		"docs",
		"confab", "LICENSE", "CONTRIBUTING.md", "CHANGELOG.md", "flake.nix"}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(known, e.Name()) {
			t.Errorf("%s does not belong at the top of the repository", e.Name())
		}
	}
}

// Lines are at most 120 columns wide, where a tab counts four. Only lines of raw string literals are exempt.
func TestLineLength(t *testing.T) {
	const limit = 120
	for _, s := range sources(t) {
		exempt := map[int]bool{}
		ast.Inspect(s.file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if ok && lit.Kind == token.STRING && lit.Value[0] == '`' {
				for line := s.set.Position(lit.Pos()).Line; line <= s.set.Position(lit.End()).Line; line++ {
					exempt[line] = true
				}
			}
			return true
		})
		b, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(s.path)))
		if err != nil {
			t.Fatal(err)
		}
		number := 0
		for line := range strings.Lines(string(b)) {
			number++
			line = strings.TrimSuffix(line, "\n")
			if width := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); width > limit && !exempt[number] {
				t.Errorf("%s:%d is %d columns wide, at most %d", s.path, number, width, limit)
			}
		}
	}
}

// A comment that begins with a name has to begin with the name of what it describes: after a rename it misleads.
func TestCommentsBeginWithTheirName(t *testing.T) {
	for _, s := range sources(t) {
		for _, decl := range s.file.Decls {
			names := map[string]*ast.CommentGroup{}
			switch d := decl.(type) {
			case *ast.FuncDecl:
				names[d.Name.Name] = d.Doc
			case *ast.GenDecl:
				if len(d.Specs) == 1 {
					if spec, ok := d.Specs[0].(*ast.TypeSpec); ok {
						names[spec.Name.Name] = d.Doc
					}
				}
			}
			for name, doc := range names {
				first, _, _ := strings.Cut(doc.Text(), " ")
				first = strings.TrimRight(first, ",:")
				if first != "" && unicode.IsLower(rune(first[0])) && first != name && !strings.HasPrefix(name, "Test") {
					t.Errorf(
						"%s describes %s with a comment that begins with %q",
						s.set.Position(doc.Pos()),
						name,
						first,
					)
				}
			}
		}
	}
}

// Texts of the screen are in one voice. With -v the test prints them all, to be read in one list.
func TestWordsOfTheScreen(t *testing.T) {
	avoided := []string{"any more", "anew", "as the model likes", "brings it back", "by share", "going on", "go on ",
		"is kept", "takes in", "There are no ", "There is no ", "There is nothing ", "Nobody else ", "What is "}
	texts := 0
	for _, s := range sources(t) {
		if !isWithin(path.Dir(s.path), "ui") || s.isTest() || path.Base(path.Dir(s.path)) == "overlaytest" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil || !strings.Contains(strings.TrimSpace(text), " ") {
				return true
			}
			texts++
			t.Logf("%s: %q", s.path, text)
			for _, phrase := range avoided {
				if strings.Contains(text, phrase) {
					t.Errorf("%s: %q contains %q", s.set.Position(lit.Pos()), text, phrase)
				}
			}
			return true
		})
	}
	if texts < 500 {
		t.Errorf("only %d texts were found", texts)
	}
}

func TestREADMELinksEveryPage(t *testing.T) {
	root := filepath.Join("..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("pages %q, error %v", pages, err)
	}
	for _, page := range pages {
		if link := "(docs/" + filepath.Base(page) + ")"; !strings.Contains(string(readme), link) {
			t.Errorf("README.md does not link %s", link)
		}
	}
	if lines := strings.Count(string(readme), "\n"); lines > 120 {
		t.Errorf("README.md has %d lines, more than 120", lines)
	}
}
