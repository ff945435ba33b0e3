package suite

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/internal/chat"
)

// val decodes a value as a suite would hand it over.
func val(t testing.TB, s string) any {
	t.Helper()
	if s == "" {
		return nil
	}
	v, err := decodeJSON(s)
	if err != nil {
		t.Fatalf("the test's value %q: %v", s, err)
	}
	return v
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
		{"braces that are none", "contains-json", ``, nil, "{ not } {a:1} {\"a\"", false},
		{"behind broken braces", "contains-json", ``, nil, `{"a": {"b": 1}`, true},
		{"the second fits", "contains-json", place, nil, `{"x":1} {"lat":1}`, true},
		{"none fits", "contains-json", place, nil, `{"x":1} {"lat":"1"}`, false},
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
	asserts, _ := checkTypeNames()
	seen := map[string]bool{"latency": true, "cost": true}
	for _, tt := range textCases() {
		seen[tt.kind] = true
		for _, not := range []string{"", "not-"} {
			t.Run(not+tt.kind+"/"+tt.name, func(t *testing.T) {
				c, err := newCheck(CheckSpec{Type: not + tt.kind, Value: val(t, tt.value), Threshold: tt.threshold})
				if err != nil {
					t.Fatal(err)
				}
				got := Judge(t.Context(), []Check{c}, AnswerInput{Kind: history.KindText, Text: tt.text}, nil)[0]
				want := Failed
				if tt.want == (not == "") {
					want = Passed
				}
				if got.Verdict != want || got.Reason == "" {
					t.Errorf("got %s: %s, want %s", got.Verdict, got.Reason, want)
				}
			})
		}
	}
	for _, kind := range asserts {
		if !seen[kind] {
			t.Errorf("no test judges by %s", kind)
		}
	}
}

