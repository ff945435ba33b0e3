// Package offline is the engine that is built in: no model weights, no
// network. It writes texts, draws pictures and edits pictures by rules, says in
// every text that it is simulated, and gives the same answer to the same
// request. Package prose writes, package paint draws, package retouch edits.
//
// It imports no other room but service/engine.
package offline
