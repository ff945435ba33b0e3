package keys_test

import (
	"fmt"
	"strings"
	"unicode"

	"confab/ui"
	"confab/ui/keys"
)

// keysPage returns the text of docs/keys.md.
func keysPage() string {
	var b strings.Builder
	b.WriteString(`# Keys

<!-- Made from the tables of commands (part.Table): go test ./ui/keys -run Markdown -update -->

The footer, the help (` + "`f1`" + `) and the list of commands (` + "`ctrl+p`" + `) are made from the same table. Letters
that are typed in the help and in the list filter them.

Every command can be given other keys in the ` + "`[keys]`" + ` table of the configuration. A list replaces all keys of a
command, an empty one takes its keys away; the command is still in the list of commands. A name that several places have
changes all of them; the place before it, with underscores for blanks, changes that one only:

` + "```toml" + `
[keys]
send = ["ctrl+j"]
new_line = ["enter", "shift+enter"]
"lists.rename" = ["f6"]
` + "```" + `

A key that no keyboard has, that means something else in the same place, or that is a letter where letters are text, is
an error that names the entry. Keys are written as ` + "`a`, `A`, `space`, `enter`, `tab`, `esc`, `backspace`, `delete`" + `,
` + "`up`, `pgdown`, `home`, `f1`" + `, with ` + "`ctrl+`, `alt+`, `shift+`" + ` before them. Not every terminal reports every combination:
` + "`ctrl+h`, `ctrl+i` and `ctrl+m`" + ` are backspace, tab and enter in most of them.

On a keyboard layout without Latin letters, such as Russian, Greek, Hebrew or Korean, a key with ` + "`ctrl+` or `alt+`" + `
counts as the key in the same place of the US layout, and so does a letter where letters are no text.

Fixed are only: digits (answers, code blocks), and ` + "`enter`" + ` for a new line in the system prompt.
`)
	for _, s := range scopes() {
		name := []rune(string(s))
		name[0] = unicode.ToUpper(name[0])
		fmt.Fprintf(&b, "\n## %s\n\n| keys | command | what it does |\n|---|---|---|\n", string(name))
		for _, e := range ui.Keys().All() {
			if e.Scope == s {
				fmt.Fprintf(&b, "| %s | `%s` | %s |\n", markdownKeys(e.Keys), e.Command,
					strings.ReplaceAll(e.Long, "|", `\|`))
			}
		}
	}
	return b.String()
}

func markdownKeys(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = "`" + strings.ReplaceAll(name, "|", `\|`) + "`"
	}
	return strings.Join(out, " ")
}

// scopes returns the scopes in the order in which docs show them.
func scopes() []keys.Scope {
	return []keys.Scope{keys.Everywhere, keys.Prompt, keys.Models, keys.Conversation, keys.Start, keys.Compare,
		keys.Voting, keys.Runs, keys.Browser, keys.Gallery, keys.PictureViewer, keys.TextViewer, keys.Form,
		keys.Text, keys.Vi}
}
