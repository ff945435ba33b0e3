package action

import (
	"confab/history"
	"confab/service"
	"confab/service/export"
	"confab/service/suite"
)

// What is asked of turns and answers.
type (
	// TurnsSent shows turns that were recorded together and are on their way, and follows their events. Joins means
	// that their session was made for them and is the open one now.
	TurnsSent struct {
		Sent  []service.Sent
		Joins bool
	}
	// FollowTurn shows a turn that was sent and follows its events.
	FollowTurn struct {
		Turn   history.Turn
		Events <-chan history.Event
	}
	// ShowTurn shows a turn anew wherever it is shown.
	ShowTurn struct{ Turn history.Turn }
	// AnswersEnded tells that answers have ended. Open lists and the start page are read again.
	AnswersEnded struct{}
	// TurnEnded tells that every answer of a turn has ended.
	TurnEnded struct{ Turn int64 }
	// Stop stops these answers, or all of the session when empty.
	Stop struct{ Answers []int64 }
	// Again runs an answer once more as a further sample. Confirmed means that a person was asked whether what it
	// publishes may leave, and agreed.
	Again struct {
		Answer           int64
		Fresh, Confirmed bool
	}
	// Continue asks for the rest of a text that was cut, as a further sample.
	Continue struct{ Answer int64 }
	// Resume runs all failed and interrupted answers of these turns again. Confirmed means
	// what it means in Again, and that the number of calls was agreed to.
	Resume struct {
		Turns     []int64
		Confirmed bool
	}
	// SaveAgain saves the answers that the store or the disk refused.
	SaveAgain struct{}
	// Judge records a judgement of an answer.
	Judge struct {
		Answer int64
		Rating history.Rating
		Winner bool
		Note   string
	}
	// ToggleBest marks an answer as the best, or takes the mark from it. Other answers lose the mark: those of its
	// turn, of the turns beside it where one model answered all, and the given ones.
	ToggleBest struct {
		Answer int64
		Others []int64
	}
	// Compare shows the answers of a turn side by side, one of them focused.
	Compare struct{ Turn, Answer int64 }
	// StartVote votes blind between pairs of answers that differ on an axis; the person is asked for the axis where
	// there are several. Without the name of a table the answers are those that stand side by side.
	StartVote struct {
		Name     string
		Table    int64 // the first turn of a table of turns
		Entrants []suite.Entrant
		Scope    suite.VoteScope         // of the wins that are shown afterwards
		Pairs    map[suite.Axis][][2]int // of Entrants; nil until a command has computed them
		Axis     suite.Axis
	}
	// Vote stores a vote between two answers.
	Vote struct {
		Vote  history.Vote
		Scope suite.VoteScope
	}
	// UndoVote takes the newest vote of this screen back.
	UndoVote struct{ Scope suite.VoteScope }
	// ShowWins shows what the votes of a scope say, and those of the whole history.
	ShowWins struct{ Scope suite.VoteScope }
	// LoadWins reads what the votes of a scope say, for the vote on the screen.
	LoadWins struct{ Scope suite.VoteScope }
	// ShowDifference shows how two answers differ, under their names. A preview may have a row of answers instead, of
	// which B has the focus.
	ShowDifference struct {
		A, B         history.Answer
		NameA, NameB string
		Row          []NamedAnswer
	}
	// NamedAnswer is an answer of a row of a table, under the name of its column.
	NamedAnswer struct {
		Answer history.Answer
		Name   string
		Checks []history.CheckResult
	}
	// StepCase compares the next or previous row of a run's table, or turn of the conversation.
	StepCase struct{ By int }
	// Inspect shows the exact request and response of an answer.
	Inspect struct{ Answer int64 }
	// Curl copies the request of an answer as a curl command without the key.
	Curl struct{ Answer int64 }
	// Copy puts text on the clipboard; What names it in the notice. A path is copied as the person names it.
	Copy struct {
		Text, What string
		IsPath     bool
	}
	// Write writes something to a file.
	Write struct {
		What export.Request
		Form ShowWrite // the form that asked, which is shown again after an error
	}
	// Open shows a file or a link with the desktop's own program.
	Open struct{ Target string }
)
