package conversation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/themes"
	"confab/ui"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/turns"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// began is when the answers of these tests began to be written.
var began = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// newPane returns a pane of a size, five seconds after the answers began.
func newPane(w, h int) *conversation.Pane {
	c := conversation.New(turns.New(part.Env{}), ui.Keys(), themes.New(themes.Default(true)),
		func() time.Time { return began.Add(5 * time.Second) }, func(string) time.Duration { return 2 * time.Second })
	c.SetSize(w, h)
	return c
}

// growingAnswer is an answer of turn 1 that is being written.
func growingAnswer(turn, id int64, model string) history.Answer {
	return history.Answer{ID: id, Turn: turn, Model: model, Kind: history.KindText, State: history.Running, Version: 1,
		Sample: 1, Started: began, FirstToken: time.Second, Progress: history.Progress{Streams: true, Received: 1}}
}

// write applies what has come of an answer, and lets the pane draw.
func write(t *testing.T, c *conversation.Pane, a *history.Answer, text string) {
	t.Helper()
	a.Text = text
	a.Version++
	c.Apply(history.Event{Turn: a.Turn, Answer: *a})
	settle(t, c, nil)
}

func screenOf(c *conversation.Pane) string { return ansi.Strip(strings.Join(c.View(), "\n")) }

// drawnBytes writes a text in parts of so many bytes, and returns how many bytes of lines were drawn for it.
func drawnBytes(text string, size int) (bytes int) {
	c, a := newPane(80, 24), growingAnswer(1, 2, "alpha")
	c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{a}}}, false)
	work := func() {
		for range 10 {
			_, cmd := c.Work()
			msgs := run(cmd)
			if len(msgs) == 0 {
				return
			}
			for _, msg := range msgs {
				bytes += conversation.DrawnBytes(msg)
				c.Update(msg)
			}
		}
	}
	for n := size; n <= len(text); n += size {
		a.Text = text[:n]
		a.Version++
		c.Apply(history.Event{Turn: 1, Answer: a})
		work()
	}
	a.State = history.Done
	a.Version++
	c.Apply(history.Event{Turn: 1, Answer: a})
	work()
	return bytes
}

// What is drawn while an answer of 1 MB is written grows with its length, not with the square of it, whatever it is.
func TestDrawingAGrowingAnswerIsLinear(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where drawing takes no time, so that it is never put off
		for name, part := range map[string]string{
			"paragraphs": "Some words of a paragraph, which is of a common length.\n\n",
			"code":       "```\n" + strings.Repeat("call(x, y)\n", 40) + "```\n\n",
			"one line":   "words without an end ",
		} {
			const size = 1 << 20
			text := strings.Repeat(part, size/len(part))
			half, whole := drawnBytes(text[:size/2], 8<<10), drawnBytes(text, 8<<10)
			if ratio := float64(whole) / float64(half); ratio > 2.2 {
				t.Errorf("%s: %d bytes are drawn for 1 MB, %.1f times those for the half of it", name, whole, ratio)
			}
			if whole > 6*size {
				t.Errorf("%s: %d bytes are drawn for 1 MB", name, whole)
			}
		}
	})
}

