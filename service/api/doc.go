// Package api is the wire: the catalogue of models, the request and response bodies of the service contract, its
// errors, and the HTTP client that speaks it. The embedded service and a remote one are reached through the same code.
//
// It knows nothing of turns or screens.
package api
