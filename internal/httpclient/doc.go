// Package httpclient has what every HTTP client of confab needs: the certificates it trusts, why a connection failed,
// how long a server asks to wait, and compression that was not asked for.
package httpclient
