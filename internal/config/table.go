package config

import "time"

// Type is what values a setting takes.
type Type string

// The types.
const (
	Text     Type = "text"
	Choice   Type = "choice"   // one of the setting's choices
	Folder   Type = "path"     // an absolute path, or one that begins with ~/
	Switch   Type = "switch"   // true or false
	Number   Type = "number"   // a whole number
	Duration Type = "duration" // a number with a unit: "90s", "5m"
	Size     Type = "size"     // bytes, or a number with a unit: "8MiB"
	List     Type = "list"     // several texts
	Command  Type = "command"  // a program and its words; no shell is involved
)

// Setting is one line of the table from which the template of the file, the
// names in the environment, the checks and docs/configuration.md are made.
type Setting struct {
	Name    string // section.name
	Type    Type
	Default string   // as TOML writes it
	Choices []string // of a Choice
	Min     int64    // of Number; of Duration in milliseconds; of Size in bytes
	Max     int64
	About   string // what it means: one or more full sentences
	Example string // as TOML writes it, for the template, where the default says little
	Short   string // its short name in the environment, empty for most

	check func(value string) string // what is wrong with a text, as "must …", or ""
	field func(*Settings) any       // pointer to where it is kept
}

// Env returns the setting's names in the environment, the one that wins first.
func (s Setting) Env() []string {
	long := "CONFAB_" + envName(s.Name)
	if s.Short != "" {
		return []string{s.Short, long}
	}
	return []string{long}
}

func ms(d time.Duration) int64 { return d.Milliseconds() }

// Table returns every setting, ordered as in the file. The tables [keys],
// [[models.custom]], [engines.<name>] and [[routes]] are not lines of it.
func Table() []Setting {
	var t []Setting
	t = append(t, serviceTable()...)
	t = append(t, modelsTable()...)
	t = append(t, serveTable()...)
	t = append(t, uiTable()...)
	t = append(t, storeTable()...)
	return append(t, sshTable()...)
}

