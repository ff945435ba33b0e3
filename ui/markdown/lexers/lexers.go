package lexers

import (
	"embed"
	"io/fs"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

//go:embed data/*.xml
var data embed.FS

// byName is made once; nothing is added to it later.
var byName = sync.OnceValue(func() map[string]chroma.Lexer {
	reg := chroma.NewLexerRegistry()
	names := map[string]chroma.Lexer{}
	paths, err := fs.Glob(data, "data/*.xml")
	if err != nil {
		return names
	}
	for _, path := range paths {
		l, err := chroma.NewXMLLexer(data, path)
		if err != nil {
			continue
		}
		reg.Register(l) // where lexers find those of languages within theirs
		for _, glob := range l.Config().Filenames {
			add(names, strings.TrimPrefix(glob, "*."), l)
		}
	}
	for _, l := range reg.Lexers {
		for _, alias := range l.Config().Aliases {
			names[strings.ToLower(alias)] = l
		}
	}
	for _, l := range reg.Lexers {
		names[strings.ToLower(l.Config().Name)] = l
	}
	return names
})

// add takes a name that no other lexer has taken and that is no pattern.
func add(names map[string]chroma.Lexer, name string, l chroma.Lexer) {
	name = strings.ToLower(name)
	if _, taken := names[name]; !taken && !strings.ContainsAny(name, "*?[") {
		names[name] = l
	}
}

// Get returns the lexer of a language by its name, an alias, or the extension of
// its files, or nil. It may be used by several goroutines.
func Get(language string) chroma.Lexer {
	if language == "" {
		return nil
	}
	return byName()[strings.ToLower(strings.TrimSpace(language))]
}
