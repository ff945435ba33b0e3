package keys

import (
	"slices"
	"strings"
)

// Entry is one line of the map.
type Entry struct {
	Command Command
	Scope   Scope
	Keys    []string // as Bubble Tea names them; the first is the one shown
	Short   string   // what it does, for the footer
	Long    string   // what it does, for help, command list and docs
	Group   Group    // where the list of commands has it
	Title   string   // its name there; "" where it is not listed
}

// Group is a subject of the list of commands.
type Group int

// The groups in the order of the list.
const (
	GroupSession Group = iota
	GroupPrompt
	GroupAnswer
	GroupCompare
	GroupPictures
	GroupRuns
	GroupScreen
)

// String returns the name of the group.
func (g Group) String() string {
	return [...]string{"session", "prompt", "answer", "compare", "pictures", "runs", "screen"}[g]
}

// binding is an entry of the table without its scope; blanks separate its keys.
type binding struct {
	command           Command
	keys, short, long string
}

func entriesOf(scope Scope, bindings []binding) []Entry {
	entries := make([]Entry, len(bindings))
	for i, b := range bindings {
		entries[i] = Entry{Command: b.command, Scope: scope, Keys: strings.Fields(b.keys), Short: b.short, Long: b.long}
	}
	return entries
}

// Rest returns the commands of the scopes that have no [part.Table] yet, in the order of the help. Letters of lists
// carry alt or ctrl because the filter of a list takes text.
func Rest() []Entry { return titled(rest()) }

// titled gives entries their places in the list of commands.
func titled(entries []Entry) []Entry {
	type place struct {
		group Group
		title string
	}
	places := map[Scope]map[Command]place{
		Compare: {
			Difference: {GroupCompare, "Difference of two answers"},
			Layouts:    {GroupCompare, "Another layout"},
			SyncScroll: {GroupCompare, "Scroll together"},
			BlindVote:  {GroupCompare, "Blind vote"},
			ShowWins:   {GroupCompare, "Wins per model"},
		},
	}
	for i, e := range entries {
		p := places[e.Scope][e.Command]
		entries[i].Group, entries[i].Title = p.group, p.title
	}
	return entries
}

