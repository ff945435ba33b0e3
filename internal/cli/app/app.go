// Package app is what all commands are made with: it connects configuration, catalogue, engines, service, history and
// screen, and has the flags and completions that several commands share.
package app

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"confab/internal/cli/console"
	"confab/internal/cli/logs"
	"confab/internal/config"
	"confab/internal/desktop"
	"confab/internal/format"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/pictures/s3"
	"confab/service/problem"
	"confab/themes"
)

// App is one run of the program: what the commands share.
type App struct {
	*console.Console

	Settings map[string]string // by flags, by the names of the configuration
	Began    time.Time

	Bucket    *s3.Bucket              // of the pictures, nil until it is needed and where there is none
	Shipped   func() []themes.Palette // read once, when first asked for
	Config    config.Config
	Loaded    bool
	Catalogue api.Catalogue // the models of the catalogue and of the configuration
	LogFile   *logs.File
	HelpErr   error // why help could not be printed, which the library has no place for

	ServesOthers bool     // others are served, and what they name must not be looked up around this machine
	SSHUser      *SSHUser // whom this run serves over SSH; nil for the person at this machine

	EngineSet *engineSet // behind the embedded service
	Database  *DatabaseConnection

	// Drawn is closed when the screen drew its first frame, before which no history is opened: that takes as long as
	// the frame itself, on the processors that it needs. It is nil without a screen.
	Drawn <-chan struct{}
}

// SSHUser is the user of confab ssh that an app serves.
type SSHUser struct {
	Operator *App
	User     string // its id

	ApplySettings func(*App) error       // in place of reading the configuration
	Limit         func(*service.Options) // to what the user may use
}

// New returns an app without a configuration.
func New(env console.Env) *App {
	a := &App{Settings: map[string]string{}, Began: time.Now(), Shipped: sync.OnceValue(themes.Shipped),
		EngineSet: &engineSet{}, Database: NewDatabaseConnection()}
	a.Console = console.New(env, a.chooseStyles)
	return a
}

// Load computes the configuration and checks the choices in it that only the screen needs, so that every command
// reports a misspelt key or theme.
func (a *App) Load(ctx context.Context) error {
	if err := a.LoadConfig(ctx); err != nil {
		return err
	}
	if err := a.LoadCatalogue(); err != nil {
		return err
	}
	if _, err := a.Keys(); err != nil {
		return err
	}
	return a.CheckThemes()
}

// LoadConfig computes the configuration. It creates nothing.
func (a *App) LoadConfig(ctx context.Context) error {
	switch c := cmp.Or(console.ColorMode(a.Flags.Color), console.ColorAuto); c {
	case console.ColorAuto, console.ColorAlways, console.ColorNever:
		a.SetColor(c)
	default:
		return problem.Usage("--color takes auto, always or never")
	}
	if a.SSHUser != nil {
		return a.SSHUser.ApplySettings(a)
	}
	src := config.Sources{Flags: a.Settings, Env: a.Env.Environ, Path: a.Flags.Config, Keyring: a.Env.Keyring}
	if a.Flags.DataDir != "" {
		src.Env = append(src.Env[:len(src.Env):len(src.Env)], "CONFAB_DATA_DIR="+a.Flags.DataDir)
	}
	cfg, err := config.Load(ctx, src)
	if err != nil {
		return err
	}
	a.Config, a.Loaded = cfg, true
	if cfg.KeySource().Source == config.FromFile {
		// The only other source that can be asked at no cost: from here on the key is masked wherever it turns up. What
		// is wrong with the file is said when the key is needed.
		if key, _, err := cfg.APIKey(ctx); err == nil {
			a.Secrets.Add(key)
		}
	}
	a.LogFile = logs.NewFile(cfg.Paths.Log, a.Secrets.Masker())
	a.UseLog(logs.New(cfg.Log.Level, a.LogFile))
	return nil
}

// UseLog makes a log that of the program, and of the libraries that write to Go's standard loggers instead of returning
// an error: no line of theirs belongs between answers or on a screen.
func (a *App) UseLog(log *slog.Logger) {
	a.Log = log
	slog.SetDefault(log)
	slog.SetLogLoggerLevel(slog.LevelWarn)
}

// WarnOfStore warns of a history that cannot be used, without which the command goes on.
func (a *App) WarnOfStore(svc *service.Service) {
	if problem := svc.StoreProblem(); problem != nil {
		a.Warn("%s", console.Sentence(problem))
	}
}

// PrintWarnings prints the warnings of the configuration.
func (a *App) PrintWarnings() {
	for _, w := range a.Config.Warnings {
		a.Warn("%s", console.AsClause(w))
	}
}

// LoadCatalogue adds the models of the configuration to the built-in catalogue.
func (a *App) LoadCatalogue() (err error) {
	var custom []api.Model
	for _, m := range a.Config.Models.Custom {
		custom = append(custom, api.Model{
			Slug: m.Slug, Kind: api.ModelKind(m.Kind), About: m.About, IsSlow: m.Slow, TakesSystem: m.SystemPrompt,
		})
	}
	a.Catalogue, err = api.Default().With(custom...)
	return err
}

// ServiceNeeds is what a command needs of the service.
type ServiceNeeds struct {
	Save   bool
	memory bool // nothing is kept and nothing is found: the history is not even opened
}

