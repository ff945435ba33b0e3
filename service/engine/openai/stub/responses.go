package stub

// fixedResponse is a response that does not depend on the request.
type fixedResponse struct {
	status     int
	kind, body string
}

// fixedResponses returns recorded responses of real servers by model.
func fixedResponses() map[string]fixedResponse {
	const j, page = "application/json", "text/html"
	return map[string]fixedResponse{
		"openai-quota": {429, j,
			`{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`},
		"openai-500": {500, j,
			`{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}`},
		"openai-400": {400, j,
			`{"error":{"message":"Unsupported value: 'temperature' does not support 3 with this model.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`},
		"openai-param": {400, j,
			`{"error":{"message":"Unsupported parameter.","type":"invalid_request_error","param":"top_k","code":"unsupported_parameter"}}`},
		"fastapi-param": {422, j, `{"detail":[{"type":"extra_forbidden","loc":["body","min_p"],"msg":"Extra inputs are not permitted"}]}`},
		"openai-content": {400, j,
			`{"error":{"message":"Your request was rejected by the safety system.","type":"image_generation_user_error","param":null,"code":"moderation_blocked"}}`},
		"ollama-missing": {404, j,
			`{"error":{"message":"model \"ollama-missing\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`},
		"ollama-500": {500, j,
			`{"error":{"message":"llama runner process has terminated: exit status 2","type":"api_error","param":null,"code":null}}`},
		"llamacpp-loading": {503, j, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`},
		"llamacpp-context": {400, j,
			`{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`},
		"vllm-context": {400, j,
			`{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.","type":"BadRequestError","param":null,"code":400}`},
		"vllm-missing": {404, j,
			`{"object":"error","message":"The model 'x' does not exist.","type":"NotFoundError","param":null,"code":404}`},
		"fastapi-echo":   {422, j, `{"detail":[{"type":"missing","loc":["body","x"],"msg":"Field required","input":{"stream_options":{}}}]}`},
		"fastapi-422":    {422, j, `{"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required"}]}`},
		"lmstudio-error": {400, j, `{"error":"No models loaded. Please load a model in the developer page."}`},
		"lmstudio-200":   {200, j, `{"error":"Model unloaded."}`},
		"gateway-502": {502, page, "<html><head><title>502 Bad Gateway</title></head><body>nginx/1.24.0 upstream " +
			"10.0.0.7:8000</body></html>"},
		"gateway-504":    {504, page, "<html>504 Gateway Time-out</html>"},
		"gateway-html":   {200, page, "<html><title>Sign in</title></html>"},
		"gateway-402":    {402, j, `{"error":{"message":"Insufficient credits","code":402}}`},
		"gateway-403":    {403, j, `{"error":{"message":"Forbidden for key sk-stub-0123456789abcdef","code":403}}`},
		"gateway-413":    {413, page, "<html>413 Request Entity Too Large</html>"},
		"status-418":     {418, "text/plain", "teapot"},
		"no-choices":     {200, j, `{"id":"x","object":"chat.completion","choices":[],"model":"m"}`},
		"not-completion": {200, j, `{"hello":"world"}`},
		"array":          {200, j, `[1,2,3]`},
		"null":           {200, j, `null`},
		"bad-json":       {200, j, `{"choices":[{"message":{"content":"x"`},
		"empty":          {200, j, ``},
		"no-content":     {204, j, ``},
		"escapes": {400, j,
			`{"error":{"message":"bad \u001b]0;PWNED\u0007 \u009d\u202e` + "\\n" + `line two"}}`},
		"deep":     {400, j, `{"error":{"message":{"message":{"message":"x"}}}}`},
		"key-echo": {400, j, `{"error":{"message":"Key sk-stub-0123456789abcdef may not use this model"}}`},
		"json-as-text": {200, "text/plain",
			`{"choices":[{"index":0,"message":{"role":"assistant","content":"labelled wrongly"},"finish_reason":"stop"}],"model":"m"}`},
		"llamacpp-template": {500, j,
			`{"error":{"code":500,"message":"Failed to parse messages: Unsupported content part type","type":"server_error"}}`},
	}
}

// refusalsOfOptions returns the refusals of stream_options by real servers, by model.
func refusalsOfOptions() map[string]string {
	const openAI = `{"error":{"message":"Unrecognized request argument supplied: stream_options","type":"invalid_request_error"}}`
	return map[string]string{
		"no-stream-options":         openAI,
		"no-stream-options-busy":    openAI,
		"no-stream-options-fastapi": `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`,
		"no-stream-options-plain":   `json: unknown field "stream_options"`,
	}
}
