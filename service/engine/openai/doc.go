// Package openai asks servers that speak as OpenAI's does: [Chat] for texts
// (Ollama, llama.cpp, vLLM, LM Studio, gateways), [Images] for pictures and
// edits. It uses OpenAI's own Go client for the requests and reads what other
// servers answer more widely than that does.
package openai
