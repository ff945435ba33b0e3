package prose_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"confab/service/engine/enginetest"
	"confab/service/engine/offline/prose"
)

func write(model, prompt, system string) string {
	return prose.Write(prose.Request{Model: model, Prompt: prompt, System: system}).Text
}

func models() []string { return enginetest.OfflineTraits().Text }

// talkers returns the models with a style.
func talkers() []string { return models()[:14] }

const simulated = "simulated by the offline engine"

func TestEveryTextSaysOnceThatItIsSimulated(t *testing.T) {
	prompts := []string{
		"hi", "Explain a CRDT to a baker.", "What is a glorp?", "Why is the sky blue?", "Write a go function that " +
			"reverses a string", "Give me 5 names for a shop", "Compare tea and coffee",
		"In one sentence, what is DNS?",
		"Explain recursion in 50 words", "what is 17 * 23?", "Translate 'good morning' to French",
		"Write a haiku about rain", "Write a story about a fox", "Write an email to a customer",
		"How do I sharpen a knife?", "Reply with PONG",
		"three fruits as JSON", "Summarize this: The sea is wide. The boat is small. The boat crosses the sea in " +
			"nine days.", "…", "猫とは何ですか", strings.Repeat("long ", 4000),
	}
	for _, model := range models() {
		for _, prompt := range prompts {
			got := write(model, prompt, "")
			if n := strings.Count(strings.ToLower(got), simulated); n != 1 {
				t.Errorf("%s on %.40q says %d times that it is simulated:\n%s", model, prompt, n, got)
			}
			if strings.Contains(got, "%!") {
				t.Errorf("%s on %.40q is badly formatted:\n%s", model, prompt, got)
			}
		}
	}
}

func TestVoicesDiffer(t *testing.T) {
	const prompt = "Explain how a lock on a canal works"
	heads, lengths := map[string]string{}, map[string]int{}
	for _, m := range talkers() {
		got := write(m, prompt, "")
		head := strings.ToLower(strings.TrimSpace(strings.Split(got, "\n")[0]))
		if other, ok := heads[head]; ok {
			t.Errorf("%s and %s begin with %q", m, other, head)
		}
		heads[head], lengths[m] = m, len(strings.Fields(got))
	}
	if short, long := lengths["compound-mini"], lengths["beta-3-235b-a22b-instruct-2507"]; long < 8*short {
		t.Errorf("the long voice has %d words, the terse one %d", long, short)
	}
	for model, mark := range map[string]string{"delta": "\n|---", "epsilon-k2-instruct-0905": "日本語", "oss-20b": "```",
		"gamma-4.7": "- [x]", "zeta": "> ", "oss-120b": "\n## ", "phi-2": "∎", "gamma-4-7b-flash": "psst"} {
		if got := write(model, prompt, ""); !strings.Contains(got, mark) {
			t.Errorf("%s lacks %q:\n%s", model, mark, got)
		}
	}
}

func TestPromptAndPersonaAreQuoted(t *testing.T) {
	for _, m := range talkers() {
		got := write(m, "Write a python function that sorts marbles", "You are Captain Nemo.")
		if !strings.Contains(got, "Captain Nemo") {
			t.Errorf("%s does not name the persona:\n%s", m, got)
		}
		if !strings.Contains(got, "marbles") {
			t.Errorf("%s does not quote the prompt:\n%s", m, got)
		}
		if plain := write(m, "Write a python function that sorts marbles", ""); plain == got {
			t.Errorf("%s ignores the system prompt", m)
		}
	}
}

func TestAnswersFollowTheKindOfPrompt(t *testing.T) {
	for _, c := range []struct{ name, prompt, want string }{
		{"code in the language asked for", "Write a python function that reverses a string", "```python\ndef "},
		{"code of an unknown task", "Write a rust function that waters plants", "```rust\nfn "},
		{"a query", "write an sql query for the top 10 customers", "```sql\ncreate table"},
		{"a comparison", "Compare go and rust", "|"},
		{"things compared are named", "What is the difference between oil and water?", "| oil | water |"},
		{"an echo", "Reply with the word PONG", "PONG"},
		{"an e-mail", "Write an email about a late parcel", "**Subject:**"},
		{"a fact it knows", "What is DNS?", "addresses"},
		{"steps", "How do I bake bread?", "1."},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, m := range []string{"oss-20b", "gamma-4-7b-flash", "allam-2-7b"} {
				if got := write(m, c.prompt, ""); !strings.Contains(got, c.want) {
					t.Errorf("%s on %q lacks %q:\n%s", m, c.prompt, c.want, got)
				}
			}
		})
	}
}

