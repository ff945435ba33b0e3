package decodelimit_test

import (
	"context"
	"errors"
	"testing"

	"confab/internal/decodelimit"
)

// TestALargePictureIsDecodedAlone holds what a large picture needs: small ones wait, and so does another large one.
func TestALargePictureIsDecodedAlone(t *testing.T) {
	acquire := func(bytes int64) (func(), error) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("it would wait"))
		return decodelimit.Acquire(ctx, bytes)
	}
	small, err := decodelimit.Acquire(t.Context(), decodelimit.Bytes/4)
	if err != nil {
		t.Fatal(err)
	}
	beside, err := decodelimit.Acquire(t.Context(), decodelimit.Bytes/4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := acquire(decodelimit.Bytes); err == nil || err.Error() != "it would wait" {
		t.Errorf("a large one beside two small ones: %v", err)
	}
	small()
	beside()
	large, err := decodelimit.Acquire(t.Context(), 10*decodelimit.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := acquire(1); err == nil {
		t.Error("a small one beside one that takes more than there is")
	}
	large()
	if last, err := decodelimit.Acquire(t.Context(), decodelimit.Bytes); err != nil {
		t.Error(err)
	} else {
		last()
	}
}
