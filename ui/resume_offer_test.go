package ui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// leaveUnfinished opens a screen, leaves a session in it unfinished, and returns what
// opens another screen on the same store.
func leaveUnfinished(t *testing.T, answered bool, draft string) option {
	t.Helper()
	var kept service.Options
	s := open(t, 120, 40, func(_ *ui.Options, o *service.Options) { kept = *o },
		withAnswers(func(r api.Request) (api.Response, time.Duration, error) {
			if !answered {
				return api.Response{}, time.Hour, nil
			}
			return answerAll(r)
		}))
	s.typed("the tides")
	s.press("enter")
	if answered {
		s.pass(5 * time.Second)
	}
	s.typed(draft)
	s.pass(2 * time.Second)
	if err := s.service.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.pass(time.Second)
	return func(_ *ui.Options, o *service.Options) {
		o.History.Open, o.Pictures, o.DraftFolder = kept.History.Open, kept.Pictures, kept.DraftFolder
	}
}

func TestTheNextStartSaysHowToGoOn(t *testing.T) {
	for name, c := range map[string]struct {
		answered   bool
		draft      string
		says, then []string
	}{
		"both": {false, "and the moon",
			[]string{"“the tides” has a draft and 1 interrupted answer",
				"alt+l opens it"}, []string{"┃ and the moon", "interrupted",
				"Draft back; 1 answer was interrupted last time: alt+2, then R runs it again."}},
		"interrupted": {false, "", []string{"has 1 interrupted answer: alt+l"},
			[]string{"1 answer was interrupted last time: alt+2, then R runs it again."}},
		"a draft": {true, "and the moon", []string{"has a draft: alt+l"},
			[]string{"┃ and the moon", "Draft restored."}},
		"nothing": {true, "", nil, []string{"About the tides"}},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				again := open(t, 80, 24, leaveUnfinished(t, c.answered, c.draft))
				// It may stand in two lines.
				text := strings.Join(strings.Fields(strings.ReplaceAll(again.text(), "│", "")), " ")
				for _, one := range c.says {
					if !strings.Contains(text, one) {
						t.Errorf("the screen does not say %q:\n%s", one, again.text())
					}
				}
				if c.says == nil {
					again.lacks("was left")
				}
				again.shows("ctrl+p commands", "f1 help")
				again.press("alt+l")
				again.shows(c.then...)
				again.lacks("was left")
			})
		})
	}
}

func TestWhatIsToldIsDismissed(t *testing.T) {
	run(t, func(t *testing.T) {
		again := open(t, 120, 40, leaveUnfinished(t, true, "and the moon"))
		again.shows("has a draft")
		again.press("esc")
		again.lacks("has a draft")
	})
}

func TestWarningsOfTheConfigurationAreShownAtFirst(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 80, 24, func(o *ui.Options, _ *service.Options) {
			o.Start.Warnings = []string{"the theme bad.toml, line 3: text must be a color; it is skipped"}
		})
		s.shows("the theme bad.toml, line 3: text must be a color")
	})
}

func TestTheWaysOnLeaveTheKeysTheirRoom(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 80, 24, func(o *ui.Options, _ *service.Options) {
			o.Start.NextSteps = "Answers are simulated.  A real service: confab config init  Models here: f9"
		})
		s.shows("Answers are simulated.", "ctrl+p commands", "f1 help")
		s.press("esc")
		s.lacks("Answers are simulated.")
	})
}

func TestLinesPastedWithoutBracketsAreOnePrompt(t *testing.T) {
	paste := func(s *screen, text string) {
		for _, r := range text {
			k := tea.KeyPressMsg{Code: r, Text: string(r)}
			if r == '\r' {
				k = tea.KeyPressMsg{Code: tea.KeyEnter}
			}
			s.program.Send(k)
		}
		s.settle()
	}
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		paste(s, "first line\rsecond line\r\rlast line\r")
		s.shows("┃ first line", "┃ second line", "┃ last line", "are one prompt")
		if n := len(s.client.requests()); n != 0 {
			t.Fatalf("%d prompts were sent", n)
		}
		s.press("backspace", "enter")
		s.pass(5 * time.Second)
		if got := s.client.requests(); len(got) != 1 || got[0].Prompt != "first line\nsecond line\n\nlast line" {
			t.Errorf("sent %v", got)
		}
		// Somebody typed ahead on a slow line: that is sent.
		s.press("alt+c")
		paste(s, "and now\r")
		s.pass(5 * time.Second)
		if got := s.client.requests(); len(got) != 2 || got[1].Prompt != "and now" {
			t.Errorf("sent %v", got)
		}
	})
}

