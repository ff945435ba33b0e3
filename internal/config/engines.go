package config

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Engine is what answers behind the embedded service: one [engines.<name>].
type Engine struct {
	Name           string
	Kind           string   // "openai", "openai-images", "command"
	URLs           []string // of replicas that answer alike
	KeyEnv         string
	KeyCommand     []string
	KeyFile        string
	Command        []string
	Makes          []string // kinds of a command: "text", "image", "edit"
	Stream         bool
	Seed           bool
	Sizes          []string
	Pixels         int
	Format         string
	Concurrency    int
	AllowPlainHTTP bool
}

// Route says which engine answers some models: one [[routes]].
type Route struct {
	Models        []string
	Engine        string
	Model         string
	Params        map[string]any
	Timeout       time.Duration
	Concurrency   int
	Fallback      string
	FallbackModel string
}

// Offline is the name of the engine that is always there.
const Offline = "offline"

// engineTable are the settings of an engine.
func engineTable(e *Engine) []Setting {
	in := func(field any) func(*Settings) any { return func(*Settings) any { return field } }
	return []Setting{
		{Name: "kind", Type: Choice, Default: `"openai"`, Choices: []string{"openai", "openai-images", "command"},
			field: in(&e.Kind),
			About: "What it is: texts of a server that speaks as OpenAI's (Ollama, llama.cpp, vLLM, LM Studio, " +
				"gateways), pictures and edits of such a server, or a program."},
		{Name: "urls", Type: List, Default: `[]`, Example: `["http://127.0.0.1:11434/v1"]`, check: checkUpstream,
			field: in(&e.URLs),
			About: "Where the server is, up to and with the version. Several are replicas: the least busy one that " +
				"is up answers."},
		{Name: "key_env", Type: Text, Default: `""`, Example: `"OPENAI_API_KEY"`, check: checkVariable,
			field: in(&e.KeyEnv),
			About: "The variable of the environment that holds the server's key. Without it, key_command and " +
				"key_file none is sent."},
		{Name: "key_command", Type: Command, Default: `[]`, Example: `["pass", "show", "openai"]`, check: checkProgram,
			field: in(&e.KeyCommand),
			About: "A program that prints the server's key, run once without a shell when it is first needed."},
		{Name: "key_file", Type: Folder, Default: `""`, field: in(&e.KeyFile),
			About: "A file that holds the server's key and nothing else (chmod 600)."},
		{Name: "command", Type: Command, Default: `[]`, Example: `["llm", "-m", "{model}"]`, check: checkProgram,
			field: in(&e.Command),
			About: "The program of kind command: the prompt on its standard input, the text or picture on its " +
				"standard output. See serving.md."},
		{Name: "makes", Type: List, Default: `["text"]`, check: checkMakes, field: in(&e.Makes),
			About: "What the program makes: \"text\", \"image\", \"edit\"."},
		{Name: "stream", Type: Switch, Default: `false`, field: in(&e.Stream),
			About: "Take texts piece by piece, for servers or proxies that end requests on which nothing comes."},
		{Name: "seed", Type: Switch, Default: `false`, field: in(&e.Seed),
			About: "The picture server takes a seed: one is computed from the nonce, and the answer says so."},
		{Name: "sizes", Type: List, Default: `[]`, Example: `["1024x1024", "1536x1024"]`, check: checkSize,
			field: in(&e.Sizes),
			About: "The sizes of pictures that the server can make. Empty: those known of OpenAI's models, any " +
				"size of others."},
		{Name: "pixels", Type: Number, Default: `1048576`, Min: 1 << 12, Max: 1 << 24, field: in(&e.Pixels),
			About: "About how many pixels a picture has where any size can be had."},
		{Name: "format", Type: Choice, Default: `"auto"`, Choices: []string{"auto", "b64_json", "url", "none"},
			field: in(&e.Format),
			About: "The response_format of pictures; \"none\" sends none."},
		{Name: "concurrency", Type: Number, Default: `0`, Min: 0, Max: 100000, field: in(&e.Concurrency),
			About: "How many requests each replica works on at a time; more wait. 0: no limit."},
		{Name: "allow_plain_http", Type: Switch, Default: `false`, field: in(&e.AllowPlainHTTP),
			About: "Allow http:// to other machines. Prompts and the key then travel readable by anyone between."},
	}
}

