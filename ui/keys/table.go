package keys

// Entry is one line of the map.
type Entry struct {
	Command Command
	Scope   Scope
	Keys    []string // as Bubble Tea names them; the first is the one shown
	Short   string   // what it does, for the footer
	Long    string   // what it does, for help, command list and docs
	Group   Group    // where the list of commands has it
	Title   string   // its name there; "" where it is not listed
	Words   string   // other words for it, by which it is found there
	Section string   // the heading of the help under which it stands

	Acts      bool // on what is selected, rather than moving, typing or opening a layer
	WhenEmpty bool // it is had while the text typed there, or its word, is empty, and its key may be a letter
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