// A text that comes faster than anybody reads is drawn about ten times a second: its end is never older than a quarter
// of a second, and is there as soon as the text is whole. One that comes as models write is drawn with every part.
func TestHowOftenGrowingTextsAreDrawn(t *testing.T) {
	for name, tt := range map[string]struct {
		words       int // in a part; one comes every 20 ms
		least, most int // drawings in two seconds
	}{
		"fast": {words: 200, least: 15, most: 80}, "as models write": {words: 2, least: 90, most: 110},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, a := newPane(80, 40), growingAnswer(1, 2, "alpha")
				c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{a}}}, false)
				msgs := make(chan tea.Msg, 100)
				drawn, written := 0, 0
				work := func() {
					before := screenOf(c)
					_, cmd := c.Work()
					if screenOf(c) != before { // an end that was drawn at once
						drawn++
					}
					go func() {
						for _, msg := range run(cmd) {
							msgs <- msg
						}
					}()
					synctest.Wait()
					for len(msgs) > 0 {
						msg := <-msgs
						drawn += min(conversation.DrawnBytes(msg), 1)
						c.Update(msg)
					}
				}
				for range 100 {
					for range tt.words {
						written++
						a.Text += fmt.Sprintf("w%d ", written)
						if written%500 == 0 {
							a.Text += "\n\n"
						}
					}
					a.Version++
					c.Apply(history.Event{Turn: 1, Answer: a})
					for range 4 {
						work()
						time.Sleep(5 * time.Millisecond)
					}
					words := strings.Fields(strings.ReplaceAll(screenOf(c), "▌", ""))
					var shown int
					_, _ = fmt.Sscanf(words[len(words)-1], "w%d", &shown) // 0 where it is no word of the text
					if shown < written-250/20*tt.words {
						t.Fatalf("w%d has come:\n%s", written, screenOf(c))
					}
				}
				if drawn < tt.least || drawn > tt.most {
					t.Errorf("it was drawn %d times", drawn)
				}
				a.State = history.Done
				a.Version++
				c.Apply(history.Event{Turn: 1, Answer: a})
				work()
				work()
				if got := screenOf(c); !strings.Contains(got, fmt.Sprintf("w%d", written)) {
					t.Errorf("the end is not on the screen:\n%s", got)
				}
				time.Sleep(time.Second)
			})
		})
	}
}

// A word of a text that is on the screen already is drawn with the event that brings it, in the same update.
func TestAWordIsDrawnInOneUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, a := newPane(80, 24), growingAnswer(1, 2, "alpha")
		c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{a}}}, false)
		write(t, c, &a, "some **bold** ")
		a.Text += "words"
		a.Version++
		c.Apply(history.Event{Turn: 1, Answer: a})
		if c.Work(); !strings.Contains(screenOf(c), "some bold words") {
			t.Errorf("the word is not there:\n%s", screenOf(c))
		}
	})
}

// Somebody who scrolled up reads on, whatever is written above, below and at the end of what they read.
func TestThePlaceIsKeptWhileAnswersGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := func(name string, n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "%s line %d\n\n", name, i)
			}
			return b.String()
		}
		c := newPane(80, 12)
		above, read, below := growingAnswer(1, 11, "alpha"), growingAnswer(2, 12, "beta"), growingAnswer(3, 13, "gamma")
		c.SetTurns([]history.Turn{{ID: 1, Prompt: "one", Answers: []history.Answer{above}},
			{ID: 2, Prompt: "two", Answers: []history.Answer{read}},
			{ID: 3, Prompt: "three", Answers: []history.Answer{below}}}, false)
		for _, a := range []*history.Answer{&above, &read, &below} {
			write(t, c, a, lines(a.Model, 30)+"```\ncode of "+a.Model+"\n")
		}
		c.GoTo(2, 12)
		settle(t, c, nil)
		c.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		c.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		settle(t, c, nil)
		before := screenOf(c)
		if !strings.Contains(before, "beta line 3") {
			t.Fatalf("it is not where it was scrolled to:\n%s", before)
		}
		for n := range 40 {
			for _, a := range []*history.Answer{&above, &read, &below} {
				write(t, c, a, a.Text+fmt.Sprintf("code %d\n", n))
			}
			if got := screenOf(c); got != before {
				t.Fatalf("after %d parts:\n%s\nwant\n%s", n+1, got, before)
			}
		}
		if got := c.BottomText(); !strings.Contains(got, " of ") || !strings.Contains(got, "↓") {
			t.Errorf("%q does not say how much is below", got)
		}
		above.State = history.Done
		write(t, c, &above, above.Text)
		if got := screenOf(c); got != before {
			t.Fatalf("after an end above:\n%s\nwant\n%s", got, before)
		}
		c.Run(keys.Bottom)
		settle(t, c, nil)
		write(t, c, &below, below.Text+"the very last\n")
		if got := screenOf(c); !strings.Contains(got, "the very last") {
			t.Errorf("the end is not followed again:\n%s", got)
		}
	})
}

