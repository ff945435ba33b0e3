package cli

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"confab/service/problem"

	"confab/internal/cli/logs"
	"confab/internal/config"
	"confab/internal/desktop"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/pictures/s3"
	"confab/themes"
	"confab/ui/keys"
)

// app is one run of the program: what the commands share.
type app struct {
	*console

	settings map[string]string // by flags, by the names of the configuration
	began    time.Time

	bucket    *s3.Bucket              // of the pictures, nil until it is needed and where there is none
	shipped   func() []themes.Palette // read once, when first asked for
	cfg       config.Config
	loaded    bool
	catalogue api.Catalogue // the models of the catalogue and of the configuration
	logFile   *logs.File
	helpErr   error // why help could not be printed, which the library has no place for

	serving bool    // others are served, and what they name must not be looked up around this machine
	served  *served // whom this run serves over SSH; nil for the person at this machine

	engineSet *engineSet // behind the embedded service
	database  *databaseConnection

	// drawn is closed when the screen drew its first frame, before which no history is opened: that takes as long as
	// the frame itself, on the processors that it needs. It is nil without a screen.
	drawn <-chan struct{}
}

// served is the user of confab ssh that an app serves.
type served struct {
	operator *app
	user     string // its id

	applySettings func(*app) error       // in place of reading the configuration
	limit         func(*service.Options) // to what the user may use
}

// newApp returns an app without a configuration.
func newApp(env Env) *app {
	a := &app{settings: map[string]string{}, began: time.Now(), shipped: sync.OnceValue(themes.Shipped),
		engineSet: &engineSet{}, database: &databaseConnection{}}
	a.console = newConsole(env, a.chooseStyles)
	return a
}

// load computes the configuration and checks the choices in it that only the screen needs, so that every command
// reports a misspelt key or theme.
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
	if a.served != nil {
		return a.served.applySettings(a)
	}
	src := config.Sources{Flags: a.settings, Env: a.env.Environ, Path: a.flags.config, Keyring: a.env.Keyring}
	if a.flags.dataDir != "" {
		src.Env = append(src.Env[:len(src.Env):len(src.Env)], "CONFAB_DATA_DIR="+a.flags.dataDir)
	}
	cfg, err := config.Load(ctx, src)
	if err != nil {
		return err
	}
	a.cfg, a.loaded = cfg, true
	if cfg.KeySource().Source == config.FromFile {
		// The only other source that can be asked at no cost: from here on the key is masked wherever it turns up. What
		// is wrong with the file is said when the key is needed.
		if key, _, err := cfg.APIKey(ctx); err == nil {
			a.secrets.Add(key)
		}
	}
	a.logFile = logs.NewFile(cfg.Paths.Log, a.secrets.Masker())
	a.log = logs.New(cfg.Log.Level, a.logFile)
	return nil
}

// warnOfStore warns of a history that cannot be used, without which the command goes on.
func (a *app) warnOfStore(svc *service.Service) {
	if problem := svc.StoreProblem(); problem != nil {
		a.warn("%s", sentence(problem))
	}
}

func (a *app) printWarnings() {
	for _, w := range a.cfg.Warnings {
		a.warn("%s", asClause(w))
	}
}

// loadCatalogue adds the models of the configuration to the built-in catalogue.
func (a *app) loadCatalogue() (err error) {
	var custom []api.Model
	for _, m := range a.cfg.Models.Custom {
		custom = append(custom, api.Model{
			Slug: m.Slug, Kind: api.ModelKind(m.Kind), About: m.About, IsSlow: m.Slow, TakesSystem: m.SystemPrompt,
		})
	}
	a.catalogue, err = api.Default().With(custom...)
	return err
}

// serviceNeeds is what a command needs of the service.
type serviceNeeds struct {
	save   bool
	memory bool // nothing is kept and nothing is found: the history is not even opened
}

// withService runs a command with a service, which is closed when the command ends. The first signal ends the context
// of the command.
func (a *app) withService(ctx context.Context, w serviceNeeds,
	run func(ctx context.Context, svc *service.Service) error) error {
	ctx, stop := a.untilSignal(ctx, nil)
	defer stop()
	svc, err := a.service(w)
	if err != nil {
		return err
	}
	defer a.closeService(ctx, svc)
	return run(ctx, svc)
}

