// Package openai contains the engines for servers with OpenAI's API: [Chat] for texts (Ollama, llama.cpp, vLLM, LM
// Studio, gateways) and [Images] for pictures and edits. It sends requests with github.com/sashabaranov/go-openai and
// accepts more kinds of answers than that package does.
package openai
