package service

import (
	"context"
	"log/slog"
	"time"

	"confab/history"
	"confab/history/importer"
	"confab/internal/javascript"
	"confab/internal/redact"
	"confab/service/api"
	"confab/service/pictures"
)

const defaultConcurrency = 8

// Options are the choices of [New]. History.Open, History.OpenMemory, Backend.Connect and Backend.Catalogue are
// required.
type Options struct {
	History     HistoryOptions
	Backend     BackendOptions
	Pictures    pictures.Options // the folder and the bucket are ignored where History.Saves is false
	DraftFolder string           // created on first use
	Limits      Limits
	Grader      string                 // model that judges answers of suites that name none; empty for none
	Scripts     javascript.Interpreter // of the checks of suites
	Mask        *redact.Masker         // nil masks nothing
	Log         *slog.Logger           // nil discards
	Now         func() time.Time
}

// HistoryOptions configure the store of turns.
type HistoryOptions struct {
	// Open opens the store on first use, and again after a failure.
	Open func(ctx context.Context) (history.Store, error)
	// OpenMemory opens an empty store in memory, if Saves is false or Open failed.
	OpenMemory func(ctx context.Context) (history.Store, error)
	// OpenCopy opens a copy, in a folder, of a store that is readable but not writable; may be nil.
	OpenCopy func(ctx context.Context, folder string) (history.Store, error)
	// OpenForeign opens the databases of other programs for [Service.Import].
	OpenForeign importer.OpenDatabase
	// If Saves is false, nothing is kept: the store is in memory, drafts are not saved, and pictures are in a
	// temporary folder that Close removes.
	Saves bool
}

// BackendOptions configure the service that answers.
type BackendOptions struct {
	// Connect starts the embedded service or creates the client of a remote one. It is called on first use, and again
	// after a failure.
	Connect func(ctx context.Context) (Connection, error)
	// Endpoint returns the destination of Connect; nil describes an unnamed one.
	Endpoint func() Endpoint
	// Catalogue returns the models of the moment.
	Catalogue func() api.Catalogue
	// Providers are slugs of models by the names that suites of promptfoo have for them.
	Providers map[string]string
	// Engines checks the engines of the embedded service and returns their status by model; nil for another service.
	Engines func(ctx context.Context) (map[string]EngineStatus, error)
	// Extensions returns the extensions of the embedded service for a model slug; nil for another service, which
	// declares its own.
	Extensions func(model string) api.Extensions
	// IgnoresExtensions disables all extensions of the contract.
	IgnoresExtensions bool
	// Price returns the price of a model by its slug and its engine's name; nil means unknown.
	Price func(model, engineModel string) (Price, bool)
}

// Limits bound parallel calls and the use by one of several users.
type Limits struct {
	Concurrency    int    // parallel requests of one turn; 0 means 8
	MaxConcurrency int    // parallel calls of a suite; 0 means no bound
	MaxSamples     int    // per model and prompt; 0 means [MaxSamples] in a turn, no bound in a suite
	Quota          Quota  // nil means no bounds
	IsServed       bool   // the user is one of several of a server: fewer unsaved pictures stay in memory
	Root           string // folder that contains all user-given paths; empty means no restriction
}

// Connection is a connection to a service.
type Connection struct {
	Client Client
	// PublishLocal lets the embedded service read a local picture; nil for a remote service.
	PublishLocal pictures.LocalPublisher
	// Close ends what Connect started; may be nil.
	Close func(ctx context.Context) error
}

func (c Connection) end(ctx context.Context) error {
	if c.Close == nil {
		return nil
	}
	return c.Close(ctx)
}

// Client makes one call of a model. [api.Client] implements it.
type Client interface {
	Do(ctx context.Context, r api.Request, observe func(api.Progress)) (api.Response, api.Exchange, error)
	Curl(r api.Request) string
}

// Endpoint describes the service that answers.
type Endpoint struct {
	IsEmbedded  bool
	Host        string   // of a remote service, for people
	BaseURL     string   // of a remote service
	IsSimulated bool     // the offline engine invents every answer
	Engines     []string // of the embedded service, the offline engine last
}
