package suite_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/javascript"
	"confab/service/api"
	"confab/service/suite"
)

const passed, failed, skipped = history.CheckPassed, history.CheckFailed, history.CheckSkipped

// spec is a check in a suite.
type spec struct {
	kind, value string // the value as JSON; empty for none
	threshold   *float64
	option      string // another name, with the value 0
	isOwn       bool
}

// checksOf returns the checks of a suite with values for their variables.
func checksOf(vars map[string]string, specs ...spec) ([]suite.Check, error) {
	list := map[string][]any{}
	for _, s := range specs {
		check := map[string]any{"type": s.kind}
		if s.value != "" {
			check["value"] = json.RawMessage(s.value)
		}
		if s.threshold != nil {
			check["threshold"] = *s.threshold
		}
		if s.option != "" {
			check[s.option] = 0
		}
		name := "assert"
		if s.isOwn {
			name = "x-checks"
		}
		list[name] = append(list[name], check)
	}
	providers := []any{}
	for _, label := range []string{"own", "twin", "other", "writer", "failed", "nobody"} {
		providers = append(providers, map[string]string{"id": "llm:m", "label": label})
	}
	text, err := json.Marshal(map[string]any{"prompts": "p", "providers": providers,
		"tests": []any{map[string]any{"vars": vars, "assert": list["assert"], "x-checks": list["x-checks"]}}})
	if err != nil {
		return nil, err
	}
	s, err := suite.Load(context.Background(), fstest.MapFS{"s.yaml": {Data: text}}, "s.yaml")
	if err != nil {
		return nil, err
	}
	catalogue, err := api.Catalogue{}.With(api.Model{Slug: "m", Kind: api.Text})
	if err != nil {
		return nil, err
	}
	calls, err := suite.Calls(s, catalogue)
	if err != nil {
		return nil, err
	}
	return calls[0].Checks, nil
}