func TestPicturesAndTimes(t *testing.T) {
	picture := &history.Picture{ContentType: "image/png", Width: 1344, Height: 768, Bytes: 1_300_000, SHA256: "9f31"}
	facts := AnswerInput{Kind: history.KindImage, Picture: picture, Aspect: "16:9", Elapsed: 1900 * time.Millisecond,
		Source: "77aa"}
	written := AnswerInput{Kind: history.KindText, Text: "Hi", Elapsed: 1900 * time.Millisecond,
		FirstToken: 400 * time.Millisecond}
	priced := AnswerInput{Kind: history.KindText, Cost: history.Cost{Amount: 0.5, Currency: "EUR"}}
	peer := func(name string) (AnswerInput, bool) {
		switch name {
		case "twin":
			return AnswerInput{Kind: history.KindImage, Picture: &history.Picture{SHA256: "9f31"}}, true
		case "other":
			return AnswerInput{Kind: history.KindImage, Picture: &history.Picture{SHA256: "0000"}}, true
		case "writer":
			return AnswerInput{Kind: history.KindText, Text: "Hi"}, true
		case "failed":
			return AnswerInput{Missing: "the answer is failed"}, true
		}
		return AnswerInput{}, false
	}
	tests := []struct {
		name, kind, value string
		threshold         *float64
		facts             AnswerInput
		want              string
	}{
		{"the ratio asked for", "image-aspect", ``, nil, facts, Passed},
		{"the ratio written", "image-aspect", `"16:9"`, nil, facts, Passed},
		{"as a number", "image-aspect", `1.75`, nil, facts, Passed},
		{"another ratio", "image-aspect", `"1:1"`, nil, facts, Failed},
		{"a closer look", "image-aspect", `"16:9"`, threshold(0.01), facts, Failed},
		{"no ratio asked", "image-aspect", ``, nil, AnswerInput{Kind: history.KindImage, Picture: picture}, Skipped},
		{"a text has no ratio", "image-aspect", `"16:9"`, nil, written, Skipped},
		{"png", "image-format", `"PNG"`, nil, facts, Passed},
		{"jpg means jpeg", "image-format", `"jpg"`, nil, facts, Failed},
		{"large enough", "image-min-px", `768`, nil, facts, Passed},
		{"too low", "image-min-px", `769`, nil, facts, Failed},
		{"both sides", "image-min-px", `"1344x768"`, nil, facts, Passed},
		{"one side of two", "image-min-px", `"1345×768"`, nil, facts, Failed},
		{"light", "bytes-max", `"1.3MB"`, nil, facts, Passed},
		{"heavy", "bytes-max", `1299999`, nil, facts, Failed},
		{"a short text", "bytes-max", `2`, nil, written, Passed},
		{"a long text", "bytes-max", `1`, nil, written, Failed},
		{"twins", "same-as", `"twin"`, nil, facts, Passed},
		{"no twins", "same-as", `"other"`, nil, facts, Failed},
		{"text and picture", "same-as", `"writer"`, nil, facts, Failed},
		{"equal texts", "same-as", `"writer"`, nil, written, Passed},
		{"changed from the source", "same-as", `"source"`, nil, facts, Failed},
		{"no such answer", "same-as", `"nobody"`, nil, facts, Skipped},
		{"a failed answer", "same-as", `"failed"`, nil, facts, Skipped},
		{"a format that fits otherwise", "is-json", `{"format":"email"}`, nil,
			AnswerInput{Kind: history.KindText, Text: `"nobody"`}, Skipped},
		{"a format that does not", "is-json", `{"type":"number","format":"email"}`, nil,
			AnswerInput{Kind: history.KindText, Text: `"nobody"`}, Failed},
		{"a source of nothing", "same-as", `"source"`, nil, written, Skipped},
		{"fast enough", "latency", ``, threshold(1900), facts, Passed},
		{"too slow", "latency", ``, threshold(1899), written, Failed},
		{"a reused time", "latency", ``, threshold(9999), AnswerInput{Kind: history.KindText, IsCached: true}, Skipped},
		{"a first part soon enough", "first-token", ``, threshold(400), written, Passed},
		{"a first part too late", "first-token", `399`, nil, written, Failed},
		{"a first part that nobody timed", "first-token", ``, threshold(9999), AnswerInput{Kind: history.KindText},
			Skipped},
		{"a first part of a reused answer", "first-token", ``, threshold(9999),
			AnswerInput{Kind: history.KindText, FirstToken: 1, IsCached: true}, Skipped},
		{"the first part of a picture", "first-token", ``, threshold(9999), facts, Skipped},
		{"cheap enough", "cost", ``, threshold(0.5), priced, Passed},
		{"too dear", "cost", `0.4`, nil, priced, Failed},
		{"a price unknown", "cost", ``, threshold(9999), written, Skipped},
		{"a reused cost", "cost", ``, threshold(9999), AnswerInput{Kind: history.KindText, IsCached: true}, Skipped},
		{"words in a picture", "contains", `"a"`, nil, facts, Skipped},
		{"no answer", "contains", `"a"`, nil, AnswerInput{Kind: history.KindText, Missing: "the answer is failed"},
			Skipped},
		{"a picture that is not there", "image-format", `"png"`, nil, AnswerInput{Kind: history.KindEdit}, Skipped},
		{"the size of none", "bytes-max", `5`, nil, AnswerInput{Kind: history.KindEdit}, Skipped},
	}
	_, own := checkTypeNames()
	for _, tt := range tests {
		t.Run(tt.kind+"/"+tt.name, func(t *testing.T) {
			own = slices.DeleteFunc(own, func(s string) bool { return s == tt.kind })
			for _, not := range []string{"", "not-"} {
				c, err := newCheck(CheckSpec{Type: not + tt.kind, Value: val(t, tt.value),
					Threshold: tt.threshold, IsOwn: true})
				if err != nil {
					t.Fatal(err)
				}
				want := tt.want
				if not != "" {
					want = map[string]string{Passed: Failed, Failed: Passed, Skipped: Skipped}[want]
				}
				got := Judge(t.Context(), []Check{c}, tt.facts, peer)[0]
				if got.Verdict != want || got.Reason == "" {
					t.Errorf("%s: got %s: %s, want %s", c, got.Verdict, got.Reason, want)
				}
			}
		})
	}
	if len(own) > 0 {
		t.Errorf("no test judges by %v", own)
	}
}

