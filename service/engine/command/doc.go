// Package command asks a program: the prompt goes to its standard input, the text or picture comes from its standard
// output. No shell is involved.
//
// Words of the command may hold {model}, {aspect}, {nonce}, {width}, {height} and {source}, the path of the picture to
// edit. The same and the system prompt are in its environment: ENGINE_KIND, ENGINE_MODEL, ENGINE_SYSTEM, ENGINE_ASPECT,
// ENGINE_NONCE, ENGINE_WIDTH, ENGINE_HEIGHT, ENGINE_SOURCE, and as JSON ENGINE_PARAMS and ENGINE_MESSAGES, a list of
// {"role", "content"}. Status 65 (EX_DATAERR) says that the request cannot be met; the last line of standard error is
// then the reason that the user sees.
package command
