package lexers

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
)

func TestGetFindsLanguagesByTheNamesPeopleWrite(t *testing.T) {
	for name, want := range map[string]string{
		"go": "Go", "golang": "Go", "python": "Python", "py": "Python", "js": "JavaScript",
		"ts": "TypeScript", "tsx": "TypeScript", "sh": "Bash", "bash": "Bash", "shell": "Bash", "console": "Bash Session",
		"c": "C", "cpp": "C++", "c++": "C++", "c#": "C#", "cs": "C#", "rust": "Rust", "rs": "Rust",
		"yaml": "YAML", "yml": "YAML", "json": "JSON", "toml": "TOML", "sql": "SQL", "html": "HTML",
		"css": "CSS", "diff": "Diff", "dockerfile": "Docker", "Python": "Python", " GO ": "Go", "php": "PHP", "jsx": "react",
		"java": "Java", "kotlin": "Kotlin", "ruby": "Ruby", "rb": "Ruby", "makefile": "Makefile", "xml": "XML",
	} {
		l := Get(name)
		if l == nil {
			t.Errorf("Get(%q) = nil, want %s", name, want)
			continue
		}
		if got := l.Config().Name; got != want {
			t.Errorf("Get(%q) = %s, want %s", name, got, want)
		}
	}
	for _, name := range []string{"", "no such language", strings.Repeat("x", 1000), "[", "*"} {
		if l := Get(name); l != nil {
			t.Errorf("Get(%q) = %s, want nil", name, l.Config().Name)
		}
	}
}

// Every file must load, and every lexer keep the text it is given.
func TestEveryLexerKeepsTheText(t *testing.T) {
	const sample = "// note\n# note\nfunc main(x: int) { return \"a\\n\" + 'b' + `c` + 0x1F }\n<a href=\"b\">é日本</a>\nkey: [1, 2.5]\nFROM a\nRUN [\"b\"]\n"
	paths, err := fs.Glob(data, "data/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		file, err := chroma.NewXMLLexer(data, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		l := Get(file.Config().Name) // the one that knows the others
		if l == nil {
			t.Errorf("%s: no lexer is called %q", path, file.Config().Name)
			continue
		}
		it, err := l.Tokenise(&chroma.TokeniseOptions{State: "root"}, sample)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		var b strings.Builder
		for tok := it(); tok != chroma.EOF; tok = it() {
			b.WriteString(tok.Value)
		}
		if got := b.String(); strings.TrimRight(got, "\n") != strings.TrimRight(sample, "\n") {
			t.Errorf("%s: got %q, want %q", path, got, sample)
		}
	}
}

func TestGoIsColoured(t *testing.T) {
	it, err := Get("go").Tokenise(nil, "package main\n\nfunc f() string { return \"x\" } // y\n")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[chroma.TokenType]bool{}
	for tok := it(); tok != chroma.EOF; tok = it() {
		seen[tok.Type] = true
		if tok.Type == chroma.Error {
			t.Errorf("error token %q", tok.Value)
		}
	}
	for _, want := range []chroma.TokenType{chroma.KeywordNamespace, chroma.KeywordDeclaration, chroma.NameFunction, chroma.LiteralString, chroma.KeywordType} {
		if !seen[want] {
			t.Errorf("no token of type %s", want)
		}
	}
}
