package service

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"confab/history"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/problem"
)

// progressInterval is the minimum time between two progress events of a running answer, partInterval that between two
// parts of its text.
const (
	progressInterval = 250 * time.Millisecond
	partInterval     = 20 * time.Millisecond
)

// A running answer is saved for other processes, and for recovery after a crash, after runningMarkDelay and then
// every partialSaveInterval in which it grew.
const (
	runningMarkDelay    = time.Second
	partialSaveInterval = 1500 * time.Millisecond
)

// saveTimeout bounds saving an answer.
const saveTimeout = time.Minute

// call fetches one answer.
type call struct {
	s      *Service
	b      *batch
	model  api.Model
	ctx    context.Context
	cancel context.CancelCauseFunc
	ended  chan struct{}
	queued time.Time // monotonic, unlike the answer's own times

	mu         sync.Mutex
	answer     history.Answer
	begun      time.Time     // monotonic; zero while the call is queued
	sent       time.Time     // monotonic; start of the latest attempt
	firstToken time.Duration // from sent to the first bytes of the body; 0 before them
	queueWait  time.Duration // at the service in the latest attempt, if known; not in firstToken
	thinking   time.Duration // from the first part of the reasoning to the first part of the text
	isEnding   bool          // finish was called
	emittedAt  time.Time     // of the last event
	reminder   *time.Timer
	saveTimer  *time.Timer // saves the partial answer
	saved      int         // 0 before the first save; else 1 + the saved length of text and reasoning
	prefix     string      // the text that the answer continues; empty for none

	text, reasoning strings.Builder // the partial answer, including prefix
}

func (c *call) hasBegun() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.begun.IsZero()
}

// current returns a copy of the answer.
func (c *call) current() history.Answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answer
}

// run fetches and ends the answer. It releases its slot before saving, so that a slow disk does not block other
// calls.
func (c *call) run(slots *semaphore.Weighted) {
	release := sync.OnceFunc(func() { slots.Release(1) })
	defer release()
	if c.begin() {
		response, exchange, err := c.ask()
		release()
		c.finish(response, exchange, err)
	}
}

// begin sets the state to running, unless the answer was stopped.
func (c *call) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isEnding {
		return false
	}
	c.begun = time.Now()
	c.answer.State = history.Running
	c.answer.Started = c.s.o.Now()
	c.emit()
	c.saveTimer = time.AfterFunc(runningMarkDelay, c.savePartial)
	return true
}

// savePartial saves the running answer and schedules the next save. It ignores errors: the end is saved anyway.
func (c *call) savePartial() {
	defer safego.Recover(c.s.o.Log, "partial answer", nil)
	c.mu.Lock()
	if c.isEnding {
		c.mu.Unlock()
		return
	}
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.isEnding {
			c.saveTimer = time.AfterFunc(partialSaveInterval, c.savePartial)
		}
	}()
	grown := c.text.Len() + c.reasoning.Len()
	if c.saved > 0 && grown+1 == c.saved {
		c.mu.Unlock()
		return
	}
	isFirst := c.saved == 0
	c.saved = grown + 1
	c.answer.Version++
	a := c.answer
	c.s.sends.Add(1) // the batch has not ended, so Wait has not returned
	c.mu.Unlock()
	defer c.s.sends.Done()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), saveTimeout)
	defer cancel()
	store, err := c.s.history(ctx)
	if err == nil {
		err = store.SaveAnswer(ctx, a)
	}
	if err != nil && isFirst && !errors.Is(err, history.ErrNotFound) {
		c.s.o.Log.Warn("Could not write down that an answer runs", "answer", a.ID, "error", err)
	}
}