// routeTable are the settings of a route; params stands beside them.
func routeTable(r *Route) []Setting {
	in := func(field any) func(*Settings) any { return func(*Settings) any { return field } }
	return []Setting{
		{Name: "models", Type: List, Default: `[]`, Example: `["alpha*", "oss-20b"]`, check: checkPattern,
			field: in(&r.Models),
			About: "The models that it is for: slugs, or globs. The first route that names a model, and whose " +
				"engine makes its kind, counts."},
		{Name: "engine", Type: Text, Default: `""`, Example: `"local"`, check: checkEngine, field: in(&r.Engine),
			About: "Who answers: the name of an engine, or \"offline\"."},
		{Name: "model", Type: Text, Default: `""`, Example: `"llama3.2:3b"`, check: checkLine, field: in(&r.Model),
			About: "What the engine calls the model. Empty: the slug."},
		{Name: "timeout", Type: Duration, Default: `"5m"`, Min: ms(100 * time.Millisecond), Max: ms(24 * time.Hour),
			field: in(&r.Timeout),
			About: "How long the engine may take, with waiting for a place."},
		{Name: "concurrency", Type: Number, Default: `0`, Min: 0, Max: 100000, field: in(&r.Concurrency),
			About: "How many requests of this route run at a time. 0: no limit."},
		{Name: "fallback", Type: Text, Default: `""`, Example: `"offline"`, check: checkEngine, field: in(&r.Fallback),
			About: "The engine that answers when the first one cannot be reached, fails or has too much to do. The " +
				"answer says so."},
		{Name: "fallback_model", Type: Text, Default: `""`, check: checkLine, field: in(&r.FallbackModel),
			About: "What the fallback calls the model. Empty: the slug."},
	}
}

func checkUpstream(s string) string {
	if s == "" {
		return "must be an address that begins with http:// or https://"
	}
	return checkPublicURL(s)
}

func checkVariable(s string) string {
	if s != "" && !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`).MatchString(s) {
		return "must be the name of a variable, not the key itself"
	}
	return ""
}

func checkMakes(s string) string {
	if s != "text" && s != "image" && s != "edit" {
		return `must be made of "text", "image" and "edit"`
	}
	return ""
}

func checkSize(s string) string {
	if !regexp.MustCompile(`^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$`).MatchString(s) {
		return `must be sizes such as "1024x1024"`
	}
	return ""
}

func checkPattern(s string) string {
	if wrong := checkName(s); wrong != "" {
		return wrong
	}
	if _, err := path.Match(s, ""); err != nil {
		return "must be slugs or globs such as \"alpha*\""
	}
	return ""
}

func checkEngine(s string) string {
	if s != "" && !regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,39}$`).MatchString(s) {
		return "must be a name of small letters, digits, - and _"
	}
	return ""
}

// showEngines writes engines and routes as TOML has them. Of commands only the
// program is shown.
func (c Config) showEngines(b *strings.Builder) {
	for _, e := range c.Engines {
		fmt.Fprintf(b, "\n[engines.%s]\n", e.Name)
		showTable(b, engineTable(&e))
	}
	for _, r := range c.Routes {
		b.WriteString("\n[[routes]]\n")
		showTable(b, routeTable(&r))
		if len(r.Params) > 0 {
			fmt.Fprintf(b, "params = %s\n", inline(r.Params))
		}
	}
}

// showTable writes the settings that are not at their defaults.
func showTable(b *strings.Builder, table []Setting) {
	for _, s := range table {
		if text := s.show(nil); text != s.Default {
			fmt.Fprintf(b, "%s = %s\n", s.Name, text)
		}
	}
}

// inline writes a value as TOML has it.
func inline(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, quote(name)+" = "+inline(v[name]))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case []any:
		var parts []string
		for _, el := range v {
			parts = append(parts, inline(el))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return quote(v)
	}
	return fmt.Sprint(v)
}

const enginesExample = `
# What answers behind the embedded service, as many as you like; docs/serving.md tells more.
# "confab config engines --write" adds those that it finds on this machine.
#[engines.local]
#kind = "openai"                        # or "openai-images", "command"
#urls = ["http://127.0.0.1:11434/v1"]
#
#[[routes]]
#models = ["alpha*", "oss-20b"]         # the first route that fits counts
#engine = "local"
#model = "llama3.2:3b"
#params = { temperature = 0.2 }
#fallback = "offline"
`
