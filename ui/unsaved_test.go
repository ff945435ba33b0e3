package ui_test

import (
	"context"
	"errors"
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
		isFull := make(chan struct{})
		s := open(t, 120, 40, historyFails(isFull, history.ErrFull))
		s.shows("not saved")
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+s")
		s.shows("The disk of the history is full")
		s.lacks("Everything is saved.")
		s.press("ctrl+q")
		s.shows("1 turn is not saved and will be lost. Quit anyway?")
		s.press("esc")
		s.press("f2", "down", "enter") // another theme
		s.typed("mo")
		close(isFull)
		s.pass(5 * time.Second)
		s.shows("1 turn was saved.", "┃ mo")
		s.shows("About tides")
		s.lacks("not saved")
		s.typed("re")
		s.press("enter")
		s.pass(3 * time.Second)
		s.shows("2 turns")
		s.press("ctrl+n")
		s.shows("Continue  tides", "▌ more")
		if theme, err := s.service.Setting(t.Context(), "theme"); err != nil || theme == "" {
			t.Errorf("the theme is %q, %v", theme, err)
		}
	})
}

// historyFails makes opening the history fail until a channel is closed.
func historyFails(until <-chan struct{}, kind error) option {
	return func(_ *ui.Options, o *service.Options) {
		opens := o.History.Open
		o.History.Open = func(ctx context.Context) (history.Store, error) {
			select {
			case <-until:
				return opens(ctx)
			default:
				return nil, &history.StoreError{Step: "open", Kind: kind, Cause: errors.New("as the test wants it")}
			}
		}
	}
}
