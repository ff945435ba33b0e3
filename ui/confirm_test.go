package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// wantRequests fails the test unless so many requests were made.
func (s *screen) wantRequests(when string, want int) {
	s.t.Helper()
	s.pass(time.Minute)
	if got := len(s.client.requests()); got != want {
		s.t.Fatalf("%s: %d requests were made, want %d\n%s", when, got, want, s.text())
	}
}

// refuseAll answers no request.
func refuseAll(api.Request) (api.Response, time.Duration, error) {
	return api.Response{}, time.Second, &api.Error{Code: api.CodeService, Message: "The service is broken."}
}

// TestManyCallsAreMadeAfterTheYesOnly counts requests: the question about many calls holds them back, whatever is done
// instead of saying yes, and the prompt stays where it is.
func TestManyCallsAreMadeAfterTheYesOnly(t *testing.T) {
	outside := func(s *screen) {
		for _, at := range [][2]int{{0, 0}, {60, 2}, {119, 39}, {60, 38}} {
			s.program.Send(tea.MouseClickMsg{X: at[0], Y: at[1], Button: tea.MouseLeft})
			s.program.Send(tea.MouseReleaseMsg{X: at[0], Y: at[1], Button: tea.MouseLeft})
		}
		s.settle()
		s.shows("This makes 30 calls.")
		s.press("esc")
	}
	covered := func(s *screen) { // by another dialog
		s.press("f1")
		s.lacks("This makes 30 calls.")
		s.press("y", "esc", "esc") // a letter of its filter
		s.shows("This makes 30 calls.")
		s.press("esc")
	}
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		const text = "say {{number}}"
		s.typed(text)
		for name, refuse := range map[string]func(*screen){
			"esc": func(s *screen) { s.press("esc") }, "n": func(s *screen) { s.press("n") },
			"enter, which is no": func(s *screen) { s.press("enter") }, "ctrl+c": func(s *screen) { s.press("ctrl+c") },
			"clicks outside": outside, "a dialog on top": covered,
		} {
			s.press("enter")
			s.shows("Values of the variables")
			if name == "esc" || !strings.Contains(s.text(), "1 | 2") {
				s.press("ctrl+u")
				s.typed(numbers(30))
			}
			s.press("enter")
			s.shows("Many calls", "This makes 30 calls. Send it?")
			s.wantRequests("while it is asked", 0)
			refuse(s)
			s.lacks("Many calls")
			s.shows("┃ " + text)
			s.wantRequests("after "+name, 0)
		}
		s.press("enter", "enter", "y", "y")
		s.lacks("Many calls", "┃ "+text)
		s.wantRequests("after the yes", 30)
	})
}

// numbers returns "1|2|…|n".
func numbers(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = string(rune('0'+i/10)) + string(rune('0'+i%10))
	}
	return strings.Join(all, "|")
}

// TestSamplesOfManyModelsAreAskedAbout sends a prompt to all text models, twice each, also by the key that sends the
// newest one again, and by the key that asks again for what failed.
func TestSamplesOfManyModelsAreAskedAbout(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, func(o *ui.Options, _ *service.Options) {
			for _, m := range catalogue() {
				if m.Kind == api.Text {
					o.Start.Marked = append(o.Start.Marked, m.Slug)
				}
			}
		})
		s.client.say = refuseAll
		s.typed("hello")
		s.press("alt+a", "shift+tab", "right", "enter", "enter")
		s.shows("This makes 30 calls: 15 models × 2 samples.")
		s.press("esc")
		s.wantRequests("after esc", 0)
		s.shows("┃ hello")
		s.press("enter", "y")
		s.wantRequests("after the yes", 30)
		for _, again := range []string{"f12", "R"} {
			if again == "R" {
				s.press("alt+2")
			}
			before := len(s.client.requests())
			for _, key := range []string{"esc", "n", "enter"} {
				s.press(again)
				s.shows("This makes 30 calls")
				s.press(key)
				s.wantRequests(again+" and "+key, before)
			}
			s.press(again, "y")
			s.wantRequests(again+" and the yes", before+30)
		}
	})
}

const manyTones = `
prompts: ['Write a {{tone}} reply']
providers: [llm:alpha3.1-8b]
tests:
  - vars: {tone: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y]}
`

