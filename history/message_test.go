package history_test

import (
	"strings"
	"testing"

	"confab/history"
	"confab/internal/chat"
)

func TestWhyATextIsEmpty(t *testing.T) {
	for _, tt := range []struct {
		answer history.Answer
		want   string
	}{
		{history.Answer{State: history.Done, Kind: history.KindText}, "the answer is empty"},
		{history.Answer{State: history.Done, Kind: history.KindText, Text: " \n", Finish: chat.FinishStop},
			"the answer is empty"},
		{history.Answer{State: history.Done, Kind: history.KindText, Reasoning: "Hm."},
			"the model only reasoned, and wrote no answer"},
		{history.Answer{State: history.Done, Kind: history.KindText, Reasoning: "Hm.", Finish: chat.FinishLength},
			"the model came to its limit of tokens while it reasoned, and wrote no answer"},
		{history.Answer{State: history.Done, Kind: history.KindText, Finish: chat.FinishLength},
			"the model came to its limit of tokens before it wrote an answer"},
		{history.Answer{State: history.Done, Kind: history.KindText, Text: "x", Reasoning: "Hm."}, ""},
		{history.Answer{State: history.Running, Kind: history.KindText, Reasoning: "Hm."}, ""},
		{history.Answer{State: history.Failed, Kind: history.KindText, Reasoning: "Hm."}, ""},
		{history.Answer{State: history.Done, Kind: history.KindImage}, ""},
	} {
		if got := tt.answer.WhyEmpty(); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.answer, got, tt.want)
		}
	}
}

func TestHowAnAnswerEnded(t *testing.T) {
	for finish, want := range map[string]struct {
		ending history.Ending
		text   string
	}{
		"": {}, "stop": {}, "STOP": {}, "end_turn": {},
		"length":     {history.EndsCut, "cut at the limit of tokens"},
		"MAX_TOKENS": {history.EndsCut, "cut at the limit of tokens"},
		"max_tokens": {history.EndsCut, "cut at the limit of tokens"}, "model_length": {history.EndsCut,
			"cut at the limit of tokens"},
		"content_filter": {history.EndsFiltered, "the engine left something out"},
		"SAFETY":         {history.EndsFiltered, "the engine left something out (SAFETY)"},
		"abort":          {history.EndsCut, `cut: the engine stopped with "abort"`},
		"insufficient_system_resource": {history.EndsCut,
			`cut: the engine stopped with "insufficient_system_resource"`},
		"refusal": {history.EndsRefused, "the model refused"},
		"od\x1bd": {}, strings.Repeat("x", 1000): {},
	} {
		a := history.Answer{State: history.Done, Kind: history.KindText, Text: "x",
			Finish: chat.ParseFinishReason(finish)}
		if a.Ending() != want.ending || a.EndingText() != want.text {
			t.Errorf("%s: %q, %q", finish, a.Ending(), a.EndingText())
		}
		a.Text = " "
		if (want.ending == "") != (a.Ending() == history.EndsEmpty) && want.ending != history.EndsCut {
			t.Errorf("%s, empty: %q", finish, a.Ending())
		}
		a.State = history.Failed
		if a.Ending() != "" || a.EndingText() != "" {
			t.Errorf("%s, failed: %q", finish, a.EndingText())
		}
	}
}
