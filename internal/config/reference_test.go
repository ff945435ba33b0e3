package config

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/configuration.md")

func TestReferenceIsWritten(t *testing.T) {
	const path = "../../docs/configuration.md"
	if *update {
		if err := os.WriteFile(path, []byte(reference()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != reference() {
		t.Errorf("docs/configuration.md is not what settings.toml says; run go test ./internal/config -run Reference " +
			"-update")
	}
}

// introductions stand before the tables that may stand in the file several times.
var introductions = map[string]string{
	"engines.NAME": "[engines.NAME]\n\nWhat answers behind the embedded service; the name is yours. " +
		"[serving.md](serving.md) has examples.",
	"routes": "[[routes]]\n\nWhich engine answers which models; the table may stand any number of times. `params` is " +
		"passed on to the engine\nas it is: `{ temperature = 0.2 }`.",
	"prices": "[[prices]]\n\nWhat the tokens of models cost; the table may stand any number of times. An answer's " +
		"cost is kept with it, so that the\nhistory does not change with the prices.",
	"models.custom": "[[models.custom]]\n\nA model that the built-in catalogue does not have; the table may " +
		"stand any number of times.",
}

// reference returns docs/configuration.md, made from the descriptions of the settings.
func reference() string {
	var b strings.Builder
	b.WriteString(referenceHead)
	settings, last := described(), ""
	for _, d := range descriptions() {
		dot := strings.LastIndex(d.name, ".")
		if table := d.name[:dot]; table != last {
			last = table
			fmt.Fprintf(&b, "\n### %s\n\n| setting | default | meaning |\n|---|---|---|\n",
				cmp.Or(introductions[table], "["+table+"]"))
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", d.name[dot+1:], d.value,
			strings.ReplaceAll(d.about+settings[d.name].about(), "|", `\|`))
	}
	b.WriteString(referenceTail)
	return b.String()
}

const referenceHead = `# Configuration

<!-- Made from internal/config/settings.toml and records.toml: go test ./internal/config -run Reference -update -->

confab needs no configuration: without any it works offline with the embedded service. ` + "`confab config init`" + ` writes a
file in which every setting stands commented out, ` + "`confab config show`" + ` prints what is set and where it came from,
` + "`confab paths`" + ` prints where things are kept.

A value comes from the first of these that has it:

1. a flag of the command line,
2. the environment,
3. the file: the one named by ` + "`--config`" + ` or ` + "`CONFAB_CONFIG`" + `, otherwise ` + "`$XDG_CONFIG_HOME/confab/config.toml`" + `,
4. the default.

The file is strict: an unknown setting, a value of another type or out of bounds is an error that names the file and the
line. A ` + "`CONFAB_…`" + ` name in the environment that is no setting gives a warning. An empty variable counts as none.
No ` + "`.env`" + ` file is read.

A key that cannot be bound is an error of every command, too. A chosen theme that is missing or broken is a warning, and
the default is used. Other broken files in the folder of themes are skipped; the screen, ` + "`confab themes`" + ` and
` + "`confab doctor`" + ` say which. A file has at most 256 KiB (a theme 64, and 1,000 lines), 2,000 keys, and 32 parts in a key. It must be a
regular file, as must themes, suites, pictures and files of keys: a named pipe or a device is refused. Only ` + "`/dev/null`" + `
counts as an empty file.

## The key

The key is not a setting: it never stands in the file. It is taken from the first of these that is set:

1. ` + "`CONFAB_API_KEY`" + ` in the environment,
2. ` + "`service.api_key_command`" + `, a program that prints it,
3. the system's keyring, with ` + "`service.keyring = true`" + `, under service ` + "`confab`" + ` and user ` + "`api_key`" + `,
4. ` + "`service.api_key_file`" + `, a file that only you can read (0600).

A source that is set and fails is an error, so that no other key is used in silence; only a keyring without the key is
passed over. Storing the key in the keyring, on Linux:
` + "`secret-tool store --label=confab service confab username api_key`" + `; on macOS:
` + "`security add-generic-password -s confab -a api_key -w`" + `. The key is asked for when the first request is sent, and is not
passed on to any program that confab starts. Where a service repeats it, it is masked; a key of 4 to 7 characters only
as a word of its own, a shorter one only as a whole answer.

## Settings

A setting is ` + "`CONFAB_<SECTION>_<NAME>`" + ` in the environment, such as ` + "`CONFAB_SERVICE_CONCURRENCY`" + `;
` + "`CONFAB_BASE_URL`" + ` and ` + "`CONFAB_MODEL`" + ` stand for service.base_url and models.default. Its default shows how it is written
in the file; in the environment and in flags it is the same without quotes.

| what | in the file | in the environment and in flags |
|---|---|---|
| path | ` + "`\"/…\"` or `\"~/…\"`" + ` | also relative to the current folder |
| switch | ` + "`true`, `false`" + ` | also ` + "`1`, `0`, `yes`, `no`, `on`, `off`" + ` |
| time | ` + "`\"90s\"`, `\"5m\"`, `\"24h\"`, `\"90d\"`" + ` | ` + "`90s`" + ` |
| size | ` + "`8388608` or `\"8MiB\"`" + ` (KiB, MiB, GiB) | ` + "`8MiB`" + ` |
| list | ` + "`[\"…\", \"…\"]`, or with commas between: `\"a,b\"`" + ` | ` + "`a,b`" + `, or as in the file |
| command | ` + "`[\"program\", \"word\"]`, or with blanks between: `\"program word\"`" + ` | ` + "`program word`" + `, or as in the file |
`

const referenceTail = `
### [suite.providers]

Which models answer for the providers that suites of promptfoo name, as ` + "`\"openai:gpt-4o\" = \"oss-120b\"`" + `.
[promptfoo.md](promptfoo.md) says which providers need no line.

### [keys]

Keys for commands: ` + "`send = [\"f10\"]`" + `. A list replaces all keys of that command; a single key may be written without
the list. A command that several parts of the screen have is rebound in all of them, or in one as ` + "`\"prompt.send\"`" + `. In the
environment: ` + "`CONFAB_KEYS_SEND=f10`" + `. The names are in keys.md.

## Places

| what | where |
|---|---|
| configuration, own themes | ` + "`$XDG_CONFIG_HOME/confab/config.toml`, `themes/*.toml`" + ` beside it (` + "`~/.config`" + `) |
| history, pictures, exports | ` + "`$XDG_DATA_HOME/confab/`" + ` (` + "`~/.local/share`" + `), or ` + "`CONFAB_DATA_DIR`" + ` |
| log, drafts | ` + "`$XDG_STATE_HOME/confab/`" + ` (` + "`~/.local/state`" + `), or ` + "`$CONFAB_DATA_DIR/state`" + ` |

With ` + "`history.folder`" + ` set, drafts are kept beside that history: they belong to its sessions. The same places hold on
macOS. On Windows they are below ` + "`%APPDATA%`" + ` and ` + "`%LOCALAPPDATA%`" + `, unless the XDG variables are set. Nothing is created
before it is needed; files are 0600, folders 0700.
`

// description is a setting with its comment in settings.toml or records.toml.
type description struct {
	name    string // "service.base_url", "engines.NAME.url", "routes.models"
	about   string
	example string // as the file has it; empty for none
	value   string // the default, the same
}

// descriptions returns the descriptions of all settings in the order of the files.
func descriptions() (list []description) {
	var d description
	section := ""
	for line := range strings.Lines(settingsFile + recordsFile) {
		line = strings.TrimSpace(line)
		switch name, value, _ := strings.Cut(line, " = "); {
		case line == "":
			d = description{}
		case line[0] == '[':
			section = strings.Trim(line, "[]")
		case strings.HasPrefix(name, "# Example: "):
			d.example = value
		case line[0] == '#':
			d.about = strings.TrimSpace(d.about + " " + line[2:])
		default:
			d.name, d.value = section+"."+name, value
			list = append(list, d)
		}
	}
	return list
}
