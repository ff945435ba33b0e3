package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "confab/"

// room says what a folder and everything under it may import of this module,
// and which packages from outside it must not.
type room struct {
	path   string
	may    []string // rooms; its own folders are always allowed
	mustnt []string
	why    string
}

// leaves may be imported from everywhere; they import no room.
var leaves = []string{"internal/decodelimit", "internal/errtext", "internal/metrics", "internal/regularfile", "internal/safe", "internal/secret", "internal/startup", "internal/tomldoc", "internal/wholefile", "internal/words"}

var uiLibraries = []string{"charm.land/bubbletea", "charm.land/bubbles", "charm.land/lipgloss", "charm.land/glamour"}

// outside is what only the service and the rooms below it may reach.
var outside = []string{"net/http", "database/sql", "modernc.org/sqlite", "os"}

// rooms are the rooms of the house; the longest path that fits a package is its room.
var rooms = []room{
	{"history", nil, append([]string{"net/http"}, uiLibraries...), "history is the lowest room"},
	{"service/api", nil, append([]string{"database/sql"}, uiLibraries...), "the wire knows no turns and no screens"},
	{"service/engine", nil, append([]string{"net/http", "database/sql"}, uiLibraries...), "engines know no HTTP server, no turns, no screens"},
	{"service/engine/openai", []string{"service/engine"}, append([]string{"database/sql"}, uiLibraries...), "engines that ask servers speak HTTP, as clients"},
	{"service/engine/found", []string{"service/engine", "service/engine/openai"}, append([]string{"database/sql"}, uiLibraries...), "looking for servers speaks HTTP, as a client"},
	{"service/server", []string{"service/api", "service/engine"}, append([]string{"database/sql"}, uiLibraries...), "the server speaks the wire and asks engines"},
	{"service", []string{"history", "service/api"}, append([]string{"modernc.org/sqlite"}, uiLibraries...), "the service imports no UI library"},
	{"themes", nil, outside, "themes read no file"},
	{"ui", []string{"service", "themes"}, outside, "the screen touches no HTTP, no SQL, no file, no environment"},
	{"internal/hostile", nil, uiLibraries, "a test server"},
	{"internal/config", []string{"service/api"}, uiLibraries, "configuration knows the codes of errors only"},
	{"internal/desktop", []string{"ui/terminal", "service/api"}, uiLibraries, "the desktop is reached by the screen's interface"},
	{"internal/terminput", nil, []string{"net/http", "database/sql", "modernc.org/sqlite"}, "the input of a terminal knows no screen"},
	{"internal/sshd", []string{"ui", "internal/terminput"}, []string{"database/sql", "modernc.org/sqlite"}, "the SSH server knows no turns: the command line gives it programs"},
	{"internal/cli", []string{"history", "service", "service/api", "service/engine", "service/engine/openai", "service/engine/found", "service/server", "themes", "ui", "internal/config", "internal/desktop", "internal/sshd", "internal/terminput"}, nil, "the command line wires everything"},
	{"internal/acceptance", nil, uiLibraries, "tests only"},
	{"internal/house", nil, nil, ""},
	{"internal/decodelimit", nil, uiLibraries, "leaves import nothing"},
	{"internal/errtext", nil, uiLibraries, "leaves import nothing"},
	{"internal/metrics", nil, uiLibraries, "leaves import nothing"},
	{"internal/regularfile", nil, uiLibraries, "leaves import nothing"},
	{"internal/safe", nil, uiLibraries, "leaves import nothing"},
	{"internal/secret", nil, uiLibraries, "leaves import nothing"},
	{"internal/startup", nil, uiLibraries, "leaves import nothing"},
	{"internal/tomldoc", nil, uiLibraries, "leaves import nothing"},
	{"internal/wholefile", nil, uiLibraries, "leaves import nothing"},
	{"internal/words", nil, uiLibraries, "leaves import nothing"},
}

// roomOf returns the room of a package path such as "ui/pane".
func roomOf(pkg string) (room, bool) {
	best := -1
	for i, r := range rooms {
		if (pkg == r.path || strings.HasPrefix(pkg, r.path+"/")) && (best < 0 || len(r.path) > len(rooms[best].path)) {
			best = i
		}
	}
	if best < 0 {
		return room{}, false
	}
	return rooms[best], true
}

// allowed tells whether a package of room r may import the package target.
func allowed(r room, target string) bool {
	for _, leaf := range leaves {
		if target == leaf {
			return true
		}
	}
	to, ok := roomOf(target)
	if !ok || to.path == r.path {
		return ok
	}
	return slices.ContainsFunc(r.may, func(may string) bool {
		return target == may || to.path == may || strings.HasPrefix(target, may+"/") && to.path == may
	})
}

// source is a parsed file of the module.
type source struct {
	path string // relative to the module's root, with slashes
	file *ast.File
	set  *token.FileSet
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

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
		t.Fatalf("only %d files were found: the test does not see the house", len(out))
	}
	return out
}

func TestArrows(t *testing.T) {
	for _, s := range sources(t) {
		pkg := path.Dir(s.path)
		if pkg == "." || s.test() {
			continue
		}
		r, ok := roomOf(pkg)
		if !ok {
			t.Errorf("%s stands in no room of the house", s.path)
			continue
		}
		for _, imp := range s.file.Imports {
			target := strings.Trim(imp.Path.Value, `"`)
			if own, ok := strings.CutPrefix(target, module); ok {
				if !allowed(r, own) {
					t.Errorf("%s imports %s: the arrow %s → %s is not in the house (%s)", s.path, own, r.path, own, r.why)
				}
				continue
			}
			for _, bad := range r.mustnt {
				if target == bad || strings.HasPrefix(target, bad+"/") && bad != "os" {
					t.Errorf("%s imports %s: %s", s.path, target, r.why)
				}
			}
		}
	}
}

func TestAWrongArrowIsSeen(t *testing.T) {
	tests := []struct {
		from, to string
		want     bool
	}{
		{"ui", "service", true}, {"ui/pane", "themes", true}, {"ui", "history", false}, {"ui/pane", "service/api", false},
		{"service", "history", true}, {"service", "themes", false}, {"history", "service", false}, {"service/publish", "service/api", true},
		{"service/server", "history", false}, {"service/engine/offline", "service/api", false}, {"themes", "internal/tomldoc", true},
	}
	for _, tt := range tests {
		r, _ := roomOf(tt.from)
		if got := allowed(r, tt.to); got != tt.want {
			t.Errorf("%s → %s allowed: %v, want %v", tt.from, tt.to, got, tt.want)
		}
	}
}

// The sizes past which a file or function is to be split, with some air.
const (
	maxFile     = 420
	maxFunction = 90
)

func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		if n := s.set.Position(s.file.End()).Line; n > maxFile {
			t.Errorf("%s has %d lines: split it before it grows", s.path, n)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			n := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1
			// A table is data, however long.
			if data := len(f.Body.List) == 1; n > maxFunction && !data {
				t.Errorf("%s: %s has %d lines: split it", s.path, f.Name.Name, n)
			}
		}
	}
}

func TestNoMutablePackageVariablesAndNoInit(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "init" && f.Recv == nil {
				t.Errorf("%s has an init function: start what is needed where it is needed", s.path)
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
	known := []string{"main.go", "ui", "service", "history", "themes", "go.mod", "go.sum", "README.md", "internal", "docs", "confab"}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(known, e.Name()) {
			t.Errorf("%s does not belong at the top of the repository", e.Name())
		}
	}
}
