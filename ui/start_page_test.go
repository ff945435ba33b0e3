package ui_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// openWithSessions opens a screen in which two prompts were sent, each in a session of its own, and a new session was
// started.
func openWithSessions(t *testing.T, w, h int) *screen {
	s := open(t, w, h)
	for _, prompt := range []string{"first thought", "second thought"} {
		s.typed(prompt)
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("ctrl+n")
	}
	return s
}

func TestTheStartPageContinuesTheSessionUsedLast(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {120, 40}} {
		run(t, func(t *testing.T) {
			s := openWithSessions(t, size[0], size[1])
			gap := "  "
			if size[0] == 60 {
				gap = " "
			}
			s.shows("Continue"+gap+"second thought", "Recent  "+gap+"first thought", "f8")
			s.typed("x")
			s.press("backspace", "enter")
			s.shows("second thought", "Conversation")
			s.lacks("Continue  ", "new session")
		})
	}
}

// TestANewSessionByNameContinuesNoOther starts a screen with a name that no session has.
func TestANewSessionByNameContinuesNoOther(t *testing.T) {
	run(t, func(t *testing.T) {
		var kept service.Options
		s := open(t, 120, 40, func(_ *ui.Options, o *service.Options) { kept = *o })
		s.typed("first thought")
		s.press("enter")
		s.pass(3 * time.Second)
		again := open(t, 120, 40, func(o *ui.Options, so *service.Options) {
			*so = kept
			o.Start.Session.Find = func(context.Context) (history.Session, error) {
				return history.Session{Name: "tides"}, nil
			}
		})
		again.shows("Recent    first thought", "“tides” begins with the first prompt")
		again.lacks("Continue ", "enter continue")
		again.press("enter")
		again.shows("Recent    first thought")
	})
}

func TestSessionsOfTheStartPageArePicked(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openWithSessions(t, 120, 40)
		s.press("tab", "j", "enter")
		s.shows("you", "first thought", "Conversation")
		s.lacks("second thought")
		s.press("ctrl+n", "tab", "j", "k", "v")
		s.shows("v does nothing here")
		s.click(60, lineOf(s, "second thought"))
		s.shows("you", "second thought", "Conversation")
	})
}

// TestSessionsOfOneNameAreToldApart by their newest prompts, and by when they began.
func TestSessionsOfOneNameAreToldApart(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		for _, prompts := range [][]string{{"the same"}, {"the same"}, {"the same", "then another"}} {
			for _, prompt := range prompts {
				s.typed(prompt)
				s.press("enter")
				s.pass(3 * time.Second)
			}
			s.press("ctrl+n")
		}
		s.shows("Continue  the same  then another", "Recent    the same  since 00:00:04",
			"the same  since 00:00:00")
	})
}

func TestTheStartPageShowsPictures(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		for range 3 {
			s.press("f8")
			s.pass(8 * time.Second)
			s.press("ctrl+n")
		}
		s.pass(time.Second)
		s.shows("Pictures  ▀▀▀▀")
		for w := 110; w <= 200; w += 5 {
			s.resize(w, 50)
			s.shows(" ctrl+g ", "Pictures  ▀▀▀▀") // no row of pictures takes the cells of the key
		}
		s.resize(120, 40)
		s.shows("▌ Lighthouse", "picture 64×32")
		s.resize(200, 60)
		s.shows("▌ Lighthouse")
		s.lacks("picture 64×32") // it is drawn
		s.resize(120, 40)
		s.click(55, lineOf(s, "Pictures  ")+1)
		s.shows("1 of 3")
		s.press("esc")
		s.resize(80, 24)
		s.shows("Pictures  ")
		s.resize(60, 20)
		s.lacks("Pictures  ")
		s.shows("Continue Lighthouse", "f6")
	})
}

// What is deleted elsewhere or not readable leaves the examples.
func TestTheStartPageWithoutAHistory(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 80, 24, func(_ *ui.Options, so *service.Options) {
			so.History.Open = func(context.Context) (history.Store, error) { return nil, context.DeadlineExceeded }
		})
		s.shows("Nothing sent yet", "f6", "f7", "f8")
		s.press("enter")
		s.shows("Nothing sent yet")
		s.press("alt+2", "enter")
		s.shows("No session to open yet")
	})
}

