package config

import "time"

// Settings is what can be set in the file, by flags and in the environment. A field is named like its setting in
// settings.toml, which says what it means, without underscores.
type Settings struct {
	Service  Service
	Models   Models
	UI       UI
	Keys     map[string][]string // keys by command, named as in ui/keys; only those that are set
	Pictures Pictures
	History  History
	Log      Log
	SSH      SSH
	Serve    Serve
	Engines  []Engine // in the order of the file
	Routes   []Route  // in the order of the file; the first that fits counts
	Prices   []Price  // in the order of the file; the first that fits counts
}

// Service is how the service is reached.
type Service struct {
	BaseURL            string // empty: the embedded service
	APIKeyCommand      []string
	APIKeyFile         string
	Keyring            bool
	CAFile             string
	AllowPlainHTTP     bool
	Concurrency        int
	ConnectTimeout     time.Duration
	FirstByteTimeout   time.Duration
	SilenceTimeout     time.Duration
	RequestTimeout     time.Duration
	SlowRequestTimeout time.Duration
	MaxAnswerBytes     int64
	MaxPictureBytes    int64
	UploadCommand      []string
	WithdrawCommand    []string
	Unrouted           string
	Extensions         string // "auto" or "off"
	FindEngines        bool
}

// Models is which models are marked at start, listed first, and added.
type Models struct {
	Default    []string
	Favourites []string
	Custom     []CustomModel
}

// CustomModel is one [[models.custom]]: a model that the built-in catalogue does not have.
type CustomModel struct {
	Slug         string
	Kind         string
	About        string
	Slow         bool
	SystemPrompt bool
}

// UI is how the screen looks and behaves.
type UI struct {
	Theme      string // "auto", or a theme's name for any background
	ThemeDark  string
	ThemeLight string
	SendKey    string
	Mouse      bool
	Motion     string
	// ScreenReader has the screen drawn for being read aloud.
	ScreenReader bool
	Notify       string
	Pictures     string
	FPS          int // 0: by the terminal
	Start        string
	SideBySide   string
}

// Pictures is where pictures go and how they are named.
type Pictures struct {
	Folder     string // empty: in the data folder
	URL        string // of a bucket; empty: they stay in the folder
	KeyCommand []string
	KeyFile    string
	CacheSize  int64
	Name       string
}

// History is what is kept.
type History struct {
	Save            bool
	Folder          string // empty: the data folder
	URL             string // of a PostgreSQL database; empty: the file in Folder
	User            string // whose history it is there; empty: the system's user name
	PasswordCommand []string
	PasswordFile    string
}

// Log is what the log says.
type Log struct{ Level string }

// Serve is how confab serve serves.
type Serve struct {
	Addr           string
	TrustedProxies []string
	// ProxyProtocolFrom are the networks of load balancers that send headers of the PROXY protocol.
	ProxyProtocolFrom []string
	HealthAddr        string // empty: none but Addr
	Keys              string // folder; empty: in the data folder
	Cache             string // folder; empty: in the data folder
	CacheSize         int64
	Rate              int
	Parallel          int
	MaxBody           int64
	MaxConnections    int
	MaxTexts          int
	MaxPictures       int
	MaxWaiting        int
	Drain             time.Duration
	Shutdown          time.Duration
	HealthInterval    time.Duration
	Log               string
}

// SSH is how the screen is served by confab ssh.
type SSH struct {
	Listen            string
	ProxyProtocolFrom []string // as in Serve
	AuthorizedKeys    string   // a file, or a folder; empty: authorized_keys beside the configuration file
	HostKey           string   // a file; empty: ssh_host_key in the state folder
	HostCertificate   string
	TrustedUserCAKeys string
	Service           string
	Commands          []string
	LocalFiles        bool
	Connections       int
	PerUser           int
	Idle              time.Duration
	TurnsAtOnce       int
	AnswersADay       int
	Samples           int
	Disk              int64
	HealthListen      string // empty: none
}

// Engine is one [engines.NAME]: what answers behind the embedded service.
type Engine struct {
	Name           string
	Kind           string
	URL            string
	KeyEnv         string
	KeyCommand     []string
	KeyFile        string
	Command        []string
	Makes          []string
	Stream         bool
	Messages       bool
	Seed           bool
	Sizes          []string
	Pixels         int
	Format         string
	Concurrency    int
	ReasoningTags  []string // an opening one and its closing one in turn
	CAFile         string
	AllowPlainHTTP bool
}

// Offline is the name of the engine that is always there.
const Offline = "offline"

// Route is one [[routes]]: which engine answers some models.
type Route struct {
	Models        []string
	Engine        string
	Model         string
	Params        map[string]any
	Vision        bool
	ContextTokens int
	Timeout       time.Duration
	Concurrency   int
}

// Price is one [[prices]]: what the tokens of some models cost.
type Price struct {
	Models        []string
	Input, Output float64 // per million
	Currency      string
}