// The end of a turn to several models is followed while any of its answers is written, until somebody scrolls up.
func TestTheEndOfSeveralAnswersIsFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newPane(80, 12)
		one, two := growingAnswer(1, 11, "alpha"), growingAnswer(1, 12, "beta")
		c.PutTurn(history.Turn{ID: 1, Prompt: "p", Answers: []history.Answer{one, two}})
		settle(t, c, nil)
		for n := range 30 {
			write(t, c, &one, one.Text+fmt.Sprintf("alpha line %d\n\n", n))
			if got := screenOf(c); !strings.Contains(got, fmt.Sprintf("alpha line %d", n)) ||
				!strings.Contains(got, "beta") {
				t.Fatalf("the first answer is not followed to the end:\n%s", got)
			}
		}
		for n := range 30 {
			write(t, c, &two, two.Text+fmt.Sprintf("beta line %d\n\n", n))
			write(t, c, &one, one.Text+fmt.Sprintf("alpha line %d\n\n", 30+n))
			if got := screenOf(c); !strings.Contains(got, fmt.Sprintf("beta line %d", n)) {
				t.Fatalf("the second answer is not followed:\n%s", got)
			}
		}
		if got := c.BottomText(); !strings.Contains(got, "follow") {
			t.Errorf("%q does not say that the end is followed", got)
		}
		c.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
		settle(t, c, nil)
		before := screenOf(c)
		for n := range 10 {
			write(t, c, &one, one.Text+fmt.Sprintf("alpha more %d\n\n", n))
			write(t, c, &two, two.Text+fmt.Sprintf("beta more %d\n\n", n))
			if got := screenOf(c); got != before {
				t.Fatalf("after %d parts:\n%s\nwant\n%s", n+1, got, before)
			}
		}
		if got := c.BottomText(); !strings.Contains(got, " of ") || !strings.Contains(got, "↓") {
			t.Errorf("%q does not say how much is below", got)
		}
	})
}

// Inside of the block that grows the same lines stay on the screen.
func TestThePlaceIsKeptInABlockThatGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, a := newPane(80, 10), growingAnswer(1, 2, "alpha")
		c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{a}}}, false)
		text := "```\n"
		for i := range 40 {
			text += fmt.Sprintf("code %d\n", i)
		}
		write(t, c, &a, text)
		if got := screenOf(c); !strings.Contains(got, "code 39") {
			t.Fatalf("the end is not followed:\n%s", got)
		}
		c.Run(keys.HalfUp)
		before := screenOf(c)
		for i := range 20 {
			write(t, c, &a, a.Text+fmt.Sprintf("code %d\n", 40+i))
			if got := screenOf(c); got != before {
				t.Fatalf("after %d lines more:\n%s\nwant\n%s", i+1, got, before)
			}
		}
	})
}

// What is written is drawn at once as what it will be: code without its end, a table from the line under its head on.
func TestOpenBlocksAreDrawnAsWhatTheyAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, a := newPane(60, 12), growingAnswer(1, 2, "alpha")
		c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{a}}}, false)
		settle(t, c, nil)
		if got := screenOf(c); !strings.Contains(got, "▌ …") || !strings.Contains(got, "usually 2.0 s") &&
			!strings.Contains(got, "5 s") {
			t.Errorf("nothing waits for the answer:\n%s", got)
		}
		write(t, c, &a, "| a | b |\n|---|---|\n| 1 |")
		if got := screenOf(c); !strings.Contains(got, "│ b") || strings.Contains(got, "---") {
			t.Errorf("no table:\n%s", got)
		}
		write(t, c, &a, "```\nfunc f() {")
		if got := screenOf(c); strings.Contains(got, "```") || !strings.Contains(got, "func f() {") {
			t.Errorf("no code:\n%s", got)
		}
	})
}

