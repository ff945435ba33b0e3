package engine

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// downTime is how long a replica that could not be reached is passed over, unless a check finds it up earlier.
const downTime = 10 * time.Second

// Pool is an engine of the configuration: one or more replicas that answer alike. It is safe for concurrent use.
type Pool struct {
	name     string
	kinds    []ModelKind
	replicas []*replica
	now      func() time.Time

	onChange func(ReplicaStatus) // called when a replica goes down and when it is back; may be nil

	mu          sync.Mutex
	searchStart int        // where the search for the least busy begins
	waiting     *list.List // of chan struct{}: who waits for a place, the first in front
}

// replica is one of the servers, or the only one.
type replica struct {
	engine      Engine
	address     string
	concurrency int // 0: no limit

	// Guarded by the pool's mu.
	inFlight  int
	downUntil time.Time // down until then
	isKnown   bool      // whether anything was heard of it
	problem   string    // why it is down
	// why the last health check failed, empty when it did not; failed requests do not change it
	checkFailure     string
	answered, failed int64

	failureStreak int // failures of its own, one after the other
}

// Replica is what a [Pool] is made of.
type Replica struct {
	Engine  Engine
	Address string // for people
}

// NewPool returns a [Pool] of replicas that make the given kinds. concurrency is how many requests each of them works
// on at a time, 0 for no limit; more wait.
func NewPool(name string, kinds []ModelKind, concurrency int, replicas ...Replica) (*Pool, error) {
	if len(replicas) == 0 || len(kinds) == 0 {
		return nil, fmt.Errorf("engine %s: it has no replicas, or makes nothing", name)
	}
	p := &Pool{name: name, kinds: kinds, now: time.Now, waiting: list.New()}
	for _, r := range replicas {
		p.replicas = append(p.replicas, &replica{engine: r.Engine, address: r.Address, concurrency: concurrency})
	}
	return p, nil
}

// Name returns the engine's name in the configuration.
func (p *Pool) Name() string { return p.name }

// features returns what the replicas, which are alike, can do with a model.
func (p *Pool) features(model string) Features { return p.replicas[0].engine.Features(model) }

// ask asks the replicas one after the other, as long as nothing was carried out: what may have been is not repeated.
func (p *Pool) ask(ctx context.Context, model string, params Params, q request) (f *Facts, err error) {
	askOne := func(r *replica) (_ *Facts, err error) {
		defer func() { p.release(r, err) }() // whatever happens
		return q.do(ctx, r.engine, model, params)
	}
	tried := map[*replica]bool{}
	for {
		r, ended := p.acquire(ctx, tried)
		if r == nil {
			return nil, cmp.Or(ended, err)
		}
		f, err = askOne(r)
		var e *Error
		if err == nil || !errors.As(err, &e) || !e.IsRetryable || e.Status < 429 || ctx.Err() != nil || q.isFinal() {
			return f, err
		}
		tried[r] = true
	}
}

// acquire returns the least busy replica that is up, waiting for a place when all are full. Replicas in tried are left
// out. When all that remain are down, one is taken all the same: it may be back, and its failure says what is wrong. It
// returns nil when all were tried.
func (p *Pool) acquire(ctx context.Context, tried map[*replica]bool) (*replica, error) {
	for {
		p.mu.Lock()
		r, full := p.leastBusy(tried)
		if r != nil || !full {
			if r != nil {
				r.inFlight++
			}
			p.mu.Unlock()
			return r, nil
		}
		woken := make(chan struct{})
		place := p.waiting.PushBack(woken)
		p.mu.Unlock()
		select {
		case <-woken:
		case <-ctx.Done():
			p.mu.Lock()
			defer p.mu.Unlock()
			select {
			case <-woken:
				p.wakeNext() // this request was woken and gives up: the next may have the place
			default:
				p.waiting.Remove(place)
			}
			return nil, context.Cause(ctx)
		}
	}
}

// wakeNext tells the first waiting request that there may be a place. p.mu is held.
func (p *Pool) wakeNext() {
	if first := p.waiting.Front(); first != nil {
		close(p.waiting.Remove(first).(chan struct{}))
	}
}

// leastBusy finds the replica to ask; full says that one would do but has no place. p.mu is held.
func (p *Pool) leastBusy(tried map[*replica]bool) (best *replica, full bool) {
	now := p.now()
	p.searchStart++
	for _, down := range []bool{false, true} {
		up := false
		for i := range p.replicas {
			r := p.replicas[(i+p.searchStart)%len(p.replicas)]
			if tried[r] || now.Before(r.downUntil) != down {
				continue
			}
			up = true
			if r.concurrency > 0 && r.inFlight >= r.concurrency {
				full = true
				continue
			}
			if best == nil || r.inFlight < best.inFlight {
				best = r
			}
		}
		if up { // those that are down are asked only where no other is
			return best, full
		}
	}
	return nil, false
}

// release gives the place of a request back and keeps its result.
func (p *Pool) release(r *replica, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.inFlight--
	var e *Error
	switch {
	case err == nil:
		r.answered++
		p.setProblem(r, nil)
	case errors.As(err, &e) && e.Status >= 500:
		r.failed++
		// One that fails fast would be the least busy for ever.
		if r.failureStreak++; e.IsEngineDown || r.failureStreak >= 3 {
			p.setProblem(r, err)
		}
	}
	p.wakeNext()
}

// setProblem notes that a replica is down for an error, or up for none. p.mu is held.
func (p *Pool) setProblem(r *replica, err error) {
	before := r.problem
	r.isKnown, r.downUntil, r.problem = true, time.Time{}, ""
	if err == nil {
		r.failureStreak = 0
	} else {
		pause := downTime
		var e *Error
		if errors.As(err, &e) {
			if r.problem = e.Message; e.RetryAfter > 0 {
				pause = min(e.RetryAfter, time.Minute)
			}
		} else {
			r.problem = err.Error()
		}
		r.downUntil = p.now().Add(pause)
	}
	if p.onChange != nil && (before == "") != (r.problem == "") {
		p.onChange(ReplicaStatus{Engine: p.name, Address: r.address, IsKnown: true, IsUp: err == nil,
			Problem: r.problem})
	}
}

// check asks every replica whether it is up, all at the same time.
func (p *Pool) check(ctx context.Context) {
	var all sync.WaitGroup
	for _, r := range p.replicas {
		c, ok := r.engine.(Checker)
		all.Go(func() {
			var err error
			if ok {
				err = c.Check(ctx)
			}
			if err != nil && ctx.Err() != nil {
				err = &Error{Status: 504, Code: "timeout",
					Message: fmt.Sprintf("The engine %s did not say in time that it is up.", p.name), Err: err}
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			p.setProblem(r, err)
			r.checkFailure = r.problem
		})
	}
	all.Wait()
}

// ReplicaStatus is what is known of one replica.
type ReplicaStatus struct {
	Engine       string // the pool's name
	Address      string
	IsKnown      bool // whether it was heard of at all
	IsUp         bool
	Problem      string // why it is not up
	CheckFailure string // why its last health check failed; empty when it did not, whatever requests came to
	InFlight     int    // requests at work
	Answered     int64
	Failed       int64
}

func (p *Pool) replicaStatuses() []ReplicaStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	var all []ReplicaStatus
	for _, r := range p.replicas {
		all = append(all,
			ReplicaStatus{Engine: p.name, Address: r.address, IsKnown: r.isKnown, IsUp: !now.Before(r.downUntil),
				Problem:      r.problem,
				CheckFailure: r.checkFailure, InFlight: r.inFlight, Answered: r.answered, Failed: r.failed})
	}
	return all
}
