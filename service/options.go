package service

import (
	"context"
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"confab/history"
	"confab/internal/redact"
	"confab/service/api"
	"confab/service/export"
	"confab/service/localfile"
	"confab/service/pictures"
	"confab/service/suite"
)

// defaultConcurrency is how many requests of one turn run side by side when the options say nothing.
const defaultConcurrency = 8

// Options is what a [Service] is made of. History.Open, History.OpenMemory, Backend.Connect and Backend.Catalogue are
// required.
type Options struct {
	History     HistoryOptions
	Backend     BackendOptions
	Pictures    pictures.Options // the folder and the bucket are ignored where History.Saves is false
	DraftFolder string           // made when first needed
	Limits      Limits
	Mask        *redact.Masker // nil masks nothing
	Log         *slog.Logger   // nil discards
	Now         func() time.Time
}

// HistoryOptions say where turns are kept.
type HistoryOptions struct {
	// Open opens the store. It is called on the first need of it, and again after it failed.
	Open func(ctx context.Context) (history.Store, error)
	// OpenMemory opens an empty store that is kept nowhere. It is called where Saves is false, and where Open failed.
	OpenMemory func(ctx context.Context) (history.Store, error)
	// OpenCopy opens a copy, in a folder, of a store that can be read and not be written; nil = there is none.
	OpenCopy func(ctx context.Context, folder string) (history.Store, error)
	// Saves false keeps nothing: the store is in memory, there are no drafts, and pictures go to a temporary folder
	// that Close removes.
	Saves bool
}

// BackendOptions say who answers.
type BackendOptions struct {
	// Connect starts the embedded service or makes the client of a remote one. It is called for the first answer, and
	// again only when it failed.
	Connect func(ctx context.Context) (Connection, error)
	// Endpoint is what Connect will reach, as far as configuration tells.
	Endpoint  Endpoint
	Catalogue api.Catalogue
	// Engines says who answers the models of the embedded service, and asks them whether they are up; nil where another
	// service answers.
	Engines func(ctx context.Context) (map[string]EngineStatus, error)
	// Extensions says what the embedded service offers for a model, by its slug; nil where another service answers,
	// which says so itself.
	Extensions func(model string) api.Extensions
	// IgnoresExtensions keeps to the contract, whatever the service offers.
	IgnoresExtensions bool
	// Price returns what a model's tokens cost, by its slug and by its engine's name of it; nil = unknown.
	Price func(model, engineModel string) (Price, bool)
}

// Limits bound what is asked for at once, and what one of several users may use.
type Limits struct {
	Concurrency    int    // requests of one turn side by side; 0 = 8
	MaxConcurrency int    // calls of a suite side by side; 0 = any number
	MaxSamples     int    // answers of one model to one prompt; 0 = [MaxSamples] in a turn, any number in a suite
	Quota          Quota  // nil = no bounds
	Root           string // the folder that paths which people give must lie in; empty = anywhere
}

// Connection is a service that can be asked.
type Connection struct {
	Client   Client
	Endpoint Endpoint
	// PublishLocal has the embedded service read a local picture; nil for a remote one.
	PublishLocal pictures.LocalPublisher
	// Close ends what Connect started; nil when there is nothing to end.
	Close func(ctx context.Context) error
}

// Client makes one call of a model; [api.Client] is the real one.
type Client interface {
	Do(ctx context.Context, r api.Request, observe func(api.Progress)) (api.Response, api.Exchange, error)
	Curl(r api.Request) string
}

// Endpoint says who answers.
type Endpoint struct {
	IsEmbedded  bool
	Host        string   // of a remote service, as a person knows it
	BaseURL     string   // of a remote service
	IsSimulated bool     // every answer is made up by the offline engine
	Engines     []string // what answers behind the embedded service, the offline engine last
}

// Service sends turns to their models and records them. It is safe for concurrent use. Its maker closes it.
type Service struct {
	o        Options
	process  localfile.Process
	files    *pictures.Files
	exporter *export.Exporter
	paths    localfile.Root
	nonce    string // tells the services of one process apart

	runner *suite.Runner

	store lazy[history.Store]
	link  lazy[Connection]

	draftOrder draftOrder

	extensions extensionMemory

	sends   sync.WaitGroup
	uploads *uploader  // nil until it is started; held by mu
	again   sync.Mutex // held by SaveAgain and Reopen
	// recording is held for reading while a turn is being recorded, and for writing while Reopen moves turns.
	recording sync.RWMutex

	mu           sync.Mutex
	isClosing    bool
	isSaving     bool       // the store outlives the process
	problem      *api.Error // why it does not, when it should
	live         map[int64]*call
	runs         map[*activeRun]struct{}
	unsaved      map[int64]unsaved
	unsavedBytes int64 // of the pictures in unsaved
	hasDeleted   bool  // something that Close deletes for good
}

