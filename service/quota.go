package service

// Quota limits what one of several users may use. It counts answers: a turn asks each of its models for as many as it
// has samples. Its errors are [*api.Error]s for people.
type Quota interface {
	// CheckAnswers returns an error when so many answers may not be asked for now; it counts nothing. It is for what is
	// recorded in several steps and should be refused before the first.
	CheckAnswers(answers int) error
	// ReserveAnswers counts so many answers, or refuses them all. With needsTurn it also takes one of the user's turns
	// at a time. The caller passes the id of the recorded turn to recorded, or 0 when none was recorded, which gives
	// back the turn and the answers.
	ReserveAnswers(answers int, needsTurn bool) (recorded func(turn int64), err error)
	// Release gives back a turn all of whose answers have ended, and the answers that were never asked for.
	Release(turn int64, unasked int)
	// ReserveBytes counts so many bytes that will be written to the disk, or refuses them.
	ReserveBytes(bytes int64) error
}

// noQuota limits nothing.
type noQuota struct{}

func (noQuota) CheckAnswers(int) error                             { return nil }
func (noQuota) ReserveAnswers(int, bool) (func(turn int64), error) { return func(int64) {}, nil }
func (noQuota) Release(int64, int)                                 {}
func (noQuota) ReserveBytes(int64) error                           { return nil }

// endQuota gives back what calls that have ended no longer need.
func (s *Service) endQuota(turn int64, calls []*call) {
	unasked := 0
	for _, c := range calls {
		if !c.hasBegun() {
			unasked++
		}
	}
	s.o.Quota.Release(turn, unasked)
}
