package history_test

import (
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