// Nothing is said for a moment of a history that was not read yet: what would stand there moves, or is not true. A
// store that does not answer leaves the examples.
func TestTheStartPageWaitsAMomentForTheHistory(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, func(_ *ui.Options, so *service.Options) {
			so.History.Open = func(context.Context) (history.Store, error) {
				time.Sleep(time.Minute)
				return nil, context.DeadlineExceeded
			}
		})
		s.shows("Write a prompt", "alpha3.1-8b")
		s.lacks("Nothing sent yet", "one prompt, many models", "black hole")
		s.pass(time.Second)
		s.shows("Loading the history", "one prompt, many models", "black hole", "f6 run")
		s.press("alt+2", "j")
		s.shows("Loading the history. ")
		s.lacks("Nothing sent yet", "No session to open")
		s.pass(2 * time.Minute)
		s.shows("Nothing sent yet", "one prompt, many models", "black hole")
	})
}

func TestTheStartPagePreviewsTheSessionUnderTheCursor(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openWithSessions(t, 120, 40)
		s.shows("Continue  second thought", "▌ second thought", "● alpha3.1-8b", "short answer of")
		s.lacks("▌ first thought")
		try := lineOf(s, "Try ")
		s.press("tab", "j")
		s.shows("▌ first thought", "short answer of")
		s.lacks("▌ second thought")
		if got := lineOf(s, "Try "); got != try {
			t.Errorf("the examples moved from line %d to %d", try, got)
		}
		s.resize(80, 24)
		s.shows("▌ first thought", "f8")
		for h := 16; h < 30; h++ { // a preview has more than the prompt, or is not there
			s.resize(60, h)
			if at := lineOf(s, "▌ first thought"); at >= 0 && lineOf(s, "● alpha3.1-8b  2.0 s") != at+1 {
				t.Errorf("60x%d: the preview has no answer:\n%s", h, s.text())
			}
		}
		s.resize(120, 40)
		s.click(60, lineOf(s, "short answer of"))
		s.shows("first thought", "Conversation")
	})
}

// TestTheStartPageShowsTheNewestTurns previews sessions below their names, and beside them on a wide screen. Nothing
// else moves with the cursor.
func TestTheStartPageShowsTheNewestTurns(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		for _, prompt := range []string{"alone", "", "turn one", "turn two", "turn three"} {
			if prompt == "" {
				s.press("ctrl+n")
				continue
			}
			s.typed(prompt)
			s.press("enter")
			s.pass(3 * time.Second)
		}
		s.press("ctrl+n")
		s.shows("Continue  turn one", "▌ turn two", "▌ turn three")
		if two, three := lineOf(s, "▌ turn two"), lineOf(s, "▌ turn three"); two > three {
			t.Errorf("turn two is on line %d, the newest on %d", two, three)
		}
		for _, size := range [][2]int{{120, 40}, {200, 60}} {
			s.resize(size[0], size[1])
			example := lineOf(s, "f6 run")
			s.press("tab", "j")
			s.shows("▌ alone", "short answer of alpha3.1-8b")
			s.lacks("▌ turn three")
			if got := lineOf(s, "f6 run"); got != example {
				t.Errorf("%v: the examples moved from line %d to %d", size, example, got)
			}
			s.press("k", "shift+tab")
		}
		for _, line := range strings.Split(s.text(), "\n") {
			if strings.Contains(line, "▌ turn three") && !strings.Contains(line, "│ ▌") {
				t.Errorf("the preview does not stand beside the sessions: %s", line)
			}
		}
	})
}

// answerOneByOne answers like [answerAll], each call two seconds after the one before.
func answerOneByOne() func(api.Request) (api.Response, time.Duration, error) {
	var calls atomic.Int32
	return func(r api.Request) (api.Response, time.Duration, error) {
		resp, _, err := answerAll(r)
		return resp, 500*time.Millisecond + time.Duration(calls.Add(1))*2*time.Second, err
	}
}

// TestTheStartPageFollowsAnswers leaves a session while its answers run, and sees each of them end.
func TestTheStartPageFollowsAnswers(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.client.say = answerOneByOne()
		s.press("f7", "ctrl+n")
		s.shows("▌ Explain a CRDT", "◐ ")
		s.lacks("0.0 s")
		s.pass(4 * time.Second)
		s.shows(" 2.5 s", "┃ A short answer", "◐ ", "running")
		s.lacks("0.0 s")
		s.pass(9 * time.Second)
		s.shows(" 2.5 s", " 8.5 s")
		s.lacks("0.0 s", "◐ ", "running")
	})
}