func TestLengthsAreHonoured(t *testing.T) {
	for _, m := range talkers() {
		for _, c := range []struct {
			prompt, system string
			low, high      int
		}{
			{"In one sentence, what is DNS?", "", 8, 40},
			{"Explain recursion", "Answer in two sentences.", 12, 75},
		} {
			if got := len(strings.Fields(write(m, c.prompt, c.system))); got < c.low || got > c.high {
				t.Errorf("%s on %q %q has %d words, want %d to %d", m, c.prompt, c.system, got, c.low, c.high)
			}
		}
		list := write(m, "Give me 7 tips for a walk", "")
		marks := 0
		for _, l := range strings.Split(list, "\n") {
			if strings.HasPrefix(l, "- ") && !strings.HasPrefix(l, "- [ ]") || strings.HasPrefix(l, "* ") ||
				len(l) > 2 &&
					l[0] >= '1' && l[0] <= '9' && strings.Contains(l[:3], ".") || strings.HasPrefix(l, "| ") &&
				!strings.HasPrefix(l, "| no") && unicode.IsDigit(rune(l[2])) {
				marks++
			}
		}
		if marks != 7 {
			t.Errorf("%s gives %d tips, want 7:\n%s", m, marks, list)
		}
	}
}

func TestJSONIsNothingButJSON(t *testing.T) {
	for _, m := range talkers() {
		var v map[string]any
		if err := json.Unmarshal([]byte(write(m, "List 3 rivers as JSON", "")), &v); err != nil {
			t.Errorf("%s: %v", m, err)
		} else if points, ok := v["points"].([]any); !ok || len(points) != 3 {
			t.Errorf("%s gives %v", m, v["points"])
		}
	}
}

func TestParaphrase(t *testing.T) {
	const story = "The lighthouse was built in 1820. It was built because many ships were lost. The keeper lived " +
		"there " +
		"with his family. Visitors bring sandwiches. The lighthouse guided ships for many years."
	for _, c := range []struct {
		name, prompt string
		want, not    []string
	}{
		{"rewording", "Rewrite: the cat sat on the mat.", []string{"The feline was sitting on the rug."},
			[]string{"Rewrite"}},
		{"without an instruction", "She often helps the children.", []string{"She frequently assists the youngsters."},
			nil},
		{"a name stays", "We went to Big Sur and saw a big tree.", []string{"Big Sur", "a large tree"}, nil},
		{"a summary", "Summarise in one sentence: " + story, []string{"The lighthouse was built in 1820."},
			[]string{"sandwiches"}},
		{"key points", "Summarize as key points:\n" + story, []string{"- The lighthouse was built in 1820."},
			[]string{"sandwiches"}},
		{"numbers stay", "Rewrite: 42 big ships in 1999", []string{"42 large ships in 1999"}, nil},
		{"nothing to do", "Xyzzy.", []string{"Xyzzy.", "stands as it was"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := write("paraphrase", c.prompt, "ignored")
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q lacks %q", got, w)
				}
			}
			for _, w := range c.not {
				if strings.Contains(got, w) {
					t.Errorf("%q has %q", got, w)
				}
			}
		})
	}
}

func TestATopicCannotBreakTheTableItStandsIn(t *testing.T) {
	for _, line := range strings.Split(write("delta", "Explain the a|b thing", ""), "\n") {
		if strings.HasPrefix(line, "| Meaning") && strings.Count(line, "|") != 3 {
			t.Errorf("the row %q has more than two cells", line)
		}
	}
	got := write("oss-20b", "Explain the a|b thing", "")
	if !strings.Contains(got, "the shortest true sentence about a¦b thing") {
		t.Errorf("the topic is not quoted as plain text:\n%s", got)
	}
}

func TestAConversationThatWasFoldedIn(t *testing.T) {
	got := write("oss-20b", "User: What is a rainbow?\nAssistant: Light in drops.\n\nUser: And what is DNS?", "")
	if !strings.Contains(got, "addresses") {
		t.Errorf("it does not answer the last question:\n%s", got)
	}
}

// TestContextIsMentioned adds the previous prompt and a picture to answers of every form that mentions them.
func TestContextIsMentioned(t *testing.T) {
	r := prose.Request{Prompt: "And what is DNS?", Earlier: []string{"What is a *rainbow*?"},
		Pictures: "The picture is red."}
	for _, r.Model = range talkers() {
		got := prose.Write(r).Text
		if !strings.Contains(got, "“What is a ∗rainbow∗?”") || !strings.Contains(got, r.Pictures) {
			t.Errorf("%s names no context:\n%s", r.Model, got)
		}
		if got != prose.Write(r).Text {
			t.Errorf("%s answers the same in another way", r.Model)
		}
	}
	r.Model, r.Prompt = "oss-20b", "In one sentence, what is in this picture?"
	if got := prose.Write(r).Text; !strings.Contains(got, r.Pictures) {
		t.Errorf("one sentence: %s", got)
	}
	r.Prompt = "List 3 rivers as JSON"
	if got := prose.Write(r).Text; !json.Valid([]byte(got)) {
		t.Errorf("JSON: %s", got)
	}
}

