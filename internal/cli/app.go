package cli

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"confab/history/sqlite"
	"confab/internal/config"
	"confab/internal/desktop"
	"confab/internal/format"
	"confab/internal/redact"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/pictures/s3"
	"confab/service/problem"
	"confab/themes"
)

// app is one run of the program: what the commands share.
type app struct {
	env       Env
	out, err  stream
	flags     sharedFlags
	settings  map[string]string // by flags, by the names of the configuration
	secrets   *redact.Set       // masked in what is printed and logged
	log       *slog.Logger
	logFile   *logFile
	began     time.Time
	isRunning bool  // a command began, so an error is no longer about how it was called
	helpErr   error // why help could not be printed, which the library has no place for

	config     config.Config
	isLoaded   bool
	configured api.Catalogue           // the models of the contract and of the configuration
	shipped    func() []themes.Palette // read once, when first asked for
	engineSet  *engineSet              // behind the embedded service
	database   *databaseConnection
	bucket     *s3.Bucket // of the pictures, nil until it is needed and where there is none

	servesOthers bool     // others are served, and what they name must not be looked up around this machine
	sshUser      *sshUser // whom this run serves over SSH; nil for the person at this machine

	// drawn is closed when the first frame is drawn. The history is opened after it, because both need the
	// processors. It is nil without a screen.
	drawn <-chan struct{}
}

// sharedFlags holds the flags that mean the same in every command that has them.
type sharedFlags struct {
	config  string
	dataDir string
	color   string
	json    bool // print JSON objects, each on a line of its own
	quiet   bool // print nothing but results and errors
	yes     bool // do not ask before something is deleted or sent
}

// sshUser is the user of confab ssh that an app serves.
type sshUser struct {
	operator *app
	user     string // its id

	applySettings func(*app) error       // in place of reading the configuration
	limit         func(*service.Options) // to what the user may use
}

func newApp(env Env) *app {
	a := &app{env: env, settings: map[string]string{}, secrets: redact.NewSet(env.Get("CONFAB_API_KEY")),
		began: time.Now(), shipped: sync.OnceValue(themes.Shipped), engineSet: &engineSet{arranged: -1},
		database: newDatabaseConnection()}
	a.setColor(colorAuto)
	return a
}

// load loads the configuration and checks the settings of the screen as well, so that every command reports a
// misspelt key or theme.
func (a *app) load(ctx context.Context) error {
	if err := a.loadConfig(ctx); err != nil {
		return err
	}
	if err := a.loadCatalogue(); err != nil {
		return err
	}
	if _, err := a.keys(); err != nil {
		return err
	}
	return a.checkThemes()
}

// loadConfig computes the configuration. It creates nothing.
func (a *app) loadConfig(ctx context.Context) error {
	switch c := cmp.Or(colorMode(a.flags.color), colorAuto); c {
	case colorAuto, colorAlways, colorNever:
		a.setColor(c)
	default:
		return problem.Usage("--color takes auto, always or never")
	}
	if a.sshUser != nil {
		return a.sshUser.applySettings(a)
	}
	src := config.Sources{Flags: a.settings, Env: a.env.Environ, Path: a.flags.config, Keyring: a.env.Keyring}
	if a.flags.dataDir != "" {
		src.Env = append(src.Env[:len(src.Env):len(src.Env)], "CONFAB_DATA_DIR="+a.flags.dataDir)
	}
	cfg, err := config.Load(ctx, src)
	if err != nil {
		return err
	}
	a.config, a.isLoaded = cfg, true
	if cfg.KeySource().Source == config.FromFile {
		// The key is masked from now on. An error of its file is reported when the key is needed.
		if key, _, err := cfg.APIKey(ctx); err == nil {
			a.secrets.Add(key)
		}
	}
	a.logFile = newLogFile(cfg.Paths.Log, a.secrets.Masker())
	a.useLog(newLog(cfg.Log.Level, a.logFile))
	return nil
}

// useLog sends the log of the program and the lines of Go's standard loggers to log.
func (a *app) useLog(log *slog.Logger) {
	a.log = log
	slog.SetDefault(log)
	slog.SetLogLoggerLevel(slog.LevelWarn)
}

func (a *app) warnOfStore(svc *service.Service) {
	if problem := svc.StoreProblem(); problem != nil {
		a.warn("%s", sentence(problem))
	}
}

func (a *app) printWarnings() {
	for _, w := range a.config.Warnings {
		a.warn("%s", asClause(w))
	}
}

func (a *app) loadCatalogue() (err error) {
	var custom []api.Model
	for _, m := range a.config.Models.Custom {
		custom = append(custom, api.Model{
			Slug: m.Slug, Kind: api.ModelKind(m.Kind), About: m.About, IsSlow: m.Slow, TakesSystem: m.SystemPrompt,
		})
	}
	a.configured, err = api.Default().With(custom...)
	return err
}

type storeUse int

const (
	recordsTurns storeUse = iota // what is asked is kept, if the configuration says so
	readsHistory                 // where there is none yet, none is made
	writesHistory
)

// withService calls run with a service and closes the service. The first signal ends the context of run.
func (a *app) withService(ctx context.Context, use storeUse,
	run func(ctx context.Context, svc *service.Service) error) error {
	ctx, stop := a.untilSignal(ctx, nil)
	defer stop()
	svc, err := a.service(use)
	if err != nil {
		return err
	}
	defer a.closeService(ctx, svc)
	return run(ctx, svc)
}

