package httpclient_test

import (
	"testing"

	"confab/internal/httpclient"
)

func TestMessage(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"message":"no such model","type":"x"}}`:                       "no such model",
		`{"error":"model not found"}`:                                            "model not found",
		`{"error":"SyntaxError","message":"Bad control character","status":500}`: "SyntaxError: Bad control character",
		`{"status":400,"error":"Bad Request","message":"top_k is no number"}`:    "Bad Request: top_k is no number",
		`{"error":"no model","message":"there is no model x"}`:                   "there is no model x",
		`{"error":{"code":5},"message":"it broke"}`:                              "it broke",
		`{"detail":[{"loc":["body","top_k"],"msg":"not permitted"}]}`:            "body: top_k: not permitted",
		`<html>`: "", `{}`: "",
	} {
		if got := httpclient.Message([]byte(body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
