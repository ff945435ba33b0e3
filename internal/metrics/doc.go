// Package metrics counts what a server does and writes the numbers in the text
// format that Prometheus reads. The official client costs every start of the
// program its packages' initialisation, for a format of one page.
package metrics
