package suite_test

import (
	"strings"
	"testing"

	"confab/service/suite"
)

const edited = `# what support answers
description: Refund tone

prompts: # two of them
  - 'Write a {{tone}} reply to: {{mail}}' # the short one

  # the long one
  - id: long
    raw: |
      Write to {{mail}}.

      # not a comment
defaultTest:
  vars: {language: English, tone: warm}
  assert:
    - type: icontains # any case
      value: sorry

tests:
- description: late parcel
  vars:
    mail: My parcel is late
    list: [a, b]
# the last
- vars:
    mail: "My parcel\n is lost"   # why
`

func TestSetPartChangesItsLinesAlone(t *testing.T) {
	parts, err := suite.Parts([]byte(edited))
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, p := range parts {
		titles = append(titles, p.Title)
	}
	if got, want := strings.Join(titles, "|"), "prompt 1|prompt long|every test: language|every test: tone|"+
		"every test: checks|late parcel: mail|late parcel: list|late parcel: checks|"+
		"test 2: mail|test 2: checks"; got != want {
		t.Fatalf("the parts are %s, want %s", got, want)
	}
	for i, test := range []struct{ value, gone, now string }{
		{"Say: no", "'Write a {{tone}} reply to: {{mail}}' # the short one\n", "'Say: no' # the short one\n"},
		{"One\n\ntwo\n", "Write to {{mail}}.\n\n      # not a comment\n", "One\n\n      two\n"},
		{"Basque", "{language: English, tone: warm}", "{language: Basque, tone: warm}"},
		{"yes", "{language: English, tone: warm}", "{language: English, tone: yes}"},
		{"- type: equals\n  value: 1\n- type: is-json # strict\n",
			"- type: icontains # any case\n      value: sorry\n",
			"- type: equals\n      value: 1\n    - type: is-json # strict\n"},
		{"# none", "mail: My parcel is late\n", "mail: '# none'\n"},
		{"[c]", "list: [a, b]\n", "list: [c]\n"},
		{"- type: is-json # new", "list: [a, b]\n", "list: [a, b]\n  assert:\n    - type: is-json # new\n"},
		{"here", `"My parcel\n is lost"   # why`, `"here" # why`},
	} {
		out, err := suite.SetPart([]byte(edited), parts[i], test.value)
		if want := strings.Replace(edited, test.gone, test.now, 1); err != nil || string(out) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", parts[i].Title, err, out, want)
		}
	}
	const bare = "prompts: [x] # one\n\nproviders: [llm:alpha]\n"
	added, err := suite.Parts([]byte(bare))
	if err != nil || len(added) != 2 || added[0].Title+added[1].Title != "prompt 1"+"every test: checks" {
		t.Fatalf("the parts are %+v, %v", added, err)
	}
	out, err := suite.SetPart([]byte(bare), added[1], "- type: is-json")
	if want := bare + "defaultTest:\n  assert:\n    - type: is-json\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
	if out, err := suite.SetPart([]byte(bare), added[1], " \n"); err != nil || string(out) != bare {
		t.Errorf("no check changed the file to\n%s, %v", out, err)
	}
	if _, err := suite.SetPart([]byte(bare), added[1], "is-json"); err == nil {
		t.Error("a text became checks")
	}
	if _, err := suite.SetPart([]byte("prompts: [x]\n"), parts[7], "y"); err == nil {
		t.Error("a part was set in a file that does not have it")
	}
	if _, err := suite.SetPart([]byte(edited), parts[4], "sorry"); err == nil {
		t.Error("checks became a text")
	}
}

// FuzzSetPart changes a part of any file, which then says that and otherwise the same.
func FuzzSetPart(f *testing.F) {
	f.Add(edited, "one\n # two", 1)
	f.Add("prompts: &a [x, *b]\ntests: {vars: {a: *a}}", "", 0)
	f.Fuzz(func(t *testing.T, text, value string, at int) {
		parts, err := suite.Parts([]byte(text))
		if err != nil || len(parts) == 0 || strings.HasSuffix(parts[uint(at)%uint(len(parts))].Title, "checks") {
			return
		}
		at = int(uint(at) % uint(len(parts)))
		out, err := suite.SetPart([]byte(text), parts[at], value)
		if err != nil {
			return
		}
		after, err := suite.Parts(out)
		if err != nil || len(after) != len(parts) {
			t.Fatalf("%d parts became %d, %v:\n%s", len(parts), len(after), err, out)
		}
		for i, p := range after {
			isChecks := strings.HasSuffix(p.Title, "checks")
			if i != at && p.Text != parts[i].Text || i == at && !isChecks && p.Text != value {
				t.Errorf("%s is %q", p.Title, p.Text)
			}
		}
	})
}