// The line above an answer says what is known of it, the most important last to go.
func TestHeadSaysWhatIsKnown(t *testing.T) {
	done := growingAnswer(1, 2, "alpha")
	done.State, done.Text, done.Elapsed, done.FirstToken = history.Done, "one two", 9*time.Second, 400*time.Millisecond
	done.Usage = chat.Usage{InputTokens: 1204, OutputTokens: 356}
	done.Cost = history.Cost{Amount: 0.0031, Currency: "USD"}
	plain := growingAnswer(1, 2, "alpha")
	plain.Text = "one two three four five six seven eight"
	cut := done
	cut.Finish, cut.Ignored = chat.FinishLength, []string{"seed"}
	failed := plain
	failed.State, failed.Failure = history.Failed, &history.Failure{Code: "network", Message: "The line broke."}
	for _, tt := range []struct {
		name  string
		w     int
		a     history.Answer
		wants []string
		lacks []string
	}{
		{"done", 100, done, []string{"9.0 s · 1,204 → 356 tokens · first token 0.4 s · 41 tokens/s · $0.0031"}, nil},
		{"done, narrow", 60, done, []string{"9.0 s · 1,204 → 356 tokens · $0.0031"}, []string{"first token"}},
		{"written", 100, plain, []string{"5 s · 8 words · 2 words/s"}, []string{"usually"}},
		{"cut", 100, cut, []string{"without seed", "cut at the limit of tokens after 2 words"}, nil},
		{"broken", 100, failed, []string{"failed · network", "one two three", "broke off after 8 words",
			"The line broke."}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newPane(tt.w, 20)
			c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{tt.a}}}, false)
			settle(t, c, nil)
			got := screenOf(c)
			for _, want := range tt.wants {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in\n%s", want, got)
				}
			}
			for _, lack := range tt.lacks {
				if strings.Contains(got, lack) {
					t.Errorf("%q is in\n%s", lack, got)
				}
			}
		})
	}
}

// What a model thought comes before its text: a reader that shows the start goes on to show it.
func TestAReaderStaysAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, a := newPane(80, 5), growingAnswer(1, 2, "alpha")
		a.State, a.Text = history.Done, strings.Repeat("A paragraph.\n\n", 20)
		turn := history.Turn{ID: 1, Prompt: "p", Answers: []history.Answer{a}}
		c.ReadTurn(turn, a.ID)
		settle(t, c, nil)
		a.Reasoning, a.Thinking = "First I weigh it.", 3200*time.Millisecond
		turn.Answers = []history.Answer{a}
		c.ReadTurn(turn, a.ID)
		settle(t, c, nil)
		if got := screenOf(c); !strings.Contains(got, "▸ thought for 3.2 s") {
			t.Errorf("the first line is another one:\n%s", got)
		}
	})
}

// What a model thought is one line until it is unfolded, and no part of what is searched and copied.
func TestReasoningIsFolded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, a := newPane(80, 20), growingAnswer(1, 2, "alpha")
		a.Reasoning = "First I weigh it.\n\nThen I measure."
		c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{a}}}, false)
		settle(t, c, nil)
		if got := screenOf(c); !strings.Contains(got, "▸ thinking… 4 s") || strings.Contains(got, "weigh") {
			t.Errorf("while it thinks:\n%s", got)
		}
		a.Thinking, a.Usage.ReasoningTokens, a.State = 3200*time.Millisecond, 210, history.Done
		write(t, c, &a, "The answer.")
		if got := screenOf(c); !strings.Contains(got, "▸ thought for 3.2 s · 210 tokens") {
			t.Errorf("after it thought:\n%s", got)
		}
		c.Run(keys.ShowReasoning)
		settle(t, c, nil)
		if got := screenOf(c); !strings.Contains(got, "▾ thought") || !strings.Contains(got, "Then I measure.") {
			t.Errorf("unfolded:\n%s", got)
		}
		if copied := fmt.Sprint(c.CopyNewest()); strings.Contains(copied, "weigh") {
			t.Errorf("it is copied: %s", copied)
		}
		c.Run(keys.ShowReasoning)
		if got := screenOf(c); strings.Contains(got, "weigh") {
			t.Errorf("folded again:\n%s", got)
		}
	})
}

