package check

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// textJudge makes a judge of a text.
func textJudge(f func(text string) outcome) judge {
	return func(_ context.Context, facts AnswerInput, _ Peer) outcome { return f(facts.Text) }
}

// says words what was found: the verb with or without its negation.
func textOutcome(holds bool, yes, no, rest string) outcome {
	if holds {
		return outcome{holds: true, reason: "the text " + yes + " " + rest}
	}
	return outcome{reason: "the text " + no + " " + rest}
}

// equals compares the whole text, exactly; with a list or object as its value
// it compares what the text means as JSON.
func equals(name string, spec Spec) (judge, error) {
	if spec.Value == nil {
		return nil, fmt.Errorf("%s needs a value", name)
	}
	if want, ok := text(spec.Value); ok {
		return textJudge(func(got string) outcome {
			o := textOutcome(got == want, "equals", "does not equal", quoted(want))
			if !o.holds {
				o.reason += ", it is " + quoted(got)
			}
			return o
		}), nil
	}
	return textJudge(func(got string) outcome {
		v, err := decode(got)
		if err != nil {
			return outcome{reason: "the text is not JSON"}
		}
		return textOutcome(sameJSON(v, spec.Value), "equals", "does not equal", short(spec.Value))
	}), nil
}

// contains looks for one text; icontains ignores case.
func contains(name string, spec Spec) (judge, error) {
	want, err := needText(name, spec)
	if err != nil {
		return nil, err
	}
	fold := strings.HasPrefix(name, "i")
	return textJudge(func(got string) outcome {
		return textOutcome(has(got, want, fold), "contains", "does not contain", quoted(want))
	}), nil
}

func has(got, want string, fold bool) bool {
	if fold {
		got, want = strings.ToLower(got), strings.ToLower(want)
	}
	return strings.Contains(got, want)
}

// containsList looks for any or all of a list.
func containsList(name string, spec Spec) (judge, error) {
	list, err := needList(name, spec)
	if err != nil {
		return nil, err
	}
	fold, all := strings.HasPrefix(name, "i"), strings.HasSuffix(name, "-all")
	return textJudge(func(got string) outcome {
		var found, missing []string
		for _, want := range list {
			if has(got, want, fold) {
				found = append(found, quoted(want))
			} else {
				missing = append(missing, quoted(want))
			}
		}
		switch {
		case all && len(missing) > 0:
			return outcome{reason: "the text does not contain " + some(missing)}
		case len(found) > 0:
			return outcome{holds: true, reason: "the text contains " + some(found)}
		}
		return outcome{reason: "the text contains none of " + some(missing)}
	}), nil
}

// some lists the first few.
func some(list []string) string {
	const most = 5
	if len(list) > most {
		return strings.Join(list[:most], ", ") + " and " + strconv.Itoa(len(list)-most) + " more"
	}
	return strings.Join(list, ", ")
}

// startsWith looks at the beginning of the text, blanks and case counting.
func startsWith(name string, spec Spec) (judge, error) {
	want, err := needText(name, spec)
	if err != nil {
		return nil, err
	}
	return textJudge(func(got string) outcome {
		return textOutcome(strings.HasPrefix(got, want), "starts with", "does not start with", quoted(want))
	}), nil
}