// TestOpenListsFollowAnswers keeps lists open while the answers that they show end.
func TestOpenListsFollowAnswers(t *testing.T) {
	for _, list := range []string{"ctrl+s", "ctrl+r"} {
		run(t, func(t *testing.T) {
			s := open(t, 120, 40)
			s.client.say = answerOneByOne()
			s.press("f7", list)
			s.pass(time.Second)
			s.shows("◐ ")
			s.lacks("0.0 s")
			s.pass(3 * time.Second)
			s.shows(" 2.5 s", "A short answer of ", "◐ ")
			s.pass(9 * time.Second)
			s.shows(" 2.5 s", " 8.5 s")
			s.lacks("◐ ")
		})
	}
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("f8", "ctrl+g")
		s.shows("No pictures yet")
		s.pass(8 * time.Second)
		s.shows("Pictures", "lighthouse")
		s.lacks("No pictures yet")
	})
}

func TestCardsOfExamplesAreClicked(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		run(t, func(t *testing.T) {
			s := open(t, size[0], size[1])
			s.shows("one model ─", "four models ─", "a picture ─", "─ f7 run ─", "● ● ● ●")
			x, y := size[0]-6, lineOf(s, "● sim-image   ")
			if size[0] == 200 {
				x -= 6
			}
			s.click(x, y)
			s.pass(8 * time.Second)
			s.shows("Lighthouse at dusk", "1 turn")
		})
	}
}

// TestTheStartPageAtEverySize expects the examples at every size, with a history and without, and no line twice.
func TestTheStartPageAtEverySize(t *testing.T) {
	for name, begin := range map[string]func(t *testing.T, w, h int) *screen{
		"empty":    func(t *testing.T, w, h int) *screen { return open(t, w, h) },
		"sessions": openWithSessions,
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := begin(t, 120, 40)
				for _, w := range []int{60, 73, 74, 86, 100, 121, 180, 240} {
					for h := 20; h < 64; h += 3 {
						s.resize(w, h)
						s.shows("How does a", "Explain a", "Lighthouse", "f6", "f7", "f8")
						for _, text := range []string{"Lighthouse", "Continue  ", "Values", "many models, side"} {
							if n := strings.Count(s.text(), text); n > 1 {
								t.Errorf("%dx%d: %q stands there %d times:\n%s", w, h, text, n, s.text())
							}
						}
					}
				}
			})
		})
	}
}

func TestTheNameIsDrawnWhereThereAreColors(t *testing.T) {
	for _, tt := range []struct {
		colors       colorprofile.Profile
		shows, lacks string
	}{
		{colorprofile.TrueColor, "▄█▀▀▀▀ ▄█▀▀█▄", "confab: one"},
		{colorprofile.ANSI, "▄█▀▀▀▀ ▄█▀▀█▄", "confab: one"},
		{colorprofile.ASCII, "confab: one prompt, many models, side by side", "▄█▀▀▀▀"},
	} {
		run(t, func(t *testing.T) {
			s := open(t, 120, 40)
			s.program.Send(tea.ColorProfileMsg{Profile: tt.colors})
			s.settle()
			s.shows(tt.shows)
			s.lacks(tt.lacks)
		})
	}
}

// lineOf is the line of the screen that has a text, -1 for none.
func lineOf(s *screen, text string) int {
	for y, line := range strings.Split(s.text(), "\n") {
		if strings.Contains(line, text) {
			return y
		}
	}
	return -1
}

// click clicks on a cell.
func (s *screen) click(x, y int) {
	s.program.Send(tea.MouseClickMsg{Button: tea.MouseLeft, X: x, Y: y})
	s.program.Send(tea.MouseReleaseMsg{Button: tea.MouseLeft, X: x, Y: y})
	s.settle()
}

// TestAnExampleKeepsTheText asks that a text is not gone when an example takes its place, and that the screen says so.
func TestAnExampleKeepsTheText(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.typed("my words")
		s.press("f6")
		s.shows("Moved your text to the earlier prompts; up shows it.")
		s.pass(5 * time.Second)
		s.press("up")
		s.shows("my words")
	})
}

// TestThePromptOfAnEditAsksWhatToChange asks that the empty prompt says what it is for.
func TestThePromptOfAnEditAsksWhatToChange(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30, withPictureService())
		s.draw("a fox")
		s.shows("Describe the picture")
		s.press("alt+2", "E")
		s.shows("Write what to change in the picture")
	})
}

// TestWhatWasChosenIsKept marks a model on the start page: enter does not leave it for another session, whose models
// would take its place.
func TestWhatWasChosenIsKept(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("first thought")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("ctrl+n")
		s.shows("Continue  first thought", "enter continue")
		s.press("ctrl+l")
		s.typed("delta")
		s.press("enter", "enter")
		s.lacks("Continue  ", "enter continue")
		s.press("enter")
		s.shows("Recent    first thought")
		s.typed("second thought")
		s.press("enter")
		s.shows("delta")
	})
}