func serviceTable() []Setting {
	return []Setting{
		{Name: "service.base_url", Type: Text, Default: `""`, Example: `"https://api.example.com"`,
			Short: "CONFAB_BASE_URL",
			check: checkBaseURL,
			About: "Where the service is. Empty: the embedded one, which works offline and simulates its answers.",
			field: func(s *Settings) any { return &s.Service.BaseURL }},
		{Name: "service.api_key_command", Type: Command, Default: `[]`, Example: `["pass", "show", "confab"]`,
			check: checkProgram,
			About: "A program that prints the key. It is run without a shell, for at most 30 seconds, when the " +
				"first request is sent.",
			field: func(s *Settings) any { return &s.Service.APIKeyCommand }},
		{Name: "service.keyring", Type: Switch, Default: `false`,
			About: "Look for the key in the system's keyring, under service confab and user api_key. Off by " +
				"default, because the system may ask for a password to open it.",
			field: func(s *Settings) any { return &s.Service.Keyring }},
		{Name: "service.api_key_file", Type: Folder, Default: `""`, Example: `"~/.config/confab/key"`,
			About: "A file that holds the key and nothing else. It is refused when others may read it (chmod 600).",
			field: func(s *Settings) any { return &s.Service.APIKeyFile }},
		{Name: "service.allow_plain_http", Type: Switch, Default: `false`,
			About: "Allow http:// to other machines. The key and everything else then travel readable by anyone " +
				"between.",
			field: func(s *Settings) any { return &s.Service.AllowPlainHTTP }},
		{Name: "service.concurrency", Type: Number, Default: `8`, Min: 1, Max: 64,
			About: "How many requests of one turn run side by side.",
			field: func(s *Settings) any { return &s.Service.Concurrency }},
		{Name: "service.connect_timeout", Type: Duration, Default: `"10s"`, Min: ms(100 * time.Millisecond),
			Max:   ms(5 * time.Minute),
			About: "How long connecting may take.",
			field: func(s *Settings) any { return &s.Service.ConnectTimeout }},
		{Name: "service.first_byte_timeout", Type: Duration, Default: `"2m"`, Min: ms(time.Second), Max: ms(time.Hour),
			About: "How long the service may stay silent: before an answer begins, and between two parts of it.",
			field: func(s *Settings) any { return &s.Service.FirstByteTimeout }},
		{Name: "service.request_timeout", Type: Duration, Default: `"5m"`, Min: ms(time.Second),
			Max:   ms(24 * time.Hour),
			About: "How long one request may take in all.",
			field: func(s *Settings) any { return &s.Service.RequestTimeout }},
		{Name: "service.slow_request_timeout", Type: Duration, Default: `"10m"`, Min: ms(time.Second),
			Max:   ms(24 * time.Hour),
			About: "The same for models marked slow, which may take half of it to begin an answer.",
			field: func(s *Settings) any { return &s.Service.SlowRequestTimeout }},
		{Name: "service.max_answer_bytes", Type: Size, Default: `"8MiB"`, Min: 1 << 10, Max: 256 << 20,
			About: "The largest text answer accepted, as JSON.",
			field: func(s *Settings) any { return &s.Service.MaxAnswerBytes }},
		{Name: "service.max_picture_bytes", Type: Size, Default: `"64MiB"`, Min: 1 << 10, Max: 1 << 30,
			About: "The largest picture accepted.",
			field: func(s *Settings) any { return &s.Service.MaxPictureBytes }},
		{Name: "service.upload_command", Type: Command, Default: `[]`, Example: `["upload-picture", "{}"]`,
			check: checkProgram,
			About: "A program that publishes a local picture and prints its URL, for edits by a remote service. {} " +
				"stands for the file, a copy under a name nobody can guess; without it the file is added at the " +
				"end. It is run without a shell, for at most a minute, and confab asks before it runs it.",
			field: func(s *Settings) any { return &s.Service.UploadCommand }},
		{Name: "service.withdraw_command", Type: Command, Default: `[]`, Example: `["remove-picture", "{}"]`,
			check: checkProgram,
			About: "A program that takes such a picture back, run right after the request. {} stands for the URL; " +
				"without it the URL is added at the end. Empty: the picture stays where upload_command put it.",
			field: func(s *Settings) any { return &s.Service.WithdrawCommand }},
		{Name: "service.public_url", Type: Text, Default: `""`, Example: `"https://pictures.example.org"`,
			check: checkPublicURL,
			About: "Where confab itself can be reached from outside, for the same purpose: exactly the chosen " +
				"files are served, under unguessable names, while the request lasts.",
			field: func(s *Settings) any { return &s.Service.PublicURL }},
		{Name: "service.public_listen", Type: Text, Default: `""`, Example: `"127.0.0.1:8089"`, check: checkListen,
			About: "The address confab listens on for public_url, as host:port.",
			field: func(s *Settings) any { return &s.Service.PublicListen }},
		{Name: "service.unrouted", Type: Choice, Default: `"offline"`, Choices: []string{"offline", "unknown_model"},
			About: "Who answers models that no route names, in the embedded service: the offline engine, which " +
				"simulates, or nobody.",
			field: func(s *Settings) any { return &s.Service.Unrouted }},
		{Name: "service.find_engines", Type: Switch, Default: `true`,
			About: "Look for model servers at the usual ports of this machine when the screen starts, and say " +
				"which are not configured yet. Only loopback is asked, and only for the embedded service.",
			field: func(s *Settings) any { return &s.Service.FindEngines }},
	}
}

func modelsTable() []Setting {
	return []Setting{
		{Name: "models.default", Type: List, Default: `[]`, Example: `["alpha3.1-8b", "oss-20b"]`,
			Short: "CONFAB_MODEL",
			check: checkName,
			About: "The models that are marked in a new session. Empty: those marked last.",
			field: func(s *Settings) any { return &s.Models.Default }},
		{Name: "models.favourites", Type: List, Default: `[]`, Example: `["gamma-4.7"]`, check: checkName,
			About: "The models that are listed first.",
			field: func(s *Settings) any { return &s.Models.Favourites }},
	}
}

