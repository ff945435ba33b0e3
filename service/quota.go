package service

// Quota bounds what one person of several may use. It counts answers: a turn asks each of its models for as many as it
// has samples. Its errors are [*Error]s for people.
type Quota interface {
	// Allow tells whether so many answers may still be asked for; it counts nothing. It is for what is recorded in several
	// steps and should be refused before the first.
	Allow(answers int) error
	// Admit counts so many answers, or refuses them all. For a turn it also holds one of the places there are for turns at
	// a time, unless the turn is one of several that count as one. The place is the turn's when began is called with its
	// id. With 0 nothing was recorded, and the place and the answers are given back.
	Admit(answers int, holdsPlace bool) (began func(turn int64), err error)
	// End gives back the place of a turn all of whose answers have ended, and the answers that were never asked for.
	End(turn int64, unasked int)
	// Room tells whether so many bytes more may be written to the disk, and counts them if so.
	Room(bytes int64) error
}

// allow asks the quota whether so many answers may still be asked for.
func (s *Service) allow(answers int) error {
	if s.o.Quota == nil {
		return nil
	}
	return s.o.Quota.Allow(answers)
}

// admit counts answers that are about to be recorded; see [Quota].
func (s *Service) admit(answers int, holdsPlace bool) (began func(turn int64), err error) {
	if s.o.Quota == nil {
		return func(int64) {}, nil
	}
	return s.o.Quota.Admit(answers, holdsPlace)
}

// room tells whether so many bytes more may be written to the disk.
func (s *Service) room(bytes int64) error {
	if s.o.Quota == nil {
		return nil
	}
	return s.o.Quota.Room(bytes)
}

// endQuota gives back what calls that have ended do not need any more.
func (s *Service) endQuota(turn int64, calls []*call) {
	if s.o.Quota == nil {
		return
	}
	unasked := 0
	for _, c := range calls {
		if c.unasked() {
			unasked++
		}
	}
	s.o.Quota.End(turn, unasked)
}
