package prose

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// arithmetic works out a sum of two whole numbers named in a prompt, which is
// the one thing this engine really knows; "" when there is none.
func arithmetic(low string) string {
	m := regexp.MustCompile(`^(?:what(?:'s| is)|calculate|compute|how much is|solve)?\s*(-?\d{1,18})\s*(\+|-|−|\*|×|x|/|÷|plus|minus|times|divided by|multiplied by)\s*(-?\d{1,18})\s*[=?.!]*$`).FindStringSubmatch(strings.TrimSpace(low))
	if m == nil {
		return ""
	}
	a, okA := new(big.Int).SetString(m[1], 10)
	b, okB := new(big.Int).SetString(m[3], 10)
	if !okA || !okB {
		return ""
	}
	sign, out := m[2], ""
	switch sign {
	case "+", "plus":
		sign, out = "+", new(big.Int).Add(a, b).String()
	case "-", "−", "minus":
		sign, out = "−", new(big.Int).Sub(a, b).String()
	case "*", "×", "x", "times", "multiplied by":
		sign, out = "×", new(big.Int).Mul(a, b).String()
	default:
		if b.Sign() == 0 {
			return fmt.Sprintf("%s ÷ 0 has no value", a)
		}
		q, r := new(big.Int).QuoRem(a, b, new(big.Int))
		sign, out = "÷", q.String()
		if r.Sign() != 0 {
			out += fmt.Sprintf(" remainder %s", r)
		}
	}
	return fmt.Sprintf("%s %s %s = %s", a, sign, b, out)
}