func TestAFollowUpIsAboutTheEarlierPrompt(t *testing.T) {
	for _, prompt := range []string{"Say that in one sentence", "And what is it good for?", "Go on"} {
		for _, earlier := range [][]string{{"What is DNS?"}, {"What is DNS?", "Explain it to a child."}} {
			got := prose.Write(prose.Request{Model: "allam-2-7b", Prompt: prompt, Earlier: earlier}).Text
			if !strings.Contains(got, "addresses") {
				t.Errorf("%q after %q: %s", prompt, earlier, got)
			}
		}
	}
	got := prose.Write(prose.Request{Model: "allam-2-7b", Prompt: "Summarize this: The sea is wide. " +
		"The boat is small. The boat crosses the sea in nine days.", Earlier: []string{"What is DNS?"}}).Text
	if !strings.Contains(got, "The sea is wide.") {
		t.Errorf("a prompt with its own text: %s", got)
	}
}

func TestACutAnswerIsContinuedWhereItStops(t *testing.T) {
	for _, model := range models() {
		r := prose.Request{Model: model, Prompt: "What is a lock?", Earlier: []string{"Hello"},
			Pictures: "The picture is red."}
		whole := prose.Write(r).Text
		r.Earlier, r.Prompt = append(r.Earlier, r.Prompt), "Continue exactly where your last message stops, please."
		r.LastAnswer = whole[:len(whole)/2]
		if got := prose.Write(r).Text; r.LastAnswer+got != whole {
			t.Errorf("%s goes on with %q, want %q", model, got, whole[len(whole)/2:])
		}
	}
}

func TestAQuestionBelowPastedLinesIsAnswered(t *testing.T) {
	const diff = "diff --git a/notes.md b/notes.md\nindex 3b18e51..f2a9c44 100644\n--- a/notes.md\n" +
		"+++ b/notes.md\n\n Is it so?\n\n-one\n+two\n\n"
	for prompt, not := range map[string]string{"Review this": "index", "What is DNS?": "notes.md"} {
		for _, model := range talkers() {
			if got := write(model, diff+prompt, ""); strings.Contains(strings.ToLower(got), not) {
				t.Errorf("%s is answered with:\n%s", prompt, got)
			}
		}
	}
}

func TestOneModelReasons(t *testing.T) {
	for _, m := range models() {
		a := prose.Write(prose.Request{Model: m, Prompt: "What is DNS?"})
		if reasons := a.Reasoning != ""; reasons != (m == "oss-120b") {
			t.Errorf("%s reasons: %q", m, a.Reasoning)
		}
		if strings.Contains(a.Text, "no model does") {
			t.Errorf("%s has its reasoning in the text", m)
		}
	}
}

func TestASeedGivesAnotherAnswer(t *testing.T) {
	seen := map[string]bool{}
	for _, seed := range []string{"", "1", "2", "3", "3"} {
		seen[prose.Write(prose.Request{Model: "oss-20b", Prompt: "Give me 5 names for a shop", Seed: seed}).Text] = true
	}
	if len(seen) < 3 || len(seen) > 4 {
		t.Errorf("four seeds gave %d answers", len(seen))
	}
}

func FuzzWrite(f *testing.F) {
	for _, p := range []string{"hi", "compare a|b and `c`", "in 0 words", "say \x1b[31m", "translate  to french",
		"\xff\xfe", "list 9999 things", "write 3 to an", "in 9999 words", "explain # to a [x](http://y)", "User:",
		"rewrite:", "what is 1/0", "a\u202eb"} {
		f.Add(p, "You are \x1b]0;x\a.", uint8(3))
	}
	f.Fuzz(func(t *testing.T, prompt, system string, n uint8) {
		model := models()[int(n)%len(models())]
		got := write(model, prompt, system)
		if !strings.Contains(strings.ToLower(got), simulated) {
			t.Errorf("%s on %q does not say what it is: %q", model, prompt, got)
		}
		if utf8.ValidString(prompt) && utf8.ValidString(system) && !utf8.ValidString(got) {
			t.Errorf("%s on %q is not UTF-8: %q", model, prompt, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				t.Errorf("%s on %q has the control character %U", model, prompt, r)
				break
			}
		}
		if got != write(model, prompt, system) {
			t.Errorf("%s on %q answers differently the second time", model, prompt)
		}
	})
}

func BenchmarkLongPrompt(b *testing.B) {
	for _, unit := range []string{"It is so. ", "translate this: x\n", ". "} {
		prompt := "rewrite: " + strings.Repeat(unit, (1<<20)/len(unit))
		b.Run(strings.TrimSpace(unit), func(b *testing.B) {
			for b.Loop() {
				write("paraphrase", prompt, "")
			}
		})
	}
}
