package keys

// Effect names what a key does. It is also the name to rebind it by, in the
// [keys] table of the configuration.
type Effect string

// Scope is where an effect can be had.
type Scope string

// The scopes. Everywhere comes before the focused pane's own; in the scopes
// that hold text (Prompt, System, Browser, Gallery) bare letters are text.
const (
	Everywhere   Scope = "everywhere"
	Prompt       Scope = "prompt"
	System       Scope = "system prompt"
	Models       Scope = "models"
	Conversation Scope = "conversation"
	Compare      Scope = "compare"
	Runs         Scope = "runs"
	Voting       Scope = "blind vote"
	Browser      Scope = "lists"
	Gallery      Scope = "pictures"
	Viewing      Scope = "one picture"
	Viewer       Scope = "text views"
	Form         Scope = "forms"
)

// Effects that can be had everywhere.
const (
	Interrupt      Effect = "interrupt"
	Back           Effect = "back"
	NextPane       Effect = "next_pane"
	PreviousPane   Effect = "previous_pane"
	Pane1          Effect = "pane_1"
	Pane2          Effect = "pane_2"
	Pane3          Effect = "pane_3"
	Pane4          Effect = "pane_4"
	Commands       Effect = "commands"
	Help           Effect = "help"
	ChooseModels   Effect = "choose_models"
	Personas       Effect = "personas"
	Sessions       Effect = "sessions"
	NewSession     Effect = "new_session"
	LastSession    Effect = "last_session"
	OldPrompts     Effect = "old_prompts"
	Pictures       Effect = "pictures"
	ExternalEditor Effect = "external_editor"
	CopyNewest     Effect = "copy_newest"
	ToggleContext  Effect = "toggle_context"
	SendFresh      Effect = "send_fresh"
	ToggleMouse    Effect = "toggle_mouse"
	ZoomPane       Effect = "zoom_pane"
	SideBySide     Effect = "side_by_side"
	Suspend        Effect = "suspend"
	Themes         Effect = "themes"
	Redraw         Effect = "redraw"
	Undo           Effect = "undo"
	SaveAgain      Effect = "save_again"
	ShowRuns       Effect = "runs"
	RunSuite       Effect = "run_suite"
	TakeEngines    Effect = "take_engines"
	Quit           Effect = "quit"
)

// Effects of the prompt and the system prompt.
const (
	Send           Effect = "send"
	NewLine        Effect = "new_line"
	QuitWhenEmpty  Effect = "quit_when_empty"
	CommandsEmpty  Effect = "commands_when_empty"
	EarlierPrompt  Effect = "earlier_prompt"
	LaterPrompt    Effect = "later_prompt"
	PictureOptions Effect = "picture_options"
	PickSource     Effect = "pick_source"
	ShowSent       Effect = "show_sent"
	Example1       Effect = "example_1"
	Example2       Effect = "example_2"
	Example3       Effect = "example_3"
)

// Effects of the model list.
const (
	MarkModel   Effect = "mark_model"
	OneModel    Effect = "one_model"
	Filter      Effect = "filter"
	MarkAllText Effect = "mark_all_text"
	MarkNone    Effect = "mark_none"
	AboutModel  Effect = "about_model"
)

