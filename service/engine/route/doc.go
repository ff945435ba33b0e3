// Package route chooses which engine answers: by routes from slugs to engines, among the replicas of an engine the one
// that is up and least busy, and another engine where the chosen one fails. A [Router] is an engine itself.
package route
