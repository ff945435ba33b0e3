// Package prose writes the texts of the offline engine: it reads what kind of
// thing a prompt asks for, and answers in a voice that differs from model to
// model. It knows very little and says so.
package prose