// WithService runs a command with a service, which is closed when the command ends. The first signal ends the context
// of the command.
func (a *App) WithService(ctx context.Context, w ServiceNeeds,
	run func(ctx context.Context, svc *service.Service) error) error {
	ctx, stop := a.UntilSignal(ctx, nil)
	defer stop()
	svc, err := a.Service(w)
	if err != nil {
		return err
	}
	defer a.CloseService(ctx, svc)
	return run(ctx, svc)
}

// Service returns the service as configured. It opens and starts nothing.
func (a *App) Service(w ServiceNeeds) (*service.Service, error) {
	if err := a.OpenBucket(); err != nil {
		return nil, err
	}
	publisher, err := a.Publisher()
	if err != nil {
		return nil, err
	}
	o := service.Options{
		History: service.HistoryOptions{Open: a.OpenStore(w.memory), OpenMemory: OpenMemory, OpenCopy: a.openCopy(),
			Saves: w.Save},
		Backend: service.BackendOptions{
			Connect:           a.Connect,
			Endpoint:          a.Endpoint(),
			Catalogue:         a.Catalogue,
			Engines:           a.engineStatuses(),
			Extensions:        a.engineFeatures(),
			IgnoresExtensions: a.Config.Service.Extensions == "off",
			Price:             a.Price,
		},
		Pictures: pictures.Options{Folder: a.Config.Paths.Pictures, NameTemplate: a.Config.Pictures.Name,
			Publisher: publisher},
		DraftFolder: a.Config.Paths.Drafts,
		Limits:      service.Limits{Concurrency: a.Config.Service.Concurrency},
		Mask:        a.Secrets.Masker(),
		Log:         a.Log,
	}
	if a.Bucket != nil {
		o.Pictures.Bucket, o.Pictures.CacheBytes = a.Bucket, a.Config.Pictures.CacheSize
		o.Pictures.SharedBucket = a.sharedBucket
	}
	if a.SSHUser != nil {
		a.SSHUser.Limit(&o)
	}
	return service.New(o), nil
}

// RecoverInterrupted marks the answers that killed processes left running, before something is sent. A failure does
// not keep the command from asking: the next start tries again.
func (a *App) RecoverInterrupted(ctx context.Context, svc *service.Service) {
	if _, err := svc.Start(ctx); err != nil {
		a.Log.Warn("Could not put in order what killed processes left", "error", err)
	}
}

// OpenBucket makes the bucket of the pictures, once, where one is configured. It connects to nothing.
func (a *App) OpenBucket() error {
	if a.Bucket != nil || a.Config.Pictures.URL == "" {
		return nil
	}
	b, err := a.BucketAt(a.Config.Pictures.URL)
	if err == nil {
		a.Bucket = &b
	}
	return err
}

// BucketAt returns the bucket at an address, opened with the key of the configuration. It connects to nothing.
func (a *App) BucketAt(url string) (s3.Bucket, error) {
	cfg := a.Config
	return s3.New(s3.Options{URL: url, Key: func(ctx context.Context) (string, error) {
		key, err := cfg.PicturesKey(ctx)
		_, secret, _ := strings.Cut(key, ":")
		a.Secrets.Add(secret)
		return key, err
	}})
}

// Publisher returns how pictures of this machine are put where a service can fetch them; nil without a way.
func (a *App) Publisher() (pictures.Publisher, error) {
	s := a.Config.Service
	switch {
	case len(s.UploadCommand) > 0:
		return pictures.NewUploadCommand(pictures.UploadCommandOptions{
			Args:     namePlaceholder(s.UploadCommand, "{file}"),
			Withdraw: namePlaceholder(s.WithdrawCommand, "{url}"),
			Environ:  a.Config.ChildEnv(), Mask: a.Secrets.Masker(), Log: a.Log,
		})
	case a.Bucket != nil:
		return pictures.BucketPublisher{Bucket: a.Bucket}, nil
	}
	return nil, nil
}

// namePlaceholder replaces {} in a command of the configuration by a name.
func namePlaceholder(words []string, name string) []string {
	named := make([]string, len(words))
	for i, word := range words {
		named[i] = strings.ReplaceAll(word, "{}", name)
	}
	return named
}

// Desktop returns what reaches the person's machine.
func (a *App) Desktop() *desktop.Desktop {
	return desktop.New(desktop.Options{Environ: a.Config.ChildEnv(), State: a.Config.Paths.State,
		Mask: a.Secrets.Masker(), IsMosh: a.IsInMosh(), Terminal: a.Env.Stdin})
}

// CloseWait is how long what runs has to end when the program does.
const CloseWait = 900 * time.Millisecond

// CloseService ends the service; what could not be saved is told.
func (a *App) CloseService(ctx context.Context, svc *service.Service) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), CloseWait)
	defer cancel()
	turns := svc.UnsavedTurns()
	if err := svc.Close(ctx); err != nil {
		a.Log.Warn("Could not close in good order", "error", err)
		if svc.Unsaved() > 0 {
			a.Warn("%s could not be saved (disk)", format.Count(svc.Unsaved(), "answer"))
		}
	}
	if turns > 0 && !svc.IsSaving() {
		a.Warn("%s not saved", format.Several(turns, "turn was", "turns were"))
	}
}

// ConfigPath returns where the configuration file is or would be.
func (a *App) ConfigPath() (string, error) {
	return config.FilePath(config.Sources{Env: a.Env.Environ, Path: a.Flags.Config})
}

// sharedBucket returns the part of the bucket with the pictures of another user of confab ssh.
func (a *App) sharedBucket(owner string) pictures.Bucket {
	root := a.Bucket
	if a.SSHUser != nil {
		root = a.SSHUser.Operator.Bucket
	}
	return root.Within("users/" + owner)
}