// A text that is shown as it came grows like any other, and ends as it ends.
func TestReasoningWithoutAText(t *testing.T) {
	c, a := newPane(120, 24), growingAnswer(1, 2, "alpha")
	c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{a}}}, false)
	a.Reasoning, a.State, a.Finish = "Let me see.", history.Done, chat.FinishLength
	write(t, c, &a, "")
	if got := screenOf(c); !strings.Contains(got, "the model came to its limit of tokens while it reasoned") ||
		strings.Contains(got, "empty") {
		t.Errorf("got\n%s", got)
	}
}

func TestUnformattedTextGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, a := newPane(80, 20), growingAnswer(1, 2, "alpha")
		c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{a}}}, false)
		text := "# head\n\n- **one**\n- two\n\n```\nx\n```\nlast"
		c.Run(keys.Unformatted)
		for n := 1; n <= len(text); n += 3 {
			write(t, c, &a, text[:n])
		}
		a.State = history.Done
		write(t, c, &a, text)
		got := strings.Split(screenOf(c), "\n")
		for i := range got {
			got[i] = strings.TrimRight(strings.TrimPrefix(got[i], " ▌ "), " ")
		}
		if at := slices.Index(got, "# head"); at < 0 || strings.Join(got[at:at+9], "\n") != text {
			t.Errorf("got\n%s", strings.Join(got, "\n"))
		}
	})
}

// What was drawn for another width comes too late once the pane has its new one, and is not shown.
func TestDrawingForAnotherWidthIsDropped(t *testing.T) {
	answer := growingAnswer(1, 2, "alpha")
	answer.State, answer.Text = history.Done, strings.Repeat("some *words* of a paragraph ", 8)
	turns := []history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{answer}}}
	want := newPane(40, 24)
	want.SetTurns(turns, false)
	settle(t, want, nil)

	c, late := newPane(80, 24), []tea.Msg(nil)
	c.SetTurns(turns, false)
	for range 10 {
		_, cmd := c.Work()
		late = run(cmd)
		if slices.ContainsFunc(late, func(m tea.Msg) bool { return conversation.DrawnBytes(m) > 0 }) {
			break
		}
		for _, m := range late {
			c.Update(m)
		}
	}
	c.SetSize(40, 24)
	for _, m := range late {
		c.Update(m)
	}
	settle(t, c, nil)
	if got := screenOf(c); got != screenOf(want) {
		t.Errorf("got\n%s\nwant\n%s", got, screenOf(want))
	}
}

// TestTheReadingPlaceStaysWhenAListBecomesLoose holds the line at the top of the window while empty lines come between
// the items above it, and when they go away again.
func TestTheReadingPlaceStaysWhenAListBecomesLoose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where drawing takes no time, so that it is never put off
		c, a := newPane(60, 10), growingAnswer(1, 2, "alpha")
		c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{a}}}, false)
		text := ""
		for i := range 40 {
			text += fmt.Sprintf("- item %d\n", i+1)
		}
		write(t, c, &a, text)
		for range 8 {
			c.Run(keys.Up)
		}
		settle(t, c, nil)
		topLine := func() string { return strings.TrimSpace(strings.Split(screenOf(c), "\n")[0]) }
		top := topLine()
		for _, more := range []string{"filler words\n", "\n- loose\n", "- more\n"} {
			text += more
			write(t, c, &a, text)
			if now := topLine(); !strings.Contains(now, "item") || now != top {
				t.Errorf("after %q the top line is %q, was %q:\n%s", more, now, top, screenOf(c))
			}
		}
		if !strings.Contains(screenOf(c), "item 24") || strings.Contains(screenOf(c), "item 29") {
			t.Errorf("the list is not loose:\n%s", screenOf(c))
		}
	})
}
