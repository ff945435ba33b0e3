package ui_test

import (
	"context"
	"testing"
	"time"

	"confab/history"
	"confab/service"
	"confab/ui"
)

// TestARefusedHistoryIsTriedAgain logs in while the database does not take the password, which is mended later.
func TestARefusedHistoryIsTriedAgain(t *testing.T) {
	run(t, func(t *testing.T) {
		isRefused := make(chan struct{})
		s := open(t, 160, 40, historyFails(isRefused, history.ErrWrongPassword))
		s.shows("does not take confab's password")
		s.pass(30 * time.Second)
		s.shows("does not take confab's password")
		close(isRefused)
		s.pass(6 * time.Second)
		s.shows("The history can be reached again.")
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		s.shows("About tides")
	})
}

// TestAHistoryThatHangs logs in while the database says nothing.
func TestAHistoryThatHangs(t *testing.T) {
	run(t, func(t *testing.T) {
		answers := make(chan struct{})
		s := open(t, 120, 40, func(_ *ui.Options, o *service.Options) {
			opens := o.History.Open
			o.History.Open = func(ctx context.Context) (history.Store, error) {
				<-answers
				return opens(ctx)
			}
		})
		s.pass(2 * time.Second)
		s.shows("The history does not respond yet, trying again.")
		close(answers)
		s.pass(time.Second)
		s.lacks("does not respond yet")
	})
}
