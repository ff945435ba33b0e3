package service

import (
	"confab/history"
	"confab/service/api"
)

// The types of a turn and of the catalogue, so that a screen needs this room
// only. What they mean is said where they are declared.
type (
	Turn     = history.Turn
	Answer   = history.Answer
	Session  = history.Session
	Picture  = history.Picture
	Failure  = history.Failure
	Source   = history.Source
	Nonce    = history.Nonce
	State    = history.State
	Kind     = history.Kind
	Rating   = history.Rating
	Exchange = history.Exchange
	Event    = history.Event
	Progress = history.Progress
	Model    = api.Model
	Error    = api.Error
	Code     = api.Code
)

// The types of what is found in the history.
type (
	Page       = history.Page
	Query      = history.Query
	SessionHit = history.SessionHit
	Hit        = history.Hit
	PromptHit  = history.PromptHit
	PictureHit = history.PictureHit
	Persona    = history.Persona
	Trash      = history.Trash
	Facts      = history.Facts
	NonceMode  = history.NonceMode
)

// The types of votes.
type (
	Vote      = history.Vote
	Verdict   = history.Verdict
	Tally     = history.Tally
	ModelWins = history.ModelWins
	PairWins  = history.PairWins
	Wins      = history.Wins
)

// The types of runs of suites.
type (
	RunFacts    = history.Run
	RunHow      = history.RunHow
	RunCell     = history.Cell
	CheckResult = history.CheckResult
	CellVerdict = history.CellVerdict
)

// The values of those types that screens compare with.
const (
	CellPassed    = history.CellPassed
	CellFailed    = history.CellFailed
	CellSkipped   = history.CellSkipped
	CellUnchecked = history.CellUnchecked
	CellError     = history.CellError
	CellMissing   = history.CellMissing

	KindText  = history.KindText
	KindImage = history.KindImage
	KindEdit  = history.KindEdit

	Queued      = history.Queued
	Running     = history.Running
	Done        = history.Done
	Failed      = history.Failed
	Cancelled   = history.Cancelled
	Interrupted = history.Interrupted

	NonceNone  = history.NonceNone
	NonceFixed = history.NonceFixed
	NonceFresh = history.NonceFresh

	Good    = history.Good
	Bad     = history.Bad
	Unrated = history.Unrated

	VoteA     = history.VoteA
	VoteB     = history.VoteB
	VoteEqual = history.VoteEqual
	VoteBad   = history.VoteBad
)

// Apply returns the turn after the event; see [history.Apply].
func Apply(t Turn, e Event) Turn { return history.Apply(t, e) }
