package config

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"confab/internal/tomldoc"
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
		{Name: "key_env", Type: Text, Default: `""`, Example: `"OPENAI_API_KEY"`, check: checkVariable, field: in(&e.KeyEnv),
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

// defaults puts the defaults of a table where they belong.
func defaults(table []Setting) {
	for _, s := range table {
		if v, err := literal(s.Default); err == nil { // a test reads them all
			s.set(nil, v)
		}
	}
}

// engine takes one value of [engines.<name>] and returns what is wrong, or "".
func (r *fileReader) engine(e tomldoc.Entry) string {
	if len(e.Path) == 1 || indexed(e) {
		return "must be a table for each engine: [engines.name]"
	}
	name := e.Path[1]
	if wrong := checkEngine(name); wrong != "" || name == "" {
		return "must have a name of small letters, digits, - and _"
	}
	if name == Offline {
		return "is the engine that is always there; take another name"
	}
	if r.engines[name] == nil {
		r.engines[name] = &Engine{Name: name}
		defaults(engineTable(r.engines[name]))
		r.engineLines[name] = e.Line
		r.engineOrder = append(r.engineOrder, name)
	}
	if len(e.Path) == 2 && e.Table {
		return ""
	}
	if len(e.Path) != 3 || e.Table {
		return "is not a setting of an engine"
	}
	return r.one(engineTable(r.engines[name]), e, 2, "an engine")
}

// route takes one value of an element of [[routes]] and returns what is wrong,
// or "".
func (r *fileReader) route(e tomldoc.Entry) string {
	i := e.Index[0]
	if list, ok := e.Value.([]any); ok && len(e.Path) == 1 && len(list) == 0 {
		return ""
	}
	if i < 0 {
		return "must be a list of tables: [[routes]]"
	}
	if r.routes[i] == nil {
		r.routes[i] = &Route{}
		defaults(routeTable(r.routes[i]))
		r.routeLines[i] = e.Line
	}
	if len(e.Path) == 1 && e.Table {
		return ""
	}
	if len(e.Path) >= 2 && e.Path[1] == "params" {
		return r.params(r.routes[i], e)
	}
	if len(e.Path) != 2 || e.Table {
		return "is not a setting of a route"
	}
	return r.one(routeTable(r.routes[i]), e, 1, "a route")
}

// one puts the value of an entry into the setting that its path names at n.
func (r *fileReader) one(table []Setting, e tomldoc.Entry, n int, whose string) string {
	var names []string
	for _, s := range table {
		if s.Name == e.Path[n] {
			return s.set(nil, e.Value)
		}
		names = append(names, s.Name)
	}
	switch last := e.Path[n]; last {
	case "key", "api_key", "apikey":
		return "is not kept in this file; use key_env, key_command or key_file"
	case "url":
		return "is not a setting; did you mean urls?"
	}
	return "is not a setting of " + whose + "; those are " + strings.Join(names, ", ")
}

// params takes a value that is passed on to the engine.
func (r *fileReader) params(to *Route, e tomldoc.Entry) string {
	if slices.ContainsFunc(e.Index[1:], func(i int) bool { return i >= 0 }) {
		return "must not hold lists of tables"
	}
	if len(e.Path) == 2 && !e.Table {
		return "must be a table: params = { temperature = 0.2 }"
	}
	switch e.Value.(type) {
	case nil, string, bool, int64, float64, []any:
	default:
		return "must be made of texts, numbers, switches and lists of them"
	}
	if to.Params == nil {
		to.Params = map[string]any{}
	}
	at := to.Params
	for i, name := range e.Path[2:] {
		if i == len(e.Path)-3 && !e.Table {
			at[name] = e.Value
			return ""
		}
		next, ok := at[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			at[name] = next
		}
		at = next
	}
	return ""
}

// finishEngines judges engines and routes as a whole and keeps them in the
// order of the file.
func (r *fileReader) finishEngines() error {
	for _, name := range r.engineOrder {
		e := *r.engines[name]
		wrong := ""
		switch {
		case e.Kind == "command" && len(e.Command) == 0:
			wrong = "needs a command"
		case e.Kind == "command" && len(e.Makes) == 0:
			wrong = "makes nothing"
		case e.Kind != "command" && len(e.URLs) == 0:
			wrong = "needs urls"
		case e.Kind != "command" && len(e.Command) > 0:
			wrong = `has a command, but is not of kind "command"`
		case !e.AllowPlainHTTP && slices.ContainsFunc(e.URLs, plainHTTP):
			wrong = "names a server on another machine by http, by which prompts and the key travel readable; use " +
				"https, or set allow_plain_http"
		}
		if wrong != "" {
			return failure("%sengines.%s %s.", at(r.path, r.engineLines[name]), name, wrong)
		}
		r.config.Engines = append(r.config.Engines, e)
		r.config.origins["engines."+name] = Origin{Source: FromFile, Name: r.path, Line: r.engineLines[name]}
	}
	for i := range len(r.routes) {
		one := *r.routes[i]
		wrong := ""
		switch {
		case len(one.Models) == 0:
			wrong = "names no models"
		case one.Engine == "":
			wrong = "names no engine"
		case !r.there(one.Engine):
			wrong = "names the engine " + one.Engine + ", which is not there"
		case one.Fallback != "" && !r.there(one.Fallback):
			wrong = "falls back to the engine " + one.Fallback + ", which is not there"
		}
		if wrong != "" {
			return failure("%sroutes %s.", at(r.path, r.routeLines[i]), wrong)
		}
		r.config.Routes = append(r.config.Routes, one)
	}
	return nil
}

func (r *fileReader) there(name string) bool { return name == Offline || r.engines[name] != nil }

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
		for _, name := range sortedKeys(v) {
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

func sortedKeys(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
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

// engineReference is the part of docs/configuration.md about both.
func engineReference() string {
	var b strings.Builder
	rows := func(table []Setting) {
		b.WriteString("| setting | type | default | meaning |\n|---|---|---|---|\n")
		for _, s := range table {
			fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s |\n", s.Name, s.Type, s.Default, strings.ReplaceAll(s.about(), "|", `\|`))
		}
	}
	b.WriteString("\n### [engines.NAME]\n\nWhat answers behind the embedded service; the name is yours. " +
		"[serving.md](serving.md) has examples.\n\n")
	rows(engineTable(&Engine{}))
	b.WriteString("\n### [[routes]]\n\nWhich engine answers which models; the table may stand any number of times.\n\n")
	rows(routeTable(&Route{}))
	b.WriteString("| `params` | table | `{}` | What is passed on to the engine as it is: `{ temperature = 0.2 }`. |\n")
	return b.String()
}