func uiTable() []Setting {
	return []Setting{
		{Name: "ui.theme", Type: Text, Default: `"auto"`, check: checkName,
			About: "The theme. \"auto\" takes theme_dark or theme_light by the terminal's background. `confab " +
				"themes` lists " +
				"the names; your own are files in the folder themes beside this one.",
			field: func(s *Settings) any { return &s.UI.Theme }},
		{Name: "ui.theme_dark", Type: Text, Default: `"confab-dark"`, check: checkName,
			About: "What \"auto\" takes on a dark background.",
			field: func(s *Settings) any { return &s.UI.ThemeDark }},
		{Name: "ui.theme_light", Type: Text, Default: `"confab-light"`, check: checkName,
			About: "What \"auto\" takes on a light background.",
			field: func(s *Settings) any { return &s.UI.ThemeLight }},
		{Name: "ui.send_key", Type: Choice, Default: `"enter"`,
			Choices: []string{"enter", "alt+enter", "ctrl+enter", "shift+enter", "ctrl+j"},
			About: "The key that sends. The others start a new line; ctrl+enter and shift+enter need a terminal " +
				"that reports them.",
			field: func(s *Settings) any { return &s.UI.SendKey }},
		{Name: "ui.mouse", Type: Switch, Default: `true`,
			About: "Take the mouse. alt+m gives it back to the terminal at any time.",
			field: func(s *Settings) any { return &s.UI.Mouse }},
		{Name: "ui.motion", Type: Choice, Default: `"auto"`, Choices: []string{"auto", "on", "off"},
			About: "A sign that turns while an answer is awaited; seconds are counted either way. \"auto\": none " +
				"over SSH.",
			field: func(s *Settings) any { return &s.UI.Motion }},
		{Name: "ui.notify", Type: Choice, Default: `"auto"`, Choices: []string{"auto", "bell", "off"},
			About: "What tells of a long run that ends while the window is not in front. \"auto\": a notification " +
				"where the terminal has them, else the bell.",
			field: func(s *Settings) any { return &s.UI.Notify }},
		{Name: "ui.pictures", Type: Choice, Default: `"auto"`,
			Choices: []string{"auto", "kitty", "sixel", "iterm", "cells", "off"},
			About: "How pictures are shown. \"auto\": the best that the terminal proves it can; \"cells\": " +
				"coloured blocks.",
			field: func(s *Settings) any { return &s.UI.Pictures }},
		{Name: "ui.fps", Type: Number, Default: `0`, Min: 0, Max: 120,
			About: "How many times a second the screen is painted at most. 0: 120 on this machine's terminal, " +
				"fewer over SSH.",
			field: func(s *Settings) any { return &s.UI.FPS }},
		{Name: "ui.start", Type: Choice, Default: `"new"`, Choices: []string{"new", "last"},
			About: "Start with a new session, or with the last one.",
			field: func(s *Settings) any { return &s.UI.Start }},
		{Name: "ui.side_by_side", Type: Choice, Default: `"auto"`, Choices: []string{"auto", "off"},
			About: "How a turn to several models opens. \"auto\": its answers side by side, from 80 columns on; " +
				"\"off\": below each other. alt+v switches at any time.",
			field: func(s *Settings) any { return &s.UI.SideBySide }},
	}
}

func storeTable() []Setting {
	return []Setting{
		{Name: "pictures.folder", Type: Folder, Default: `""`, Example: `"~/Pictures/confab"`,
			About: "Where pictures are written. Empty: the folder pictures in the data folder.",
			field: func(s *Settings) any { return &s.Pictures.Folder }},
		{Name: "pictures.name", Type: Text, Default: `"{counter}-{model}-{slug}-{nonce}"`, check: checkNameTemplate,
			About: "How they are named, from {counter}, {model}, {slug} (words of the prompt) and {nonce}. The " +
				"ending comes from the picture.",
			field: func(s *Settings) any { return &s.Pictures.Name }},
		{Name: "history.save", Type: Switch, Default: `true`,
			About: "Keep prompts and answers. false: nothing is written but pictures.",
			field: func(s *Settings) any { return &s.History.Save }},
		{Name: "history.folder", Type: Folder, Default: `""`, Example: `"~/confab"`,
			About: "The folder of history.db. Empty: the data folder.",
			field: func(s *Settings) any { return &s.History.Folder }},
		{Name: "log.level", Type: Choice, Default: `"info"`, Choices: []string{"debug", "info", "warn", "error", "off"},
			About: "How much the log says. It never holds prompts, answers or the key.",
			field: func(s *Settings) any { return &s.Log.Level }},
	}
}