// service returns the service as configured. It opens and starts nothing.
func (a *app) service(w serviceNeeds) (*service.Service, error) {
	if err := a.openBucket(); err != nil {
		return nil, err
	}
	publisher, err := a.publisher()
	if err != nil {
		return nil, err
	}
	o := service.Options{
		Open:              a.openStore(w.memory),
		OpenMemory:        openMemory,
		Connect:           a.connect,
		Endpoint:          a.endpoint(),
		Engines:           a.engineStatuses(),
		Extensions:        a.engineFeatures(),
		IgnoresExtensions: a.cfg.Service.Extensions == "off",
		Price:             a.price,
		Catalogue:         a.catalogue,
		Folders:           service.Folders{Pictures: a.cfg.Paths.Pictures, Drafts: a.cfg.Paths.Drafts},
		NameTemplate:      a.cfg.Pictures.Name,
		Concurrency:       a.cfg.Service.Concurrency,
		Publish:           publisher,
		Mask:              a.secrets.Masker(),
		Log:               a.log,
		Saves:             w.save,
	}
	if a.bucket != nil {
		o.Bucket, o.PictureCache, o.SharedBucket = a.bucket, a.cfg.Pictures.CacheSize, a.sharedBucket
	}
	switch {
	case a.served != nil:
		a.served.limit(&o)
	case a.cfg.History.URL != "":
		o.CheckDelete = func(ctx context.Context) error {
			db := a.userAccounts(true)
			defer db.Close()
			return checkHold(ctx, db, a.historyUser())
		}
		fallthrough
	default:
		o.Keep = a.cfg.History.Keep
	}
	return service.New(o), nil
}

// recoverInterrupted marks the answers that killed processes left running, before something is sent. A failure does
// not keep the command from asking: the next start tries again.
func (a *app) recoverInterrupted(ctx context.Context, svc *service.Service) {
	if _, err := svc.Start(ctx); err != nil {
		a.log.Warn("Could not put in order what killed processes left", "error", err)
	}
}

// openBucket makes the bucket of the pictures, once, where one is configured. It connects to nothing.
func (a *app) openBucket() error {
	if a.bucket != nil || a.cfg.Pictures.URL == "" {
		return nil
	}
	b, err := a.bucketAt(a.cfg.Pictures.URL)
	if err == nil {
		a.bucket = &b
	}
	return err
}

// bucketAt returns the bucket at an address, opened with the key of the configuration. It connects to nothing.
func (a *app) bucketAt(url string) (s3.Bucket, error) {
	cfg := a.cfg
	return s3.New(s3.Options{URL: url, Key: func(ctx context.Context) (string, error) {
		key, err := cfg.PicturesKey(ctx)
		_, secret, _ := strings.Cut(key, ":")
		a.secrets.Add(secret)
		return key, err
	}})
}

func (a *app) publisher() (pictures.Publisher, error) {
	s := a.cfg.Service
	switch {
	case len(s.UploadCommand) > 0:
		return pictures.NewUploadCommand(pictures.UploadCommandOptions{
			Args:     namePlaceholder(s.UploadCommand, "{file}"),
			Withdraw: namePlaceholder(s.WithdrawCommand, "{url}"),
			Environ:  a.cfg.ChildEnv(), Mask: a.secrets.Masker(), Log: a.log,
		})
	case s.PublicURL != "":
		return pictures.NewPublicServer(pictures.PublicServerOptions{PublicURL: s.PublicURL, Listen: s.PublicListen,
			Log: a.log})
	case a.bucket != nil:
		return pictures.BucketPublisher{Bucket: a.bucket}, nil
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

// desktop returns what reaches the person's machine.
func (a *app) desktop() *desktop.Desktop {
	return desktop.New(desktop.Options{Environ: a.cfg.ChildEnv(), State: a.cfg.Paths.State, Mask: a.secrets.Masker(),
		IsMosh: a.isInMosh(), Terminal: a.env.Stdin})
}

// closeWait is how long what runs has to end when the program does.
const closeWait = 900 * time.Millisecond

// closeService ends the service; what could not be saved is told.
func (a *app) closeService(ctx context.Context, svc *service.Service) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWait)
	defer cancel()
	if err := svc.Close(ctx); err != nil {
		a.log.Warn("Could not close in good order", "error", err)
		if svc.Unsaved() > 0 {
			a.warn("%d answers could not be saved (disk)", svc.Unsaved())
		}
	}
}

func (a *app) keys() (keys.Map, error) {
	m := keys.Default()
	wanted := map[string][]string{}
	if k := a.cfg.UI.SendKey; k != "enter" {
		others := []string{"enter"}
		for _, e := range m.Entries(keys.Prompt) {
			if e.Command == "new_line" {
				others = append(others,
					slices.DeleteFunc(slices.Clone(e.Keys), func(have string) bool { return have == k })...)
			}
		}
		wanted["send"], wanted["new_line"] = []string{k}, others
	}
	maps.Copy(wanted, a.cfg.Keys)
	if len(wanted) == 0 {
		return m, nil
	}
	m, err := m.Rebind(wanted)
	if err != nil {
		return keys.Map{}, a.wrongKeys(err)
	}
	return m, nil
}

// wrongKeys names the place of what is wrong with the keys, as errors of other settings do.
func (a *app) wrongKeys(err error) *api.Error {
	message := err.Error()
	var wrong *keys.BindingError
	if errors.As(err, &wrong) {
		for _, name := range wrong.Names {
			if from := a.cfg.Origin("keys." + name); from.Source != config.FromDefault {
				message = strings.TrimPrefix(from.String(), string(config.FromFile)+" ") + ": " + message
				break
			}
		}
	}
	return &api.Error{Code: api.CodeConfig, Message: message, Err: err}
}