// judge returns the results of checks of an answer.
// TestMain makes this program the interpreter of its tests.
func TestMain(m *testing.M) {
	if javascript.IsChild(os.Args[1:]) {
		if err := javascript.Serve(os.Stdin, os.Stdout); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

func judge(t testing.TB, a suite.AnswerInput, peer suite.PeerFinder, specs ...spec) []history.CheckResult {
	t.Helper()
	checks, err := checksOf(nil, specs...)
	if err != nil {
		t.Fatal(err)
	}
	a.Scripts = javascript.ThisProgram()
	return suite.Judge(t.Context(), checks, a, peer)
}

func threshold(n float64) *float64 { return &n }

const place = `{"type":"object","required":["lat"],"properties":{"lat":{"type":"number","maximum":90}}}`

func textCases() []struct {
	name, kind, value string
	threshold         *float64
	text              string
	want              bool
} {
	return []struct {
		name, kind, value string
		threshold         *float64
		text              string
		want              bool
	}{
		{"equal", "equals", `"a b"`, nil, "a b", true},
		{"blanks count", "equals", `"a b"`, nil, "a b\n", false},
		{"case counts", "equals", `"a"`, nil, "A", false},
		{"an empty text", "equals", `""`, nil, "", true},
		{"a number", "equals", `4`, nil, "4", true},
		{"an object, whatever its order", "equals", `{"a":1,"b":[true,null]}`, nil, `{"b":[true,null],"a":1.0}`, true},
		{"another object", "equals", `{"a":1}`, nil, `{"a":1,"b":2}`, false},
		{"an object against words", "equals", `{"a":1}`, nil, `a: 1`, false},
		{"a list", "equals", `[1,2]`, nil, `[2,1]`, false},
		{"contains", "contains", `"sorry"`, nil, "so sorry!", true},
		{"contains minds case", "contains", `"Sorry"`, nil, "so sorry!", false},
		{"contains zero", "contains", `0`, nil, "10", true},
		{"icontains", "icontains", `"SORRY"`, nil, "So Sorry!", true},
		{"icontains beyond ASCII", "icontains", `"ÄRGER"`, nil, "kein Ärger", true},
		{"any", "contains-any", `["x","b"]`, nil, "abc", true},
		{"none of any", "contains-any", `["x","y"]`, nil, "abc", false},
		{"any, with commas", "contains-any", `"x, b"`, nil, "abc", true},
		{"any, a comma in quotes", "contains-any", `"\"1,000\", x"`, nil, "only 1000", false},
		{"any, numbers", "contains-any", `[5]`, nil, "x5", true},
		{"all", "contains-all", `["a","c"]`, nil, "abc", true},
		{"not all", "contains-all", `["a","x"]`, nil, "abc", false},
		{"iany", "icontains-any", `["X","B"]`, nil, "abc", true},
		{"iall", "icontains-all", `["A","C"]`, nil, "abC", true},
		{"iall missing", "icontains-all", `["A","X"]`, nil, "abc", false},
		{"starts", "starts-with", `"Yes"`, nil, "Yes, it is", true},
		{"starts with a blank", "starts-with", `"Yes"`, nil, " Yes", false},
		{"regex", "regex", `"\\d{4}"`, nil, "order 4417", true},
		{"regex anchored", "regex", `"^\\d{4}$"`, nil, "order 4417", false},
		{"json", "is-json", ``, nil, `{"a":[1,2]}`, true},
		{"a JSON scalar", "is-json", ``, nil, ` 5 `, true},
		{"nothing is not JSON", "is-json", ``, nil, ``, false},
		{"JSON and words", "is-json", ``, nil, `{"a":1} done`, false},
		{"JSON of a schema", "is-json", place, nil, `{"lat":45}`, true},
		{"JSON beside a schema", "is-json", place, nil, `{"lat":95}`, false},
		{"several types", "is-json", `{"type":["number","null"]}`, nil, `null`, true},
		{"by reference", "is-json", `{"$defs":{"a":{"type":"array","items":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}`,
			nil,
			`[[],[[]]]`, true},
		{"against a reference", "is-json", `{"type":"object","properties":{"next":{"$ref":"#"}}}`, nil,
			`{"next":{"next":1}}`,
			false},
		{"a whole number", "is-json", `{"type":"integer"}`, nil, `5`, true},
		{"no whole number", "is-json", `{"type":"integer"}`, nil, `5.5`, false},
		{"schema as text", "is-json", `"{\"type\":\"array\"}"`, nil, `[1]`, true},
		{"schema false", "is-json", `false`, nil, `1`, false},
		{"contains JSON", "contains-json", ``, nil, "Here:\n```json\n{\"a\": 1}\n```", true},
		{"a list is no object", "contains-json", ``, nil, "[1,2]", false},
		{"braces that are none", "contains-json", ``, nil, "{ a: b: c } {]} {\"a", false},
		{"behind broken braces", "contains-json", ``, nil, `{"a": {"b": 1}`, true},
		{"the second fits", "contains-json", place, nil, `{"x":1} {"lat":1}`, true},
		{"none fits", "contains-json", place, nil, `{"x":1} {"lat":"1"}`, false},
		{"comments in JSON", "contains-json", `{"required":["a"]}`, nil, "{\"a\": 1, // one\n 'b': c}", true},
		{"a brace that is missing", "contains-json", `{"required":["a"]}`, nil, `so: {"a": {"b": 1}`, true},
		{"a format", "is-json", `{"format":"email"}`, nil, `"ana@example.com"`, true},
		{"another format", "is-json", `{"format":"email"}`, nil, `"nobody"`, false},
		{"a format of numbers", "is-json", `{"format":"int32"}`, nil, `2147483648`, false},
		{"base64", "is-json", `{"format":"byte"}`, nil, `"aGk="`, true},
		{"a URL", "is-json", `{"format":"url"}`, nil, `"https://example.com/a"`, true},
		{"no URL", "is-json", `{"format":"url"}`, nil, `"example.com"`, false},
		{"beside a reference", "is-json", `{"$ref":"#/$defs/a","minLength":2,"$defs":{"a":{"type":"string"}}}`, nil,
			`"x"`, false},
		{"null where it is allowed", "is-json", `{"properties":{"a":{"type":"string","nullable":true}}}`, nil,
			`{"a":null}`, true},
		{"an expression that looks back", "is-json", `{"pattern":"(?<=a)b"}`, nil, `"ab"`, true},
		{"schema in YAML", "is-json", `"type: array\nitems: {type: number}"`, nil, `["a"]`, false},
		{"a look ahead", "regex", `"a(?=b)"`, nil, "ab", true},
		{"a group again", "regex", `"(\\w)\\1"`, nil, "abca", false},
		{"digits of ASCII", "regex", `"\\d"`, nil, "٣", false},
		{"XML", "is-xml", ``, nil, "<a b='1'><c/>x</a>\n", true},
		{"XML and words", "is-xml", ``, nil, "so: <a/>", false},
		{"two roots", "is-xml", ``, nil, "<a/><b/>", false},
		{"a prefix of nobody", "is-xml", ``, nil, "<x:a/>", false},
		{"a prefix", "is-xml", ``, nil, `<x:a xmlns:x="y" x:b="1"/>`, true},
		{"a language", "is-xml", ``, nil, `<a xml:lang="de"/>`, true},
		{"an attribute twice", "is-xml", ``, nil, `<a b="1" b="2"/>`, false},
		{"closed by another", "is-xml", ``, nil, `<a><b></a></b>`, false},
		{"not closed", "is-xml", ``, nil, `<a>`, false},
		{"declared late", "is-xml", ``, nil, ` <?xml version="1.0"?><a/>`, false},
		{"elements", "is-xml", `"a.b, a.@_c"`, nil, `<a c="1"><b>x</b></a>`, true},
		{"missing elements", "is-xml", `["a.c"]`, nil, `<a><b>x</b></a>`, false},
		{"several elements", "is-xml", `{"requiredElements":["a.b.1.c"]}`, nil, `<a><b/><b><c/></b></a>`, true},
		{"XML in words", "contains-xml", ``, nil, "so: <a>x</a>!", true},
		{"XML in an open element", "contains-xml", `"b"`, nil, "<a><b>x</b>", true},
		{"no XML in words", "contains-xml", ``, nil, "1 < 2 <a>", false},
		{"elements side by side", "contains-xml", `"a,b"`, nil, "<a>x</a> and <b/>", true},
		{"no such element", "contains-xml", `"a.c"`, nil, "<a>x</a> <c/>", false},
		{"HTML", "is-html", ``, nil, "<p>Hi</p>", true},
		{"HTML and words", "is-html", ``, nil, "Hi <b>Ana</b>", false},
		{"tags of XML", "is-html", ``, nil, "<order>1</order>", false},
		{"a whole page", "is-html", ``, nil, "<!doctype html><html><body>Hi</body></html>", true},
		{"HTML in words", "contains-html", ``, nil, "Hi <b>Ana</b>", true},
		{"no HTML in words", "contains-html", ``, nil, "if a < b & c > d", false},
		{"a refusal", "is-refusal", ``, nil, "I’m sorry, but I can’t do that.", true},
		{"a refusal within", "is-refusal", ``, nil, "Hm. As an AI, I do not recommend it.", true},
		{"no refusal", "is-refusal", ``, nil, "I can help with that.", false},
		{"the end of the answer", "finish-reason", `"end_turn"`, nil, "a", true},
		{"another end", "finish-reason", `"length"`, nil, "a", false},
		{"an expression", "javascript", `"output.length > 2"`, nil, "abc", true},
		{"a number that is too small", "javascript", `"output.length"`, threshold(4), "abc", false},
		{"a score", "javascript", `"({pass: true, score: 0.5, reason: 'half'})"`, nil, "abc", true},
		{"statements", "javascript", `"const n = 'a;b'.length; n === output.length"`, nil, "abc", true},
		{"a body", "javascript", `"if (output)\n  return true;\nreturn false;"`, nil, "abc", true},
		{"words", "word-count", `3`, nil, "it's  a\nday", true},
		{"words as text", "word-count", `"3"`, nil, "a b", false},
		{"words of nothing", "word-count", `0`, nil, "", true},
		{"words between", "word-count", `{"min":2,"max":3}`, nil, "a b c", true},
		{"too few", "word-count", `{"min":2,"max":3}`, nil, "a", false},
		{"too many", "word-count", `{"max":3}`, nil, "a b c d", false},
		{"enough", "word-count", `{"min":3}`, nil, "a b c d", true},
		{"at zero threshold", "levenshtein", `"abc"`, threshold(0), "abd", false},
		{"within the default of 5", "levenshtein", `"kitten sitting"`, nil, "sitting sitting", true},
		{"beyond", "levenshtein", `"abcdefgh"`, nil, "zyxwvuts", false},
		{"characters, not bytes", "levenshtein", `"äöü"`, threshold(1), "äöx", true},
		{"far in length", "levenshtein", `"a"`, threshold(3), "aaaaaaaa", false},
	}
}

func TestAsserts(t *testing.T) {
	asserts, _ := suite.CheckTypes()
	seen := map[string]bool{"latency": true, "cost": true}
	for _, tt := range textCases() {
		seen[tt.kind] = true
		for _, not := range []string{"", "not-"} {
			t.Run(not+tt.kind+"/"+tt.name, func(t *testing.T) {
				got := judge(t, suite.AnswerInput{Kind: history.KindText, Text: tt.text, Finish: "stop"}, nil,
					spec{kind: not + tt.kind, value: tt.value, threshold: tt.threshold})[0]
				want := failed
				if tt.want == (not == "") {
					want = passed
				}
				if got.Verdict != want || got.Reason == "" {
					t.Errorf("got %s: %s, want %s", got.Verdict, got.Reason, want)
				}
			})
		}
	}
	for _, kind := range asserts {
		isGraded := kind == "llm-rubric" || kind == "factuality" || kind == "model-graded-closedqa"
		if !seen[kind] && !isGraded {
			t.Errorf("no test judges by %s", kind)
		}
	}
}

func TestPicturesAndTimes(t *testing.T) {
	picture := &history.Picture{ContentType: "image/png", Width: 1344, Height: 768, Bytes: 1_300_000, SHA256: "9f31"}
	facts := suite.AnswerInput{Kind: history.KindImage, Picture: picture, Aspect: "16:9",
		Elapsed: 1900 * time.Millisecond,
		Source:  "77aa"}
	written := suite.AnswerInput{Kind: history.KindText, Text: "Hi", Elapsed: 1900 * time.Millisecond,
		FirstToken: 400 * time.Millisecond}
	priced := suite.AnswerInput{Kind: history.KindText, Cost: history.Cost{Amount: 0.5, Currency: "EUR"}}
	peer := func(name string) (suite.AnswerInput, bool) {
		switch name {
		case "twin":
			return suite.AnswerInput{Kind: history.KindImage, Picture: &history.Picture{SHA256: "9f31"}}, true
		case "other":
			return suite.AnswerInput{Kind: history.KindImage, Picture: &history.Picture{SHA256: "0000"}}, true
		case "writer":
			return suite.AnswerInput{Kind: history.KindText, Text: "Hi"}, true
		case "failed":
			return suite.AnswerInput{Missing: "the answer is failed"}, true
		}
		return suite.AnswerInput{}, false
	}
	tests := []struct {
		name, kind, value string
		threshold         *float64
		facts             suite.AnswerInput
		want              string
	}{
		{"the ratio asked for", "image-aspect", ``, nil, facts, passed},
		{"the ratio written", "image-aspect", `"16:9"`, nil, facts, passed},
		{"as a number", "image-aspect", `1.75`, nil, facts, passed},
		{"another ratio", "image-aspect", `"1:1"`, nil, facts, failed},
		{"a closer look", "image-aspect", `"16:9"`, threshold(0.01), facts, failed},
		{"no ratio asked", "image-aspect", ``, nil, suite.AnswerInput{Kind: history.KindImage, Picture: picture}, skipped},
		{"a text has no ratio", "image-aspect", `"16:9"`, nil, written, skipped},
		{"png", "image-format", `"PNG"`, nil, facts, passed},
		{"jpg means jpeg", "image-format", `"jpg"`, nil, facts, failed},
		{"large enough", "image-min-px", `768`, nil, facts, passed},
		{"too low", "image-min-px", `769`, nil, facts, failed},
		{"both sides", "image-min-px", `"1344x768"`, nil, facts, passed},
		{"one side of two", "image-min-px", `"1345×768"`, nil, facts, failed},
		{"light", "bytes-max", `"1.3MB"`, nil, facts, passed},
		{"heavy", "bytes-max", `1299999`, nil, facts, failed},
		{"a short text", "bytes-max", `2`, nil, written, passed},
		{"a long text", "bytes-max", `1`, nil, written, failed},
		{"twins", "same-as", `"twin"`, nil, facts, passed},
		{"no twins", "same-as", `"other"`, nil, facts, failed},
		{"text and picture", "same-as", `"writer"`, nil, facts, failed},
		{"equal texts", "same-as", `"writer"`, nil, written, passed},
		{"changed from the source", "same-as", `"source"`, nil, facts, failed},
		{"no such answer", "same-as", `"nobody"`, nil, facts, skipped},
		{"a failed answer", "same-as", `"failed"`, nil, facts, skipped},
		{"a source of nothing", "same-as", `"source"`, nil, written, skipped},
		{"fast enough", "latency", ``, threshold(1900), facts, passed},
		{"too slow", "latency", ``, threshold(1899), written, failed},
		{"a reused time", "latency", ``, threshold(9999), suite.AnswerInput{Kind: history.KindText, IsCached: true}, skipped},
		{"a first part soon enough", "first-token", ``, threshold(400), written, passed},
		{"a first part too late", "first-token", `399`, nil, written, failed},
		{"a first part that nobody timed", "first-token", ``, threshold(9999), suite.AnswerInput{Kind: history.KindText},
			skipped},
		{"a first part of a reused answer", "first-token", ``, threshold(9999),
			suite.AnswerInput{Kind: history.KindText, FirstToken: 1, IsCached: true}, skipped},
		{"the first part of a picture", "first-token", ``, threshold(9999), facts, skipped},
		{"cheap enough", "cost", ``, threshold(0.5), priced, passed},
		{"too dear", "cost", `0.4`, nil, priced, failed},
		{"a price unknown", "cost", ``, threshold(9999), written, skipped},
		{"a reused cost", "cost", ``, threshold(9999), suite.AnswerInput{Kind: history.KindText, IsCached: true}, skipped},
		{"words in a picture", "contains", `"a"`, nil, facts, skipped},
		{"no answer", "contains", `"a"`, nil, suite.AnswerInput{Kind: history.KindText, Missing: "the answer is failed"},
			skipped},
		{"a picture that is not there", "image-format", `"png"`, nil, suite.AnswerInput{Kind: history.KindEdit}, skipped},
		{"the size of none", "bytes-max", `5`, nil, suite.AnswerInput{Kind: history.KindEdit}, skipped},
	}
	_, own := suite.CheckTypes()
	for _, tt := range tests {
		t.Run(tt.kind+"/"+tt.name, func(t *testing.T) {
			own = slices.DeleteFunc(own, func(s string) bool { return s == tt.kind })
			for _, not := range []string{"", "not-"} {
				want := tt.want
				if not != "" {
					want = map[string]string{passed: failed, failed: passed,
						skipped: skipped}[want]
				}
				got := judge(t, tt.facts, peer,
					spec{kind: not + tt.kind, value: tt.value, threshold: tt.threshold, isOwn: true})[0]
				if got.Verdict != want || got.Reason == "" {
					t.Errorf("%s: got %s: %s, want %s", got.Name, got.Verdict, got.Reason, want)
				}
			}
		})
	}
	if len(own) > 0 {
		t.Errorf("no test judges by %v", own)
	}
}

func TestWhatIsNotJudgedIsSkipped(t *testing.T) {
	text := suite.AnswerInput{Kind: history.KindText, Text: "a"}
	for name, tt := range map[string]struct {
		spec spec
		want string
	}{
		"a model's judgement": {spec{kind: "llm-rubric", value: `"is kind"`}, "no grader is named"},
		"its negation":        {spec{kind: "not-llm-rubric", value: `"is kind"`}, "no grader is named"},
		"a judgement by trajectories": {spec{kind: "trajectory:step-count"},
			"confab does not judge trajectory:step-count"},
		"a red team's check": {spec{kind: "promptfoo:redteam:pii"}, "confab does not judge promptfoo:redteam:pii"},
		"an option that changes it": {spec{kind: "equals", value: `"a"`, option: "transform"},
			"it has a transform, and confab runs no code"},
	} {
		if got := judge(t, text, nil, tt.spec)[0]; got.Verdict != skipped || got.Reason != tt.want {
			t.Errorf("%s: got %s: %s, want skipped: %s", name, got.Verdict, got.Reason, tt.want)
		}
	}
	if got := suite.Judge(t.Context(), make([]suite.Check, 1), suite.AnswerInput{}, nil)[0]; got.Verdict !=
		skipped {
		t.Errorf("the zero check %s", got.Verdict)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	checks, err := checksOf(nil, spec{kind: "equals", value: `"a"`})
	if err != nil {
		t.Fatal(err)
	}
	if got := suite.Judge(ctx, checks, text, nil)[0].Verdict; got != skipped {
		t.Errorf("a check after the end %s", got)
	}
}

func TestChecksThatCannotBeAreRefused(t *testing.T) {
	tests := []struct {
		name, kind, value string
		threshold         *float64
		want              string
	}{
		{"contains nothing", "contains", `""`, nil, "contains needs a text"},
		{"contains a list", "contains", `["a"]`, nil, "contains needs a text"},
		{"any of none", "contains-any", `[]`, nil, "at least one"},
		{"any of lists", "icontains-all", `[["a"]]`, nil, "list of texts"},
		{"equals without a value", "equals", ``, nil, "equals needs a value"},
		{"regex open", "not-regex", `"(a"`, nil, "does not compile as a regular expression"},
		{"regex of another language", "regex", `"(?i)a"`, nil, "does not compile as a regular expression"},
		{"schema of another kind", "is-json", `5`, nil, "not a JSON Schema"},
		{"schema in words", "is-json", `"type is object"`, nil, "not a JSON Schema"},
		{"schema that is wrong", "contains-json", `{"type":"thing"}`, nil, "does not compile"},
		{"a misspelt type", "contians", `"a"`, nil, `there is no check "contians"; did you mean contains?`},
		{"a misspelt type negated", "not-contians", `"a"`, nil,
			`there is no check "not-contians"; did you mean not-contains?`},
		{"a misspelt type of our own", "image-formt", `"png"`, nil, "did you mean image-format?"},
		{"a type of nobody", "sentiment-is", `"a"`, nil, `there is no check "sentiment-is"`},
		{"a type twice negated", "not-not-equals", `"a"`, nil, `there is no check "not-not-equals"`},
		{"any of an empty text", "contains-any", `["a",""]`, nil, "empty text in its list"},
		{"any of an empty text in quotes", "contains-any", `"a,\"\""`, nil, "empty text in its list"},
		{"any with an open quote", "contains-any", `"\"a, b"`, nil, "a quote in its list"},
		{"any with words behind a quote", "contains-any", `"\"a\" b"`, nil, "a quote in its list"},
		{"schema of nothing", "is-json", `" "`, nil, "has an empty value"},
		{"a misspelt keyword", "is-json", `{"type":"object","requierd":["a"]}`, nil,
			`no keyword "requierd"; did you mean required?`},
		{"a misspelt keyword within", "is-json", `{"properties":{"a":{"minimun":1}}}`, nil, "did you mean minimum?"},
		{"a keyword of nobody", "is-json", `{"isPerson":true}`, nil, `no keyword "isPerson"`},
		{"schema of no place", "is-json", `{"$ref":"#/$defs/a"}`, nil,
			"does not compile"},
		{"schema of another file", "is-json", `{"$ref":"other.json#/a"}`, nil, "does not compile"},
		{"schema of no text", "is-json", `{"$ref":5}`, nil, "got number, want string"},
		{"schema in dependencies", "is-json", `{"dependencies":{"a":{"required":["b"]}}}`, nil, "are not supported"},
		{"schema of an unknown format", "is-json", `{"format":"emial"}`, nil, `no format "emial"`},
		{"schema whose expression does not compile", "is-json", `{"pattern":"("}`, nil, "does not compile"},
		{"schema elsewhere", "is-json", `{"$ref":"file:///etc/passwd"}`, nil, "does not compile"},
		{"words", "word-count", `"many"`, nil, "needs a number or min and max"},
		{"words of no bounds", "word-count", `{}`, nil, "needs a number or min and max"},
		{"words the wrong way", "word-count", `{"min":3,"max":2}`, nil, "min above its max"},
		{"words misspelt", "word-count", `{"mim":3}`, nil, "knows min and max"},
		{"latency without", "latency", ``, nil, "threshold in milliseconds"},
		{"first token without", "first-token", ``, nil, "threshold in milliseconds"},
		{"cost without", "cost", ``, nil, "needs a threshold"},
		{"latency below zero", "latency", ``, threshold(-1), "must be a number from 0"},
		{"distance to nothing", "levenshtein", ``, nil, "needs a text"},
		{"ratio", "image-aspect", `"wide"`, nil, "needs a ratio"},
		{"ratio of zero", "image-aspect", `"0:9"`, nil, "needs a ratio"},
		{"format", "image-format", `"gif"`, nil, "needs png or jpeg"},
		{"pixels", "image-min-px", `"big"`, nil, "needs a number of pixels"},
		{"pixels by other names", "image-min-px", `{"w":1}`, nil, "needs a number of pixels"},
		{"size", "bytes-max", `"big"`, nil, "needs a size"},
		{"peer", "same-as", ``, nil, "needs a provider"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := checksOf(nil, spec{kind: tt.kind, value: tt.value, threshold: tt.threshold, isOwn: true})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\n") {
				t.Errorf("the error has several lines: %q", err)
			}
		})
	}
}

// TestConfabsOwnChecksStandUnderXChecks checks that others are refused, as promptfoo would refuse the file.
func TestConfabsOwnChecksStandUnderXChecks(t *testing.T) {
	_, err := checksOf(nil, spec{kind: "image-format", value: `"png"`})
	if err == nil || !strings.Contains(err.Error(), "write it under x-checks") {
		t.Errorf("got %v", err)
	}
}

func TestChecksWithVariables(t *testing.T) {
	for _, tt := range []struct {
		kind, value, option string
		vars                map[string]string
		text                string
		want, name          string // or a part of the reason
		err                 string
	}{
		{kind: "contains-all", value: `["{{order}}", "{{name}}", "x"]`, vars: map[string]string{"order": "4417",
			"name": "Ana"}, text: "Ana 4417 x", want: passed, name: `contains-all ["4417","Ana","x"]`},
		{kind: "equals", value: `{"a": ["{{v}}", 1]}`, vars: map[string]string{"v": "w"}, text: `{"a":["w",1]}`,
			want: passed, name: `equals {"a":["w",1]}`},
		// A check without weight decides nothing, and here is no other.
		{kind: "equals", value: `"{{a}}"`, option: "weight", vars: map[string]string{"a": "x"}, text: "x",
			want: skipped, name: `equals "x"`},
		// Doubled braces become single ones, as in prompts.
		{kind: "contains", value: `"{{{{x}}}}"`, text: "a {{x}}", want: passed, name: `contains "{{x}}"`},
		{kind: "not-contains", value: `"{{{{x}}}}"`, text: "a {{x}}", want: failed, name: `not-contains "{{x}}"`},
		{kind: "contains", value: `"{{y}} {{{{x}}}}"`, vars: map[string]string{"y": "a"}, text: "a {{x}}",
			want: passed, name: `contains "a {{x}}"`},
		{kind: "contains-any", value: `["{{{{x}}}}"]`, text: "a {{x}}", want: passed,
			name: `contains-any ["{{x}}"]`},
		{kind: "contains", value: `"{{order}} {{name}}"`, vars: map[string]string{"order": "1"},
			err: "no value for name"},
		{kind: "regex", value: `"({{v}}"`, vars: map[string]string{"v": "a"}, err: "does not compile"},
	} {
		checks, err := checksOf(tt.vars, spec{kind: tt.kind, value: tt.value, option: tt.option})
		if err != nil || tt.err != "" {
			if tt.err == "" || err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s %s: got the error %v, want %q", tt.kind, tt.value, err, tt.err)
			}
			continue
		}
		got := suite.Judge(t.Context(), checks, suite.AnswerInput{Kind: history.KindText, Text: tt.text}, nil)[0]
		if got.Verdict != tt.want || got.Name != tt.name {
			t.Errorf("%s %s: got %+v, want %s by %s", tt.kind, tt.value, got, tt.want, tt.name)
		}
	}
}

