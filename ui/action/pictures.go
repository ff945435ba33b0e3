package action

// ListEdits is the chain of edits of a picture.
const ListEdits List = "edits"

// What a person asks of pictures and their edits.
type (
	// ShowChain opens the chain of edits that an answer's picture stands in.
	ShowChain struct{ Answer int64 }
	// LoadChain asks for the same to be said in a line beside the picture.
	LoadChain struct{ Answer int64 }
)

func (ShowChain) action() {}
func (LoadChain) action() {}
