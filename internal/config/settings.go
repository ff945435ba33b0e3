package config

import "time"

// Settings is what can be set in the file, by flags and in the environment.
// What each means is said in one place, see [Table].
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
}

// Service is how the service is reached.
type Service struct {
	BaseURL            string // empty: the embedded service
	APIKeyCommand      []string
	APIKeyFile         string
	Keyring            bool
	AllowPlainHTTP     bool
	Concurrency        int
	ConnectTimeout     time.Duration
	FirstByteTimeout   time.Duration
	RequestTimeout     time.Duration
	SlowRequestTimeout time.Duration
	MaxAnswerBytes     int64
	MaxPictureBytes    int64
	UploadCommand      []string
	WithdrawCommand    []string
	PublicURL          string
	PublicListen       string
	Unrouted           string // "offline" or "unknown_model": who answers models without a route
	FindEngines        bool   // look for model servers on this machine when the screen starts
}

// Models is which models are marked at start, listed first, and added.
type Models struct {
	Default    []string
	Favourites []string
	Custom     []CustomModel
}

// CustomModel is a model that the built-in catalogue does not have.
type CustomModel struct {
	Slug         string
	Kind         string // "text", "image" or "edit"
	About        string
	Slow         bool
	SystemPrompt bool // whether it takes one
}

// UI is how the screen looks and behaves.
type UI struct {
	Theme      string // "auto", or a theme's name for any background
	ThemeDark  string // what "auto" takes on a dark background
	ThemeLight string
	SendKey    string
	Mouse      bool
	Motion     string // "auto", "on", "off"
	Notify     string // "auto", "bell", "off"
	Pictures   string // "auto", "kitty", "sixel", "iterm", "cells", "off"
	FPS        int    // 0: by the terminal
	Start      string // "new", "last"
	SideBySide string // "auto", "off"
}

// ThemeFor returns the name of the theme for a background of that brightness.
func (u UI) ThemeFor(dark bool) string {
	switch {
	case u.Theme != "auto":
		return u.Theme
	case dark:
		return u.ThemeDark
	}
	return u.ThemeLight
}

// Pictures is where pictures go and how they are named.
type Pictures struct {
	Folder string // empty: in the data folder
	Name   string
}

// History is what is kept.
type History struct {
	Save   bool
	Folder string // empty: the data folder
}

// Log is what the log says.
type Log struct {
	Level string // "debug", "info", "warn", "error", "off"
}
