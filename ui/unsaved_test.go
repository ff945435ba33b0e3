package ui_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"confab/history"
	"confab/service"
	"confab/ui"
)

// TestUnsavedTurns starts on a full disk. The screen says so until there is room again, saves then what it asked
// meanwhile, and asks before it loses that.
func TestUnsavedTurns(t *testing.T) {
	run(t, func(t *testing.T) {
		var isFull atomic.Bool
		isFull.Store(true)
		s := open(t, 120, 40, func(_ *ui.Options, o *service.Options) {
			opens := o.History.Open
			o.History.Open = func(ctx context.Context) (history.Store, error) {
				if isFull.Load() {
					return nil, &history.StoreError{Step: "open", Kind: history.ErrFull, Cause: errors.New("no space")}
				}
				return opens(ctx)
			}
		})
		s.shows("not saved")
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+w")
		s.shows("The disk of the history is full")
		s.lacks("Everything is saved already.")
		s.press("ctrl+q")
		s.shows("1 turn is not saved and will be lost. Leave?")
		s.press("esc")
		s.typed("mo")
		isFull.Store(false)
		s.pass(5 * time.Second)
		s.shows("1 turn was saved.", "┃ mo")
		s.shows("About tides")
		s.lacks("not saved")
		s.typed("re")
		s.press("enter")
		s.pass(3 * time.Second)
		s.shows("2 turns")
		s.press("ctrl+n")
		s.shows("2 turns")
	})
}
