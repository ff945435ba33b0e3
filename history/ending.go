package history

import (
	"cmp"
	"fmt"
	"strings"

	"confab/internal/chat"
)

// Ending tells how an answer that is done ended.
type Ending string

// Every ending but EndsWhole means that the answer is not what was requested, though the service counts it as done.
const (
	EndsWhole    Ending = ""
	EndsCut      Ending = "cut"      // cut before its end
	EndsFiltered Ending = "filtered" // the engine left something out
	EndsRefused  Ending = "refused"  // the model refused
	EndsEmpty    Ending = "empty"    // nothing but white space
)

// Ending returns how a done answer ended, as far as the service tells; EndsWhole for every other answer.
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

// WhyEmpty returns a clause that explains why a done text is empty; "" for every other answer.
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

// endingReason returns a clause that explains why a done text is incomplete; "" for a complete one. [Answer.WhyEmpty]
// explains empty texts in more detail.
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

// EndingText returns a clause that explains why a done text is empty or incomplete; "" for every other answer.
func (a Answer) EndingText() string { return cmp.Or(a.WhyEmpty(), a.endingReason()) }