// withHistory is withService for commands that need the history: it fails where the history cannot be opened, or
// cannot be written unless the command only reads.
func (a *app) withHistory(ctx context.Context, use storeUse,
	run func(ctx context.Context, svc *service.Service) error) error {
	return a.withService(ctx, use, func(ctx context.Context, svc *service.Service) error {
		started, err := svc.Start(ctx)
		switch {
		case err != nil:
			return err
		case started.Problem != nil && (use != readsHistory || !started.CanRead):
			return started.Problem
		}
		return run(ctx, svc)
	})
}

// service returns the service as configured. It opens and starts nothing.
func (a *app) service(use storeUse) (*service.Service, error) {
	saves, open := a.config.History.Save, a.openStore
	if use != recordsTurns {
		if saves = a.hasHistory(); !saves {
			open = openMemory
		}
	}
	if err := a.openBucket(); err != nil {
		return nil, err
	}
	publisher, err := a.publisher()
	if err != nil {
		return nil, err
	}
	o := service.Options{
		Grader: a.config.Suite.Grader,
		History: service.HistoryOptions{Open: open, OpenMemory: openMemory, OpenCopy: a.openCopy(),
			OpenForeign: sqlite.OpenForeign, Saves: saves},
		Backend: service.BackendOptions{
			Connect:           a.connect,
			Endpoint:          a.endpoint,
			Catalogue:         a.catalogue,
			Providers:         a.config.Providers,
			Engines:           a.engineStatuses(),
			Extensions:        a.engineFeatures(),
			IgnoresExtensions: a.config.Service.Extensions == "off",
			Price:             a.price,
		},
		Pictures: pictures.Options{Folder: a.config.Paths.Pictures, NameTemplate: a.config.Pictures.Name,
			Publisher: publisher},
		DraftFolder: a.config.Paths.Drafts,
		Limits:      service.Limits{Concurrency: a.config.Service.Concurrency},
		Scripts:     a.env.Scripts,
		Mask:        a.secrets.Masker(),
		Log:         a.log,
	}
	if a.bucket != nil {
		o.Pictures.Bucket, o.Pictures.CacheBytes = a.bucket, int64(a.config.Pictures.CacheSize)
		o.Pictures.SharedBucket = a.sharedBucket
	}
	if a.sshUser != nil {
		a.sshUser.limit(&o)
	}
	return service.New(o), nil
}

// recoverInterrupted marks answers that killed processes left running. The next start tries again what fails here.
func (a *app) recoverInterrupted(ctx context.Context, svc *service.Service) {
	if _, err := svc.Start(ctx); err != nil {
		a.log.Warn("Could not mark the answers of killed processes", "error", err)
	}
}

// openBucket sets the bucket of the pictures where one is configured. It connects to nothing.
func (a *app) openBucket() error {
	if a.bucket != nil || a.config.Pictures.URL == "" {
		return nil
	}
	b, err := a.bucketAt(a.config.Pictures.URL)
	if err == nil {
		a.bucket = &b
	}
	return err
}

// bucketAt returns the bucket at an address, opened with the key of the configuration. It connects to nothing.
func (a *app) bucketAt(url string) (s3.Bucket, error) {
	cfg := a.config
	return s3.New(s3.Options{URL: url, Key: func(ctx context.Context) (string, error) {
		key, err := cfg.PicturesKey(ctx)
		_, secret, _ := strings.Cut(key, ":")
		a.secrets.Add(secret)
		return key, err
	}})
}

// publisher returns what uploads local pictures for a service to fetch, nil where nothing is configured.
func (a *app) publisher() (pictures.Publisher, error) {
	s := a.config.Service
	switch {
	case len(s.UploadCommand) > 0:
		return pictures.NewUploadCommand(pictures.UploadCommandOptions{
			Args:     namePlaceholder(s.UploadCommand, "{file}"),
			Withdraw: namePlaceholder(s.WithdrawCommand, "{url}"),
			Environ:  a.config.ChildEnv(), Mask: a.secrets.Masker(), Log: a.log,
		})
	case a.bucket != nil:
		return pictures.BucketPublisher{Bucket: a.bucket}, nil
	}
	return nil, nil
}

func namePlaceholder(words []string, name string) []string {
	named := make([]string, len(words))
	for i, word := range words {
		named[i] = strings.ReplaceAll(word, "{}", name)
	}
	return named
}

func (a *app) desktop() *desktop.Desktop {
	return desktop.New(desktop.Options{Environ: a.config.ChildEnv(), State: a.config.Paths.State,
		Mask: a.secrets.Masker(), IsMosh: a.isInMosh(), Terminal: a.env.Stdin})
}

// closeWait bounds how long the program takes to end.
const closeWait = 900 * time.Millisecond

// closeService ends the service and warns of what could not be saved.
func (a *app) closeService(ctx context.Context, svc *service.Service) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWait)
	defer cancel()
	a.saveListsAtEnd()
	turns := svc.UnsavedTurns()
	if err := svc.Close(ctx); err != nil {
		a.log.Warn("Could not close the service", "error", err)
		if svc.Unsaved() > 0 {
			a.warn("%s could not be saved (disk)", format.Count(svc.Unsaved(), "answer"))
		}
	}
	if turns > 0 && !svc.IsSaving() {
		a.warn("%s not saved", format.Several(turns, "turn was", "turns were"))
	}
}

func (a *app) configPath() (string, error) {
	return config.FilePath(config.Sources{Env: a.env.Environ, Path: a.flags.config})
}

// sharedBucket returns the part of the bucket with the pictures of another user of confab ssh.
func (a *app) sharedBucket(owner string) pictures.Bucket {
	return a.operator().bucket.Within("users/" + owner)
}
