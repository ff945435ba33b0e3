package history

import (
	"cmp"
	"fmt"
	"strings"

	"confab/internal/chat"
)

// Ending tells how an answer that is done ended.
type Ending string

// The endings. Every one but EndsWhole means that the answer is not what was asked for, though the service counts it as
// one.
const (
	EndsWhole    Ending = ""
	EndsCut      Ending = "cut"      // before its end
	EndsFiltered Ending = "filtered" // the engine left something out
	EndsRefused  Ending = "refused"  // the model refused
	EndsEmpty    Ending = "empty"    // nothing but white space
)

// Ending returns how an answer that is done ended, as far as the service tells, and EndsWhole for every other answer.
func (a Answer) Ending() Ending {
	switch {
	case a.State != Done || a.Kind != KindText:
		return EndsWhole
	case a.Finish == chat.FinishRefusal:
		return EndsRefused
	case a.Finish.IsFilter():
		return EndsFiltered
	case strings.TrimSpace(a.Text) == "":
		return EndsEmpty
	case a.Finish.IsCut():
		return EndsCut
	}
	return EndsWhole
}

// WhyEmpty says as a clause why a text that is done holds nothing; it is empty for every other answer.
func (a Answer) WhyEmpty() string {
	switch {
	case a.State != Done || a.Kind != KindText || strings.TrimSpace(a.Text) != "":
		return ""
	case a.Finish == chat.FinishLength && a.Reasoning != "":
		return "the model came to its limit of tokens while it reasoned, and wrote no answer"
	case a.Finish == chat.FinishLength:
		return "the model came to its limit of tokens before it wrote an answer"
	case a.endingReason() != "":
		return "the answer is empty: " + a.endingReason()
	case a.Reasoning != "":
		return "the model only reasoned, and wrote no answer"
	}
	return "the answer is empty"
}

// endingReason says as a clause why the text of an answer that is done is not all that was asked for; it is empty for a
// whole one. [Answer.WhyEmpty] has more to say of an empty one.
func (a Answer) endingReason() string {
	switch {
	case a.State != Done:
		return ""
	case a.Finish == chat.FinishLength:
		return "cut at the limit of tokens"
	case a.Finish == chat.FinishFilter:
		return "the engine left something out"
	case a.Finish.IsFilter():
		return fmt.Sprintf("the engine left something out (%s)", a.Finish)
	case a.Finish == chat.FinishRefusal:
		return "the model refused"
	case a.Finish.IsCut():
		return fmt.Sprintf("cut: the engine stopped with \"%s\"", a.Finish)
	}
	return ""
}

// EndingText says as a clause why a text that is done is empty, or not all of it; it is empty for every other answer.
func (a Answer) EndingText() string { return cmp.Or(a.WhyEmpty(), a.endingReason()) }