func TestHostileTextsAreBounded(t *testing.T) {
	long := `"` + strings.Repeat("a", 300_000) + `"`
	facts := suite.AnswerInput{Kind: history.KindText, Text: strings.Repeat("b", 300_000)}
	if got := judge(t, facts, nil, spec{kind: "levenshtein", value: long, threshold: threshold(10)})[0]; got.Verdict !=
		skipped {
		t.Errorf("two long texts: %+v", got)
	}
	for _, kind := range []string{"contains-json", "not-contains-json"} {
		facts.Text = strings.Repeat(`{"a":`, 200_000)
		if got := judge(t, facts, nil, spec{kind: kind})[0]; got.Verdict != skipped {
			t.Errorf("%s of many open braces: %+v", kind, got)
		}
	}
}

// TestHostileSchemasAreBounded judges by schemas that would take forever.
func TestHostileSchemasAreBounded(t *testing.T) {
	branches := func(keyword string) string {
		defs := `"d30":{"type":"number"}`
		for i := range 30 {
			ref := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
			defs += fmt.Sprintf(`,"d%d":{"%s":[%s,%s]}`, i, keyword, ref, ref)
		}
		return `{"not":{"$ref":"#/$defs/d0"},"$defs":{` + defs + `}}`
	}
	for name, schema := range map[string]string{
		"a circle": `{"$ref":"#"}`,
		"a wider circle": `{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}},` +
			`"properties":{"a":{"$ref":"#/$defs/a"}}}`,
		"branches": branches("anyOf"), "other branches": branches("oneOf"),
		"an expression": `{"patternProperties":{"^(a+)+$":{}}}`,
	} {
		text := `{"a":1,"b":2,"` + strings.Repeat("a", 40) + `!":3}`
		got := judge(t, suite.AnswerInput{Kind: history.KindText, Text: text}, nil,
			spec{kind: "is-json", value: schema}, spec{kind: "not-is-json", value: schema})
		if got[0].Verdict != skipped || got[1].Verdict != skipped {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestHostileExpressionsAreBounded(t *testing.T) {
	text := strings.Repeat("a", 40) + "!"
	got := judge(t, suite.AnswerInput{Kind: history.KindText, Text: text}, nil, spec{kind: "regex", value: `"^(a+)+$"`})
	if got[0].Verdict != skipped || !strings.Contains(got[0].Reason, "too much time") {
		t.Errorf("got %+v", got)
	}
}

func TestScripts(t *testing.T) {
	text := suite.AnswerInput{Kind: history.KindText, Text: "Ana", Prompt: "Who?",
		Scripts: javascript.ThisProgram()}
	for code, want := range map[string]string{
		"context.vars.who === output && context.prompt === 'Who?'": passed, "output === '{{who}}'": passed,
		"a +": failed, "'true'": failed, "for (;;);\n": failed, "process.env": skipped,
		"while (true);\nreturn 1": skipped,
	} {
		written, err := json.Marshal(code)
		if err != nil {
			t.Fatal(err)
		}
		for _, not := range []string{"", "not-"} {
			checks, err := checksOf(map[string]string{"who": "Ana"},
				spec{kind: not + "javascript", value: string(written)})
			if err != nil {
				t.Fatal(err)
			}
			got := suite.Judge(t.Context(), checks, text, nil)[0]
			if isNegated := not != "" && want == passed; !isNegated && got.Verdict != want ||
				isNegated && got.Verdict != failed || got.Reason == "" {
				t.Errorf("%s%q: %+v, want %s", not, code, got, want)
			}
		}
	}
	checks, err := checksOf(nil, spec{kind: "javascript", value: `"output.length / 2"`})
	if err != nil {
		t.Fatal(err)
	}
	if got := suite.Judge(t.Context(), checks, text, nil)[0]; got.Score != 1.5 || got.Verdict != passed {
		t.Errorf("a number: %+v", got)
	}
}

// TestThresholdsAndSets judges several checks together.
func TestThresholdsAndSets(t *testing.T) {
	const a, no, unjudged = "{type: equals, value: a}", "{type: equals, value: b}", "{type: bleu, value: a}"
	set := func(more string, checks ...string) string {
		return "{type: assert-set, " + more + "assert: [" + strings.Join(checks, ", ") + "]}"
	}
	for _, tt := range []struct {
		threshold string
		checks    []string
		want      history.CellStatus
		last      string // the reason of the last result
	}{
		{"", []string{a, no}, history.CellFailed, `the text does not equal "b", it is "a"`},
		{"0.5", []string{a, no}, history.CellPassed, "the score is 0.50 of 0.5"},
		{"0.51", []string{a, no}, history.CellFailed, "the score is 0.50 of 0.51"},
		{"0.75", []string{"{type: equals, value: a, weight: 3}", no}, history.CellPassed, "the score is 0.75 of 0.75"},
		{"", []string{a, "{type: equals, value: b, weight: 0}"}, history.CellPassed, ""},
		{"1", []string{a, "{type: equals, value: b, weight: 0}"}, history.CellPassed, "the score is 1.00 of 1"},
		{"", []string{"{type: equals, value: a, weight: 0}"}, history.CellSkipped, "its weight is 0"},
		{"", []string{set("", a, no)}, history.CellFailed, `the score is 0.50: must equal "b"`},
		{"", []string{set("threshold: 0.5, ", a, no)}, history.CellPassed, "the score is 0.50 of 0.5"},
		{"0.6", []string{set("weight: 2, ", a, a), no}, history.CellPassed, "the score is 0.67 of 0.6"},
		{"0.6", []string{set("threshold: 0.5, ", a, no), a}, history.CellPassed, "the score is 0.75 of 0.6"},
		{"0.1", []string{a, unjudged}, history.CellSkipped, "the score is 0.50 of 0.1, and a check was skipped"},
		{"0.9", []string{no, unjudged}, history.CellFailed, "the score is 0.00 of 0.9"},
		{"", []string{set("", a, unjudged)}, history.CellSkipped, "the score is 0.50, and a check was skipped"},
		{"", []string{set("weight: 0, ", a, no), a}, history.CellFailed, ""},
		{"", []string{"{type: bleu, weight: 0}", a}, history.CellSkipped, ""},
	} {
		text := "prompts: a\nproviders: llm:alpha\ntests:\n  - assert: [" + strings.Join(tt.checks, ", ") + "]\n"
		if tt.threshold != "" {
			text += "    threshold: " + tt.threshold + "\n"
		}
		results := suite.Judge(t.Context(), cellsOf(t, must(t, text))[0].Checks,
			suite.AnswerInput{Kind: history.KindText, Text: "a"}, nil)
		last := results[len(results)-1]
		got := history.StatusOf(history.Done, history.EndsWhole, results)
		if got != tt.want || tt.last != "" && last.Reason != tt.last {
			t.Errorf("%s of %v: %s, want %s: %+v", tt.threshold, tt.checks, got, tt.want, results)
		}
		if got := suite.CountChecks(results); tt.threshold != "" && got.All() != 1 {
			t.Errorf("%s of %v counts as %s", tt.threshold, tt.checks, got)
		}
	}
}

func TestInputOf(t *testing.T) {
	a := history.Answer{Kind: history.KindText, State: history.Done, Text: "Hi", Elapsed: time.Second, IsCached: true}
	if got := suite.InputOf(a, "16:9"); got.Missing != "" || got.Text != "Hi" || got.Aspect != "16:9" ||
		!got.IsCached || got.Elapsed != time.Second {
		t.Errorf("got %+v", got)
	}
	a.State = history.Interrupted
	if got := suite.InputOf(a, ""); got.Missing != "the answer is interrupted" {
		t.Errorf("got %q", got.Missing)
	}
}

func FuzzJudge(f *testing.F) {
	for _, tt := range textCases() {
		f.Add(tt.kind, tt.value, tt.text)
	}
	f.Add("is-json", `{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"pattern":"^(a+)+$"}]}},"$ref":"#/$defs/a"}`,
		`"aaaaa!"`)
	f.Add("contains-xml", `"a.b.1"`, "<a><b/><b>")
	f.Fuzz(func(t *testing.T, kind, value, text string) {
		if !json.Valid([]byte(value)) {
			b, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			value = string(b)
		}
		if len(text) > 1<<16 {
			return
		}
		began := time.Now()
		checks, err := checksOf(nil, spec{kind: kind, value: value, isOwn: true})
		if err != nil {
			return
		}
		not, err := checksOf(nil, spec{kind: "not-" + kind, value: value, isOwn: true})
		if err != nil {
			t.Fatalf("%s is taken, its negation is not: %v", checks[0], err)
		}
		got := suite.Judge(t.Context(), append(checks, not...), suite.AnswerInput{Kind: history.KindText, Text: text},
			nil)
		if (got[0].Verdict == skipped) != (got[1].Verdict == skipped) || got[0].Verdict != skipped &&
			got[0].Verdict == got[1].Verdict {
			t.Fatalf("%s: %v, negated: %v", checks[0], got[0], got[1])
		}
		if d := time.Since(began); d > 30*time.Second {
			t.Fatalf("%s took %s", checks[0], d)
		}
	})
}

// TestAnAnswerInDoubtProvesNothing checks that nothing passes on an answer in doubt.
func TestAnAnswerInDoubtProvesNothing(t *testing.T) {
	for name, a := range map[string]history.Answer{
		"cut":      {Text: "I am", Finish: chat.FinishLength},
		"empty":    {Text: " \n"},
		"filtered": {Text: "I am", Finish: chat.FinishFilter},
		"refused":  {Text: "I am", Finish: chat.FinishRefusal},
	} {
		a.State, a.Kind = history.Done, history.KindText
		got := judge(t, suite.InputOf(a, ""), nil, spec{kind: "not-contains", value: `"sorry"`},
			spec{kind: "contains", value: `"sorry"`})
		if got[0].Verdict != skipped || got[1].Verdict != failed ||
			!strings.Contains(got[0].Reason, "proves nothing") {
			t.Errorf("%s: %+v", name, got)
		}
		ending := judge(t, suite.InputOf(a, ""), nil, spec{kind: "is-refusal"}, spec{kind: "finish-reason",
			value: `"length"`})
		if isRefusal := name == "empty" || name == "refused"; (ending[0].Verdict == passed) != isRefusal ||
			(ending[1].Verdict == passed) != (name == "cut") {
			t.Errorf("%s: %+v", name, ending)
		}
	}
}
