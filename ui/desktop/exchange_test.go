package desktop

import (
	"strings"
	"testing"

	"confab/history"
)

func TestTheExchangeSaysWhatWasLeftOut(t *testing.T) {
	e := history.Exchange{Method: "POST", URL: "http://service.example/api/llm/delta", Status: 200, Proto: "HTTP/1.1"}
	got := exchangeText(history.Answer{OmittedTurns: 12}, e, true)
	if want := "without 12 earlier turns, because the conversation is too long\n"; !strings.Contains(got, want) {
		t.Errorf("got\n%s", got)
	}
}
