package storetest

import (
	"fmt"
	"strings"
	"time"

	"confab/history"
)

func searchTests() []named {
	return []named{
		{"search/where it is found", func(f *fixture) {
			s := f.session("s")
			t, err := f.AddTurn(f.ctx,
				history.Turn{Session: s.ID, Prompt: "refund the money", System: "you are a pirate", Created: noon(),
					Answers: []history.Answer{{Model: "alpha", Kind: history.KindText}}})
			f.must(err)
			a := f.done(t.Answers[0], "No refunds today")
			_, err = f.Judge(f.ctx, a.ID, history.Bad, false, "too blunt")
			f.must(err)
			hits, err := f.Search(f.ctx, history.Query{Text: "refund"})
			f.must(err)
			f.same("hits", hits, []history.Hit{
				{Session: s.ID, Turn: t.ID, Answer: a.ID, SessionName: "s", Field: "answer", Model: "alpha",
					Kind:    history.KindText,
					State:   history.Done,
					Created: noon(), Snippet: "No refunds today", Match: [][2]int{{3, 9}}},
				{Session: s.ID, Turn: t.ID, SessionName: "s", Field: "prompt", Created: noon(),
					Snippet: "refund the money",
					Match:   [][2]int{{0, 6}}},
			})
			f.same("system", f.search("pirate"), []string{"system: you are a [pirate]"})
			f.same("note", f.search("blunt"), []string{"note: too [blunt]"})
		}},
		{"search/words", testWords},
		{"search/any text is only text", func(f *fixture) {
			s := f.session("s")
			f.chat(s.ID, "C++ and \"quotes\" 'n (brackets) a*b {x} : NEAR(a b, 2) -not ^start", "alpha", "x")
			for _, typed := range []string{`"`, `""`, `"""`, `'`, `*`, `a*`, `^a`, `-a`, `a AND`, `OR b`, `NOT`,
				`NEAR(a`, `(`,
				`)`, `{a}`, `a:b`, `prompt:x`, `+`, `\`, "\x00", "\xff", "a\x00b", `%`, `_`, `; drop table turns`, `"a" "b`, `--`, strings.Repeat("a ", 50000), strings.Repeat("款", 50000), strings.Repeat("(", 50000)} {
				if _, err := f.Search(f.ctx, history.Query{Text: typed}); err != nil {
					f.Errorf("%.99q: %v", typed, err)
				}
				if _, _, err := f.Sessions(f.ctx, history.Query{Text: typed}); err != nil {
					f.Errorf("sessions %.99q: %v", typed, err)
				}
			}
			f.same("signs alone", f.search("++"),
				[]string{`prompt: C[++] and "quotes" 'n (brackets) a*b {x} : NEAR(a b, 2) -not ^start`})
			f.same("operators are words", f.search("near not"),
				[]string{`prompt: C++ and "quotes" 'n (brackets) a*b {x} : [NEAR](a b, 2) -[not] ^start`})
		}},
		{"search/filters", testFilters},
		{"search/newest first", func(f *fixture) {
			s := f.session("s")
			var want []string
			for i := range 7 {
				f.chat(s.ID, fmt.Sprintf("word p%d", i), "alpha", fmt.Sprintf("word a%d", i))
				want = append([]string{fmt.Sprintf("word a%d", i), fmt.Sprintf("word p%d", i)}, want...)
			}
			for _, query := range []history.Query{{Text: "word"}, {Text: "w"}} {
				for _, query.Limit = range []int{0, 1, 3, 14} {
					var got []string
					hits, err := f.Search(f.ctx, query)
					f.must(err)
					for _, h := range hits {
						got = append(got, h.Snippet)
					}
					f.same("hits of "+query.Text, got, want[:min(len(want), query.MaxResults())])
				}
			}
		}},
		{"search/the snippet of a long text", func(f *fixture) {
			s := f.session("s")
			f.chat(s.ID, "p", "alpha",
				strings.Repeat("lorem ipsum\n", 1000)+"the näedle\tis ünder here "+strings.Repeat("dolor ", 1000))
			hits, err := f.Search(f.ctx, history.Query{Text: "naedle"})
			f.must(err)
			got := marked(hits[0].Snippet, hits[0].Match)
			if !strings.Contains(got, "ipsum the [näedle] is ünder here dolor") || !strings.HasPrefix(got, "…") ||
				!strings.HasSuffix(got, "…") {
				f.Errorf("snippet %q", got)
			}
			if strings.ContainsAny(got, "\n\t") || len(got) > 200 {
				f.Errorf("snippet is not one short line: %q", got)
			}
		}},
		{"search/phrases far into a long text", testLongTexts},
		{"search/prompts", testPrompts}, {"search/prompts of templates", testPromptsOfTemplates},
		{"search/pictures", testPictures},
		{"search/sessions", testSessionSearch}, {"search/the hit of a session", testSessionHits},
		{"search/what tells sessions apart", testSessionFacts},
	}
}

func testFilters(f *fixture) {
	s, other := f.session("s"), f.session("other")
	add := func(session int64, prompt, model string, state history.State, rating history.Rating,
		created time.Time) (answer int64) {
		kind := kindOf(model)
		t, err := f.AddTurn(f.ctx,
			history.Turn{Session: session, Prompt: prompt, Created: created, Answers: []history.Answer{
				{Model: model, Kind: kind, State: state, Text: "answer to " + prompt, Rating: rating, Version: 1}}})
		f.must(err)
		return t.Answers[0].ID
	}
	day := func(d int) time.Time { return time.Date(2026, 5, d, 9, 0, 0, 0, time.UTC) }
	add(s.ID, "word one", "alpha3.1-8b", history.Done, history.Good, day(1))
	add(s.ID, "word two", "alpha-mini", history.Failed, history.Unrated, day(2))
	best := add(s.ID, "word three", "beta", history.Done, history.Bad, day(3))
	_, err := f.Judge(f.ctx, best, history.Bad, true, "")
	f.must(err)
	add(other.ID, "word four", "pic-1", history.Done, history.Unrated, day(4))
	add(other.ID, "word five", "beta", history.Cancelled, history.Unrated, day(5))
	for filter, want := range map[string]string{
		"":                                 "five four three two one",
		"model:alpha3.1-8b":                "one",
		"model:alpha":                      "two one",
		"model:alpha*":                     "two one",
		"model:*mini":                      "two",
		"model:beta,pic-1":                 "five four three",
		"model:beta model:pic-1":           "five four three",
		"model:nobody":                     "",
		"kind:image":                       "four",
		"kind:text":                        "five three two one",
		"state:failed":                     "two",
		"state:done":                       "four three one",
		"rated:good":                       "one",
		"rated:bad":                        "three",
		"rated:best":                       "three",
		"rated:best model:alpha":           "",
		"state:stopped":                    "five",
		"rated:none":                       "five four two",
		"before:2026-05-03":                "two one",
		"after:2026-05-03":                 "five four three",
		"after:2026-05-02 before:2026-06":  "five four three two",
		"model:beta state:done":            "three",
		"model:beta state:done rated:good": "",
		"kind:text model:alpha":            "two one",
	} {
		for _, text := range []string{"word ", "wor", ""} {
			q, err := history.ParseQuery(strings.TrimSpace(filter+" "+text), noon())
			f.must(err)
			hits, err := f.Search(f.ctx, q)
			f.must(err)
			var got, prompts []string
			for _, h := range hits {
				last := h.Snippet[strings.LastIndex(h.Snippet, " ")+1:]
				if h.Field == "answer" {
					got = append(got, last)
				} else {
					prompts = append(prompts, last)
				}
			}
			name := fmt.Sprintf("%q %q", filter, text)
			f.same("answers "+name, strings.Join(got, " "), want)
			if text != "" {
				f.same("prompts "+name, strings.Join(prompts, " "), want)
			}
		}
	}
	hits, err := f.Search(f.ctx, history.Query{Text: "word", Session: other.ID})
	f.must(err)
	f.same("in a session", len(hits), 4)
}

func testPrompts(f *fixture) {
	s, other := f.session("s"), f.session("other")
	f.send(s.ID, "say hello", "alpha")
	f.send(s.ID, "draw a fox", "pic")
	f.send(other.ID, "say hello", "beta", "alpha", "beta")
	f.send(other.ID, "", "alpha")
	got, err := f.Prompts(f.ctx, history.Query{})
	f.must(err)
	f.same("how many", len(got), 2)
	f.same("the newest of the same", []any{got[0].Prompt, got[0].SessionName, strings.Join(got[0].Models, " ")},
		[]any{"say hello", "other", "beta alpha"})
	f.same("an older one", got[1].Prompt, "draw a fox")
	got, err = f.Prompts(f.ctx, history.Query{Text: "fo"})
	f.must(err)
	f.same("matching", []any{len(got), marked(got[0].Prompt, got[0].Match)}, []any{1, "draw a [fo]x"})
	got, err = f.Prompts(f.ctx, history.Query{Models: []string{"pic"}})
	f.must(err)
	f.same("of a model", []any{len(got), got[0].Prompt}, []any{1, "draw a fox"})
	got, err = f.Prompts(f.ctx, history.Query{Limit: 1})
	f.must(err)
	f.same("the newest", []any{len(got), got[0].Prompt}, []any{1, "say hello"})
}

// testPromptsOfTemplates finds the prompts that one template has made as a single one.
func testPromptsOfTemplates(f *fixture) {
	s := f.session("s")
	for _, name := range []string{"fox", "hen", "fox"} {
		_, err := f.AddTurn(f.ctx, history.Turn{Session: s.ID, Prompt: "draw a " + name, Template: "draw a {{what}}",
			Vars: map[string]string{"what": name}, Samples: 1, Answers: []history.Answer{{Model: "pic-" + name,
				Kind: history.KindImage, Sample: 1, State: history.Queued}}})
		f.must(err)
	}
	f.send(s.ID, "say hello", "alpha")
	got, err := f.Prompts(f.ctx, history.Query{})
	f.must(err)
	f.same("how many", len(got), 2)
	f.same("a typed one", []any{got[0].Prompt, got[0].Template, got[0].IsOfRun, len(got[0].Values)},
		[]any{"say hello", "", false, 0})
	f.same("a template",
		[]any{got[1].Prompt, got[1].Template, fmt.Sprint(got[1].Values), strings.Join(got[1].Models, " ")},
		[]any{"draw a fox", "draw a {{what}}", "[map[what:fox] map[what:hen]]", "pic-fox pic-hen"})
}

func testPictures(f *fixture) {
	s := f.session("foxes")
	t := f.send(s.ID, "draw a fox", "pic-a", "alpha", "pic-b")
	a := f.drawn(t.Answers[0], "/p/1.png")
	b := f.drawn(t.Answers[2], "/p/2.png")
	c := f.drawn(f.send(s.ID, "draw a hen", "pic-a").Answers[0], "/p/3.png")
	_, err := f.Judge(f.ctx, c.ID, history.Good, false, "the fox is missing")
	f.must(err)
	f.chat(s.ID, "a fox story", "alpha", "fox")
	show := func(q history.Query) []int64 {
		hits, err := f.Pictures(f.ctx, q)
		f.must(err)
		got := []int64{}
		for _, h := range hits {
			f.same("session", h.SessionName, "foxes")
			f.same("turn", h.Answer.Turn, h.Turn.ID)
			f.same("picture", h.Answer.Picture != nil, true)
			got = append(got, h.Answer.ID)
		}
		return got
	}
	good := history.Good
	f.same("all", show(history.Query{}), []int64{c.ID, b.ID, a.ID})
	f.same("by prompt and note", show(history.Query{Text: "fox"}), []int64{c.ID, b.ID, a.ID})
	f.same("by prompt", show(history.Query{Text: "draw fox "}), []int64{b.ID, a.ID})
	f.same("of a model", show(history.Query{Text: "draw", Models: []string{"pic-a"}}), []int64{c.ID, a.ID})
	f.same("rated", show(history.Query{Rating: &good}), []int64{c.ID})
	f.same("the newest", show(history.Query{Limit: 1}), []int64{c.ID})
	f.same("none", show(history.Query{Text: "zebra"}), []int64{})

	for _, q := range []history.Query{{}, {Text: "fox"}, {Text: "draw fox "}, {Text: "++"}, {Models: []string{"pic-b"}},
		{Rating: &good}, {Text: "zebra"}} {
		ids, err := f.PictureIDs(f.ctx, q)
		f.must(err)
		f.same("ids of the same", append([]int64{}, ids...), show(q))
	}
	ids, err := f.PictureIDs(f.ctx, history.Query{Limit: 2})
	f.must(err)
	f.same("the first ids", ids, []int64{c.ID, b.ID})
	_, err = f.DeleteAnswer(f.ctx, b.ID)
	f.must(err)
	hits, err := f.PicturesOf(f.ctx, []int64{a.ID, b.ID, t.Answers[1].ID, c.ID})
	f.must(err)
	got := []string{}
	for _, h := range hits {
		got = append(got, h.Answer.Picture.Path+" "+h.Turn.Prompt+" "+h.SessionName)
	}
	f.same("pictures of answers, without the deleted one", got,
		[]string{"/p/1.png draw a fox foxes", "/p/3.png draw a hen foxes"})
}

func testSessionSearch(f *fixture) {
	a, b, c := f.session("refund wording"), f.session("pictures"), f.session("empty refund")
	f.chat(a.ID, "hello", "alpha", "nothing")
	f.chat(b.ID, "polite refund please", "alpha", "a refund it is")
	f.send(b.ID, "draw a fox", "pic")
	show := func(typed string) []string {
		q, err := history.ParseQuery(typed, noon())
		f.must(err)
		hits, total, err := f.Sessions(f.ctx, q)
		f.must(err)
		f.same("total", total, 3)
		got := []string{}
		for _, h := range hits {
			got = append(got, h.Name+"|"+marked(h.Snippet, h.Match))
		}
		return got
	}
	f.same("names before contents", show("refund"),
		[]string{"refund wording|", "empty refund|", "pictures|a [refund] it is"})
	f.same("contents", show("polite"), []string{"pictures|[polite] refund please"})
	f.same("signs", show("++"), []string{})
	f.same("by model", show("model:pic"), []string{"pictures|"})
	f.same("by model and name", show("model:alpha refund"), []string{"refund wording|", "pictures|a [refund] it is"})
	f.same("none", show("zebra"), []string{})
	f.must(f.RenameSession(f.ctx, c.ID, "++"))
	f.same("signs in a name", show("++"), []string{"++|"})
}

// testSessionHits finds turns and answers of a session, on a branch that it does not show as well.
func testSessionHits(f *fixture) {
	s := f.session("rivers")
	f.chat(s.ID, "first", "alpha", "nothing")
	old := f.chat(s.ID, "the bank of a river", "alpha", "a meadow")
	two := f.send(s.ID, "second", "alpha", "beta")
	f.done(two.Answers[0], "a canoe")
	best := f.done(two.Answers[1], "another canoe")
	_, err := f.Judge(f.ctx, best.ID, history.Good, true, "")
	f.must(err)
	again, err := f.AddTurn(f.ctx, history.Turn{Session: s.ID, Prompt: "second again", Siblings: []int64{two.ID},
		Samples: 1, Answers: []history.Answer{{Model: "beta", Kind: history.KindText, Sample: 1,
			State: history.Queued}}})
	f.must(err)
	last := f.done(again.Answers[0], "no boat")
	for typed, want := range map[string][2]int64{
		"": {}, "rivers": {},
		"rivers rated:best": {two.ID, best.ID},
		"bank":              {old.ID, 0},
		"meadow":            {old.ID, old.Answers[0].ID},
		"canoe":             {two.ID, best.ID},
		"model:alpha canoe": {two.ID, two.Answers[0].ID},
		"rated:best":        {two.ID, best.ID},
		"model:beta":        {again.ID, last.ID},
		"a":                 {again.ID, 0}, // its prompt is newer than answers with the letter
	} {
		q, err := history.ParseQuery(typed, noon())
		f.must(err)
		hits, _, err := f.Sessions(f.ctx, q)
		f.must(err)
		f.same("sessions of "+typed, len(hits), 1)
		f.same("the hit of "+typed, [2]int64{hits[0].Turn, hits[0].Answer}, want)
	}
}

func testSessionFacts(f *fixture) {
	facts := func(session int64) []any {
		hits, _, err := f.Sessions(f.ctx, history.Query{})
		f.must(err)
		for _, h := range hits {
			if h.ID == session {
				return []any{h.LastPrompt, strings.Join(h.Models, " "), h.SuitePath}
			}
		}
		return nil
	}
	a, empty := f.session("same"), f.session("same")
	f.send(a.ID, "too long ago", "zeta")
	f.send(a.ID, "first", "beta", "alpha")
	f.chat(a.ID, "more", "alpha", "yes")
	f.same("an empty one", facts(empty.ID), []any{"", "", ""})
	f.same("of three turns", facts(a.ID), []any{"more", "zeta beta alpha", ""})
	last := f.send(a.ID, strings.Repeat("ü", 400), "gamma")
	f.same("of the newest three", facts(a.ID), []any{strings.Repeat("ü", 300), "beta alpha gamma", ""})
	_, err := f.DeleteTurn(f.ctx, last.ID)
	f.must(err)
	f.same("without what is deleted", facts(a.ID), []any{"more", "zeta beta alpha", ""})
	r := f.started("/s/prices.yaml")
	f.same("of a run", facts(r.Session)[2], "/s/prices.yaml")
}