// TestARunIsGoneOnWithAfterTheYesOnly asks before the many calls that a run misses are made: the form that says their
// number is one way to it, a key of the table is the other.
func TestARunIsGoneOnWithAfterTheYesOnly(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.client.say = refuseAll
		s.press("f4")
		s.typed(suiteFolder(t, manyTones) + "/")
		s.press("enter")
		s.shows("This makes 25 calls.")
		s.wantRequests("while the form is open", 0)
		s.press("enter")
		s.wantRequests("the form says the number", 25)
		for _, key := range []string{"esc", "n", "enter"} {
			s.press("R")
			s.shows("This makes 25 calls. Send it?")
			s.press(key)
			s.wantRequests("R and "+key, 25)
		}
		s.press("R", "y")
		s.wantRequests("R and the yes", 50)
	})
}

// TestARunThatGoesOnSaysWhatItPublishes: going on with a run publishes its local pictures after a yes only.
func TestARunThatGoesOnSaysWhatItPublishes(t *testing.T) {
	dir := suiteFolder(t, "prompts: ['warmer']\nproviders: [{id: edit:imageedit, config: {imageUrl: fox.png}}]\n")
	if err := os.WriteFile(filepath.Join(dir, "fox.png"), testPicture(), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, func(t *testing.T) {
		p := &publisher{}
		s := open(t, 120, 40, withPublisher(p), withAnswers(refuseAll), func(_ *ui.Options, so *service.Options) {
			so.Backend.Endpoint = func() service.Endpoint { return service.Endpoint{Host: "models.example"} }
		})
		s.press("f4")
		s.typed(dir + "/")
		s.press("enter")
		s.shows("The fox will be published for all to see.")
		s.press("enter")
		s.pass(time.Minute)
		published := p.published.Load()
		for _, key := range []string{"esc", "n"} {
			s.press("R")
			s.shows("Before anything leaves this machine", "The fox will be published for all to see.")
			s.press(key)
			s.pass(time.Minute)
			if got := p.published.Load(); got != published {
				t.Fatalf("the picture was published %d times after R and %s, before it was %d", got, key, published)
			}
		}
		s.press("R", "y")
		s.pass(time.Minute)
		if got := p.published.Load(); got != published+1 {
			t.Fatalf("published %d times after the yes, want %d", got, published+1)
		}
	})
}

// TestEnterTwiceAsksOnce: while it is found out what a prompt publishes, the key pressed once more asks no second time.
func TestEnterTwiceAsksOnce(t *testing.T) {
	run(t, func(t *testing.T) {
		p := &slowPublisher{}
		s := open(t, 120, 40, withPublishing(nil), withPublisher(&p.publisher),
			func(_ *ui.Options, so *service.Options) { so.Pictures.Publisher = p })
		s.typed("a fox")
		s.press("enter")
		s.pass(8 * time.Second)
		s.press("alt+2", "E")
		s.typed("warmer")
		s.press("enter", "enter")
		s.pass(3 * time.Second)
		s.shows("Before anything leaves")
		s.press("y")
		s.pass(time.Minute)
		s.lacks("Before anything leaves")
		if got := p.published.Load(); got != 1 {
			t.Fatalf("published %d times", got)
		}
	})
}

// slowPublisher takes a second to say what it would publish.
type slowPublisher struct{ publisher }

func (p *slowPublisher) Plan(path string) string {
	time.Sleep(time.Second)
	return p.publisher.Plan(path)
}

// Forms are in the middle of a small screen too, are as high as their rows and say what enter and esc do.
func TestFormsAreInTheMiddleOfSmallScreens(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 60, 20)
		s.press("alt+a")
		s.shows("Picture options", "enter accept", "esc cancel")
		lines := strings.Split(s.text(), "\n")
		blankEnd := "┃" + strings.Repeat(" ", 58) + "┃\n┗"
		if strings.Contains(lines[0], "Picture options") || strings.Contains(s.text(), blankEnd) {
			t.Errorf("the form begins at the top, or ends with a blank line:\n%s", s.text())
		}
	})
}

// TestAChosenThemeIsNamed asks for a notice that names the theme.
func TestAChosenThemeIsNamed(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.press("f2")
		s.typed("confab-light")
		s.press("enter")
		s.shows("Theme: confab-light. Saved for later starts.")
	})
}
