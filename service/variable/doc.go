// Package variable holds the templates of prompts: {{name}} stands for a value.
//
// A name is a letter or underscore followed by letters, digits, underscores and hyphens, 64 characters at most, with
// blanks allowed between it and the braces. Whatever else stands in double braces is text and stays as it is, so that
// pasted code is sent unharmed. {{{{ writes {{, and the next }}}} after it writes }}; a }}}} without one stays, because
// nested JSON ends that way. Values are put in as they are: a value that looks like a template is not expanded again.
//
// It is pure.
package variable
