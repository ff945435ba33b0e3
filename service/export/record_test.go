package export_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/service/export"
)

func TestAnswerRecord(t *testing.T) {
	turn := history.Turn{ID: 2, Session: 1}
	started := time.Date(2026, 11, 14, 14, 2, 0, 0, time.UTC)
	tests := []struct {
		name string
		a    history.Answer
		want string
	}{
		{"a text", history.Answer{ID: 3, Model: "delta", Kind: history.KindText, Sample: 1, State: history.Done,
			Text: "<a> & b", Started: started, Elapsed: 1240 * time.Millisecond,
			FirstToken: 340 * time.Millisecond, HTTPStatus: 200, ServedModel: "delta-2"},
			`{"session":1,"turn":2,"answer":3,"model":"delta","kind":"text","sample":1,"state":"done","text":"\u003ca\u003e \u0026 b","chars":7,"words":2,"lines":1,"served_model":"delta-2","bytes":7,"elapsed_ms":1240,"first_token_ms":340,"http_status":200}`},
		{"an empty text",
			history.Answer{ID: 3, Model: "delta", Kind: history.KindText, Sample: 1, State: history.Done,
				Started:  started,
				IsCached: true},
			`{"session":1,"turn":2,"answer":3,"model":"delta","kind":"text","sample":1,"state":"done","text":"","chars":0,"words":0,"lines":0,"bytes":0,"elapsed_ms":0,"cached":true}`},
		{"a picture",
			history.Answer{ID: 3, Model: "sim-image", Kind: history.KindImage, Sample: 2, State: history.Done,
				Started: started,
				Picture: &history.Picture{Path: "/p/a.png", ContentType: "image/png", Width: 4, Height: 3, Bytes: 12,
					SHA256: "ab"}},
			`{"session":1,"turn":2,"answer":3,"model":"sim-image","kind":"image","sample":2,"state":"done","file":"/p/a.png","content_type":"image/png","width":4,"height":3,"bytes":12,"sha256":"ab","elapsed_ms":0}`},
		{"a failure",
			history.Answer{ID: 3, Model: "delta", Kind: history.KindText, Sample: 1, State: history.Failed,
				Started:    started,
				HTTPStatus: 502, Failure: &history.Failure{Code: "service", Message: "It failed."}},
			`{"session":1,"turn":2,"answer":3,"model":"delta","kind":"text","sample":1,"state":"failed","elapsed_ms":0,"http_status":502,"error":{"code":"service","message":"It failed."}}`},
		{"a text that broke off",
			history.Answer{ID: 3, Model: "delta", Kind: history.KindText, Sample: 1, State: history.Cancelled,
				Started: started, Text: "half a sent", Reasoning: "not asked for"},
			`{"session":1,"turn":2,"answer":3,"model":"delta","kind":"text","sample":1,"state":"cancelled","partial_text":"half a sent","elapsed_ms":0,"error":{"code":"cancelled","message":"The answer was stopped before it was whole."}}`},
		{"tokens and cost",
			history.Answer{ID: 3, Model: "delta", Kind: history.KindText, Sample: 1, State: history.Done, Text: "x",
				Started: started, Finish: chat.FinishLength, Thinking: time.Second,
				Usage: chat.Usage{InputTokens: 5, OutputTokens: 4, ReasoningTokens: 3},
				Cost:  history.Cost{Amount: 0.25, Currency: "EUR"}, Ignored: []string{"seed"},
				SentMessages: []chat.Message{{Role: chat.RoleUser, Content: "hi"}}, OmittedTurns: 12},
			`{"session":1,"turn":2,"answer":3,"model":"delta","kind":"text","sample":1,"state":"done","text":"x","finish":"length","chars":1,"words":1,"lines":1,"sent_messages":[{"role":"user","content":"hi"}],"omitted_turns":12,"ignored":["seed"],"bytes":1,"elapsed_ms":0,"thinking_ms":1000,"input_tokens":5,"output_tokens":4,"reasoning_tokens":3,"cost":0.25,"currency":"EUR"}`},
		{"cancelled before it began",
			history.Answer{ID: 3, Model: "delta", Kind: history.KindText, Sample: 1, State: history.Cancelled},
			`{"session":1,"turn":2,"answer":3,"model":"delta","kind":"text","sample":1,"state":"cancelled","error":{"code":"cancelled","message":"The answer was stopped before it came."}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(export.NewAnswerRecord(export.Cell{Turn: turn, Answer: tt.a}, export.Options{}))
			if err != nil || string(got) != tt.want {
				t.Errorf("got  %s\nwant %s (%v)", got, tt.want, err)
			}
		})
	}
}

// docs/json.md describes every field of an answer.
func TestFieldsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/json.md")
	must(t, err)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[export.AnswerRecord]()) {
		if field.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/json.md does not describe the field %s", name)
		}
	}
}
