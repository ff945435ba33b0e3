// Package openai implements engines for servers with OpenAI's API: [Chat] for texts (Ollama, llama.cpp, vLLM, LM
// Studio, gateways) and [Images] for pictures and edits. It is strict about the answer and its end, and lenient about
// everything else that servers send.
package openai
