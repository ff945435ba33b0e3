package keys

// Command names what a key does. It is also the name to rebind it by, in the
// [keys] table of the configuration.
type Command string

// Scope is where a command can be had.
type Scope string

// The scopes of the map. Everywhere comes before the focused pane's own; in the scopes
// that hold text (Prompt, System, Models, Browser, Gallery) bare letters are text.
const (
	Everywhere    Scope = "everywhere"
	Prompt        Scope = "prompt"
	System        Scope = "system prompt"
	Models        Scope = "models"
	Conversation  Scope = "conversation"
	Start         Scope = "start page"
	Compare       Scope = "compare"
	Runs          Scope = "runs"
	Voting        Scope = "blind vote"
	Browser       Scope = "lists"
	Gallery       Scope = "pictures"
	PictureViewer Scope = "one picture"
	TextViewer    Scope = "text views"
	Form          Scope = "forms"
	Text          Scope = "text fields"
	Vi            Scope = "vi mode" // normal and visual mode of text fields; before Everywhere
)

// Commands that work everywhere.
const (
	Interrupt     Command = "interrupt"
	Back          Command = "back"
	NextPane      Command = "next_pane"
	Pane2         Command = "pane_2"
	Pane4         Command = "pane_4"
	Commands      Command = "commands"
	Help          Command = "help"
	ChooseModels  Command = "choose_models"
	Personas      Command = "system_prompts"
	Sessions      Command = "sessions"
	LastSession   Command = "last_session"
	OldPrompts    Command = "old_prompts"
	Pictures      Command = "pictures"
	ToggleContext Command = "toggle_context"
	ToggleMouse   Command = "toggle_mouse"
	ZoomPane      Command = "zoom_pane"
	SideBySide    Command = "side_by_side"
	Suspend       Command = "suspend"
	Themes        Command = "themes"
	Redraw        Command = "redraw"
	Undo          Command = "undo"
	SaveAgain     Command = "save_again"
	ShowRuns      Command = "runs"
	Share         Command = "share"
	TakeEngines   Command = "take_engines"
	Quit          Command = "quit"
)

// Commands of the prompt and the system prompt.
const (
	Send           Command = "send"
	NewLine        Command = "new_line"
	QuitWhenEmpty  Command = "quit_when_empty"
	CommandsEmpty  Command = "commands_when_empty"
	EarlierPrompt  Command = "earlier_prompt"
	NextVariant    Command = "next_variant"
	LaterPrompt    Command = "later_prompt"
	PictureOptions Command = "picture_options"
	Parameters     Command = "parameters"
	PickSource     Command = "pick_source"
	PickFile       Command = "pick_file"
	Example1       Command = "example_1"
	Example2       Command = "example_2"
	Example3       Command = "example_3"
)

// Commands of the model list.
const (
	MarkModel     Command = "mark_model"
	RefreshModels Command = "refresh_models"
	MarkOneModel  Command = "one_model"
	MarkNone      Command = "mark_none"
)

// Commands of lists and of the conversation.
const (
	Down           Command = "down"
	Up             Command = "up"
	PageDown       Command = "page_down"
	PageUp         Command = "page_up"
	HalfDown       Command = "half_page_down"
	HalfUp         Command = "half_page_up"
	Top            Command = "top"
	Bottom         Command = "bottom"
	NextTurn       Command = "next_turn"
	PreviousTurn   Command = "previous_turn"
	NextBranch     Command = "next_branch"
	PreviousBranch Command = "previous_branch"
	NextAnswer     Command = "next_answer"
	PreviousAnswer Command = "previous_answer"

	CopyAnswer    Command = "copy_answer"
	CopyTurn      Command = "copy_turn"
	CopyCode      Command = "copy_code"
	CodeLeft      Command = "code_left"
	CodeRight     Command = "code_right"
	Write         Command = "write"
	Unformatted   Command = "unformatted"
	Find          Command = "find"
	FindNext      Command = "find_next"
	FindPrevious  Command = "find_previous"
	Again         Command = "again"
	Another       Command = "another"
	Continue      Command = "continue"
	ShowReasoning Command = "show_reasoning"
	ResumeFailed  Command = "resume_failed"
	StopAnswer    Command = "stop_answer"
	StopAll       Command = "stop_all"
	Delete        Command = "delete"
	RateGood      Command = "rate_good"
	RateBad       Command = "rate_bad"
	MarkWinner    Command = "mark_winner"
	AddNote       Command = "note"
	Inspect       Command = "inspect"
	UseAsSource   Command = "use_as_source"
	OpenPicture   Command = "open_picture"
	CopyPath      Command = "copy_path"
	NextSample    Command = "next_sample"
)

// Commands of the comparison.
const (
	CompareAnswers Command = "compare"
	ShowTable      Command = "show_table"
	Layouts        Command = "layouts"
	ZoomAnswer     Command = "zoom_answer"
	Pin            Command = "pin"
	Difference     Command = "difference"
	SyncScroll     Command = "sync_scroll"
	SortAnswers    Command = "sort_answers"
	ShowAnswers    Command = "show_answers"
	WholePrompt    Command = "whole_prompt"
	DiffColumns    Command = "difference_columns"
	SwapSides      Command = "swap_sides"
	BlindVote      Command = "blind_vote"
	ShowWins       Command = "wins"
	BeforeAfter    Command = "before_after"
	EditChain      Command = "edit_chain"
)

// Commands of the table of a run.
const (
	OpenCell    Command = "open_cell"
	OnlyFailed  Command = "only_failed"
	ResumeRun   Command = "resume_run"
	CompareRuns Command = "compare_runs"
)

// Commands of dialogs.
const (
	Choose         Command = "choose"
	Close          Command = "close"
	Rename         Command = "rename"
	Fork           Command = "fork"
	GoToSession    Command = "go_to_session"
	Export         Command = "export"
	Remove         Command = "remove"
	Edit           Command = "edit"
	Create         Command = "create"
	RunSuite       Command = "run_suite"
	ListDown       Command = "list_down"
	ListUp         Command = "list_up"
	ListPageDown   Command = "list_page_down"
	ListPageUp     Command = "list_page_up"
	ListTop        Command = "list_top"
	ListEnd        Command = "list_end"
	PreviewDown    Command = "preview_down"
	PreviewUp      Command = "preview_up"
	ViewLarge      Command = "view_large"
	FetchLine      Command = "fetch_line"
	NextField      Command = "next_field"
	PreviousField  Command = "previous_field"
	NextChoice     Command = "next_choice"
	PreviousChoice Command = "previous_choice"
	Accept         Command = "accept"
	KeepAs         Command = "keep_as"
	ListKept       Command = "list_kept"
	Yes            Command = "yes"
	No             Command = "no"
)