func TestWhatIsNotJudgedIsSkipped(t *testing.T) {
	tests := []struct {
		name string
		spec CheckSpec
		want string
	}{
		{"a model's judgement", CheckSpec{Type: "llm-rubric", Value: "is kind"}, "confab does not judge llm-rubric"},
		{"its negation", CheckSpec{Type: "not-llm-rubric", Value: "is kind"}, "confab does not judge llm-rubric"},
		{"a judgement by trajectories", CheckSpec{Type: "trajectory:step-count"},
			"confab does not judge trajectory:step-count"},
		{"a red team's check", CheckSpec{Type: "promptfoo:redteam:pii"}, "confab does not judge promptfoo:redteam:pii"},
		{"an option that changes it", CheckSpec{Type: "equals", Value: "a", NotJudged: "it has a transform"},
			"it has a transform"},
		{"variables without values", CheckSpec{Type: "equals", Value: "{{a}}"}, "its variables have no values yet"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := newCheck(tt.spec)
			if err != nil {
				t.Fatal(err)
			}
			got := Judge(t.Context(), []Check{c}, AnswerInput{Kind: history.KindText, Text: "a"}, nil)[0]
			if got.Verdict != Skipped || got.Reason != tt.want {
				t.Errorf("got %s: %s, want skipped: %s", got.Verdict, got.Reason, tt.want)
			}
		})
	}
	if got := Judge(t.Context(), make([]Check, 1), AnswerInput{}, nil)[0].Verdict; got != Skipped {
		t.Errorf("the zero check %s", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, _ := newCheck(CheckSpec{Type: "equals", Value: "a"})
	if got := Judge(ctx, []Check{c}, AnswerInput{Kind: history.KindText, Text: "a"}, nil)[0].Verdict; got != Skipped {
		t.Errorf("a check after the end %s", got)
	}
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		name, kind, value string
		threshold         *float64
		want              string
	}{
		{"no type", "", ``, nil, "needs a type"},
		{"negated nothing", "not-", ``, nil, "needs a type"},
		{"contains nothing", "contains", `""`, nil, "contains needs a text"},
		{"contains a list", "contains", `["a"]`, nil, "contains needs a text"},
		{"any of none", "contains-any", `[]`, nil, "at least one"},
		{"any of lists", "icontains-all", `[["a"]]`, nil, "list of texts"},
		{"equals without a value", "equals", ``, nil, "equals needs a value"},
		{"regex open", "not-regex", `"(a"`, nil, "does not compile as an RE2 expression"},
		{"regex looking ahead", "regex", `"a(?=b)"`, nil, "does not compile as an RE2 expression"},
		{"schema of another kind", "is-json", `5`, nil, "not a JSON Schema"},
		{"schema in words", "is-json", `"type is object"`, nil, "not a JSON Schema"},
		{"schema that is wrong", "contains-json", `{"type":"thing"}`, nil, "does not compile"},
		{"schema in a circle", "is-json", `{"$ref":"#"}`, nil, "circle"},
		{"schema in a wider circle", "is-json",
			`{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}},"properties":{"x":{"$ref":"#/$defs/a"}}}`, nil, "circle"},
		{"a misspelt type", "contians", `"a"`, nil, `there is no check "contians"; did you mean contains?`},
		{"a misspelt type negated", "not-contians", `"a"`, nil,
			`there is no check "not-contians"; did you mean not-contains?`},
		{"a misspelt type of our own", "image-formt", `"png"`, nil, "did you mean image-format?"},
		{"a type of nobody", "sentiment-is", `"a"`, nil, `there is no check "sentiment-is"`},
		{"a type twice negated", "not-not-equals", `"a"`, nil, `there is no check "not-not-equals"`},
		{"any of an empty text", "contains-any", `["a",""]`, nil, "empty text in its list"},
		{"any, a comma at the end", "contains-any", `"a,"`, nil, "empty text in its list"},
		{"a threshold that is no number", "not-levenshtein", `"a"`, threshold(math.NaN()), "finite number"},
		{"a threshold without end", "latency", ``, threshold(math.Inf(1)), "finite number"},
		{"schema of nothing", "is-json", `" "`, nil, "has an empty value"},
		{"a misspelt keyword", "is-json", `{"type":"object","requierd":["a"]}`, nil,
			`no keyword "requierd"; did you mean required?`},
		{"a misspelt keyword within", "is-json", `{"properties":{"a":{"minimun":1}}}`, nil, "did you mean minimum?"},
		{"a keyword of nobody", "is-json", `{"isPerson":true}`, nil, `no keyword "isPerson"`},
		{"schema of no place", "is-json", `{"$ref":"#/$defs/a"}`, nil,
			`$ref names "#/$defs/a", and the schema has no such place`},
		{"schema of another file", "is-json", `{"$ref":"other.json#/a"}`, nil,
			"follows references inside the schema only"},
		{"schema of no text", "is-json", `{"$ref":5}`, nil, "the value of $ref is 5 and must be a text"},
		{"schema by anchor", "is-json", `{"$anchor":"a"}`, nil, "not supported"},
		{"schema elsewhere", "is-json", `{"$ref":"file:///etc/passwd"}`, nil, "does not compile"},
		{"words", "word-count", `"many"`, nil, "needs a number or min and max"},
		{"words of no bounds", "word-count", `{}`, nil, "needs a number or min and max"},
		{"words the wrong way", "word-count", `{"min":3,"max":2}`, nil, "min above its max"},
		{"words misspelt", "word-count", `{"mim":3}`, nil, "knows min and max"},
		{"latency without", "latency", ``, nil, "threshold in milliseconds"},
		{"first token without", "first-token", ``, nil, "threshold in milliseconds"},
		{"cost without", "cost", ``, nil, "needs a threshold"},
		{"latency below zero", "latency", ``, threshold(-1), "threshold in milliseconds"},
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
			_, err := newCheck(CheckSpec{Type: tt.kind, Value: val(t, tt.value), Threshold: tt.threshold, IsOwn: true})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\n") {
				t.Errorf("the error has several lines: %q", err)
			}
		})
	}
}