func TestAPromptThatGrowsShowsItsFirstLine(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		long := strings.Repeat("a line that is wider than the pane ", 4)
		for _, line := range []string{long, "second", "", "fourth", "fifth"} {
			s.typed(line)
			s.press("ctrl+j")
		}
		s.shows("┃ a line", "┃ second", "┃ fourth", "┃ fifth")
		s.typed("the end")
		s.shows("┃ the end")
		s.press("up", "end")
		s.typed("!")
		s.shows("fifth!")
	})
}

func TestNothingIsSentWhileNothingHappens(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		silent := func(when string) {
			t.Helper()
			s.pass(30 * time.Second) // notices end
			s.mu.Lock()
			before := s.wrote
			s.mu.Unlock()
			s.pass(30 * time.Second)
			s.mu.Lock()
			defer s.mu.Unlock()
			if n := s.wrote - before; n > 0 {
				t.Errorf("%s, %d bytes were written", when, n)
			}
		}
		silent("in an empty session")
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		silent("after an answer")
		s.typed("a draft")
		silent("with a draft")
	})
}

func TestNothingTurnsWhereItShouldStandStill(t *testing.T) {
	for still, want := range map[bool]string{false: "⠸ 2 s", true: "alpha3.1-8b  2 s"} {
		run(t, func(t *testing.T) {
			s := open(t, 120, 40, func(o *ui.Options, _ *service.Options) { o.Terminal.ReducesMotion = still },
				withAnswers(func(api.Request) (api.Response, time.Duration, error) {
					return api.Response{}, time.Hour, nil
				}))
			s.typed("tides")
			s.press("enter")
			s.pass(2 * time.Second)
			s.shows(want)
		})
	}
}

// A line over SSH stops for a moment now and then, in the middle of a paste too.
func TestAPasteThatStopsForAMomentIsOnePrompt(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		keys := func(text string) {
			for _, r := range text {
				if r == '\n' {
					s.program.Send(tea.KeyPressMsg{Code: tea.KeyEnter})
					continue
				}
				s.program.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
		keys("the first line\nand the second line")
		time.Sleep(200 * time.Millisecond)
		keys("\nand the third\n\nand the last")
		s.settle()
		s.pass(2 * time.Second)
		if n := len(s.client.requests()); n != 0 {
			t.Fatalf("%d prompts were sent", n)
		}
		s.press("enter")
		s.pass(5 * time.Second)
		if got := s.client.requests(); len(got) != 1 ||
			got[0].Prompt != "the first line\nand the second line\nand the third\n\nand the last" {
			t.Errorf("sent %v", got)
		}
	})
}

// TestASystemPromptInUseIsNoDraft continues a session that has nothing unsent.
func TestASystemPromptInUseIsNoDraft(t *testing.T) {
	run(t, func(t *testing.T) {
		var kept service.Options
		s := open(t, 120, 40, withAnswers(saysYes), func(_ *ui.Options, o *service.Options) { kept = *o })
		s.press("ctrl+t")
		s.typed("Be brief.")
		s.press("enter")
		s.typed("tides")
		s.press("enter")
		s.pass(5 * time.Second)
		if err := s.service.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		again := open(t, 120, 40, withAnswers(saysYes), func(_ *ui.Options, o *service.Options) {
			o.History.Open, o.Pictures, o.DraftFolder = kept.History.Open, kept.Pictures, kept.DraftFolder
		})
		again.press("alt+l")
		again.shows("tides", "system: Be brief.")
		again.lacks("Draft restored.")
	})
}

// TestASourcePictureIsNoDraft leaves a picture to edit and no text: that it is taken again is seen, and not told.
func TestASourcePictureIsNoDraft(t *testing.T) {
	run(t, func(t *testing.T) {
		var kept service.Options
		s := open(t, 120, 40, withPictureService(), func(_ *ui.Options, o *service.Options) { kept = *o })
		s.draw("a fox under a lamp")
		s.press("alt+2", "E")
		s.shows("source ")
		s.pass(5 * time.Second)
		if err := s.service.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		again := open(t, 120, 40, withPictureService(), func(_ *ui.Options, o *service.Options) {
			o.History.Open, o.Pictures, o.DraftFolder = kept.History.Open, kept.Pictures, kept.DraftFolder
		})
		again.press("alt+l")
		again.shows("a fox under a lamp", "source ")
		again.lacks("Draft restored.")
	})
}