func rest() []Entry {
	return slices.Concat(
		entriesOf(Compare, []binding{
			{NextAnswer, "l right", "next", "Next answer"},
			{PreviousAnswer, "h left", "previous", "Previous answer"},
			{Down, "j down", "down", "A line down; in the list the next answer"},
			{Up, "k up", "up", "A line up; in the list the previous answer"},
			{PageDown, "pgdown space", "page down", "A page down"},
			{PageUp, "pgup", "page up", "A page up"},
			{HalfDown, "ctrl+d", "half down", "Half a page down"},
			{HalfUp, "ctrl+u", "half up", "Half a page up"},
			{Top, "home", "top", "To the start of the answer"},
			{Bottom, "G end", "end", "To the end of the answer"},
			{JumpAnswer, "g", "go to",
				"To an answer by its number, ended by the key that accepts; 1 to 9 go there at once"},
			{WindowLeft, "[", "window left", "Move the window of boxes left"},
			{WindowRight, "]", "window right", "Move the window of boxes right"},
			{Stack, "v", "stack", "Back to the conversation, where the answers stand below each other"},
			{Layouts, "L", "layout", "Another layout: columns, grid, strip, list; it is remembered"},
			{ZoomAnswer, "z enter", "zoom", "Fill the screen with the answer, and back to the same line"},
			{SyncScroll, "=", "scroll together", "Scroll together: by share of length, by line, not at all"},
			{Pin, "P", "pin", "Pin the answer: others are compared with it"},
			{Difference, "d", "diff", "Differences between the pinned answer (or the next one) and this one"},
			{DiffColumns, "D", "columns", "In a difference: one column or two"},
			{SwapSides, "x", "swap sides", "In a difference: the other way round"},
			{FindNext, "n", "next match", "The next match; in a difference the next place"},
			{FindPrevious, "N", "previous match", "The match before; in a difference the place before"},
			{SortAnswers, "o", "order", "Order by number, time, words, similarity to the pinned one"},
			{ShowAnswers, "t", "show", "Show all, failed, check failed, rated, or different ones only"},
			{NextCase, "}", "next prompt", "The next prompt of the run, or turn of the conversation"},
			{PreviousCase, "{", "previous prompt", "The previous prompt of the run, or turn of the conversation"},
			{BeforeAfter, "b", "before, after", "An edit: its source and the picture, in turns or side by side"},
			{EditChain, "T", "edits", "The chain of edits that led to the picture and from it"},
			{Find, "/", "find", "Find in all answers"},
			{BlindVote, "V", "blind vote", "Vote between pairs of answers without their names, times and lengths"},
			{ShowWins, "W", "wins", "Wins per model in the votes on the run, and over the whole history"},
			{WholePrompt, "p", "full text", "The whole prompt, or its first line"},
			{NextSample, ">", "next sample", "Next sample of the model"},
			{PreviousSample, "<", "previous sample", "Previous sample of the model"},
			{CopyAnswer, "y", "copy", "Copy the answer's source"},
			{CopyTurn, "Y", "copy turn", "Copy the whole turn as markdown"},
			{CopyCode, "c", "copy code", "Copy a code block; of several the one whose number is pressed next"},
			{CodeLeft, "(", "code left", "Lines of code that are cut: to their beginning"},
			{CodeRight, ")", "code right", "Lines of code that are cut: to their end"},
			{Write, "w", "write", "Write the answers to a file; in a difference: by words or by lines"},
			{Unformatted, "u", "unformatted", "Show the text as it came, or rendered"},
			{Again, "r", "again", "Run the answer again exactly as it was; adds a sample"},
			{Another, "a", "another", "Another answer; of a picture a new variant, not the same again; adds a sample"},
			{Continue, ".", "continue", "Ask for the rest of a text that was cut or broke off; adds a sample"},
			{ShowReasoning, "f", "thoughts", "What the model wrote before its answer: unfold it, or fold it"},
			{ResumeFailed, "R", "again all failed", "Run all failed and interrupted answers of the turn again"},
			{StopAnswer, "s", "stop", "Stop this answer"},
			{StopAll, "S", "stop all", "Stop every running answer"},
			{RateGood, "+", "good", "Rate the answer good"},
			{RateBad, "-", "bad", "Rate the answer bad"},
			{MarkWinner, "*", "win", "Mark the answer as the turn's winner"},
			{AddNote, "m", "note", "Write a note on the answer"},
			{Inspect, "i", "inspect", "The exact request and response; copy it as curl"},
			{UseAsSource, "E", "edit", "Take the picture for an edit or for models that look at it; a text as prompt"},
			{OpenPicture, "O", "open", "Open the picture outside"},
			{Help, "?", "help", "Help for the comparison"},
		}),
		entriesOf(Voting, []binding{
			{VoteA, "a", "A better", "A is better"},
			{VoteB, "b", "B better", "B is better"},
			{VoteEqual, "e", "equal", "They are as good as each other"},
			{VoteBad, "x", "both bad", "Neither is any good"},
			{VoteSkip, "s", "skip", "No vote on this pair"},
			{UndoVote, "u", "undo", "Take the newest vote back"},
			{AddNote, "m", "note", "Write a note on the pair; it is kept with both answers"},
			{Down, "j down", "down", "Both a line down"},
			{Up, "k up", "up", "Both a line up"},
			{PageDown, "pgdown space", "page down", "Both a page down"},
			{PageUp, "pgup", "page up", "Both a page up"},
		}),
		entriesOf(Runs, []binding{
			{OpenCell, "enter", "open", "The answers to the prompt side by side, this one focused"},
			{NextAnswer, "l right", "right", "The next model"},
			{PreviousAnswer, "h left", "left", "The previous model"},
			{Down, "j down", "down", "The next prompt"},
			{Up, "k up", "up", "The previous prompt"},
			{PageDown, "pgdown space", "page down", "A page down"},
			{PageUp, "pgup", "page up", "A page up"},
			{ColumnsLeft, "[", "models left", "A screen of models to the left"},
			{ColumnsRight, "]", "models right", "A screen of models to the right"},
			{Top, "g home", "first", "To the first prompt"},
			{Bottom, "G end", "last", "To the last prompt"},
			{NextFailed, "f", "next failed", "The next cell that failed; with two runs the next that differs"},
			{OnlyFailed, "t", "show", "Only prompts with a failure, or all; with two runs only those that differ"},
			{CompareRuns, "c", "compare", "Compare with another run of the suite, cell by cell"},
			{ResumeRun, "R", "go on", "Ask for what is missing or failed"},
			{StopRun, "S", "stop", "Stop the run"},
			{ShowWins, "W", "wins", "Wins per model in the votes on the run, who voted, and how far they agree"},
			{CopyTable, "y", "copy", "Copy the table as markdown"},
			{Write, "w", "write", "Write the run to a file"},
			{Help, "?", "help", "Help for the runs"},
		}),
	)
}
