package ui_test

import (
	"testing"
	"time"

	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// slowRefusal is a quota that takes a second to refuse the first prompts, and takes all later ones.
type slowRefusal struct {
	answersLeft
	refuses *int
}

// ReserveAnswers implements service.Quota.
func (q slowRefusal) ReserveAnswers(answers int) (func(int64), error) {
	time.Sleep(time.Second)
	if *q.refuses > 0 {
		*q.refuses--
		return nil, &api.Error{Code: api.CodeRateLimited, Message: "Not so many answers are left for today."}
	}
	return func(int64) {}, nil
}

// TestAnUnsentPromptIsNotLost refuses two prompts while the next one is being written: all three texts can be had
// again.
func TestAnUnsentPromptIsNotLost(t *testing.T) {
	run(t, func(t *testing.T) {
		refuses := 2
		s := open(t, 120, 40, func(_ *ui.Options, so *service.Options) { so.Limits.Quota = slowRefusal{100, &refuses} })
		s.typed("first thought")
		s.press("enter")
		s.typed("second thought")
		s.press("enter")
		s.typed("third")
		s.pass(2 * time.Second)
		s.shows("Not so many answers", "up in the prompt restores the text", "┃ third")
		s.press("up")
		s.shows("┃ second thought")
		s.press("up")
		s.shows("┃ first thought")
		s.press("down", "down")
		s.shows("┃ third")
		s.press("up", "enter")
		s.pass(5 * time.Second)
		s.shows("About second thought")
		s.lacks("restores the text")
		s.press("up") // what was sent is not among the unsent ones any more
		s.shows("┃ first thought")
		s.press("up")
		s.shows("┃ second thought")
	})
}

// TestAHalfSentBatchComesBack refuses the second of three variants: the first is sent, and all are in the prompt again.
func TestAHalfSentBatchComesBack(t *testing.T) {
	run(t, func(t *testing.T) {
		reserved := 0
		quota := secondRefused{100, &reserved}
		s := open(t, 120, 40, func(_ *ui.Options, so *service.Options) { so.Limits.Quota = quota })
		for _, text := range []string{"one", " two", " three"} {
			s.typed(text)
			s.press("alt+t")
		}
		s.press("alt+x", "enter")
		s.pass(5 * time.Second)
		s.shows("Not so many answers are left for today. 1 of 3 prompts were sent before.", "[A] B  C", "┃ one")
		s.wantRequests("of the first", 1)
	})
}

// secondRefused is a quota that refuses the second prompt.
type secondRefused struct {
	answersLeft
	reserved *int
}

// ReserveAnswers implements service.Quota.
func (q secondRefused) ReserveAnswers(int) (func(int64), error) {
	if *q.reserved++; *q.reserved == 2 {
		return nil, &api.Error{Code: api.CodeRateLimited, Message: "Not so many answers are left for today."}
	}
	return func(int64) {}, nil
}

// TestADraftIsNotLost replaces what is being written in the ways that leave it behind.
func TestADraftIsNotLost(t *testing.T) {
	unsaved := func(_ *ui.Options, so *service.Options) { so.History.Saves = false }
	for name, replace := range map[string]func(*screen){
		"edit an earlier prompt": func(s *screen) { s.press("alt+2", "e", "alt+4"); s.shows("┃ hello") },
		"clear":                  func(s *screen) { s.press("ctrl+c") },
		"new session":            func(s *screen) { s.press("ctrl+n"); s.shows("oil painting") },
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := open(t, 120, 40, unsaved)
				s.typed("hello")
				s.press("enter")
				s.pass(3 * time.Second)
				s.typed("a long thought")
				replace(s)
				s.lacks("┃ a long thought")
				s.press("up")
				s.shows("┃ a long thought")
			})
		})
	}
}