// New returns a service. It opens and starts nothing.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Limits.Concurrency <= 0 {
		o.Limits.Concurrency = defaultConcurrency
	}
	if o.Limits.Quota == nil {
		o.Limits.Quota = noQuota{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	owner := history.CurrentProcess()
	s := &Service{
		o: o, process: localfile.NewProcess(owner, o.Now), paths: localfile.Root(o.Limits.Root),
		nonce: strings.ToLower(rand.Text()[:8]),
		live:  map[int64]*call{}, runs: map[*activeRun]struct{}{}, unsaved: map[int64]unsaved{},
	}
	kept := o.Pictures
	if !o.History.Saves {
		kept.Folder, kept.Bucket = "", nil
	}
	s.files = pictures.NewFiles(kept, pictures.Host{
		History:    s.history,
		Answer:     s.Answer,
		Unsaved:    s.unsavedImage,
		IsEmbedded: func(ctx context.Context) bool { return s.Endpoint(ctx).IsEmbedded },
		Root:       s.paths,
		Process:    s.process,
		Mask:       o.Mask,
		Log:        o.Log,
		Now:        o.Now,
	})
	s.runner = newRunner(s)
	s.exporter = export.NewExporter(export.ExporterOptions{
		History: s, Pictures: s.files, Runs: s.runner, Suite: s.suiteDocument,
		CheckSpace: func() error { return o.Limits.Quota.ReserveBytes(0) },
		Folder:     filepath.Join(filepath.Dir(o.Pictures.Folder), "exports"), Root: s.paths, Mask: o.Mask,
	})
	return s
}

// Files returns the picture files of the history.
func (s *Service) Files() *pictures.Files { return s.files }

// Exporter returns what writes answers, turns, sessions and runs to files.
func (s *Service) Exporter() *export.Exporter { return s.exporter }

// Paths returns where the paths that users give may lead.
func (s *Service) Paths() localfile.Root { return s.paths }

// Endpoint says who answers, without connecting to it.
func (s *Service) Endpoint(context.Context) Endpoint {
	if c, ok := s.link.peek(); ok {
		return c.Endpoint
	}
	return s.o.Backend.Endpoint
}

// EngineStatus says who answers a model of the embedded service.
type EngineStatus struct {
	Engine  string `json:"engine,omitempty"`         // its name in the configuration; empty when nobody answers
	Model   string `json:"engine_model,omitempty"`   // what it calls the model; empty when that is the slug
	IsUp    bool   `json:"-"`                        // it answers just now
	Problem string `json:"engine_problem,omitempty"` // why it does not, in a sentence
}

// IsSimulated tells that the answers are made up.
func (a EngineStatus) IsSimulated() bool { return a.Engine == history.Offline }

// EngineStatuses asks the engines of the embedded service whether they are up, which takes a few seconds at most, and
// says who answers each model of the catalogue, by its slug. It is empty where another service answers.
func (s *Service) EngineStatuses(ctx context.Context) (map[string]EngineStatus, error) {
	if s.o.Backend.Engines == nil {
		return nil, nil
	}
	return s.o.Backend.Engines(ctx)
}

// Quota limits what one of several users may use. It counts answers: a turn asks each of its models for as many as it
// has samples. Its errors are [*api.Error]s for people.
type Quota interface {
	// CheckAnswers returns an error when so many answers may not be asked for now; it counts nothing. It is for what is
	// recorded in several steps and should be refused before the first.
	CheckAnswers(answers int) error
	// ReserveAnswers counts so many answers, or refuses them all. The caller passes the id of the recorded turn to
	// recorded, or 0 when none was recorded, which gives back the answers.
	ReserveAnswers(answers int) (recorded func(turn int64), err error)
	// Release gives back answers that were never asked for.
	Release(unasked int)
	// ReserveBytes counts so many bytes that will be written to the disk, or refuses them.
	ReserveBytes(bytes int64) error
}

// noQuota limits nothing.
type noQuota struct{}

func (noQuota) CheckAnswers(int) error                       { return nil }
func (noQuota) ReserveAnswers(int) (func(turn int64), error) { return func(int64) {}, nil }
func (noQuota) Release(int)                                  {}
func (noQuota) ReserveBytes(int64) error                     { return nil }

// endQuota gives back what calls that have ended no longer need.
func (s *Service) endQuota(calls []*call) {
	unasked := 0
	for _, c := range calls {
		if !c.hasBegun() {
			unasked++
		}
	}
	s.o.Limits.Quota.Release(unasked)
}
