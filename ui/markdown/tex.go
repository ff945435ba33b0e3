package markdown

import (
	_ "embed" // the table of commands
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"confab/internal/termtext"
)

const maxTeXDepth = 20 // groups within one another

// texText draws a formula of TeX with the characters there are. ok is false where it has what is not known, or more
// than a line of text can show.
func texText(source string) (drawn string, ok bool) {
	r := texReader{rest: termtext.Clean(source)}
	drawn = r.group("")
	var lines []string
	for line := range strings.SplitSeq(drawn, "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), !r.failed && r.rest == "" && len(lines) > 0
}

// texReader reads a formula once. It fails at what it does not know.
type texReader struct {
	rest         string
	depth        int
	environments []string
	failed       bool
}

func (r *texReader) fail() string {
	r.failed, r.rest = true, ""
	return ""
}

// group reads up to the end of a group, or of the formula where end is empty.
func (r *texReader) group(end string) string {
	if r.depth++; r.depth > maxTeXDepth {
		return r.fail()
	}
	defer func() { r.depth-- }()
	var out strings.Builder
	for r.rest != "" {
		if end != "" && strings.HasPrefix(r.rest, end) {
			r.rest = r.rest[len(end):]
			return out.String()
		}
		if r.rest[0] == '}' {
			return r.fail()
		}
		out.WriteString(r.next(out.String()))
	}
	if end != "" {
		return r.fail()
	}
	return out.String()
}

// next reads one thing: a character, a group, a command or a script. before is what stands before it.
func (r *texReader) next(before string) string {
	c, size := utf8.DecodeRuneInString(r.rest)
	r.rest = r.rest[size:]
	switch c {
	case '{':
		return r.group("}")
	case '\\':
		return r.command(before)
	case '^':
		return script(r.argument(), "superscript", '^')
	case '_':
		return script(r.argument(), "subscript", '_')
	case '&':
		if r.isMatrix() {
			return "  "
		}
		return ""
	case '~', '\n':
		return " "
	case '-':
		return "−"
	case '\'':
		return "′"
	case '%':
		return r.fail()
	}
	return string(c)
}

func (r *texReader) argument() string {
	r.rest = strings.TrimLeft(r.rest, " \n")
	if r.rest == "" || r.rest[0] == '}' {
		return r.fail()
	}
	return strings.TrimSpace(r.next(""))
}

func (r *texReader) command(before string) string {
	n := strings.IndexFunc(r.rest, func(c rune) bool { return c >= utf8.RuneSelf || !unicode.IsLetter(c) })
	if n < 0 {
		n = len(r.rest)
	}
	name := r.rest[:n]
	if name == "" {
		return r.punctuation()
	}
	r.rest = strings.TrimLeft(r.rest[n:], " ")
	kind := texTable()["kind"][name]
	switch value := texTable()[kind][name]; kind {
	case "letter":
		return value
	case "relation":
		return " " + value + " "
	case "function":
		return r.spaced(before, name)
	case "accent":
		return r.accent(value)
	case "alphabet":
		return styledLetter(r.argument(), value)
	case "fraction":
		above, below := r.argument(), r.argument()
		return inParentheses(above, false) + "/" + inParentheses(below, true)
	case "binomial":
		n, k := r.argument(), r.argument()
		return "C(" + n + ", " + k + ")"
	case "root":
		return r.root()
	case "words":
		return r.words()
	case "argument":
		return r.argument()
	case "delimiter":
		return strings.TrimPrefix(r.argument(), ".") // which stands for none
	case "space":
		return "   "
	case "nothing":
		return ""
	case "modulus":
		return " (mod " + r.argument() + ")"
	case "tag":
		return "   (" + r.argument() + ")"
	case "begin", "end":
		return r.environment(kind == "begin")
	}
	return r.fail()
}

// spaced returns the name of a function with blanks where words stand before and after it.
func (r *texReader) spaced(before, name string) string {
	isWord := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
	if last, _ := utf8.DecodeLastRuneInString(before); isWord(last) {
		name = " " + name
	}
	if next, _ := utf8.DecodeRuneInString(r.rest); isWord(next) || next == '\\' {
		name += " "
	}
	return name
}

// punctuation reads a command whose name is no letter.
func (r *texReader) punctuation() string {
	if r.rest == "" {
		return r.fail()
	}
	c, size := utf8.DecodeRuneInString(r.rest)
	r.rest = r.rest[size:]
	switch c {
	case '\\':
		if r.isMatrix() {
			return "; "
		}
		return "\n"
	case ',', ';', ':', ' ', '\n':
		return " "
	case '!', '/':
		return ""
	case '|':
		return "‖"
	case '{', '}', '$', '%', '&', '#', '_':
		return string(c)
	}
	return r.fail()
}

func (r *texReader) accent(mark string) string {
	letter := r.argument()
	if utf8.RuneCountInString(letter) != 1 {
		return r.fail()
	}
	return letter + strings.TrimPrefix(mark, "◌")
}

func (r *texReader) words() string {
	if !strings.HasPrefix(r.rest, "{") {
		return r.fail()
	}
	words, rest, ok := strings.Cut(r.rest[1:], "}")
	if !ok || strings.ContainsAny(words, "{\\$") {
		return r.fail()
	}
	r.rest = rest
	return words
}

func (r *texReader) root() string {
	degree := ""
	if strings.HasPrefix(r.rest, "[") {
		r.rest = r.rest[1:]
		if degree = r.group("]"); degree == "2" {
			degree = ""
		}
	}
	if degree != "" {
		degree = script(degree, "superscript", '^')
	}
	return degree + "√" + inParentheses(r.argument(), true)
}

// environment reads the name of an environment that begins or ends. A matrix stands between brackets.
func (r *texReader) environment(begins bool) string {
	name := strings.TrimSuffix(r.words(), "*")
	brackets := texTable()["matrix"][name]
	if brackets == "" && texTable()["environment"][name] == "" {
		return r.fail()
	}
	half, last := len(brackets)/2, len(r.environments)-1
	switch {
	case begins:
		r.environments = append(r.environments, name)
		return brackets[:half]
	case last < 0 || r.environments[last] != name:
		return r.fail()
	}
	r.environments = r.environments[:last]
	return brackets[half:]
}

// isMatrix reports whether the columns and rows read now are those of a matrix.
func (r *texReader) isMatrix() bool {
	last := len(r.environments) - 1
	return last >= 0 && texTable()["matrix"][r.environments[last]] != ""
}

// inParentheses puts what is no single thing in parentheses. Letters and digits that stand close are one thing, unless
// it follows an operator.
func inParentheses(s string, followsOperator bool) string {
	if strings.ContainsAny(s, " +−=/,<>") || followsOperator && !isOneThing(s) {
		return "(" + s + ")"
	}
	return s
}

// isOneThing reports whether a text is a number, or one letter with its marks and scripts.
func isOneThing(s string) bool {
	if strings.Trim(s, "0123456789.") == "" {
		return true
	}
	letters := 0
	for _, c := range s {
		if unicode.IsDigit(c) || unicode.IsLetter(c) && !unicode.In(c, unicode.Lm) {
			letters++
		}
	}
	return letters <= 1
}

//go:embed tex.txt
var texData string

// texTable maps the commands of TeX, by what kind of command they are, to what they are drawn as; and letters to those
// of other alphabets. The table "kind" maps each name to its kind. A kind that ends with a colon has names only.
var texTable = sync.OnceValue(func() map[string]map[string]string {
	table := map[string]map[string]string{"kind": {}}
	for line := range strings.Lines(texData) {
		words := strings.Fields(line)
		kind, hasNamesOnly := strings.CutSuffix(words[0], ":")
		if table[kind] == nil {
			table[kind] = map[string]string{}
		}
		for i := 1; i < len(words); i++ {
			name := words[i]
			if !hasNamesOnly {
				i++
			}
			table["kind"][name], table[kind][name] = kind, words[i]
		}
	}
	return table
})

// script draws a text as an index or an exponent: with small characters where all of it has them, else after a mark.
func script(s, kind string, mark rune) string {
	small := texTable()[kind]
	var out strings.Builder
	for _, c := range s {
		if found, ok := small[string(c)]; ok {
			out.WriteString(found)
		} else if c != ' ' {
			return string(mark) + inParentheses(s, true)
		}
	}
	return out.String()
}

// styledLetter draws letters in another alphabet, where it has them.
func styledLetter(s, alphabet string) string {
	letters := texTable()[alphabet]
	return strings.Map(func(c rune) rune {
		if styled, ok := letters[string(c)]; ok {
			c, _ = utf8.DecodeRuneInString(styled)
		}
		return c
	}, s)
}
