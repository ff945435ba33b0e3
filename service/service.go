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
	"confab/service/api"
	"confab/service/export"
	"confab/service/localfile"
	"confab/service/pictures"
	"confab/service/suite"
)

// Service sends turns to their models and records them. It is safe for concurrent use. The creator closes it.
type Service struct {
	o        Options
	process  localfile.Process
	files    *pictures.Files
	exporter *export.Exporter
	paths    localfile.Root
	nonce    string // distinguishes the services of one process

	runner *suite.Runner

	store lazy[history.Store]
	link  lazy[Connection]

	draftOrder draftOrder

	extensions extensionMemory

	sends   sync.WaitGroup
	uploads *uploader  // nil before it is started; guarded by mu
	again   sync.Mutex // serialises SaveAgain and Reopen
	// recording is read-locked while a turn is recorded, and locked while Reopen moves turns.
	recording sync.RWMutex

	mu           sync.Mutex
	isClosing    bool
	isSaving     bool       // the store is permanent
	problem      *api.Error // why the store is not permanent, though it should be
	live         map[int64]*call
	runs         map[*activeRun]struct{}
	unsaved      map[int64]unsaved
	unsavedBytes int64 // total size of the pictures in unsaved
	hasDeleted   bool  // Close must purge
}

// New returns a service. It opens and starts nothing.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Backend.Endpoint == nil {
		o.Backend.Endpoint = func() Endpoint { return Endpoint{} }
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
		IsEmbedded: func(context.Context) bool { return s.Endpoint().IsEmbedded },
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
		Folder:     s.ExportFolder(), Root: s.paths, Mask: o.Mask,
	})
	return s
}

// Files returns the picture files of the history.
func (s *Service) Files() *pictures.Files { return s.files }

// Exporter returns the exporter of answers, turns, sessions and runs.
func (s *Service) Exporter() *export.Exporter { return s.exporter }

// ExportFolder returns the folder for files that are written without a path.
func (s *Service) ExportFolder() string {
	return filepath.Join(filepath.Dir(s.o.Pictures.Folder), "exports")
}

// Paths returns the folder that restricts user-given paths.
func (s *Service) Paths() localfile.Root { return s.paths }

// Endpoint describes the service without connecting to it.
func (s *Service) Endpoint() Endpoint { return s.o.Backend.Endpoint() }

// EngineStatus is the state of the engine of a model of the embedded service.
type EngineStatus struct {
	Engine  string `json:"engine,omitempty"`         // name in the configuration; empty if there is none
	Model   string `json:"engine_model,omitempty"`   // the engine's name of the model; empty if it is the slug
	IsUp    bool   `json:"-"`                        // it answers now
	Problem string `json:"engine_problem,omitempty"` // why it does not answer, in a sentence
}

// IsSimulated reports whether the offline engine invents the answers.
func (a EngineStatus) IsSimulated() bool { return a.Engine == history.Offline }

// EngineStatuses checks the engines of the embedded service, which takes at most a few seconds, and returns their
// status by model slug. It is empty for another service.
func (s *Service) EngineStatuses(ctx context.Context) (map[string]EngineStatus, error) {
	if s.o.Backend.Engines == nil {
		return nil, nil
	}
	return s.o.Backend.Engines(ctx)
}

// Quota limits the answers and bytes of one of several users. A turn uses answers for each model and sample. Its
// errors are [*api.Error]s for people.
type Quota interface {
	// CheckAnswers returns an error if the quota does not allow so many answers now. It reserves nothing. It allows
	// refusing an operation of several steps before the first.
	CheckAnswers(answers int) error
	// ReserveAnswers reserves all answers or returns an error. The caller passes the id of the recorded turn to
	// recorded, or 0 if recording failed, which releases the answers.
	ReserveAnswers(answers int) (recorded func(turn int64), err error)
	// Release releases reserved answers that were not requested.
	Release(unasked int)
	// ReserveBytes reserves disk space or returns an error.
	ReserveBytes(bytes int64) error
}

type noQuota struct{}

func (noQuota) CheckAnswers(int) error                       { return nil }
func (noQuota) ReserveAnswers(int) (func(turn int64), error) { return func(int64) {}, nil }
func (noQuota) Release(int)                                  {}
func (noQuota) ReserveBytes(int64) error                     { return nil }

// endQuota releases the unused quota of ended calls.
func (s *Service) endQuota(calls []*call) {
	unasked := 0
	for _, c := range calls {
		if !c.hasBegun() {
			unasked++
		}
	}
	s.o.Limits.Quota.Release(unasked)
}
