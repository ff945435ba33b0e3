package config

import (
	_ "embed" // the defaults

	"github.com/pelletier/go-toml/v2"
)

// Settings holds all settings, which settings.toml and records.toml describe. The tag "is" has the bounds of a value,
// its choices, "path", "key_file", or the name of a check in rules.go.
type Settings struct {
	Service  Service             `toml:"service" envPrefix:"service."`
	Models   Models              `toml:"models" envPrefix:"models."`
	Offline  OfflineEngine       `toml:"offline" envPrefix:"offline."`
	Serve    Serve               `toml:"serve" envPrefix:"serve."`
	Suite    Suite               `toml:"suite" envPrefix:"suite."`
	UI       UI                  `toml:"ui" envPrefix:"ui."`
	Pictures Pictures            `toml:"pictures" envPrefix:"pictures."`
	History  History             `toml:"history" envPrefix:"history."`
	Log      Log                 `toml:"log" envPrefix:"log."`
	SSH      SSH                 `toml:"ssh" envPrefix:"ssh."`
	Keys     map[string][]string `toml:"-"` // keys by command, named as in ui/keys; only those that are set
	Engines  []Engine            `toml:"-"` // in the order of the file
	// Providers are models by the names of promptfoo's providers, from [suite.providers].
	Providers map[string]string `toml:"-"`
	Routes    []Route           `toml:"routes"`
	Prices    []Price           `toml:"prices"`
}

// Service is how the service is reached.
type Service struct {
	BaseURL            string   `toml:"base_url" is:"url"` // empty: the embedded service
	APIKeyCommand      Command  `toml:"api_key_command"`
	Keyring            bool     `toml:"keyring"`
	APIKeyFile         string   `toml:"api_key_file" is:"key_file"`
	CAFile             string   `toml:"ca_file" is:"path"`
	AllowPlainHTTP     bool     `toml:"allow_plain_http"`
	Concurrency        int      `toml:"concurrency" is:"1..64"`
	ConnectTimeout     Duration `toml:"connect_timeout" is:"100ms..5m"`
	FirstByteTimeout   Duration `toml:"first_byte_timeout" is:"1s..1h"`
	SilenceTimeout     Duration `toml:"silence_timeout" is:"1s..1h"`
	RequestTimeout     Duration `toml:"request_timeout" is:"1s..24h"`
	SlowRequestTimeout Duration `toml:"slow_request_timeout" is:"1s..24h"`
	MaxAnswerBytes     Size     `toml:"max_answer_bytes" is:"1KiB..256MiB"`
	MaxPictureBytes    Size     `toml:"max_picture_bytes" is:"1KiB..64MiB"`
	UploadCommand      Command  `toml:"upload_command"`
	WithdrawCommand    Command  `toml:"withdraw_command"`
	Extensions         string   `toml:"extensions" is:"auto|off"`
	FindEngines        bool     `toml:"find_engines"`
}

// Models is which models are marked at start, listed first, and added, and whether they remember.
type Models struct {
	Default    List          `toml:"default" is:"name"`
	Favourites List          `toml:"favourites" is:"name"`
	Context    bool          `toml:"context"`
	Custom     []CustomModel `toml:"custom"`
}

// Suite is how the answers of suites are judged.
type Suite struct {
	Grader string `toml:"grader"` // empty: checks that need a model are not judged
}

// OfflineEngine is what the engine does that simulates answers.
type OfflineEngine struct {
	Models bool `toml:"models"`
}

// CustomModel is one [[models.custom]]: a model that the built-in catalogue does not have.
type CustomModel struct {
	Slug         string `toml:"slug" is:"name"`
	Kind         string `toml:"kind" is:"text|image|edit"`
	About        string `toml:"about" is:"line"`
	Slow         bool   `toml:"slow"`
	SystemPrompt bool   `toml:"system_prompt"`
}

// Serve is how confab serve serves.
type Serve struct {
	Addr              string   `toml:"addr" is:"listen"`
	TrustedProxies    List     `toml:"trusted_proxies" is:"network"`
	ProxyProtocolFrom List     `toml:"proxy_protocol_from" is:"network"`
	Keys              string   `toml:"keys" is:"path"` // folder; empty: in the data folder
	Rate              int      `toml:"rate" is:"0..1000000"`
	Parallel          int      `toml:"parallel" is:"0..1000000"`
	MaxBody           Size     `toml:"max_body" is:"1KiB..64MiB"`
	MaxConnections    int      `toml:"max_connections" is:"1..1000000"`
	MaxTexts          int      `toml:"max_texts" is:"1..1000000"`
	MaxPictures       int      `toml:"max_pictures" is:"1..100000"`
	MaxWaiting        int      `toml:"max_waiting" is:"1..1000000"`
	Drain             Duration `toml:"drain" is:"0s..10m"`
	Shutdown          Duration `toml:"shutdown" is:"1s..1h"`
	HealthInterval    Duration `toml:"health_interval" is:"1s..1h"`
	Log               string   `toml:"log" is:"text|json|off"`
}

// UI is how the screen looks and behaves.
type UI struct {
	Theme        string `toml:"theme" is:"name"` // "auto", or a theme's name for any background
	ThemeDark    string `toml:"theme_dark" is:"name"`
	ThemeLight   string `toml:"theme_light" is:"name"`
	Background   string `toml:"background" is:"theme|terminal"`
	SendKey      string `toml:"send_key" is:"enter|alt+enter|ctrl+enter|shift+enter|ctrl+j"`
	Editing      string `toml:"editing" is:"readline|vi"`
	Mouse        bool   `toml:"mouse"`
	Motion       string `toml:"motion" is:"auto|on|off"`
	ScreenReader bool   `toml:"screen_reader"`
	Notify       string `toml:"notify" is:"auto|bell|off"`
	Pictures     string `toml:"pictures" is:"auto|kitty|sixel|iterm|cells|off"`
	FPS          int    `toml:"fps" is:"0..120"` // 0: by the terminal
	Start        string `toml:"start" is:"new|last"`
	SideBySide   string `toml:"side_by_side" is:"auto|off"`
}

