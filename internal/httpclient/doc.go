// Package httpclient is the common part of confab's HTTP clients: trusted certificates, causes of failed connections,
// requested waits and unrequested compression.
package httpclient
