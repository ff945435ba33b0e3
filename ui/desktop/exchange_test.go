package desktop

import (
	"strings"
	"testing"

	"confab/history"
)

func TestTheExchangeSaysWhatWasLeftOut(t *testing.T) {
	e := history.Exchange{Method: "POST", URL: "http://service.example/api/llm/delta", Status: 200, Proto: "HTTP/1.1"}
	if got := exchangeText(history.Answer{}, e); !strings.HasPrefix(got, "POST http://service.example") {
		t.Errorf("an answer to the whole conversation begins\n%s", got)
	}
	got := exchangeText(history.Answer{OmittedTurns: 12}, e)
	if want := "12 earlier turns left out, because the conversation is too long.\n\nPOST"; !strings.HasPrefix(got,
		want) {
		t.Errorf("got\n%s", got)
	}
}
