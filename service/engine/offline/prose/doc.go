// Package prose writes the texts of the offline engine by rules. It reads from the prompt what is asked for, picks the
// template and the texts for that from the files in data, and fills them in. Each model has a style of its own. The
// engine knows very little about the world, and every answer says that it is simulated.
package prose