// Pictures is where pictures go and how they are named.
type Pictures struct {
	Folder     string  `toml:"folder" is:"path"` // empty: in the data folder
	URL        string  `toml:"url" is:"bucket"`  // of a bucket; empty: they stay in the folder
	KeyCommand Command `toml:"key_command"`
	KeyFile    string  `toml:"key_file" is:"key_file"`
	CacheSize  Size    `toml:"cache_size" is:"0..16384GiB"`
	Name       string  `toml:"name" is:"name_template"`
}

// History is what is kept.
type History struct {
	Save            bool    `toml:"save"`
	Folder          string  `toml:"folder" is:"path"`      // empty: the data folder
	URL             string  `toml:"url" is:"database_url"` // of a PostgreSQL database; empty: the file in Folder
	User            string  `toml:"user" is:"line"`        // whose history it is there; empty: the system's user name
	PasswordCommand Command `toml:"password_command"`
	PasswordFile    string  `toml:"password_file" is:"key_file"`
}

// Log is what the log says.
type Log struct {
	Level string `toml:"level" is:"debug|info|warn|error|off"`
}

// SSH is how the screen is served by confab ssh.
type SSH struct {
	Listen            string   `toml:"listen" is:"listen"`
	ProxyProtocolFrom List     `toml:"proxy_protocol_from" is:"network"`
	AuthorizedKeys    string   `toml:"authorized_keys" is:"path"` // empty: authorized_keys beside the configuration file
	HostKey           string   `toml:"host_key" is:"path"`        // empty: ssh_host_key in the state folder
	TrustedUserCAKeys string   `toml:"trusted_user_ca_keys" is:"path"`
	Service           string   `toml:"service" is:"operator|own"`
	Commands          List     `toml:"commands" is:"ask|export|pictures"`
	LocalFiles        bool     `toml:"local_files"`
	Connections       int      `toml:"connections" is:"1..10000"`
	PerUser           int      `toml:"per_user" is:"1..1000"`
	Idle              Duration `toml:"idle" is:"10s..30d"`
	AnswersADay       int      `toml:"answers_a_day" is:"1..10000000"`
	Samples           int      `toml:"samples" is:"1..100"`
	Disk              Size     `toml:"disk" is:"1MiB..1048576GiB"`
	HealthListen      string   `toml:"health_listen" is:"listen"` // empty: none
}

// Engine is one [engines.NAME]: what answers behind the embedded service.
type Engine struct {
	Name           string  `toml:"-"`
	Kind           string  `toml:"kind" is:"openai|openai-images|command"`
	URL            string  `toml:"url" is:"url"`
	KeyEnv         string  `toml:"key_env" is:"variable"`
	KeyCommand     Command `toml:"key_command"`
	KeyFile        string  `toml:"key_file" is:"key_file"`
	Command        Command `toml:"command"`
	Makes          List    `toml:"makes" is:"text|image|edit"`
	Stream         bool    `toml:"stream"`
	Messages       bool    `toml:"messages"`
	Seed           bool    `toml:"seed"`
	Sizes          List    `toml:"sizes" is:"picture_size"`
	Pixels         int     `toml:"pixels" is:"4096..16777216"`
	Format         string  `toml:"format" is:"auto|b64_json|url|none"`
	Concurrency    int     `toml:"concurrency" is:"0..100000"`
	ReasoningTags  List    `toml:"reasoning_tags" is:"line"` // an opening one and its closing one in turn
	CAFile         string  `toml:"ca_file" is:"path"`
	AllowPlainHTTP bool    `toml:"allow_plain_http"`
	Models         List    `toml:"models" is:"pattern"`

	Params map[string]any `toml:"params"`
}

// Offline is the name of the engine that is always there.
const Offline = "offline"

// Route is one [[routes]]: which engine answers some models. The first that fits counts.
type Route struct {
	Models        List           `toml:"models" is:"pattern"`
	Engine        string         `toml:"engine" is:"engine"`
	Model         string         `toml:"model" is:"line"`
	Vision        bool           `toml:"vision"`
	ContextTokens int            `toml:"context_tokens" is:"0..100000000"`
	Timeout       Duration       `toml:"timeout" is:"100ms..24h"`
	Concurrency   int            `toml:"concurrency" is:"0..100000"`
	Params        map[string]any `toml:"params"`
}

// Price is one [[prices]]: what a million tokens of some models cost. The first that fits counts.
type Price struct {
	Models   List    `toml:"models" is:"pattern"`
	Input    float64 `toml:"input" is:"0..1000000"`
	Output   float64 `toml:"output" is:"0..1000000"`
	Currency string  `toml:"currency" is:"currency"`
}

// The defaults with the meaning of each setting.
var (
	//go:embed settings.toml
	settingsFile string
	//go:embed records.toml
	recordsFile string
)

// document is a configuration file as go-toml reads and writes it.
type document struct {
	Settings
	Keys    map[string]any    `toml:"keys"`
	Engines map[string]Engine `toml:"engines"`
	Suite   struct {
		Suite
		Providers map[string]string `toml:"providers"`
	} `toml:"suite"`
}

// defaults decodes settings.toml or records.toml. It panics where they are malformed, which only a faulty build is.
func defaults(file string) (d document) {
	if err := toml.Unmarshal([]byte(file), &d); err != nil {
		panic("config: " + err.Error())
	}
	return d
}
