package browse

import (
	"time"

	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/service"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/part"
)

// host has no session.
type host struct{ part.Host }

func (host) CanShare() bool { return false }

func (host) IsCovered() bool { return false }

func (host) Session() history.Session { return history.Session{} }

// ListConfig returns the configuration of a list as confab opens it, of a screen where nothing is chosen.
func ListConfig(list action.List, m keys.Map) Config {
	terminal := graphics.NewTerminal(graphics.Cells, graphics.Loader{}, nil)
	terminal.SetProfile(colorprofile.TrueColor)
	b := New(Env{Env: part.Env{Keys: m, Host: host{}},
		Graphics:     terminal,
		Offers:       func(keys.Scope, keys.Command) bool { return true },
		Lookups:      func() []keys.Lookup { return nil },
		Theme:        func() string { return "night" },
		SystemPrompt: func() string { return "" },
		Settings:     func() service.Draft { return service.Draft{} },
		Runs:         func() (compared, live int64) { return 0, 0 }})
	return b.lists[list]()
}

// RunItem returns the row of a run, of all that were found.
func RunItem(r history.Run, all []history.Run, now time.Time) Item { return runItem(r, all, 0, 0, now) }
