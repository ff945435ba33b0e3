package action

import "confab/history"

// What is asked of sessions and of what is stored.
type (
	// OpenSession opens a session, at a turn and an answer of it when they are named. With KeepsPrompt what is written
	// stays as it is.
	OpenSession struct {
		Session, Turn, Answer int64
		KeepsPrompt           bool
	}
	// ReadRecent reads the newest sessions and pictures for the start page.
	ReadRecent struct{}
	// NewSession leaves the open session for an empty one.
	NewSession struct{}
	// Rename changes the name of a session.
	Rename struct {
		Session int64
		Name    string
	}
	// Fork copies a session up to a turn (0: all of it) and opens the copy.
	Fork struct{ Session, Turn int64 }
	// ShareSession lets all users of the database read a session, or with Stop ends that; ShareRun does so for a run.
	ShareSession struct {
		Session int64
		Stop    bool
	}
	ShareRun struct {
		Run  int64
		Stop bool
	}
	// LoadTurns reads a page of the open session.
	LoadTurns struct{ Page history.Page }
	// ShowBranch makes the open session show a turn of another of its branches.
	ShowBranch struct{ Turn int64 }
	// FindTurns asks which turns of the session hold a text.
	FindTurns struct {
		Text string
		Gen  int
	}
	// RereadTurns shows turns as the store has them now.
	RereadTurns struct{ Turns []int64 }
	// Delete deletes an answer, a turn or a session; one of them is set.
	Delete struct{ Answer, Turn, Session int64 }
	// DeletePictures deletes answers with their pictures; one undo brings all of them back.
	DeletePictures struct{ Answers []int64 }
	// Deleted tells what was deleted: a session, a turn or answers.
	Deleted struct {
		Session, Turn int64
		Answers       []int64
	}
	// Undo takes the last deletion back.
	Undo struct{}
	// SavePersona stores a persona; one without an ID is new.
	SavePersona struct{ Persona history.Persona }
	// DeletePersona deletes a persona.
	DeletePersona struct{ ID int64 }
)

// AskSessionName asks for another name of a session.
func AskSessionName(id int64, name string) AskText {
	return AskText{Title: "Rename the session", Label: "name", Value: name,
		Then: func(name string) Action { return Rename{Session: id, Name: name} }}
}
