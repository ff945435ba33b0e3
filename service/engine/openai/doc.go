// Package openai contains the engines for servers with OpenAI's API: [Chat] for texts (Ollama, llama.cpp, vLLM, LM
// Studio, gateways) and [Images] for pictures and edits. It is strict about what is the answer, and how it ends, and
// lenient about everything else that such servers send.
package openai