// ask makes the request. Failures to reach the service or to publish a source are failures of the answer too.
func (c *call) ask() (api.Response, api.Exchange, error) {
	if c.ctx.Err() != nil {
		return api.Response{}, api.Exchange{}, context.Cause(c.ctx)
	}
	link, err := c.s.connection(c.ctx)
	if err != nil {
		return api.Response{}, api.Exchange{}, err
	}
	if c.model.Kind == api.Edit {
		url, err := c.s.sourceURL(c.ctx, c.b, link)
		if err != nil {
			return api.Response{}, api.Exchange{}, err
		}
		c.mu.Lock()
		c.answer.SourceURL = url
		c.mu.Unlock()
	}
	offered := c.s.Extensions(c.ctx, c.model)
	sent, err := c.s.sentPrompt(c.ctx, c.b.turn, c.current())
	if err != nil {
		return api.Response{}, api.Exchange{}, err
	}
	r := request(c.b.turn, c.current(), sent, c.model, offered)
	if c.model.Kind == api.Text {
		if r.Images, err = c.s.picturesForModel(c.ctx, c.b.turn, sent, offered); err != nil {
			return api.Response{}, api.Exchange{}, err
		}
	}
	response, exchange, err := link.Client.Do(c.ctx, r, c.observe)
	if exchange.Status != 0 { // the service responded
		c.s.learnExtensions(context.WithoutCancel(c.ctx), c.model, response.Extensions)
	}
	return response, exchange, err
}

// observe takes in what came. It emits news at once, such as the wait for a retry, other progress at most four times a
// second, parts of a text more often.
func (c *call) observe(p api.Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isEnding {
		return
	}
	isPart := p.Text != "" || p.Reasoning != "" || p.DropsText
	c.queueWait = p.QueueWait
	before := c.answer.Progress
	switch {
	case p.Received == 0:
		c.beginAttempt()
	case c.firstToken == 0 && !c.sent.IsZero() && (isPart || !before.Streams):
		c.firstToken = max(time.Since(c.sent)-c.queueWait, 1)
	}
	if isPart && c.thinking == 0 && p.Text != "" && c.reasoning.Len() > 0 {
		c.thinking = max(time.Since(c.sent)-c.queueWait-c.firstToken, 1)
	}
	if p.DropsText {
		c.text.Reset()
		c.text.WriteString(c.prefix)
		c.thinking = 0
	}
	if isPart {
		c.text.WriteString(p.Text)
		c.reasoning.WriteString(p.Reasoning)
		// String shares the builder's memory, so a long text is not copied with every part.
		c.answer.Text, c.answer.Reasoning = c.text.String(), c.reasoning.String()
		c.answer.FirstToken, c.answer.Thinking = c.firstToken, c.thinking
	}
	c.answer.Progress = history.Progress{Received: p.Received, Attempt: p.Attempt, RetryAt: p.RetryAt,
		Failure: string(p.Failure), Streams: isPart || before.Streams && p.Received > 0}
	isNews := isPart && !before.Streams || before.Attempt != p.Attempt || !before.RetryAt.Equal(p.RetryAt)
	interval := progressInterval
	if isPart {
		interval = partInterval
	}
	wait := interval - time.Since(c.emittedAt)
	switch {
	case isNews || wait <= 0:
		c.stopReminder()
		c.emit()
	case c.reminder == nil:
		c.reminder = time.AfterFunc(wait, c.remind)
	}
}

// remind emits the newest progress if nothing was emitted since the timer was set.
func (c *call) remind() {
	defer safego.Recover(c.s.o.Log, "progress", nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reminder != nil && !c.isEnding {
		c.reminder = nil
		c.emit()
	}
}

// emit sends a new version of the answer to those who follow the turn. The caller holds the lock.
func (c *call) emit() {
	c.answer.Version++
	c.emittedAt = time.Now()
	c.b.events.put(c.answer)
}

// beginAttempt forgets what earlier attempts brought. The caller holds the lock.
func (c *call) beginAttempt() {
	c.sent, c.firstToken, c.thinking = time.Now(), 0, 0
	c.text.Reset()
	c.text.WriteString(c.prefix)
	c.reasoning.Reset()
	c.answer.Text, c.answer.Reasoning = c.text.String(), ""
}

func (c *call) applyJudgement(judged history.Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer.Rating, c.answer.IsWinner, c.answer.Note = judged.Rating, judged.IsWinner, judged.Note
	c.answer.Version = max(c.answer.Version, judged.Version)
}

// stopReminder stops the timer of progress events. The caller holds the lock.
func (c *call) stopReminder() {
	if c.reminder != nil {
		c.reminder.Stop()
		c.reminder = nil
	}
}

// panicked ends the answer after a panic in its goroutine.
func (c *call) panicked(err error) {
	c.finish(api.Response{}, api.Exchange{}, faultOf(err))
}

// faultOf is the error of an answer whose call or whose end has panicked.
func faultOf(err error) error {
	return problem.New(api.CodeService, err,
		"an unexpected fault inside confab ended this answer, the others go on; run it again")
}