// TestConfabsOwnChecksStandUnderXChecks: promptfoo would refuse the file.
func TestConfabsOwnChecksStandUnderXChecks(t *testing.T) {
	_, err := newCheck(CheckSpec{Type: "image-format", Value: "png"})
	if err == nil || !strings.Contains(err.Error(), "write it under x-checks") {
		t.Errorf("got %v", err)
	}
}

// TestASkippedCheckStaysSkipped: values for its variables do not make it one that is judged.
func TestASkippedCheckStaysSkipped(t *testing.T) {
	c, err := newCheck(CheckSpec{Type: "equals", Value: "{{a}}", NotJudged: "its weight is 0"})
	if err == nil {
		c, err = c.Expand(map[string]string{"a": "x"})
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := Judge(t.Context(), []Check{c}, AnswerInput{Kind: history.KindText, Text: "x"},
		nil)[0]; got.Verdict != Skipped ||
		got.Reason != "its weight is 0" {
		t.Errorf("got %+v", got)
	}
}

func TestExpand(t *testing.T) {
	c, err := newCheck(CheckSpec{Type: "contains-all", Value: []any{"{{order}}", "{{name}}", "x"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.variables(), []string{"order", "name"}; !slices.Equal(got, want) {
		t.Errorf("got the variables %v, want %v", got, want)
	}
	full, err := c.Expand(map[string]string{"order": "4417", "name": "Ana"})
	if err != nil {
		t.Fatal(err)
	}
	got := Judge(t.Context(), []Check{full}, AnswerInput{Kind: history.KindText, Text: "Ana 4417 x"}, nil)[0]
	if got.Verdict != Passed {
		t.Errorf("got %+v", got)
	}
	if want := `contains-all ["4417","Ana","x"]`; got.Name != want {
		t.Errorf("the check is called %s, want %s", got.Name, want)
	}
	var missing *MissingVariablesError
	if _, err := c.Expand(map[string]string{"order": "1"}); !errors.As(err, &missing) ||
		!slices.Equal(missing.Names, []string{"name"}) {
		t.Errorf("got %v, want the missing name", err)
	}
	deep, err := newCheck(CheckSpec{Type: "equals", Value: map[string]any{"a": []any{"{{v}}", json.Number("1")}}})
	if err != nil {
		t.Fatal(err)
	}
	deep, err = deep.Expand(map[string]string{"v": "w"})
	if err != nil {
		t.Fatal(err)
	}
	if got := Judge(t.Context(), []Check{deep}, AnswerInput{Kind: history.KindText, Text: `{"a":["w",1]}`},
		nil)[0]; got.Verdict != Passed {
		t.Errorf("got %+v", got)
	}
	late, err := newCheck(CheckSpec{Type: "regex", Value: "({{v}}"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := late.Expand(map[string]string{"v": "a"}); err == nil {
		t.Error("an expression that does not compile after expansion is taken")
	}
}

func TestHostileTextsAreBounded(t *testing.T) {
	long := strings.Repeat("a", 300_000)
	c, err := newCheck(CheckSpec{Type: "levenshtein", Value: long, Threshold: threshold(10)})
	if err != nil {
		t.Fatal(err)
	}
	facts := AnswerInput{Kind: history.KindText, Text: strings.Repeat("b", 300_000)}
	if got := Judge(t.Context(), []Check{c}, facts, nil)[0]; got.Verdict != Skipped {
		t.Errorf("two long texts: %+v", got)
	}
	for _, name := range []string{"contains-json", "not-contains-json"} {
		c, err = newCheck(CheckSpec{Type: name})
		if err != nil {
			t.Fatal(err)
		}
		facts.Text = strings.Repeat(`{"a":`, 200_000)
		if got := Judge(t.Context(), []Check{c}, facts, nil)[0]; got.Verdict != Skipped {
			t.Errorf("%s of many open braces: %+v", name, got)
		}
	}
}

func TestInputOf(t *testing.T) {
	turn := history.Turn{Aspect: "16:9"}
	a := history.Answer{Kind: history.KindText, State: history.Done, Text: "Hi", Elapsed: time.Second, IsCached: true}
	if got := answerInputOf(turn, a); got.Missing != "" || got.Text != "Hi" || got.Aspect != "16:9" || !got.IsCached ||
		got.Elapsed != time.Second {
		t.Errorf("got %+v", got)
	}
	a.State = history.Interrupted
	if got := answerInputOf(turn, a); got.Missing != "the answer is interrupted" {
		t.Errorf("got %q", got.Missing)
	}
}

func FuzzJudge(f *testing.F) {
	for _, tt := range textCases() {
		f.Add(tt.kind, tt.value, tt.text)
	}
	f.Fuzz(func(t *testing.T, kind, value, text string) {
		v, err := decodeJSON(value)
		if err != nil {
			v = value
		}
		if len(text) > 1<<16 {
			return
		}
		c, err := newCheck(CheckSpec{Type: kind, Value: v, IsOwn: true})
		if err != nil {
			return
		}
		not, err := newCheck(CheckSpec{Type: "not-" + kind, Value: v, IsOwn: true})
		if err != nil {
			t.Fatalf("%s is taken, its negation is not: %v", c, err)
		}
		facts := AnswerInput{Kind: history.KindText, Text: text}
		got := Judge(t.Context(), []Check{c, not}, facts, nil)
		if (got[0].Verdict == Skipped) != (got[1].Verdict == Skipped) || got[0].Verdict != Skipped &&
			got[0].Verdict == got[1].Verdict {
			t.Fatalf("%s: %v, negated: %v", c, got[0], got[1])
		}
	})
}

// TestDoubledBracesAreBraces in checks, as in prompts: what is looked for has single ones.
func TestDoubledBracesAreBraces(t *testing.T) {
	for kind, want := range map[string]string{"contains": Passed, "not-contains": Failed} {
		for _, value := range []any{"{{{{x}}}}", "{{y}} {{{{x}}}}", []any{"{{{{x}}}}"}} {
			spec := CheckSpec{Type: kind, Value: value}
			if _, isList := value.([]any); isList {
				spec.Type += "-any"
			}
			c, err := newCheck(spec)
			if err == nil {
				c, err = c.Expand(map[string]string{"y": "a"})
			}
			if err != nil {
				t.Fatal(err)
			}
			got := Judge(t.Context(), []Check{c}, AnswerInput{Kind: history.KindText, Text: "a {{x}}"}, nil)[0]
			if got.Verdict != want {
				t.Errorf("%s %v: %+v, want %s", spec.Type, value, got, want)
			}
		}
	}
}

// TestAnAnswerInDoubtProvesNothing: what fails on it fails, and nothing passes.
func TestAnAnswerInDoubtProvesNothing(t *testing.T) {
	for name, a := range map[string]history.Answer{
		"cut":      {Text: "I am", Finish: chat.FinishLength},
		"empty":    {Text: " \n"},
		"filtered": {Text: "I am", Finish: chat.FinishFilter},
		"refused":  {Text: "I am", Finish: chat.FinishRefusal},
	} {
		a.State, a.Kind = history.Done, history.KindText
		var checks []Check
		for _, spec := range []CheckSpec{{Type: "not-contains", Value: "sorry"}, {Type: "contains", Value: "sorry"}} {
			c, err := newCheck(spec)
			if err != nil {
				t.Fatal(err)
			}
			checks = append(checks, c)
		}
		got := Judge(t.Context(), checks, answerInputOf(history.Turn{}, a), nil)
		if got[0].Verdict != Skipped || got[1].Verdict != Failed || !strings.Contains(got[0].Reason, "proves nothing") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