// Effects of lists and of the conversation.
const (
	Down         Effect = "down"
	Up           Effect = "up"
	PageDown     Effect = "page_down"
	PageUp       Effect = "page_up"
	HalfDown     Effect = "half_page_down"
	HalfUp       Effect = "half_page_up"
	Top          Effect = "top"
	Bottom       Effect = "bottom"
	NextTurn     Effect = "next_turn"
	PreviousTurn Effect = "previous_turn"
	NextAnswer   Effect = "next_answer"
	PrevAnswer   Effect = "previous_answer"

	CopyAnswer   Effect = "copy_answer"
	CopyTurn     Effect = "copy_turn"
	CopyCode     Effect = "copy_code"
	Write        Effect = "write"
	Unformatted  Effect = "unformatted"
	Find         Effect = "find"
	FindNext     Effect = "find_next"
	FindPrevious Effect = "find_previous"
	Again        Effect = "again"
	Another      Effect = "another"
	ResumeFailed Effect = "resume_failed"
	StopAnswer   Effect = "stop_answer"
	StopAll      Effect = "stop_all"
	EditPrompt   Effect = "edit_prompt"
	Delete       Effect = "delete"
	RateGood     Effect = "rate_good"
	RateBad      Effect = "rate_bad"
	MarkWinner   Effect = "mark_winner"
	AddNote      Effect = "note"
	Inspect      Effect = "inspect"
	UseAsSource  Effect = "use_as_source"
	OpenPicture  Effect = "open_picture"
	CopyPath     Effect = "copy_path"
	OpenLink     Effect = "open_link"
	NextSample   Effect = "next_sample"
	PrevSample   Effect = "previous_sample"
)

// Effects of the comparison.
const (
	CompareAnswers Effect = "compare"
	Layouts        Effect = "layouts"
	Stack          Effect = "stack"
	ZoomAnswer     Effect = "zoom_answer"
	WindowLeft     Effect = "window_left"
	WindowRight    Effect = "window_right"
	Pin            Effect = "pin"
	Difference     Effect = "difference"
	SyncScroll     Effect = "sync_scroll"
	SortAnswers    Effect = "sort_answers"
	ShowAnswers    Effect = "show_answers"
	JumpAnswer     Effect = "jump_answer"
	WholePrompt    Effect = "whole_prompt"
	DiffColumns    Effect = "difference_columns"
	SwapSides      Effect = "swap_sides"
	BlindVote      Effect = "blind_vote"
	VoteA          Effect = "vote_a"
	VoteB          Effect = "vote_b"
	VoteEqual      Effect = "vote_equal"
	VoteBad        Effect = "vote_bad"
	VoteSkip       Effect = "vote_skip"
	UndoVote       Effect = "undo_vote"
	ShowWins       Effect = "wins"
	NextCase       Effect = "next_prompt"
	PrevCase       Effect = "previous_prompt"
	BeforeAfter    Effect = "before_after"
	EditChain      Effect = "edit_chain"
)

// Effects of the table of a run.
const (
	OpenCell     Effect = "open_cell"
	NextFailed   Effect = "next_failed"
	OnlyFailed   Effect = "only_failed"
	StopRun      Effect = "stop_run"
	ResumeRun    Effect = "resume_run"
	CompareRuns  Effect = "compare_runs"
	CopyTable    Effect = "copy_table"
	ColumnsLeft  Effect = "columns_left"
	ColumnsRight Effect = "columns_right"
)

// Effects of dialogs.
const (
	Choose       Effect = "choose"
	Close        Effect = "close"
	Rename       Effect = "rename"
	Fork         Effect = "fork"
	Export       Effect = "export"
	Remove       Effect = "remove"
	Edit         Effect = "edit"
	Create       Effect = "create"
	ListDown     Effect = "list_down"
	ListUp       Effect = "list_up"
	ListPgDown   Effect = "list_page_down"
	ListPgUp     Effect = "list_page_up"
	ListTop      Effect = "list_top"
	ListEnd      Effect = "list_end"
	PreviewDown  Effect = "preview_down"
	PreviewUp    Effect = "preview_up"
	PictureLeft  Effect = "picture_left"
	PictureRight Effect = "picture_right"
	MarkPicture  Effect = "mark_picture"
	MarkEmpty    Effect = "mark_when_empty"
	ViewLarge    Effect = "view_large"
	FetchLine    Effect = "fetch_line"
	CopyView     Effect = "copy_view"
	CopyCurl     Effect = "copy_curl"
	NextField    Effect = "next_field"
	PrevField    Effect = "previous_field"
	NextChoice   Effect = "next_choice"
	PrevChoice   Effect = "previous_choice"
	Accept       Effect = "accept"
	Yes          Effect = "yes"
	No           Effect = "no"
)