// regex searches by RE2, which never takes long and knows neither look-around
// nor back-references.
func regex(name string, spec Spec) (judge, error) {
	want, err := needText(name, spec)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(want)
	if err != nil {
		return nil, fmt.Errorf("%s does not compile as an RE2 expression (%s)", name,
			strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return textJudge(func(got string) outcome {
		return textOutcome(re.MatchString(got), "matches", "does not match", quoted(want))
	}), nil
}

// wordCount counts words by the blanks between them, as promptfoo does. The count on
// screen is by Unicode words and may differ.
func wordCount(name string, spec Spec) (judge, error) {
	low, high, err := bounds(name, spec.Value)
	if err != nil {
		return nil, err
	}
	said := "between " + number(low) + " and " + number(high)
	switch {
	case low == high:
		said = "exactly " + number(low)
	case high < 0:
		said = "at least " + number(low)
	case low < 0:
		said = "at most " + number(high)
	}
	return textJudge(func(got string) outcome {
		n := float64(len(strings.Fields(got)))
		holds := (low < 0 || n >= low) && (high < 0 || n <= high)
		o := textOutcome(holds, "has", "does not have", said+" words")
		o.reason += ", it has " + number(n)
		return o
	}), nil
}

// bounds reads a number or {min, max}; a bound that is not written is -1.
func bounds(name string, value any) (low, high float64, err error) {
	bad := fmt.Errorf("%s needs a number or min and max as its value", name)
	object, ok := value.(map[string]any)
	if !ok {
		n, ok := needNumber(value)
		if !ok {
			return 0, 0, bad
		}
		return n, n, nil
	}
	low, high = -1, -1
	for key, v := range object {
		n, ok := needNumber(v)
		switch {
		case !ok:
			return 0, 0, bad
		case key == "min":
			low = n
		case key == "max":
			high = n
		default:
			return 0, 0, fmt.Errorf("%s knows min and max, not %s", name, quoted(key))
		}
	}
	if low < 0 && high < 0 {
		return 0, 0, bad
	}
	if low >= 0 && high >= 0 && low > high {
		return 0, 0, fmt.Errorf("%s has a min above its max", name)
	}
	return low, high, nil
}

// latency compares the time of the answer with a threshold in milliseconds. A
// reused answer has an old time and is not judged.
func latency(name string, spec Spec) (judge, error) {
	limit, ok := -1.0, false
	if spec.Threshold != nil {
		limit, ok = *spec.Threshold, *spec.Threshold >= 0
	} else if spec.Value != nil {
		limit, ok = needNumber(spec.Value)
	}
	if !ok {
		return nil, fmt.Errorf("%s needs a threshold in milliseconds", name)
	}
	return func(_ context.Context, f AnswerInput, _ Peer) outcome {
		if f.Cached {
			return outcome{skip: "the answer was reused and its time is an old one"}
		}
		ms := float64(f.Elapsed.Milliseconds())
		said := fmt.Sprintf("the answer took %s ms of %s", number(ms), number(limit))
		return outcome{holds: ms <= limit, reason: said}
	}, nil
}

// maxDistance bounds the work of levenshtein: the product of both lengths.
const maxDistance = 100_000_000

// distance counts the characters to insert, delete or replace; by code points,
// and only as far as texts of some 10,000 characters. The threshold is 5 where
// none is written.
func distance(name string, spec Spec) (judge, error) {
	want, ok := text(spec.Value)
	if !ok {
		return nil, fmt.Errorf("%s needs a text as its value", name)
	}
	limit := 5.0
	if spec.Threshold != nil {
		limit = *spec.Threshold
	}
	if limit < 0 {
		return nil, fmt.Errorf("%s needs a threshold that is not negative", name)
	}
	return textJudge(func(got string) outcome {
		a, b := utf8.RuneCountInString(got), utf8.RuneCountInString(want)
		if apart := max(a, b) - min(a, b); float64(apart) > limit {
			return outcome{reason: fmt.Sprintf("the distance is at least %d, the threshold %s", apart, number(limit))}
		}
		if got != want && float64(a)*float64(b) > maxDistance {
			return outcome{skip: "the texts are too long for levenshtein"}
		}
		d := levenshtein.ComputeDistance(got, want)
		return outcome{holds: float64(d) <= limit,
			reason: fmt.Sprintf("the distance is %d, the threshold %s", d, number(limit))}
	}), nil
}

// sameJSON compares two decoded values; numbers by what they are worth.
func sameJSON(a, b any) bool { return reflect.DeepEqual(plain(a), plain(b)) }
